// Drawing the lines of one phase: one a lane or one a warp, elided, in columns.
//
// Shapes: lines without `once` that follow each other draw together, lane by lane, so that alternatives (when=…) stand
//         in lane order under one elision.
// Units:  lanes; columns of text.
// Errors: none.
// Source: traces/FORMAT.md, "Phases and drawings".
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "traces/io/translations.h"
#include "traces/model/trace.h"
#include "traces/template/phase_template.h"

namespace warpsim {

// A `.draw` line, parsed once for a rendering.
struct ParsedLine {
  Template text;
  LineOptions options;
};
struct ParsedPhase {
  Template title;
  LineOptions options;
  std::vector<ParsedLine> lines;
};
// In `language`, as far as there are `translations`.
std::vector<ParsedPhase> parse_phases(const std::vector<TracePhase>& phases, Language language,
                                      const Translations* translations);

// The lines of a few lanes, in lane order.
using LaneLines = std::vector<std::pair<unsigned, std::string>>;

// `base` has what a line's own options leave out: those of the phase.
void draw_lane_lines(std::string& out, const LaneLines& lines, const LineOptions& options, const LineOptions& base,
                     const TemplateView& view);
void draw_lines(std::string& out, const std::vector<const ParsedLine*>& lines, const LineOptions& base,
                const TemplateView& view);

}  // namespace warpsim
