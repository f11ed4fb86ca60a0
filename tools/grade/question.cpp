// The answers from a run; see question.h.
#include "tools/grade/question.h"

#include <algorithm>
#include <cstdlib>

#include "isa/text/lines.h"
#include "sim/event/lane_mask.h"
#include "tools/grade/source_lines.h"
#include "tools/session/loading.h"
#include "tools/support/words.h"

namespace warpsim::tools {

namespace {

// Whether the instruction stands in the phase of that title or id; "": in any.
bool is_in_phase(const Lesson& program, std::int32_t pc, const std::string& phase) {
  if (phase.empty()) return true;
  const std::int32_t of = program.phase_of(pc);
  if (of < 0) return false;
  const Phase& one = program.phases[static_cast<std::size_t>(of)];
  const std::size_t at = (" " + one.options + " ").find(" id=" + phase + " ");
  return one.title == phase || at != std::string::npos;
}

std::vector<std::int32_t> asked_pcs(const Lesson& program, const Question& asked) {
  const std::vector<std::string_view> lines = lines_of(program.source().text);
  std::vector<std::int32_t> pcs;
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    const std::uint32_t line = program.code[pc].where.line;
    const bool fits = line > 0 && line <= lines.size() && instruction_in(lines[line - 1]) == asked.instruction;
    if (fits && is_in_phase(program, static_cast<std::int32_t>(pc), asked.phase))
      pcs.push_back(static_cast<std::int32_t>(pc));
  }
  return pcs;
}

std::vector<std::string> sources_of(const TraceEvent& event, unsigned lanes) {
  std::vector<std::string> right(lanes);
  if (!event.exchange) return right;
  std::size_t rank = 0;
  for_each_lane(event.exchange->lanes,
                [&](unsigned lane) { right[lane] = std::to_string(event.exchange->from[rank++]); });
  return right;
}

std::vector<std::string> values_of(const TraceHead& head, const TraceEvent& event, const std::string& reg) {
  std::vector<std::string> right(head.lanes);
  for (const TraceWrite& write : event.writes) {
    const TraceRegister& written = head.registers[static_cast<std::size_t>(write.reg)];
    if (written.name != reg) continue;
    std::size_t rank = 0;
    for_each_lane(write.lanes, [&](unsigned lane) { right[lane] = format_value(written.type, write.bits[rank++]); });
  }
  return right;
}

// "3" and "3.0" are the same answer.
bool is_same(const std::string& given, const std::string& right) {
  if (given == right) return true;
  char *given_end = nullptr, *right_end = nullptr;
  const double a = std::strtod(given.c_str(), &given_end), b = std::strtod(right.c_str(), &right_end);
  return !given.empty() && *given_end == '\0' && *right_end == '\0' && a == b;
}

}  // namespace

std::optional<Answers> answers_to(Session& session, const Task& task, const Lesson& program) {
  const Question& asked = *task.question;
  const Case* const one = program.find_case(asked.case_name);
  const std::vector<std::int32_t> pcs = asked_pcs(program, asked);
  CaseOverrides overrides;
  overrides.lanes = asked.lanes;
  const std::optional<PreparedCase> prepared =
      one == nullptr ? std::nullopt : prepare(session, program, *one, overrides);
  const std::optional<Trace> trace = prepared ? execute(session, program, *prepared, std::nullopt) : std::nullopt;
  unsigned time = 0;
  for (std::size_t k = 0; trace && k < trace->events.size(); ++k) {
    const TraceEvent& event = trace->events[k];
    if (event.block != 0 || event.warp != 0 || std::find(pcs.begin(), pcs.end(), event.pc) == pcs.end()) continue;
    if (time++ != asked.time) continue;
    return Answers{k, asked.reg.empty() ? sources_of(event, asked.lanes) : values_of(trace->head, event, asked.reg)};
  }
  session.reply.fail(ExitCode::BadInput, "task",
                     task.name + " asks about " + in_ticks(asked.instruction) + ", which " + task.program +
                         " does not execute so often in case " + in_ticks(asked.case_name));
  return std::nullopt;
}

std::optional<Marked> marked(Session& session, const Answers& answers, std::string_view given) {
  std::vector<std::string> words;
  bool in_word = false;
  for (const char c : given) {
    const bool is_between = c == ' ' || c == ',' || c == '\n' || c == '\t' || c == '\r';
    if (!is_between && !in_word) words.emplace_back();
    if (!is_between) words.back() += c;
    in_word = !is_between;
  }
  if (words.size() != answers.right.size()) {
    session.reply.fail(ExitCode::BadInput, "task",
                       "there are " + std::to_string(words.size()) + " answers, and " +
                           std::to_string(answers.right.size()) + " lanes",
                       "an answer a lane, from lane 0 on, with blanks or commas between them: 1, 2, 3, -");
    return std::nullopt;
  }
  Marked result;
  for (std::size_t lane = 0; lane < words.size(); ++lane) {
    const std::string& right = answers.right[lane];
    if (right.empty()) continue;
    ++result.asked;
    if (!is_same(words[lane], right)) result.wrong.push_back(static_cast<unsigned>(lane));
  }
  return result;
}

}  // namespace warpsim::tools
