// versus: programs that do the same in different ways, counted side by side.
//
// Shapes: the first program of a comparison runs a case of its own; the others run the same launch: its lanes, grid and
//         block, and of its parameters and inputs those that they have too. What they have beyond is from their own
//         case of that name. Outputs of the same name are compared bit for bit.
// Units:  those of sim/counts.h.
// Errors: through the Reply; outputs that differ are a mismatch.
#include <algorithm>
#include <optional>
#include <utility>

#include "isa/assembler.h"
#include "isa/number_text.h"
#include "tools/counts_text.h"
#include "tools/json_object.h"
#include "tools/loading.h"
#include "tools/twins.h"
#include "tools/verbs.h"
#include "tools/words.h"

namespace warpsim::tools {

namespace {

struct Side {
  Program program;
  PreparedCase prepared;
  Trace trace;
  Counts counts;
  RegisterCounts registers;
};

struct Agreement {
  std::vector<std::string> outputs;      // of the same name in both
  std::vector<std::string> differences;  // sentences
  bool agrees() const { return differences.empty() && !outputs.empty(); }
};

struct Comparison {
  std::vector<Side> sides;
  std::vector<Agreement> agreements;  // of sides[1], sides[2] … with sides[0]
};

// ---- running

std::optional<Side> run_side(Session& session, Program program, PreparedCase prepared) {
  Counter counter;
  const std::optional<Trace> trace = execute(session, program, prepared, no_events(), {&counter});
  if (!trace) return std::nullopt;
  report_outcome(session, program, *trace);
  if (trace->outcome.trap) return std::nullopt;
  const RegisterCounts registers = count_registers(program, prepared.config.lanes);
  return Side{std::move(program), std::move(prepared), *trace, counter.counts(), registers};
}

// The launch of `first`, in the terms of `program`.
CaseOverrides same_launch(const Side& first, const Program& program) {
  const LaunchConfig& config = first.prepared.config;
  CaseOverrides same;
  same.lanes = config.lanes;
  same.grid = config.grid;
  same.block = first.trace.head.block;
  same.max_cycles = config.max_cycles;
  same.reconvergence = config.reconvergence;
  same.schedule = config.schedule;
  for (const Param& theirs : first.program.params) {
    const std::int32_t at = program.find_param(theirs.name);
    if (at < 0) continue;
    const Param& ours = program.params[static_cast<std::size_t>(at)];
    if (ours.type != theirs.type || ours.is_buffer() != theirs.is_buffer()) continue;
    if (!theirs.is_buffer()) {
      const auto scalar = first.prepared.arguments.scalars.find(theirs.name);
      if (scalar != first.prepared.arguments.scalars.end()) same.param_bits[theirs.name] = scalar->second;
    } else if (const auto buffer = first.prepared.arguments.buffers.find(theirs.name);
               theirs.kind != Param::Kind::Out && ours.kind != Param::Kind::Out &&
               buffer != first.prepared.arguments.buffers.end()) {
      same.input_arrays[theirs.name] = buffer->second;
    }
  }
  return same;
}

std::optional<Side> run_beside(Session& session, const Side& first, Program program) {
  const Case* own = program.find_case(first.prepared.name);
  if (own == nullptr && !program.cases.empty()) own = &program.cases.front();
  std::optional<PreparedCase> prepared =
      prepare(session, program, own == nullptr ? Case{} : *own, same_launch(first, program));
  if (!prepared) return std::nullopt;
  if (session.options.expand) program = expand_collectives(program, prepared->config.lanes);
  return run_side(session, std::move(program), std::move(*prepared));
}

const std::vector<std::uint64_t>* undefined_in(const Trace& trace, const std::string& name) {
  for (const UndefinedElements& one : trace.outcome.undefined)
    if (one.name == name) return &one.index;
  return nullptr;
}

std::string element_text(const Side& side, const std::string& name, const Array& array, std::size_t k) {
  const std::vector<std::uint64_t>* undefined = undefined_in(side.trace, name);
  if (undefined != nullptr && std::find(undefined->begin(), undefined->end(), k) != undefined->end())
    return "undefined";
  if (k >= array.bits.size()) return "missing";
  std::string text;
  append_json_value(text, array.type, array.bits[k], side.prepared.config.lanes);
  return text;
}

// "output[3] is 5.0 in a/b, and 7.0 in c/d"; "" if they are the same, undefined elements too.
std::string difference(const Side& a, const Side& b, const std::string& name, const Array& in_a, const Array& in_b) {
  if (in_a.type != in_b.type)
    return name + " is of " + std::string(warpsim::name(in_a.type)) + " in " + a.program.full_name() + ", and of " +
           std::string(warpsim::name(in_b.type)) + " in " + b.program.full_name();
  for (std::size_t k = 0; k < std::max(in_a.bits.size(), in_b.bits.size()); ++k) {
    const std::string here = element_text(a, name, in_a, k), there = element_text(b, name, in_b, k);
    if (here == there && (here == "undefined" || in_a.bits[k] == in_b.bits[k])) continue;
    return name + "[" + std::to_string(k) + "] is " + here + " in " + a.program.full_name() + ", and " + there +
           " in " + b.program.full_name();
  }
  return "";
}

Agreement agreement(const Side& a, const Side& b) {
  Agreement result;
  for (const auto& [name, in_a] : a.trace.outcome.outputs)
    for (const auto& [other, in_b] : b.trace.outcome.outputs) {
      if (name != other) continue;
      result.outputs.push_back(name);
      if (std::string text = difference(a, b, name, in_a, in_b); !text.empty())
        result.differences.push_back(std::move(text));
    }
  return result;
}

std::optional<Comparison> compare(Session& session, const std::string& first, std::vector<Program> others) {
  std::optional<Ready> ready = make_ready(session, first);
  if (!ready) return std::nullopt;
  std::optional<Side> side = run_side(session, std::move(ready->program), std::move(ready->prepared));
  if (!side) return std::nullopt;
  Comparison comparison;
  comparison.sides.push_back(std::move(*side));
  for (Program& other : others) {
    std::optional<Side> beside = run_beside(session, comparison.sides.front(), std::move(other));
    if (!beside) return std::nullopt;
    comparison.agreements.push_back(agreement(comparison.sides.front(), *beside));
    for (const std::string& sentence : comparison.agreements.back().differences)
      session.reply.fail(ExitCode::Mismatch, "mismatch", sentence);
    comparison.sides.push_back(std::move(*beside));
  }
  return comparison;
}

// ---- printing

struct Row {
  std::string label;
  std::uint64_t (*value)(const Side&);
};

// In the order of `run --counts`.
const Row kRows[] = {
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

constexpr std::size_t kLabelColumns = 32, kLeastColumns = 8;

std::string letter(std::size_t k) { return std::string(1, static_cast<char>('A' + k)); }

template <class Value>
std::string row_text(const Comparison& comparison, const std::string& label, std::size_t width, Value value) {
  std::string text = padded(label, kLabelColumns);
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

std::string full_text(const Comparison& comparison) {
  const Side& first = comparison.sides.front();
  const Dim3 grid = first.prepared.config.grid, block = first.trace.head.block;
  std::string text;
  for (std::size_t k = 0; k < comparison.sides.size(); ++k)
    text += letter(k) + "  " + comparison.sides[k].program.full_name() + "\n";
  text += "case " + (first.prepared.name.empty() ? "without a name" : first.prepared.name) + " at " +
          lanes_text({first.prepared.config.lanes}) + ", " + counted(grid.count(), "block") + " of " +
          counted(block.count(), "thread") + "\n\n";
  std::size_t width = kLeastColumns;
  for (const Side& side : comparison.sides)
    for (const Row& row : kRows) width = std::max(width, std::to_string(row.value(side)).size() + 2);
  text += std::string(kLabelColumns, ' ');
  for (std::size_t k = 0; k < comparison.sides.size(); ++k) text += right_aligned(letter(k), width);
  text += "\n";
  text += row_text(comparison, "cycles", width, [](const Side& s) { return s.trace.outcome.cycles; });
  text += row_text(comparison, "instructions", width, [](const Side& s) { return s.counts.instructions; });
  for (std::size_t unit = 0; unit < kUnitCount; ++unit) {
    const auto of_unit = [unit](const Side& s) { return s.counts.by_unit[unit]; };
    if (std::any_of(comparison.sides.begin(), comparison.sides.end(),
                    [of_unit](const Side& s) { return of_unit(s) != 0; }))
      text += row_text(comparison, "  " + std::string(name(static_cast<Unit>(unit))), width, of_unit);
  }
  for (const Row& row : kRows) text += row_text(comparison, row.label, width, row.value);
  text += "\n";
  for (std::size_t k = 0; k < comparison.agreements.size(); ++k) text += verdict_text(comparison, k);
  if (has_collectives(comparison)) text.append("\n").append(kCollectives);
  return text;
}

constexpr std::size_t kNameColumns = 33;

std::string short_head() { return std::string(kNameColumns, ' ') + " instr cycles shfl coll bar shared global same\n"; }

std::string short_line(const Side& side, const std::string& indent, const std::string& verdict) {
  const auto both = [](const ByteCounts& bytes) { return std::to_string(bytes.loaded + bytes.stored); };
  std::string text = padded(indent + side.program.full_name(), kNameColumns);
  text += right_aligned(std::to_string(side.counts.instructions), 6);
  text += right_aligned(std::to_string(side.trace.outcome.cycles), 7);
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

std::string side_json(const Comparison& comparison, std::size_t k) {
  const Side& side = comparison.sides[k];
  JsonObject json;
  json.text("name", side.program.full_name()).text("twin_of", side.program.twin_of);
  json.number("cycles", side.trace.outcome.cycles).raw("counts", counts_json(side.counts, side.registers));
  if (k == 0) return json.str();
  const Agreement& one = comparison.agreements[k - 1];
  return json.raw("agrees", one.outputs.empty() ? "null" : one.agrees() ? "true" : "false").str();
}

std::string comparison_json(const Comparison& comparison) {
  const Side& first = comparison.sides.front();
  std::vector<std::string> sides;
  for (std::size_t k = 0; k < comparison.sides.size(); ++k) sides.push_back(side_json(comparison, k));
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
  std::vector<Program> others;
};

// A program with its twins, or a twin with the program that it names.
std::optional<Plan> plan_for(Session& session, const std::string& name) {
  std::optional<Program> program = load_program(session, name);
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
  if (!plan.others.empty()) return plan;
  if (session.reply.code() == ExitCode::Ok)
    session.reply.fail(ExitCode::Usage, "usage", in_ticks(program->full_name()) + " has no twin, and is none",
                       "`warpsim versus` lists those that have; `warpsim versus A B` compares any two");
  return std::nullopt;
}

std::optional<Plan> plan_for(Session& session, const std::string& a, const std::string& b) {
  std::optional<Program> second = load_program(session, b);
  if (!second) return std::nullopt;
  Plan plan{a, {}};
  plan.others.push_back(std::move(*second));
  return plan;
}

// Every program that has twins, in the order in which twins name them.
std::vector<Plan> all_plans(Session& session) {
  std::vector<Plan> plans;
  for (Program& twin : all_twins(session)) {
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
  const auto reason = [&lanes](const Program& program) {
    const Exemption* one = *lanes <= kMaxLanes ? program.exemption_at(static_cast<unsigned>(*lanes)) : nullptr;
    return one == nullptr ? "" : one->reason;
  };
  for (const Program& one : plan.others) {
    if (reason(one).empty()) continue;
    skipped.text += plan.first + "\n  " + one.full_name() + ": not at " + lanes_text({static_cast<unsigned>(*lanes)}) +
                    ",\n    " + reason(one) + "\n";
    skipped.json.push_back(
        JsonObject().text("name", one.full_name()).text("twin_of", plan.first).text("reason", reason(one)).str());
  }
  std::erase_if(plan.others, [&reason](const Program& one) { return !reason(one).empty(); });
  return skipped;
}

}  // namespace

void run_versus(Session& session) {
  const std::vector<std::string>& names = session.options.names;
  std::vector<std::string> comparisons, skipped;
  if (names.empty()) {
    bool begun = false, collectives = false;
    for (Plan& plan : all_plans(session)) {
      const Skipped exempt = leave_out_exempt(session, plan);
      skipped.insert(skipped.end(), exempt.json.begin(), exempt.json.end());
      std::optional<Comparison> one;
      if (!plan.others.empty()) one = compare(session, plan.first, std::move(plan.others));
      if (session.reply.code() == ExitCode::Usage) break;  // the command line is as wrong for the others
      if (!one && exempt.text.empty()) continue;
      session.reply.text((begun ? "" : short_head()) + exempt.text + (one ? short_text(*one) : ""));
      begun = true;
      if (!one) continue;
      collectives = collectives || has_collectives(*one);
      comparisons.push_back(comparison_json(*one));
    }
    if (collectives) session.reply.text("\n" + std::string(kCollectives));
  } else {
    std::optional<Plan> plan = names.size() == 2 ? plan_for(session, names[0], names[1]) : plan_for(session, names[0]);
    if (plan) {
      if (const std::optional<Comparison> one = compare(session, plan->first, std::move(plan->others))) {
        session.reply.text(full_text(*one));
        comparisons.push_back(comparison_json(*one));
      }
    }
  }
  session.reply.result(
      JsonObject().raw("comparisons", json_list(comparisons)).raw("skipped", json_list(skipped)).str());
}

}  // namespace warpsim::tools
