// `warpsim mdbook`, by mdBook's protocol of preprocessors: of both versions, as mdBook 0.4.40 and 0.5.1 write it; and
// in mdBook itself, where that is installed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tools/support/child_process.h"

namespace warpsim::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kTwice =
    ".kernel twice (in input: u32[size], out output: u32[size], param size: u32 = WARP_SZ)\n"
    "        ld.global.u32   %x, input[%gtid]\n"
    "        add.u32         %x, %x, %x\n"
    "        st.global.u32   output[%gtid], %x\n"
    "        exit\n"
    ".case test\n"
    "    input = i + 3\n";

std::string fence(const std::string& info, const std::string& body = "") {
  return "```warp-sim " + info + "\n" + body + "```\n";
}

Json chapter(const std::string& content, Json below = Json::array(), const std::string& path = "one.md") {
  Json json = {{"name", "One"}, {"content", content},  {"number", {1, 2}},         {"sub_items", std::move(below)},
               {"path", path},  {"source_path", path}, {"parent_names", {"Zero"}}, {"unknown", {{"x", 1.5}}}};
  return {{"Chapter", json}};
}

struct Asked {
  std::string renderer = "html", language = "en", site, root = "/nowhere";
};
Json context(const Asked& asked) {
  Json own = {{"command", "warpsim mdbook"}};
  if (!asked.site.empty()) own["site"] = asked.site;
  return {{"root", asked.root},
          {"config", {{"book", {{"language", asked.language}, {"src", "src"}}}, {"preprocessor", {{"warp-sim", own}}}}},
          {"renderer", asked.renderer},
          {"mdbook_version", "0.4.40"}};
}

// Of mdBook 0.4; of 0.5 the chapters are `items`, and there is nothing else.
Json book_of(const std::vector<Json>& items) { return {{"sections", items}, {"__non_exhaustive", nullptr}}; }

ChildResult changed(const Json& book, const Asked& asked = {}) {
  return run_child({WARPSIM_BINARY, "mdbook"}, Json::array({context(asked), book}).dump());
}
std::string content_of(const Json& book, const Asked& asked = {}) {
  const ChildResult result = changed(book, asked);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json out = Json::parse(result.out, nullptr, false);
  return out.is_object() ? out["sections"][0]["Chapter"]["content"].get<std::string>() : "";
}
std::string diagram(const std::vector<std::string>& words, const std::string& input = "") {
  std::vector<std::string> all = {WARPSIM_BINARY, "trace", "--format", "text"};
  all.insert(all.end(), words.begin(), words.end());
  return "```text\n" + run_child(all, input).out + "```\n";
}

TEST(Mdbook, EveryRendererIsSupported) {
  for (const std::string renderer : {"html", "epub", "markdown"})
    EXPECT_EQ(run_child({WARPSIM_BINARY, "mdbook", "supports", renderer}, "").exit_code, 0);
  EXPECT_EQ(run_child({WARPSIM_BINARY, "mdbook", "suports", "html"}, "").exit_code, 2);
}

TEST(Mdbook, AFenceIsTheDiagramThatTraceDraws) {
  const Json book = book_of(
      {chapter("A\n\n" + fence("p26/butterfly_pair_swap lanes=8 case=worked") + "\nB\n\n" + fence("lanes=4", kTwice))});
  EXPECT_EQ(content_of(book), "A\n\n" + diagram({"p26/butterfly_pair_swap", "--lanes", "8", "--case", "worked"}) +
                                  "\nB\n\n" + diagram({"-", "--lanes", "4"}, kTwice));
  EXPECT_NE(content_of(book).find("[6, 8, 10, 12]"), std::string::npos) << "twice 3, 4, 5, 6";
}

TEST(Mdbook, WhatIsNoFenceStaysAsItIs) {
  const Json below = Json::array({chapter("~~~rust\nfn\n~~~\n", Json::array(), "below.md")});
  const Json old =
      book_of({chapter("text\r\n# A", below), "Separator", {{"PartTitle", "Part"}}, {{"New", {{"x", nullptr}}}}});
  const ChildResult result = changed(old);
  EXPECT_EQ(Json::parse(result.out), old) << result.err;
  const Json items = {{"items", old["sections"]}};
  EXPECT_EQ(Json::parse(changed(items).out), items);
}

TEST(Mdbook, BothVersionsAndChaptersBelowOthersAreRead) {
  const std::string want = diagram({"p25/basic_broadcast", "--lanes", "4"});
  const Json below = {"Separator", chapter(fence("p25/basic_broadcast lanes=4"), Json::array(), "below.md")};
  const Json items = {{"items", {"Separator", chapter("above", below)}}};
  const Json out = Json::parse(changed(items).out);
  EXPECT_EQ(out["items"][1]["Chapter"]["sub_items"][1]["Chapter"]["content"], want);
  // A draft has no path.
  Json draft = chapter(fence("p25/basic_broadcast lanes=4"));
  draft["Chapter"]["path"] = draft["Chapter"]["source_path"] = nullptr;
  EXPECT_EQ(content_of(book_of({draft})), want);
}

TEST(Mdbook, TheLanguageIsTheBooksOrTheFences) {
  const std::string korean = diagram({"p25/basic_broadcast", "--lanes", "4", "--lang", "ko"});
  EXPECT_EQ(content_of(book_of({chapter(fence("p25/basic_broadcast lanes=4"))}), {.language = "ko"}), korean);
  EXPECT_EQ(content_of(book_of({chapter(fence("p25/basic_broadcast lanes=4 lang=ko"))})), korean);
}

TEST(Mdbook, WithASiteTheDiagramIsLiveInHtmlAlone) {
  const std::string still = diagram({"p25/basic_broadcast", "--lanes", "4"});
  const Json book = book_of({chapter("A\n\n" + fence("p25/basic_broadcast lanes=4 step=3") + "B\n")});
  const std::string script = "\n\n<script src=\"https://h.example/warpsim/embed/warp-sim.js\"></script>\n";
  EXPECT_EQ(content_of(book, {.site = "https://h.example/warpsim/"}),
            "A\n\n\n<warp-sim src=\"p25/basic_broadcast\" lanes=\"4\" step=\"3\">\n\n" + still +
                "\n</warp-sim>\n\nB\n" + script);
  EXPECT_EQ(content_of(book, {.renderer = "epub", .site = "https://h.example/warpsim"}), "A\n\n" + still + "B\n");
  EXPECT_EQ(content_of(book_of({chapter(fence("lanes=4", kTwice))}), {.site = "/w"}),
            "\n<warp-sim lanes=\"4\">\n\n<script type=\"text/warp\">\n" + std::string(kTwice) + "</script>\n\n" +
                diagram({"-", "--lanes", "4"}, kTwice) +
                "\n</warp-sim>\n\n\n\n<script src=\"/w/embed/warp-sim.js\"></script>\n");
  const ChildResult wrong = changed(book, {.site = "javascript:alert(1)"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("`site` of [preprocessor.warp-sim] is no address"), std::string::npos) << wrong.err;
  EXPECT_NE(content_of(book_of({chapter(fence("p25/basic_broadcast lanes=4 height=\"><b>"))}), {.site = "/w"})
                .find("height=\"&quot;>&lt;b>\""),
            std::string::npos);
}

TEST(Mdbook, AFileLiesBesideItsChapter) {
  const fs::path root = fs::temp_directory_path() / ("warpsim-mdbook-" + std::to_string(::getpid()));
  fs::create_directories(root / "src/part");
  std::ofstream(root / "src/part/mine.warp") << kTwice;
  EXPECT_EQ(
      content_of(book_of({chapter(fence("mine.warp lanes=4"), Json::array(), "part/one.md")}), {.root = root.string()}),
      diagram({"-", "--lanes", "4"}, kTwice));
  fs::remove_all(root);
}

struct Mistake {
  std::string content;
  int code;
  std::vector<std::string> says;
};

TEST(Mdbook, AMistakeIsNamedByItsChapterAndLine) {
  const std::string bad = std::string(kTwice).replace(std::string(kTwice).find("add"), 3, "ad");
  for (const Mistake& one :
       std::vector<Mistake>{{"\n" + fence("p25/basic_brodcast"),
                             2,
                             {"one.md:2: there is no program `p25/basic_brodcast`", "p25/basic_broadcast"}},
                            {"a\nb\n" + fence("p25/basic_broadcast lane=4"),
                             2,
                             {"one.md:3: a diagram has no `lane`", "did you mean `lanes`?"}},
                            {fence("p25/basic_broadcast lanes=5"), 2, {"one.md:1: ", "power of two"}},
                            {fence("p25/basic_broadcast case=none"), 2, {"one.md:1: ", "none"}},
                            {fence(""), 2, {"one.md:1: this fence has no program", "p26/butterfly_parallel_max"}},
                            {fence("p25/basic_broadcast", kTwice), 2, {"one.md:1: ", "has a text too"}},
                            {fence("a/b c/d"), 2, {"one.md:1: a second program, `c/d`"}},
                            {fence("p25/basic_broadcast lang=fr"), 2, {"lang=fr", "lang=en or lang=ko"}},
                            {fence("gone.warp"), 3, {"one.md:1: ", "gone.warp"}},
                            {"text\n\n" + fence("", bad), 3, {"one.md:6:9: error", "did you mean add.u32?"}}}) {
    const ChildResult result = changed(book_of({chapter(one.content)}));
    EXPECT_EQ(result.exit_code, one.code) << one.content << result.err;
    EXPECT_EQ(result.out, "") << one.content;
    for (const std::string& says : one.says)
      EXPECT_NE(result.err.find(says), std::string::npos) << says << "\n" << result.err;
  }
  const ChildResult both = changed(book_of({chapter(fence("x/y") + fence("z/w"))}));
  EXPECT_NE(both.err.find("one.md:1:"), std::string::npos);
  EXPECT_NE(both.err.find("one.md:3:"), std::string::npos) << "all mistakes at once";
}

TEST(Mdbook, WhatIsNoBookIsRefused) {
  for (const std::string input : {"", "{}", "[{},{}]", "[{},{\"sections\":1}]", "[1,2]", "[{},{\"items\":[]}"})
    EXPECT_EQ(run_child({WARPSIM_BINARY, "mdbook"}, input).exit_code, 3) << input;
  for (const std::string input :
       {"[{},{\"items\":[]}]", "[{},{\"sections\":[1,null,{\"Chapter\":2},{\"Chapter\":{}}]}]"})
    EXPECT_EQ(run_child({WARPSIM_BINARY, "mdbook"}, input).exit_code, 0) << input;
}

TEST(Mdbook, MdbookItselfMakesABookOfIt) {
  if (!run_child({"mdbook", "--version"}, "").is_fine()) GTEST_SKIP() << "mdbook is not installed";
  const fs::path root = fs::temp_directory_path() / ("warpsim-book-" + std::to_string(::getpid()));
  fs::create_directories(root / "src");
  std::ofstream(root / "book.toml") << "[book]\ntitle = \"B\"\n[preprocessor.warp-sim]\ncommand = \"" << WARPSIM_BINARY
                                    << " mdbook\"\nsite = \"https://h.example\"\n";
  std::ofstream(root / "src/SUMMARY.md") << "# Summary\n\n- [One](one.md)\n- [Two](two.md)\n";
  std::ofstream(root / "src/one.md") << "# One\n\n- item\n\n  "
                                     << "```warp-sim p25/basic_broadcast lanes=4\n  ```\n\nEnd.\n";
  std::ofstream(root / "src/two.md") << "# Two\n\n" << fence("lanes=4", kTwice);
  const ChildResult result = run_child({"mdbook", "build", root.string()}, "");
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const auto page = [&root](const char* name) {
    std::ifstream in(root / "book" / name);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string one = page("one.html"), two = page("two.html");
  const std::size_t begin = one.find("<warp-sim src=\"p25/basic_broadcast\" lanes=\"4\">"),
                    end = one.find("</warp-sim>");
  ASSERT_NE(begin, std::string::npos) << one;
  ASSERT_NE(end, std::string::npos);
  EXPECT_NE(one.substr(begin, end - begin).find("<code class=\"language-text\">"), std::string::npos)
      << "the diagram is inside";
  EXPECT_LT(begin, one.find("</li>", begin)) << "it is in the list";
  EXPECT_NE(one.find("<script src=\"https://h.example/embed/warp-sim.js\"></script>"), std::string::npos);
  EXPECT_NE(two.find("<script type=\"text/warp\">\n.kernel twice"), std::string::npos) << two;
  fs::remove_all(root);
}

}  // namespace
}  // namespace warpsim::tools
