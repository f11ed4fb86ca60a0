// Every export form of the table works from the command, and every document that lists the forms has it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/tools/command/one_file_case.h"
#include "traces/export/export.h"

namespace warpsim {
namespace export_forms_test {

OneFileCase warpsim_says(const std::string& words) {
  OneFileCase one;
  one.command = "warpsim " + words;
  return run_case(one, std::filesystem::path(WARPSIM_BINARY).parent_path().string());
}

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(WARPSIM_SOURCE_DIR "/") + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// What pixels are made with is not on every machine; that nothing else is wrong then, the cases of `export` say.
bool is_drawable(const ExportForm& form) {
  const bool draws = std::system("command -v rsvg-convert >/dev/null") == 0,
             moves = std::system("command -v ffmpeg >/dev/null") == 0;
  return form.pixels == ExportPixels::None || (draws && (moves || form.pixels != ExportPixels::Gif));
}

TEST(ExportForms, EachWorksFromTheCommand) {
  for (const ExportForm& form : kExportForms) {
    SCOPED_TRACE(form.name);
    if (!is_drawable(form)) continue;
    const OneFileCase ran = warpsim_says("export p25/basic_broadcast --lanes 4 -o made --to " + std::string(form.name) +
                                         " && test -s made && echo made");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "made\n");
  }
}

TEST(ExportForms, KoreanIsTakenOrRefusedAsTheTableSays) {
  for (const ExportForm& form : kExportForms) {
    SCOPED_TRACE(form.name);
    if (!is_drawable(form)) continue;
    const OneFileCase ran =
        warpsim_says("export p25/basic_broadcast --lanes 4 -o made --lang ko --to " + std::string(form.name));
    EXPECT_EQ(ran.exit_code, form.has_korean() ? 0 : 5) << ran.err;
  }
}

TEST(ExportForms, EachIsInTheHelpTheCompletionsAndTheFormat) {
  const std::string help = warpsim_says("help export").out, completions = warpsim_says("completions bash").out,
                    format = text_of("traces/FORMAT.md");
  for (const ExportForm& form : kExportForms) {
    SCOPED_TRACE(form.name);
    EXPECT_NE(help.find("  " + std::string(form.name) + " "), std::string::npos) << help;
    EXPECT_NE(help.find(form.doc), std::string::npos);
    EXPECT_NE(completions.find(form.name), std::string::npos);
    EXPECT_NE(format.find("\n| `" + std::string(form.name) + "` |"), std::string::npos);
  }
}

}  // namespace export_forms_test
}  // namespace warpsim
