// Which form a file's name asks for; see export.h.
#include "traces/export/export.h"

#include <algorithm>
#include <iterator>

namespace warpsim {

const ExportForm* export_form_of_file(std::string_view path) {
  const auto found = std::find_if(std::begin(kExportForms), std::end(kExportForms), [path](const ExportForm& form) {
    return !form.ending.empty() && path.size() > form.ending.size() && path.ends_with(form.ending);
  });
  return found == std::end(kExportForms) ? nullptr : found;
}

}  // namespace warpsim
