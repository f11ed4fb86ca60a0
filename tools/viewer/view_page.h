// The page of `warpsim view` as text: one HTML file with its style, its script and the data of one or two traces.
//
// Shapes: each trace is a <script type="application/json"> with the bytes of its document and one with its notes;
//         every `<` in them is written as \u003c, so no text of a trace can end the element or begin another.
// Errors: none: a trace that was read or recorded has a page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/io/translations.h"
#include "traces/model/trace.h"
#include "traces/words/language.h"

namespace warpsim {

// Of all traces together. A page of more is refused by those who make one: it loads for seconds and steps slowly.
inline constexpr std::size_t kMaxPageEvents = 100'000;

struct PageExtras {
  // What the traces were asked for by, to tell two apart; empty where nobody named them.
  std::vector<std::string> names;
  // The only trace's run with its collectives as one step each, to change to; null: there is none.
  const Trace* one_step = nullptr;
  // By trace: its program in CUDA C++, "" where there is none.
  std::vector<std::string_view> cuda = {};
  // By trace: the numbers of a timed run as JSON (tools/report/page_timing.h), "" of one that was not timed.
  std::vector<std::string> timing = {};
  std::string one_step_timing = {};
};

// What the page reads: JSON texts by name, as README.md lists them. `korean` has the programs' own texts; null leaves
// them as they are.
std::vector<std::pair<std::string, std::string>> page_data(const std::vector<Trace>& traces, Language language,
                                                           const Translations* korean, const PageExtras& extras = {});
// The page with them in it.
std::string view_page(const std::vector<Trace>& traces, Language language, const Translations* korean,
                      const PageExtras& extras = {});

}  // namespace warpsim
