// The layers of the house: isa ← sim ← traces ← tools, read from the #include lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// What each folder may include, beside the standard library.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"isa", {"isa"}},
    {"sim", {"isa", "sim", "xbyak"}},
    {"traces", {"isa", "sim", "traces", "nlohmann"}},
    {"programs", {"programs"}},
    {"host", {"isa", "sim", "traces", "host", "nlohmann"}},
    {"tools",
     {"isa", "sim", "traces", "host", "programs", "tools", "nlohmann", "spdlog", "CLI", "fmt", "editline", "event2",
      "elfutils"}},
    {"web", {"isa", "sim", "traces", "host", "programs", "tools", "web", "nlohmann"}},
};

struct Include {
  fs::path file;
  int line;
  std::string target;
  bool quoted;
};

std::vector<Include> includes_of(const fs::path& folder) {
  std::vector<Include> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string ext = entry.path().extension().string();
    if (ext != ".h" && ext != ".cpp" && ext != ".def") continue;
    std::ifstream in(entry.path());
    std::string text;
    for (int line = 1; std::getline(in, text); ++line) {
      if (text.rfind("#include", 0) != 0) continue;
      const std::size_t from = text.find_first_of("\"<");
      const std::size_t to = text.find_first_of("\">", from + 1);
      if (from == std::string::npos || to == std::string::npos) continue;
      found.push_back({entry.path(), line, text.substr(from + 1, to - from - 1), text[from] == '"'});
    }
  }
  return found;
}

TEST(Layers, EveryIncludePointsDownOrSideways) {
  int seen = 0;
  for (const auto& [folder, allowed] : kMayInclude) {
    for (const Include& i : includes_of(fs::path(WARPSIM_SOURCE_DIR) / folder)) {
      const std::size_t slash = i.target.find('/');
      const std::string top = slash == std::string::npos ? "" : i.target.substr(0, slash);
      if (!i.quoted && (top.empty() || top == "sys" || top == "netinet")) continue;  // the standard library, the system
      ++seen;
      EXPECT_TRUE(allowed.count(top) == 1)
          << i.file.string() << ":" << i.line << ": " << folder << "/ may not include " << i.target;
    }
  }
  EXPECT_GT(seen, 100) << "the include lines were not read";
}

// The rooms of each hall, in the order in which they may know each other: a room knows itself and those before it.
const std::map<std::string, std::vector<std::string>> kRooms = {
    {"isa", {"text", "table", "kernels", "cases", "program", "assembly", "ptx", "ptx_writer", "sass"}},
    {"sim",
     {"launch", "event", "code", "memory", "engine", "timing", "machine", "sass", "statistics", "ordering", "calm",
      "check", "advice"}},
    {"traces",
     {"model", "words", "template", "replay", "io", "compare", "record", "sentence", "text", "export", "explain",
      "profile"}},
    {"host", {"device", "fatbin", "exec", "cudart", "cuda", "interface"}},
    {"tools", {"support",        "manual",          "picture", "serve",    "viewer",   "report",      "cuda/driver",
               "cuda/recording", "cuda/benchmarks", "session", "debugger", "terminal", "fuzz/random", "fuzz",
               "cuda/rows",      "cycles",          "exec",    "book",     "grade",    "sass",        "command"}},
    {"web", {"wasm"}},
};

// "isa/text/source.h" → "text"; "" for a file directly in its hall.
std::string room_of(const std::string& path) {
  const std::size_t hall = path.find('/'), last = path.rfind('/');
  return hall == std::string::npos || hall == last ? "" : path.substr(hall + 1, last - hall - 1);
}

TEST(Layers, ARoomKnowsOnlyTheRoomsBeforeIt) {
  const fs::path root = WARPSIM_SOURCE_DIR;
  for (const auto& [hall, rooms] : kRooms) {
    const auto place = [&rooms = rooms](const std::string& room) {
      return std::find(rooms.begin(), rooms.end(), room) - rooms.begin();
    };
    int seen = 0;
    for (const Include& i : includes_of(root / hall)) {
      const std::string file = fs::relative(i.file, root).generic_string(), from = room_of(file);
      if (file == "tools/main.cpp") continue;  // it is above the rooms
      ASSERT_LT(place(from), static_cast<std::ptrdiff_t>(rooms.size()))
          << file << " lies in no room of " << hall << "/";
      if (i.target.rfind(hall + "/", 0) != 0 || !fs::exists(root / i.target)) continue;  // version.h is generated
      ++seen;
      EXPECT_LE(place(room_of(i.target)), place(from))
          << file << ":" << i.line << ": the room " << from << " may not know " << i.target;
    }
    EXPECT_GT(seen, hall == "host" || hall == "web" ? 5 : 50) << "the include lines of " << hall << "/ were not read";
  }
}

// A room says what it is, what goes in and what comes out.
TEST(Layers, EveryRoomHasAReadme) {
  for (const auto& [hall, rooms] : kRooms)
    for (const std::string& room : rooms) {
      const fs::path path = fs::path(WARPSIM_SOURCE_DIR) / hall / room / "README.md";
      std::ifstream in(path);
      const std::string text((std::istreambuf_iterator<char>(in)), {});
      if (hall == "tools" && room == "viewer") {  // has a page of its own
        EXPECT_NE(text, "") << path;
        continue;
      }
      EXPECT_EQ(text.rfind("# " + hall + "/" + room, 0), 0u) << path;
      for (const std::string part : {"\n- In: ", "\n- Out: "})
        EXPECT_NE(text.find(part), std::string::npos) << path << " lacks" << part;
      EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 12) << path << " is to be read at a glance";
    }
}

// Beside the rooms a hall holds its CMakeLists.txt, its documents and schemas, its scripts, and the command's main.cpp.
TEST(Layers, NoSourceFileLiesOutsideTheRooms) {
  const fs::path root = WARPSIM_SOURCE_DIR;
  for (const auto& [hall, rooms] : kRooms)
    for (const fs::directory_entry& entry : fs::directory_iterator(root / hall)) {
      const std::string ext = entry.path().extension().string();
      if (ext == ".cpp" || ext == ".h" || ext == ".def" || ext == ".in") {
        EXPECT_EQ(entry.path().filename(), "main.cpp") << entry.path();
      }
    }
}

TEST(Layers, OnlyToolsPrintsReadsFilesOrTheEnvironment) {
  const std::vector<std::string> outside = {"<iostream>",   "<fstream>", "<cstdlib>", "<unistd.h>",
                                            "<filesystem>", "<thread>",  "<chrono>",  "<random>"};
  for (const std::string folder : {"isa", "sim", "traces"}) {
    for (const Include& i : includes_of(fs::path(WARPSIM_SOURCE_DIR) / folder)) {
      const std::string written = "<" + i.target + ">";
      if (written == "<cstdlib>") continue;  // strtod and abort live there; getenv and exit are looked for below
      EXPECT_TRUE(std::find(outside.begin(), outside.end(), written) == outside.end())
          << i.file.string() << ":" << i.line << ": " << folder << "/ includes " << written;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(WARPSIM_SOURCE_DIR) / folder)) {
      const std::string ext = entry.path().extension().string();
      if (ext != ".h" && ext != ".cpp") continue;
      std::ifstream in(entry.path());
      const std::string text((std::istreambuf_iterator<char>(in)), {});
      for (const std::string call : {"getenv(", "std::exit(", " printf(", "std::cout", "std::cerr", "throw "}) {
        EXPECT_EQ(text.find(call), std::string::npos) << entry.path().string() << " has '" << call << "'";
      }
    }
  }
}

// The rows of the tables, and the check of what must be true.
TEST(Layers, MacrosAreRowsOfTablesAndTheCheck) {
  const std::vector<std::string> macros = {"#define INSN(",    "#define FINDING(",      "#define EXPLAIN(",
                                           "#define MESSAGE(", "#define IN_CUDA(",      "#define SPECIAL(",
                                           "#define SASS(",    "#define WARPSIM_CHECK("};
  for (const std::string folder : {"isa", "sim", "traces", "tools", "programs"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(WARPSIM_SOURCE_DIR) / folder)) {
      const std::string ext = entry.path().extension().string();
      if ((ext != ".h" && ext != ".cpp" && ext != ".def") || entry.path().string().find("/cuda/") != std::string::npos)
        continue;
      std::ifstream in(entry.path());
      std::string line;
      while (std::getline(in, line)) {
        if (line.rfind("#define ", 0) != 0) continue;
        EXPECT_TRUE(std::any_of(macros.begin(), macros.end(),
                                [&line](const std::string& macro) { return line.rfind(macro, 0) == 0; }))
            << entry.path().string() << ": " << line;
      }
    }
  }
}

}  // namespace
