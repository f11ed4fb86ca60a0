// versus: programs that compute the same by different means, counted side by side; or timed, by all profiles.
#include <algorithm>
#include <optional>
#include <utility>

#include "isa/text/number_text.h"
#include "tools/command/verbs.h"
#include "tools/command/versus_compare.h"
#include "tools/command/versus_profiles.h"
#include "tools/cycles/claims.h"
#include "tools/session/profile_option.h"
#include "tools/session/twins.h"
#include "tools/support/counts_text.h"
#include "tools/support/json_object.h"
#include "tools/support/words.h"

namespace warpsim::tools {

namespace {

// ---- printing

struct CountRow {
  std::string label;
  std::uint64_t (*value)(const Side&);
};

// In the order of `run --counts`.
const CountRow kRows[] = {
    {"shuffles", [](const Side& s) { return s.counts.shuffles; }},
    {"collectives", [](const Side& s) { return s.counts.collectives; }},
    {"votes", [](const Side& s) { return s.counts.votes; }},
    {"barriers", [](const Side& s) { return s.counts.barriers; }},
    {"divergent branches", [](const Side& s) { return s.counts.divergent_branches; }},
    {"global bytes loaded", [](const Side& s) { return s.counts.global.loaded; }},
    {"global bytes stored", [](const Side& s) { return s.counts.global.stored; }},
    {"shared bytes loaded", [](const Side& s) { return s.counts.shared.loaded; }},
    {"shared bytes stored", [](const Side& s) { return s.counts.shared.stored; }},
    {"shared bytes allocated a block", [](const Side& s) { return s.counts.shared_allocated; }},
    {"registers of 32 bits", [](const Side& s) { return std::uint64_t{s.registers.words}; }},
    {"predicate registers", [](const Side& s) { return std::uint64_t{s.registers.predicates}; }},
};

constexpr std::size_t kCountLabelColumns = 32, kLeastColumns = 8;

template <class Value>
std::string row_text(const Comparison& comparison, const std::string& label, std::size_t width, Value value) {
  std::string text = padded(label, kCountLabelColumns);
  for (const Side& side : comparison.sides) text += right_aligned(std::to_string(value(side)), width);
  return text + "\n";
}

std::string verdict_text(const Comparison& comparison, std::size_t k) {
  const Agreement& one = comparison.agreements[k];
  const std::string pair = letter(0) + " and " + letter(k + 1);
  if (one.outputs.empty()) return pair + " have no output of the same name, so none is compared\n";
  if (one.agrees()) return pair + " agree in " + join(one.outputs) + "\n";
  std::string text;
  for (const std::string& sentence : one.differences) text += pair + " differ: " + sentence + "\n";
  return text;
}

bool has_collectives(const Comparison& comparison) {
  return std::any_of(comparison.sides.begin(), comparison.sides.end(),
                     [](const Side& s) { return s.counts.collectives != 0; });
}
constexpr std::string_view kCollectives =
    "A collective (broadcast, reduce, scan) counts as one instruction here;\n"
    "--expand counts the shuffles and the arithmetic that it stands for.\n";

// Of the machine code, if it was asked for.
std::string code_rows(const Comparison& comparison, std::size_t width) {
  if (!comparison.sides.front().code) return "";
  std::string cycles = padded("cycles, machine code", kCountLabelColumns);
  std::string instructions = padded("instructions, machine code", kCountLabelColumns);
  for (const Side& side : comparison.sides) {
    cycles += right_aligned(cycles_cell(side.code->cycles), width);
    instructions += right_aligned(side.code->cycles.empty() ? "-" : std::to_string(side.code->instructions), width);
  }
  return cycles + "\n" + instructions + "\n";
}

std::string full_text(const Comparison& comparison, const ChosenProfile& profile) {
  std::string text = heading(comparison);
  std::size_t width = kLeastColumns;
  for (const Side& side : comparison.sides)
    for (const CountRow& row : kRows) width = std::max(width, std::to_string(row.value(side)).size() + 2);
  text += std::string(kCountLabelColumns, ' ');
  for (std::size_t k = 0; k < comparison.sides.size(); ++k) text += right_aligned(letter(k), width);
  text += "\n";
  for (std::size_t bound = 0; bound < profile.bounds.size(); ++bound) {
    const Timing& timing = profile.bounds[bound];
    text += row_text(comparison, timing ? "cycles, " + timing->name : "cycles", width,
                     [bound](const Side& s) { return s.cycles[bound]; });
  }
  text += code_rows(comparison, width);
  text += row_text(comparison, "instructions", width, [](const Side& s) { return s.counts.instructions; });
  for (std::size_t unit = 0; unit < kUnitCount; ++unit) {
    const auto of_unit = [unit](const Side& s) { return s.counts.by_unit[unit]; };
    if (std::any_of(comparison.sides.begin(), comparison.sides.end(),
                    [of_unit](const Side& s) { return of_unit(s) != 0; }))
      text += row_text(comparison, "  " + std::string(name(static_cast<Unit>(unit))), width, of_unit);
  }
  for (const CountRow& row : kRows) text += row_text(comparison, row.label, width, row.value);
  text += "\n";
  for (std::size_t k = 0; k < comparison.agreements.size(); ++k) text += verdict_text(comparison, k);
  text += untimed_text(comparison);
  if (has_collectives(comparison)) text.append("\n").append(kCollectives);
  return text;
}

constexpr std::string_view kOfCode =
    "Instructions and cycles are those of the machine code that ptxas makes of the\n"
    "program; what else is counted is the program's.\n";

constexpr std::size_t kNameColumns = 33;

// Two bounds need more room.
std::size_t cycle_columns(std::size_t bounds) { return bounds == 1 ? 7 : 12; }

std::string short_head(const ChosenProfile& profile) {
  return std::string(kNameColumns, ' ') + " instr" + right_aligned("cycles", cycle_columns(profile.bounds.size())) +
         " shfl coll bar shared global same\n";
}

std::string short_line(const Side& side, const std::string& indent, const std::string& verdict) {
  const auto both = [](const ByteCounts& bytes) { return std::to_string(bytes.loaded + bytes.stored); };
  const std::uint64_t instructions = side.code ? side.code->instructions : side.counts.instructions;
  const std::vector<std::uint64_t>& cycles = side.code ? side.code->cycles : side.cycles;
  std::string text = padded(indent + side.program.full_name(), kNameColumns);
  text += right_aligned(side.code && cycles.empty() ? "-" : std::to_string(instructions), 6);
  text += right_aligned(cycles_cell(cycles), cycle_columns(side.cycles.size()));
  text += right_aligned(std::to_string(side.counts.shuffles), 5);
  text += right_aligned(std::to_string(side.counts.collectives), 5);
  text += right_aligned(std::to_string(side.counts.barriers), 4);
  text += right_aligned(both(side.counts.shared), 7) + right_aligned(both(side.counts.global), 7);
  return text + (verdict.empty() ? "" : " " + verdict) + "\n";
}

std::string short_text(const Comparison& comparison) {
  std::string text = short_line(comparison.sides.front(), "", "");
  for (std::size_t k = 0; k < comparison.agreements.size(); ++k)
    text += short_line(comparison.sides[k + 1], "  ", comparison.agreements[k].agrees() ? " yes" : "  NO");
  return text;
}

std::string code_json(const CodeCycles& code) {
  JsonObject json;
  if (code.cycles.empty()) return json.raw("cycles", "null").text("why_not", code.why_not).str();
  return json.raw("cycles", cycles_json(code.cycles)).number("instructions", code.instructions).str();
}

std::string side_json(const Comparison& comparison, std::size_t k, bool by_all_profiles) {
  const Side& side = comparison.sides[k];
  JsonObject json;
  json.text("name", side.program.full_name()).text("twin_of", side.program.twin_of);
  json.raw("cycles", by_all_profiles ? profiles_json(side) : cycles_json(side.cycles))
      .raw("counts", counts_json(side.counts, side.registers));
  if (side.code) json.raw("machine_code", code_json(*side.code));
  if (k == 0) return json.str();
  const Agreement& one = comparison.agreements[k - 1];
  return json.raw("agrees", one.outputs.empty() ? "null" : one.agrees() ? "true" : "false").str();
}

std::string comparison_json(const Comparison& comparison, bool by_all_profiles) {
  const Side& first = comparison.sides.front();
  std::vector<std::string> sides;
  for (std::size_t k = 0; k < comparison.sides.size(); ++k) sides.push_back(side_json(comparison, k, by_all_profiles));
  return JsonObject()
      .text("case", first.prepared.name)
      .number("lanes", first.prepared.config.lanes)
      .number("blocks", first.prepared.config.grid.count())
      .number("threads_a_block", first.trace.head.block.count())
      .raw("programs", json_list(sides))
      .str();
}

// ---- what to compare

struct Plan {
  std::string first;
  std::vector<Lesson> others;
};

// A program with its twins, or a twin with the program that it names.
std::optional<Plan> plan_for(Session& session, const std::string& name) {
  std::optional<Lesson> program = load_program(session, name);
  if (!program) return std::nullopt;
  Plan plan;
  if (!program->twin_of.empty()) {
    const CatalogueEntry* base = twin_base(session, *program);
    if (base == nullptr) return std::nullopt;
    plan.first = base->full_name();
    plan.others.push_back(std::move(*program));
    return plan;
  }
  plan.first = name;
  plan.others = twins_of(session, *program);
  if (!plan.others.empty() || session.options.profile == kAllProfiles) return plan;
  if (session.reply.code() == ExitCode::Ok)
    session.reply.fail(ExitCode::Usage, "usage", in_ticks(program->full_name()) + " has no twin, and is none",
                       "`warpsim versus` lists those that have; `warpsim versus A B` compares any two");
  return std::nullopt;
}

std::optional<Plan> plan_for(Session& session, const std::string& a, const std::string& b) {
  std::optional<Lesson> second = load_program(session, b);
  if (!second) return std::nullopt;
  Plan plan{a, {}};
  plan.others.push_back(std::move(*second));
  return plan;
}

// Every program that has twins, in the order in which twins name them.
std::vector<Plan> all_plans(Session& session) {
  std::vector<Plan> plans;
  for (Lesson& twin : all_twins(session)) {
    const CatalogueEntry* base = twin_base(session, twin);
    if (base == nullptr) continue;
    const std::string first = base->full_name();
    auto plan = std::find_if(plans.begin(), plans.end(), [&first](const Plan& p) { return p.first == first; });
    if (plan == plans.end()) plan = plans.insert(plans.end(), Plan{first, {}});
    plan->others.push_back(std::move(twin));
  }
  return plans;
}

struct Skipped {
  std::string text;
  std::vector<std::string> json;
};

// Takes away those that do not run at the lane count of the command line.
Skipped leave_out_exempt(const Session& session, Plan& plan) {
  Skipped skipped;
  const std::optional<std::uint64_t> lanes = parse_count(session.options.lanes);
  if (!lanes) return skipped;
  const auto reason = [&lanes](const Lesson& program) {
    const Exemption* one = *lanes <= kMaxLanes ? program.exemption_at(static_cast<unsigned>(*lanes)) : nullptr;
    return one == nullptr ? "" : one->reason;
  };
  for (const Lesson& one : plan.others) {
    if (reason(one).empty()) continue;
    skipped.text += plan.first + "\n  " + one.full_name() + ": not at " + lanes_text({static_cast<unsigned>(*lanes)}) +
                    ",\n    " + reason(one) + "\n";
    skipped.json.push_back(
        JsonObject().text("name", one.full_name()).text("twin_of", plan.first).text("reason", reason(one)).str());
  }
  std::erase_if(plan.others, [&reason](const Lesson& one) { return !reason(one).empty(); });
  return skipped;
}

// What versus says, one comparison after the other.
class Report {
 public:
  // `for_code`: the profile by which the machine code is timed as well; null: it is not.
  Report(Session& session, const ChosenProfile* for_code)
      : session_(session), for_code_(for_code), by_all_profiles_(session.options.profile == kAllProfiles) {
    if (by_all_profiles_ && session.run_code != nullptr) among_all_ = profile_of_code();
  }

  void add_all() {
    for (Plan& plan : all_plans(session_)) {
      const Skipped exempt = leave_out_exempt(session_, plan);
      skipped_.insert(skipped_.end(), exempt.json.begin(), exempt.json.end());
      std::optional<Comparison> one;
      if (!plan.others.empty()) one = compare(session_, plan.first, std::move(plan.others), for_code_);
      if (session_.reply.code() == ExitCode::Usage) break;  // the command line is as wrong for the others
      if (one || !exempt.text.empty()) add_short(exempt.text, one);
    }
    if (collectives_) session_.reply.text("\n" + std::string(kCollectives));
    if (begun_ && for_code_ != nullptr) session_.reply.text("\n" + std::string(kOfCode));
    if (begun_ && by_all_profiles_) session_.reply.text(profiles_short_note());
  }

  void add(Plan plan) {
    const std::optional<Comparison> one =
        compare(session_, plan.first, std::move(plan.others), among_all_ ? &*among_all_ : for_code_);
    if (!one) return;
    session_.reply.text(by_all_profiles_ ? profiles_text(*one) : full_text(*one, *chosen_profile(session_)));
    comparisons_.push_back(comparison_json(*one, by_all_profiles_));
  }

  void finish() {
    JsonObject json;
    json.raw("comparisons", json_list(comparisons_)).raw("skipped", json_list(skipped_));
    if (by_all_profiles_ && !comparisons_.empty()) {
      session_.reply.text("\n" + claims_text());
      json.raw("claims", claims_json());
    }
    session_.reply.result(json.str());
  }

 private:
  void add_short(const std::string& exempt, const std::optional<Comparison>& one) {
    if (!begun_) session_.reply.text(by_all_profiles_ ? profiles_short_head() : short_head(*chosen_profile(session_)));
    begun_ = true;
    session_.reply.text(exempt);
    if (!one) return;
    session_.reply.text(by_all_profiles_ ? profiles_short_text(*one) : short_text(*one));
    for (const Side& side : one->sides)
      if (side.code && side.code->cycles.empty())
        session_.reply.note(side.program.full_name() + ": " + side.code->why_not);
    collectives_ = collectives_ || (!by_all_profiles_ && has_collectives(*one));
    comparisons_.push_back(comparison_json(*one, by_all_profiles_));
  }

  Session& session_;
  const ChosenProfile* for_code_;
  std::optional<ChosenProfile> among_all_;  // of all profiles the one that says how long machine code takes
  bool by_all_profiles_;
  bool begun_ = false, collectives_ = false;
  std::vector<std::string> comparisons_, skipped_;
};

}  // namespace

void run_versus(Session& asked) {
  if (asked.runs_code() && chosen_profile(asked) == nullptr) return;
  // What is counted is the program's run, its outputs are those that are compared.
  Options options = asked.options;
  options.timing.clear();
  Session session = {options,     asked.catalogue, asked.command_line, asked.reply,
                     asked.takes, asked.profile,   asked.run_code,     asked.stop};
  const std::vector<std::string>& names = session.options.names;
  Report report(session, asked.runs_code() ? asked.profile.get() : nullptr);
  if (names.empty()) {
    report.add_all();
  } else if (std::optional<Plan> plan =
                 names.size() == 2 ? plan_for(session, names[0], names[1]) : plan_for(session, names[0])) {
    report.add(std::move(*plan));
  }
  report.finish();
}

}  // namespace warpsim::tools
