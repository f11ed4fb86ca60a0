// What stands in the place of a fence: the diagram as text, and around it the live one, where the book says from which
// site that comes.
//
// Errors: through a Reply, the text is then nothing: what the fence says, and why its program does not run. What a run
//         finds, and how it ends, is in the diagram, and no error.
#pragma once

#include <optional>
#include <string>

#include "tools/book/fences.h"
#include "tools/session/session.h"

namespace warpsim::tools {

struct BookPlace {
  std::string path;      // of the chapter, as the book's author calls it: "warps/intro.md"
  std::string folder;    // in which the chapter lies on disk, "" where that is not known
  std::string language;  // of the book: "en" or "ko"
  std::string site;      // "": no live diagrams
};
std::optional<std::string> diagram_text(const Catalogue& catalogue, const BookPlace& place, const Fence& fence,
                                        Reply& reply);

}  // namespace warpsim::tools
