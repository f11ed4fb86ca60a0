// README.md and docs/*.md: what they show is what the command prints, and every link leads somewhere.
//
// Shapes: a ```console block holds `$ warpsim …` lines, each followed by its output. A ```warp NAME block is a file: it
//         is written as NAME to the folder in which the page's commands run. Files of README.md are there for every
//         page, and so is `traces/` of the repository.
// Errors: each failure names the page and the line. WARPSIM_REBASE=1 writes the outputs anew.
// Source: anchors as GitHub makes them from headings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

constexpr std::size_t kReadmeLines = 200, kPageLines = 300;

fs::path root() { return WARPSIM_SOURCE_DIR; }

Lines lines_of(const fs::path& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in.good()) << path.string() << " cannot be read";
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Lines lines_in(const std::string& text) {
  std::istringstream in(text);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// "docs/learn.md:12", with lines counted from 1.
std::string place(const fs::path& page, std::size_t index) {
  return page.lexically_relative(root()).generic_string() + ":" + std::to_string(index + 1);
}

bool is_page(const fs::path& path) { return path.extension() == ".md"; }

// README.md, then docs/*.md by name.
std::vector<fs::path> pages() {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(root() / "docs"))
    if (is_page(entry.path())) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  found.insert(found.begin(), root() / "README.md");
  return found;
}

// All pages whose links are checked: those above, CONTRIBUTING.md, and the pages beside the sources.
std::vector<fs::path> pages_with_links() {
  std::vector<fs::path> found = pages();
  found.push_back(root() / "CONTRIBUTING.md");
  for (const char* const folder : {"isa", "sim", "traces", "programs", "tools", "tests"}) {
    fs::recursive_directory_iterator entry(root() / folder), end;
    for (; entry != end; ++entry) {
      if (entry->path().filename() == "node_modules") entry.disable_recursion_pending();
      else if (is_page(entry->path())) found.push_back(entry->path());
    }
  }
  return found;
}

bool is_fence(const std::string& line) { return line.starts_with("```"); }

// ---- what the command prints

// Writes the page's ```warp NAME blocks as files.
void write_files(const fs::path& page, const fs::path& folder) {
  std::ofstream file;
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("```warp ")) file.open(folder / line.substr(8));
    else if (is_fence(line)) file.close();
    else if (file.is_open()) file << line << "\n";
  }
}

// Standard output and error of `command` in `folder`; `warpsim` is the command that was built.
std::string output_of(const std::string& command, const fs::path& folder) {
  const std::string line = "cd '" + folder.string() + "' && PATH='" + fs::path(WARPSIM_BINARY).parent_path().string() +
                           "':\"$PATH\" && " + command + " 2>&1";
  FILE* const pipe = popen(line.c_str(), "r");
  EXPECT_NE(pipe, nullptr) << line;
  if (pipe == nullptr) return {};
  std::string text;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, n);
  pclose(pipe);
  return text;
}

struct Console {
  Lines now;  // the page with the outputs of today
  std::size_t blocks = 0, commands = 0;
};

Console run_commands(const Lines& page, const fs::path& folder) {
  Console result;
  bool in_block = false;
  for (const std::string& line : page) {
    if (line == "```console") {
      in_block = true;
      ++result.blocks;
    } else if (in_block && is_fence(line)) {
      in_block = false;
    } else if (in_block) {
      if (!line.starts_with("$ warpsim ")) continue;  // what it printed last time
      result.now.push_back(line);
      const Lines output = lines_in(output_of(line.substr(2), folder));
      result.now.insert(result.now.end(), output.begin(), output.end());
      ++result.commands;
      continue;
    }
    result.now.push_back(line);
  }
  return result;
}

// The command above a line of a console block.
std::string command_above(const Lines& page, std::size_t index) {
  for (std::size_t i = std::min(index + 1, page.size()); i-- > 0;)
    if (page[i].starts_with("$ warpsim ")) return page[i];
  return "no command";
}

void expect_same(const fs::path& page, const Lines& shown, const Lines& now) {
  if (shown == now) return;
  std::size_t at = 0;
  while (at < shown.size() && at < now.size() && shown[at] == now[at]) ++at;
  ADD_FAILURE() << place(page, at) << ": " << command_above(shown, at)
                << "\n  the page shows: " << (at < shown.size() ? shown[at] : "the end of the page")
                << "\n  it prints:      " << (at < now.size() ? now[at] : "nothing more")
                << "\n  WARPSIM_REBASE=1 writes the output anew";
}

TEST(Docs, ShowWhatTheCommandPrints) {
  std::size_t blocks = 0, commands = 0;
  for (const fs::path& page : pages()) {
    const fs::path folder = fs::path(WARPSIM_BINARY_DIR) / "docs" / page.stem() / page.parent_path().filename();
    fs::remove_all(folder);
    fs::create_directories(folder);
    fs::create_directory_symlink(root() / "traces", folder / "traces");
    write_files(root() / "README.md", folder);
    write_files(page, folder);
    const Lines shown = lines_of(page);
    const Console console = run_commands(shown, folder);
    blocks += console.blocks;
    commands += console.commands;
    if (std::getenv("WARPSIM_REBASE") != nullptr && shown != console.now) {
      std::ofstream out(page);
      for (const std::string& line : console.now) out << line << "\n";
    }
    expect_same(page, shown, console.now);
  }
  EXPECT_GE(blocks, 12U) << "the ```console blocks were not found";
  EXPECT_GE(commands, 18U);
}

// ---- links and sizes

// The line without its `code`: brackets in there are no links.
std::string without_code(const std::string& line) {
  std::string text;
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t open = line.find('`', at);
    text += line.substr(at, open - at);
    if (open == std::string::npos) break;
    const std::size_t begin = std::min(line.find_first_not_of('`', open), line.size());
    const std::string ticks = line.substr(open, begin - open);
    const std::size_t close = line.find(ticks, begin);
    if (close == std::string::npos) return text + line.substr(open);
    at = close + ticks.size();
  }
  return text;
}

struct Link {
  std::size_t index = 0;  // of its line
  std::string file, anchor;
};

// Links of a page to places in the repository: [text](file#anchor), pictures as well.
std::vector<Link> links_of(const fs::path& page) {
  std::vector<Link> links;
  const Lines lines = lines_of(page);
  bool in_block = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_fence(lines[i])) in_block = !in_block;
    if (in_block || is_fence(lines[i])) continue;
    const std::string text = without_code(lines[i]);
    for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
      const std::string target = text.substr(at + 2, text.find_first_of(") ", at + 2) - at - 2);
      if (target.find(':') != std::string::npos) continue;  // https://…
      const std::size_t hash = std::min(target.find('#'), target.size());
      links.push_back({i, target.substr(0, hash), hash < target.size() ? target.substr(hash + 1) : ""});
    }
  }
  return links;
}

// The anchor of a heading: lower case, blanks as hyphens, without punctuation and without the targets of links.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  bool in_target = false;
  for (std::size_t i = 0; i < heading.size(); ++i) {
    const char c = heading[i];
    if (c == '(' && i > 0 && heading[i - 1] == ']') in_target = true;
    if (c == ')' && in_target) in_target = false;
    if (in_target) continue;
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool is_kept = is_upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                         static_cast<unsigned char>(c) >= 0x80;
    if (c == ' ') anchor += '-';
    else if (is_kept) anchor += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return anchor;
}

// The second heading of the same words has -1 after its anchor, the third -2.
std::set<std::string> anchors_in(const fs::path& page) {
  std::map<std::string, int> seen;
  std::set<std::string> anchors;
  bool in_block = false;
  for (const std::string& line : lines_of(page)) {
    if (is_fence(line)) in_block = !in_block;
    const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
    if (in_block || level == 0 || level > 6 || level == line.size() || line[level] != ' ') continue;
    const std::string anchor = anchor_of(line.substr(level + 1));
    const int count = seen[anchor]++;
    anchors.insert(count == 0 ? anchor : anchor + "-" + std::to_string(count));
  }
  return anchors;
}

TEST(Docs, EveryLinkLeadsToAFileAndAHeading) {
  std::size_t links = 0;
  for (const fs::path& page : pages_with_links()) {
    for (const Link& link : links_of(page)) {
      ++links;
      const fs::path target = link.file.empty() ? page : page.parent_path() / link.file;
      std::error_code none;
      if (!fs::exists(target, none)) {
        ADD_FAILURE() << place(page, link.index) << ": there is no file " << link.file;
      } else if (!link.anchor.empty() && is_page(target)) {
        EXPECT_EQ(anchors_in(target).count(link.anchor), 1U)
            << place(page, link.index) << ": no heading of " << target.filename().string() << " is #" << link.anchor;
      }
    }
  }
  EXPECT_GE(links, 200U) << "the links were not found";
}

TEST(Docs, AnchorsAreThoseOfGitHub) {
  EXPECT_EQ(anchor_of("The model beside an H200's clocks: `crosscheck --cycles`"),
            "the-model-beside-an-h200s-clocks-crosscheck---cycles");
  EXPECT_EQ(anchor_of("What `x_y` is, see [here](a.md#b)"), "what-x_y-is-see-here");
}

TEST(Docs, AreShortAndListed) {
  const std::vector<fs::path> all = pages();
  EXPECT_GE(all.size(), 10U) << "README.md and the pages of docs/";
  std::set<std::string> listed = {"README.md"};
  for (const Link& link : links_of(root() / "docs/README.md")) listed.insert(link.file);
  for (const fs::path& page : all) {
    const std::size_t limit = page == root() / "README.md" ? kReadmeLines : kPageLines;
    EXPECT_LE(lines_of(page).size(), limit) << place(page, limit) << ": too long: split it by reader";
    EXPECT_EQ(listed.count(page.filename().string()), 1U)
        << "docs/README.md does not list " << page.filename().string();
  }
}

}  // namespace
