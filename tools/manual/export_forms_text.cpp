#include "tools/manual/export_forms_text.h"

#include <sstream>
#include <string_view>
#include <vector>

#include "traces/export/export.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kFormHelpColumns = 80;
constexpr std::size_t kFormNameColumns = 10;

// "svg, html and dot": the forms of which `has` is true.
std::string forms_that(bool (*has)(const ExportForm&)) {
  std::vector<std::string_view> names;
  for (const ExportForm& form : kExportForms)
    if (has(form)) names.push_back(form.name);
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    text += k == 0 ? "" : k + 1 == names.size() ? " and " : ", ";
    text += names[k];
  }
  return text;
}

std::string broken_into_lines(const std::string& text) {
  std::istringstream words(text);
  std::string out, word;
  std::size_t column = 0;
  while (words >> word) {
    const bool fits = column + 1 + word.size() <= kFormHelpColumns;
    if (column != 0) out += fits ? ' ' : '\n';
    column = fits && column != 0 ? column + 1 + word.size() : word.size();
    out += word;
  }
  return out;
}

}  // namespace

std::string export_form_choices() {
  std::string text;
  for (const ExportForm& form : kExportForms) text += (text.empty() ? "" : "|") + std::string(form.name);
  return text;
}

std::string export_forms_help() {
  std::string text;
  for (const ExportForm& form : kExportForms) {
    text += "  " + std::string(form.name);
    text.append(kFormNameColumns - form.name.size(), ' ');
    text += std::string(form.doc) + "\n";
  }
  const std::string pictures = forms_that([](const ExportForm&form) { return form.picture != nullptr; }),
                    streams = forms_that([](const ExportForm&form) { return form.stream != nullptr; });
  return text + "\n" +
         broken_into_lines(pictures +
                           " draw warp 0 of block 0 unless --warp and --block-index say another, and want at most " +
                           std::to_string(kMaxNetworkRows) + " rows: --from, --until and --max-events choose. " +
                           streams + " take traces of any length, and have no words in Korean.");
}

std::string korean_export_forms() {
  return forms_that([](const ExportForm& form) { return form.has_korean(); });
}

}  // namespace warpsim::tools
