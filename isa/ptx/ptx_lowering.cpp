// The statements of a function, its scopes and labels; see ptx_lowering.h.
#include "isa/ptx/ptx_lowering.h"

#include <algorithm>

#include "isa/kernels/windows.h"
#include "isa/ptx/ptx_summary.h"
#include "isa/text/number_text.h"

namespace warpsim::ptx {

using Kind = Symbol::Kind;

Lowering::Lowering(Linker& linker, const Function& function, std::int32_t routine)
    : linker_(linker),
      program_(linker.program()),
      diagnostics_(linker.diagnostics()),
      function_(function),
      routine_(routine) {}

void Lowering::fail(const char* code, SourceRange where, std::string message, Hint hint) {
  failed_ = true;
  diagnostics_.error(code, where, std::move(message), std::move(hint));
}

void Lowering::run() {
  constexpr std::size_t kMostErrors = 20;
  const std::size_t begin = program_.code.size(), first_label = program_.labels.size();
  declare_parameters();
  read_ahead();
  if (failed_) return;
  linker_.locations().begin_function(function_.name.text);
  scopes_.push_back(named_of_scope_[next_scope_++]);
  if (!function_.is_entry) {
    Instruction begin_of_body;
    begin_of_body.where = function_.name.where;
    move_registers(begin_of_body, true, function_.parameters, signature_.parameters);
  }
  for (const Directive& one : function_.directives)
    if (function_.is_entry) cluster(one);
  for (const Statement& one : function_.body) {
    if (diagnostics_.list.size() > kMostErrors && diagnostics_.has_errors()) return;
    statement(one);
  }
  // Control that passes the end of a body returns.
  program_.code.push_back(end_of_body());
  program_.code.back().source = source_;
  fill_in_labels();
  name_variables(first_label);
  if (frame_bytes_ > kMostLocalBytes)
    return fail("P032", function_.name.where,
                quoted(function_.name.text) + " has " + counted(frame_bytes_, "byte") +
                    " of local memory, a thread has " + std::to_string(kMostLocalBytes),
                "make its arrays smaller");
  Routine& routine = program_.routines[static_cast<std::size_t>(routine_)];
  routine.frame_bytes = static_cast<std::uint32_t>(frame_bytes_);
  routine.results_bytes = signature_.results_bytes;
  routine.outgoing_bytes = outgoing_bytes_;
  for (std::size_t pc = begin; pc < program_.code.size(); ++pc)
    for (warpsim::Operand& o : program_.code[pc].operands) {
      if (o.kind != warpsim::Operand::Kind::Address || o.target != kOutgoing) continue;
      o.target = -1;
      o.expr = ConstExpr::number(o.expr.evaluate(1) + routine.next_frame());
    }
}

Insn Lowering::end_of_body() const {
  Insn last;
  last.op = function_.is_entry ? Op::Exit : Op::Ret;
  last.where = function_.name.where;
  return last;
}

// ---- names

void Lowering::declare_parameters() {
  Names names;
  if (function_.is_entry) {
    frame_bytes_ = linker_.module_local_bytes();
    const std::vector<Param> params = parameters_of(function_);
    for (std::size_t k = 0; k < params.size(); ++k)
      names[function_.parameters[k].name.text] = {Kind::Parameter, &function_.parameters[k], nullptr,
                                                  &function_ == &linker_.entry() ? static_cast<std::int32_t>(k) : -1,
                                                  params[k].offset_bytes};
    if (!params.empty())
      program_.routines[static_cast<std::size_t>(routine_)].parameter_bytes =
          params.back().offset_bytes + params.back().size_bytes();
  } else {
    signature_ = signature_of(function_.results, function_.parameters);
    frame_bytes_ = signature_.bytes;
    const auto put = [&names](const std::vector<Declaration>& all, const std::vector<std::uint32_t>& offsets) {
      for (std::size_t k = 0; k < all.size(); ++k)
        names[all[k].name.text] = {all[k].space == ".reg" ? Kind::Register : Kind::Frame, &all[k], nullptr, -1,
                                   offsets[k]};
    };
    put(function_.results, signature_.results);
    put(function_.parameters, signature_.parameters);
  }
  scopes_.push_back(std::move(names));
}

// Labels and tables may be named before they stand there; which .param a call passes is known only at the call.
void Lowering::read_ahead() {
  named_of_scope_.emplace_back();
  std::vector<std::size_t> open{0};
  std::vector<Names> params{{}};  // .param of the body, by scope
  const auto put = [&](const Name& name, const Symbol& symbol) {
    if (!named_of_scope_[open.back()].try_emplace(name.text, symbol).second) declared_twice(name);
  };
  for (const Statement& one : function_.body) {
    if (const auto* scope = std::get_if<Scope>(&one)) {
      if (scope->opens) {
        open.push_back(named_of_scope_.size());
        named_of_scope_.emplace_back();
        params.emplace_back();
      } else {
        open.pop_back();
        params.pop_back();
      }
    } else if (const auto* label = std::get_if<Label>(&one)) {
      put(label->name, {Kind::Label, nullptr, nullptr, static_cast<std::int32_t>(label_pc_.size()), 0});
      label_pc_.push_back(-1);
    } else if (const auto* table = std::get_if<Targets>(&one)) {
      put(table->label, {Kind::Table, nullptr, nullptr, static_cast<std::int32_t>(program_.tables.size()), 0});
      program_.tables.emplace_back();
    } else if (const auto* prototype = std::get_if<Prototype>(&one)) {
      put(prototype->label, {Kind::Prototype, nullptr, prototype, -1, 0});
    } else if (const Declaration* const declared = declaration_in(one)) {
      if (declared->space == ".param") params.back()[declared->name.text] = {Kind::Outgoing, declared, nullptr, -1, 0};
    } else if (const auto* instruction = std::get_if<Instruction>(&one)) {
      if (is_call(*instruction)) read_call_ahead(*instruction, params);
    }
  }
}

void Lowering::read_call_ahead(const Instruction& call, const std::vector<Names>& params) {
  const CallParts parts = parts_of(call);
  const std::optional<Signature> signature = signature_of_call(parts);
  if (!signature) return;
  outgoing_bytes_ = std::max(outgoing_bytes_, signature->bytes);
  note_outgoing(parts.results, signature->results, params);
  note_outgoing(parts.arguments, signature->parameters, params);
}

void Lowering::note_outgoing(const ptx::Operand* list, const std::vector<std::uint32_t>& offsets,
                             const std::vector<Names>& params) {
  for (std::size_t k = 0; list != nullptr && k < list->parts.size() && k < offsets.size(); ++k) {
    for (auto scope = params.rbegin(); scope != params.rend(); ++scope) {
      const auto found = scope->find(list->parts[k].name);
      if (found == scope->end()) continue;
      outgoing_.try_emplace(found->second.declaration, offsets[k]);
      break;
    }
  }
}

namespace {

// "%r12" → 12, where the name is "%r" with a number behind; else none.
std::optional<std::uint64_t> number_behind(std::string_view name, std::string_view row) {
  if (!name.starts_with(row) || name.size() == row.size() || name.size() > row.size() + 9) return std::nullopt;
  std::uint64_t number = 0;
  for (const char c : name.substr(row.size())) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

}  // namespace

const Symbol* Lowering::find(std::string_view name) const {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto exact = scope->find(name);
        exact != scope->end() && (exact->second.kind != Kind::Register || exact->second.declaration->count == 0))
      return &exact->second;
    for (std::size_t end = digits; end < name.size(); ++end) {
      const auto row = scope->find(name.substr(0, end));
      if (row == scope->end() || row->second.kind != Kind::Register) continue;
      const std::optional<std::uint64_t> number = number_behind(name, row->first);
      if (number && *number < row->second.declaration->count) return &row->second;
    }
  }
  return nullptr;
}

void Lowering::declare(const Declaration& d) {
  Symbol made{Kind::Register, &d, nullptr, -1, 0};
  if (d.space == ".local" || (d.space == ".param" && outgoing_.count(&d) == 0)) {
    frame_bytes_ = aligned(frame_bytes_, alignment_of(d));
    made.kind = Kind::Frame;
    made.offset = frame_bytes_;
    frame_bytes_ += bytes_of(d).value_or(0);
    const std::int32_t object = linker_.object_of(d, AddressSpace::Local);
    program_.locals[static_cast<std::size_t>(object)].offset_bytes = static_cast<std::uint32_t>(made.offset);
    program_.locals[static_cast<std::size_t>(object)].routine = routine_;
  } else if (d.space == ".param") {
    made.kind = Kind::Outgoing;
    made.offset = outgoing_.at(&d);
  } else if (d.space == ".shared") {
    made.kind = Kind::Shared;
    made.index = linker_.object_of(d, AddressSpace::Shared);
  } else if (d.space == ".global" || d.space == ".const") {
    made.kind = Kind::Variable;
    made.index = linker_.variable_of(d, std::string(d.name.text) + "@" + short_name(function_.name.text));
  } else if (d.space != ".reg") {
    return fail("P026", d.name.where, "`" + std::string(d.space) + "` inside a function is not supported",
                "declare " + quoted(d.name.text) + " in the module");
  }
  if (!scopes_.back().try_emplace(d.name.text, made).second) declared_twice(d.name);
}

void Lowering::declared_twice(const Name& name) {
  fail("P029", name.where, quoted(name.text) + " is declared already in this scope", "give it another name");
}

// ---- statements

void Lowering::statement(const Statement& one) {
  if (const auto* made = std::get_if<Instruction>(&one)) {
    const std::size_t begin = program_.code.size();
    instruction(*made);
    for (std::size_t pc = begin; pc < program_.code.size(); ++pc) program_.code[pc].source = source_;
  } else if (const auto* location = std::get_if<Location>(&one)) {
    source_ = linker_.locations().at(*location, program_.sources);
  } else if (const Declaration* const declared = declaration_in(one)) {
    declare(*declared);
  } else if (const auto* scope = std::get_if<Scope>(&one)) {
    if (scope->opens) scopes_.push_back(named_of_scope_[next_scope_++]);
    else scopes_.pop_back();
  } else if (const auto* label = std::get_if<Label>(&one)) {
    const std::int32_t pc = static_cast<std::int32_t>(program_.code.size());
    label_pc_[static_cast<std::size_t>(scopes_.back()[label->name.text].index)] = pc;
    program_.labels.emplace_back(std::string(label->name.text), pc);
  } else if (const auto* table = std::get_if<Targets>(&one)) {
    targets(*table);
  }
}

void Lowering::targets(const Targets& table) {
  if (table.of_calls) return;  // which functions a pointer may name: all of them are there
  const std::int32_t index = scopes_.back()[table.label.text].index;
  for (const Name& name : table.names) {
    const Symbol* const label = find(name.text);
    if (label == nullptr || label->kind != Kind::Label)
      return fail("P027", name.where, "no label " + quoted(name.text));
    std::vector<std::int32_t>& entries = program_.tables[static_cast<std::size_t>(index)];
    table_uses_.push_back({index, entries.size(), label->index});
    entries.push_back(-1);
  }
}

// What debug information says of this function's registers: its stretches lie between labels of the body.
void Lowering::name_variables(std::size_t first_label) {
  if (linker_.debug_variables().empty() || function_.name.where.file != 0) return;  // of linked texts the first's alone
  std::map<std::string_view, std::int32_t> pcs;
  for (std::size_t k = first_label; k < program_.labels.size(); ++k)
    pcs[program_.labels[k].first] = program_.labels[k].second;
  for (const DebugVariable& one : linker_.debug_variables()) {
    const auto first = pcs.find(one.first), end = pcs.find(one.end);
    const Symbol* const symbol = first == pcs.end() || end == pcs.end() ? nullptr : find(one.register_name);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::Register || first->second >= end->second) continue;
    program_.variables.push_back(
        {one.name, register_of(*symbol->declaration, one.register_name), first->second, end->second});
  }
}

void Lowering::fill_in_labels() {
  for (const Use& use : uses_)
    program_.code[use.pc].operands[use.slot].target = label_pc_[static_cast<std::size_t>(use.label)];
  for (const TableUse& use : table_uses_)
    program_.tables[static_cast<std::size_t>(use.table)][use.entry] = label_pc_[static_cast<std::size_t>(use.label)];
}

}  // namespace warpsim::ptx
