// Program of a module of PTX → PTX: its functions, variables and calls. See ptx_writer.h.
//
// Shapes: a function keeps its frame of local memory in an array of its own, in which its parameters, its objects and
//         the arguments of its calls have the places that they have in the program. All functions have one signature:
//         so many bytes in, so many out, which go from frame to frame at a call.
// Source: PTX ISA 9.0, chapters 5 and 7; PTX Interoperability 13.0, "System Calls".
#include <algorithm>
#include <cstdlib>

#include "isa/kernels/windows.h"
#include "isa/ptx_writer/ptx_kernel.h"
#include "isa/text/number_text.h"

namespace warpsim {
namespace {

using Kind = Operand::Kind;

constexpr std::uint32_t kStep = 8;  // bytes that go from frame to frame at once

constexpr std::string_view kSystemCalls =
    ".extern .func (.param .b64 r) malloc (.param .b64 a);\n.extern .func free (.param .b64 a);\n"
    ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
    ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n";

bool is_system_call(Op op) { return op == Op::Malloc || op == Op::Free || op == Op::Vprintf || op == Op::AssertFail; }

std::string type_text(Type type) {
  const bool is_bits = contains(kHalfFloat, type) || is_pair(type);
  return "." + (!is_bits ? std::string(name(type)) : "b" + std::to_string(bits(ptx_type(type))));
}

std::string far_text(std::int64_t far) {
  return far == 0 ? ""
                  : (far < 0 ? "-" : "+") +
                        std::to_string(far < 0 ? 0 - static_cast<std::uint64_t>(far) : static_cast<std::uint64_t>(far));
}

}  // namespace

PtxKernel PtxKernelText::module() {
  is_module_ = true;
  kernel_.entry = options_.entry.empty() ? ptx_entry(program_.name) : options_.entry;
  find_targets();
  for (const Routine& one : program_.routines) {
    call_bytes_ = std::max(call_bytes_, one.outgoing_bytes);
    const std::int32_t place = static_cast<std::int32_t>(function_names_.size());
    function_names_[one.function] = ptx_entry(one.name) + "_" + std::to_string(place);
  }
  std::string text;
  const bool calls_driver =
      std::any_of(program_.code.begin(), program_.code.end(), [](const Insn& insn) { return is_system_call(insn.op); });
  if (calls_driver) text += kSystemCalls;
  for (std::size_t k = 0; k + 1 < program_.routines.size(); ++k) text += function_head(program_.routines[k]) + ";\n";
  for (std::size_t k = 0; k < program_.objects.size(); ++k) text += shared_text(static_cast<std::int32_t>(k));
  for (std::size_t k = 0; k < program_.params.size(); ++k)
    if (program_.params[k].is_variable) text += variable_text(static_cast<std::int32_t>(k));
  for (std::size_t k = 0; k + 1 < program_.routines.size(); ++k) {
    const Routine& one = program_.routines[k];
    text += "\n" + function_head(one) + "\n{\n" + function_text(&one, one.first, one.end);
  }
  const Routine* const kernel = program_.routines.empty() ? nullptr : &program_.routines.back();
  text += "\n" + entry_head() + "{\n" +
          function_text(kernel, program_.entry(), static_cast<std::int32_t>(program_.code.size()));
  kernel_.text = std::move(text);
  return std::move(kernel_);
}

// A call names its function, not a line.
void PtxKernelText::find_targets() {
  for (const Insn& insn : program_.code)
    for (const Operand& o : insn.operands)
      if (o.kind == Kind::Label && info(insn.op).lift != Lift::Call) targets_.insert(o.target);
  for (const std::vector<std::int32_t>& table : program_.tables) targets_.insert(table.begin(), table.end());
}

// ---- what stands outside the bodies

// Functions may have objects of one name.
std::string PtxKernelText::object_name(std::int32_t index) const {
  const std::string& own = program_.objects[static_cast<std::size_t>(index)].name;
  const auto is_it = [&](const auto& one) { return one.name == own; };
  const bool is_alone = std::count_if(program_.objects.begin(), program_.objects.end(), is_it) == 1 &&
                        std::none_of(program_.params.begin(), program_.params.end(), is_it);
  return is_alone ? own : own + "__" + std::to_string(index);
}

// One of another scope, or of another linked text, is shown by a name that PTX does not take: i', table@1.
std::string PtxKernelText::variable_name(std::int32_t index) const {
  std::string own = program_.params[static_cast<std::size_t>(index)].name;
  const auto is_odd = [](char c) { return c == '@' || c == '\''; };
  if (std::none_of(own.begin(), own.end(), is_odd)) return own;
  std::replace_if(own.begin(), own.end(), is_odd, '_');
  return own + "__" + std::to_string(index);
}

std::string PtxKernelText::function_head(const Routine& routine) const {
  const std::string bytes = "[" + std::to_string(call_bytes_) + "]";
  const std::string& called = function_names_.at(routine.function);
  if (call_bytes_ == 0) return ".func " + called;
  return ".func (.param .align 16 .b8 __results" + bytes + ") " + called + " (.param .align 16 .b8 __arguments" +
         bytes + ")";
}

std::string PtxKernelText::entry_head() const {
  std::string text = ".visible .entry " + kernel_.entry + "(";
  bool is_first = true;
  for (std::size_t k = 0; k < program_.params.size(); ++k) {
    const Param& p = program_.params[k];
    if (p.is_variable) continue;
    const std::string called = param(static_cast<std::int32_t>(k));
    text += std::string(is_first ? "" : ",") + "\n        .param ";
    if (p.value_bytes != 0)
      text += ".align " + std::to_string(std::max(p.alignment_bytes, 1U)) + " .b8 " + called + "[" +
              std::to_string(p.value_bytes) + "]";
    else text += (p.is_buffer() ? ".u64" : type_text(p.type)) + " " + called;
    is_first = false;
  }
  text += ")\n";
  const Dim3& block = program_.required_block;
  if (block.x != 0)
    text +=
        ".reqntid " + std::to_string(block.x) + ", " + std::to_string(block.y) + ", " + std::to_string(block.z) + "\n";
  if (program_.most_threads != 0) text += ".maxntid " + std::to_string(program_.most_threads) + "\n";
  return text;
}

std::string PtxKernelText::shared_text(std::int32_t index) const {
  const Object& one = program_.objects[static_cast<std::size_t>(index)];
  const std::string length = one.is_dynamic ? "" : std::to_string(one.length.evaluate(options_.lanes));
  return std::string(one.is_dynamic ? ".extern " : "") + ".shared .align " + std::to_string(one.alignment()) + " " +
         type_text(one.type) + " " + object_name(index) + "[" + length + "];\n";
}

// An element is a number, or the address of something: of a part of it so many bits, moved to where they stand.
std::string PtxKernelText::variable_text(std::int32_t index) const {
  const Param& one = program_.params[static_cast<std::size_t>(index)];
  const std::uint64_t size = static_cast<std::uint64_t>(bytes(one.type));
  const std::uint64_t alignment = one.alignment_bytes != 0 ? one.alignment_bytes : size;
  std::string text = std::string(one.is_constant ? ".const" : ".global") + " .align " + std::to_string(alignment) +
                     " " + type_text(one.type) + " " + variable_name(index) + "[" + one.length + "]";
  std::map<std::uint64_t, std::string> values;  // by element
  for (const InitialAddress& address : one.addresses) values[address.at / size] = address_text(address);
  const std::uint64_t count =
      std::max<std::uint64_t>(one.initial.size(), values.empty() ? 0 : values.rbegin()->first + 1);
  for (std::uint64_t k = 0; k < count; ++k) {
    const auto address = values.find(k);
    text += k == 0 ? " = {" : ", ";
    if (address != values.end()) text += address->second;
    else text += ptx_number(k < one.initial.size() ? one.initial[static_cast<std::size_t>(k)] : 0, one.type);
  }
  return text + (count == 0 ? ";\n" : "};\n");
}

std::string PtxKernelText::address_text(const InitialAddress& address) const {
  std::string of;
  if (address.of == InitialAddress::Of::Variable) of = variable_name(address.index);
  else if (address.of == InitialAddress::Of::Shared) of = object_name(address.index);
  else of = function_names_.at(static_cast<std::uint32_t>(address.index));
  if (address.is_generic) of = "generic(" + of + ")";
  of += far_text(static_cast<std::int64_t>(address.addend));
  if (address.bytes == kStep) return of;
  const std::uint64_t mask = ((std::uint64_t{1} << 8 * address.bytes) - 1) << address.shift;
  return "0x" + ptx_hex(mask, 1) + "(" + of + ")";
}

// ---- a body

// The last instruction is the end of the body, which the reader adds itself.
bool PtxKernelText::ends_before(std::int32_t first, std::int32_t end) const {
  if (end - first < 2 || targets_.count(end - 1) != 0) return false;
  const Insn& before = program_.code[static_cast<std::size_t>(end) - 2];
  return before.guard.reg < 0 && (before.op == Op::Exit || before.op == Op::Ret || before.op == Op::Bra);
}

std::string PtxKernelText::function_text(const Routine* routine, std::int32_t first, std::int32_t end) {
  routine_ = routine;
  own_.clear();
  used_registers_.clear();
  const std::uint32_t frame = routine == nullptr ? 0 : routine->next_frame() + routine->outgoing_bytes;
  const bool is_called = routine != nullptr && routine != &program_.routines.back();
  if (is_called) move_arguments(true);
  if (ends_before(first, end)) --end;
  for (std::int32_t pc = first; pc < end; ++pc) {
    for (const Operand& o : program_.code[static_cast<std::size_t>(pc)].operands)
      if (o.reg >= 0) used_registers_.insert(o.reg);
    if (const std::int32_t guard = program_.code[static_cast<std::size_t>(pc)].guard.reg; guard >= 0)
      used_registers_.insert(guard);
    if (targets_.count(pc) != 0) out_ += target_name(pc) + ":\n";
    instruction(pc);
  }
  const std::string body = std::exchange(out_, "");
  if (frame != 0) line(".local .align 16 .b8 __frame[" + std::to_string(frame) + "]");
  own("frame", Type::U64);
  declare_registers();
  for (std::size_t k = 0; k < program_.tables.size(); ++k) table(k, first, end);
  if (frame != 0) line("mov.u64 %__frame, __frame");
  return std::exchange(out_, "") + "\n" + body + "}\n";
}

void PtxKernelText::table(std::size_t index, std::int32_t first, std::int32_t end) {
  const std::vector<std::int32_t>& pcs = program_.tables[index];
  if (pcs.empty() || pcs.front() < first || pcs.front() >= end) return;
  std::string text = "table_" + std::to_string(index) + ": .branchtargets ";
  for (std::size_t k = 0; k < pcs.size(); ++k) text += (k == 0 ? "" : ", ") + target_name(pcs[k]);
  line(text);
}

// Between the function's frame and its parameters, or of its results.
void PtxKernelText::move_arguments(bool in) {
  const std::uint32_t bytes = std::min(call_bytes_, routine_->frame_bytes);
  move_words(in ? "ld.param" : "ld.local", in ? "__arguments" : "%__frame", in ? "st.local" : "st.param",
             in ? "%__frame" : "__results", bytes, 0, "");
}

// `at`: in the frame, whichever of the two it is.
void PtxKernelText::move_words(const std::string& load, const std::string& from, const std::string& store,
                               const std::string& to, std::uint32_t bytes, std::uint32_t at,
                               const std::string& guard_text) {
  const std::string word = own("word", Type::U64);
  const auto place = [at](const std::string& base, std::uint32_t k) {
    return "[" + base + far_text(k + (base == "%__frame" ? at : 0)) + "]";
  };
  for (std::uint32_t k = 0; k + kStep <= bytes; k += kStep) {
    line(guard_text + load + ".b64 " + word + ", " + place(from, k));
    line(guard_text + store + ".b64 " + place(to, k) + ", " + word);
  }
}

// ---- instructions that a module alone has; false: it is another

bool PtxKernelText::of_module(const Insn& insn) {
  const std::string g = guard(insn);
  if (insn.op == Op::Ret) {
    const bool is_called = routine_ != nullptr && routine_ != &program_.routines.back();
    if (is_called) move_arguments(false);
    line(g + "ret");
  } else if (info(insn.op).lift == Lift::Call) {
    call(insn);
  } else if (info(insn.op).lift == Lift::Dispatch) {
    line(g + "brx.idx " + reg(insn.operands[0].reg) + ", table_" + std::to_string(insn.operands[1].target));
  } else if (is_system_call(insn.op)) {
    system_call(insn);
  } else {
    return false;
  }
  return true;
}

void PtxKernelText::call(const Insn& insn) {
  const std::string g = guard(insn);
  const Operand& callee = insn.operands[0];
  const bool by_pointer = callee.kind == Kind::Reg;
  std::string called = by_pointer ? reg(callee.reg) : "";
  if (!by_pointer) called = function_names_.at(program_.routine_at(callee.target)->function);
  const std::string bytes = "[" + std::to_string(call_bytes_) + "]";
  const bool passes = call_bytes_ != 0;
  out_ += "        {\n";
  if (passes) line(".param .align 16 .b8 a" + bytes + "; .param .align 16 .b8 r" + bytes);
  const std::string block = ".param .align 16 .b8 _" + bytes;
  if (by_pointer) line("p: .callprototype " + (passes ? "(" + block + ") _ (" + block + ")" : std::string("_")));
  const std::uint32_t outgoing = routine_->outgoing_bytes, at = routine_->next_frame();
  move_words("ld.local", "%__frame", "st.param", "a", outgoing, at, g);
  line(g + "call " + (passes ? "(r), " : "") + called +
       (passes       ? ", (a)"
        : by_pointer ? ", ()"
                     : "") +
       (by_pointer ? ", p" : ""));
  move_words("ld.param", "r", "st.local", "%__frame", outgoing, at, g);
  out_ += "        }\n";
}

void PtxKernelText::system_call(const Insn& insn) {
  const std::string g = guard(insn);
  const auto form = slots(info(insn.op).form);
  const bool gives = form[0].role == Role::Dst;
  std::string arguments, result;
  out_ += "        {\n";
  if (gives) {
    result = insn.op == Op::Malloc ? ".b64" : ".b32";
    line(".param " + result + " r");
  }
  for (std::size_t k = gives ? 1 : 0; k < insn.operands.size(); ++k) {
    const Operand& o = insn.operands[k];
    const RegClass cls = program_.registers[static_cast<std::size_t>(o.reg)].cls;
    const std::string type = cls == RegClass::R32 ? ".b32" : ".b64", called = "a" + std::to_string(k);
    line(".param " + type + " " + called);
    line(g + "st.param" + type + " [" + called + "], " + reg(o.reg));
    arguments += (arguments.empty() ? "" : ", ") + called;
  }
  if (insn.op == Op::AssertFail) {  // the size of a character
    line(".param .b64 size");
    line(g + "st.param.b64 [size], 1");
    arguments += ", size";
  }
  const std::string_view called = insn.op == Op::AssertFail ? "__assertfail" : info(insn.op).mnemonic;
  line(g + "call " + (gives ? "(r), " : "") + std::string(called) + ", (" + arguments + ")");
  if (gives && insn.operands[0].kind == Kind::Reg)
    line(g + "ld.param" + result + " " + reg(insn.operands[0].reg) + ", [r]");
  out_ += "        }\n";
}

// ---- operands

// "[name+8]", "[%r1-4]", "[16]"
std::string PtxKernelText::named_address(const Operand& o) const {
  const std::int64_t far = o.expr.empty() ? 0 : o.expr.evaluate(options_.lanes);
  if (o.object >= 0) return "[" + object_name(o.object) + far_text(far) + "]";
  if (o.param >= 0) return "[" + variable_name(o.param) + far_text(far) + "]";
  if (o.reg >= 0) return "[" + reg(o.reg) + far_text(far) + "]";
  return "[" + std::to_string(far) + "]";
}

// What a module writes as a name: a special register, or the address of something. "": it is neither.
std::string PtxKernelText::symbol(const Operand& o) const {
  const std::int64_t far = o.expr.empty() ? 0 : o.expr.evaluate(options_.lanes);
  if (o.kind == Kind::Special) return std::string(name(o.special));
  if (o.kind == Kind::ObjectAddr) return object_name(o.object) + far_text(far);
  if (o.kind == Kind::BufferAddr) return variable_name(o.param) + far_text(far);
  const std::uint64_t address = static_cast<std::uint64_t>(far);
  if (o.kind != Kind::Imm || address - kFunctionWindow >= kWindowBytes) return "";
  const std::uint64_t number = (address - kFunctionWindow) / kFunctionBytes;
  const auto found = function_names_.find(static_cast<std::uint32_t>(number));
  return found == function_names_.end() || address % kFunctionBytes != 0 ? "" : found->second;
}

// ---- what cannot be written

// Addresses are changed at each access there, and what a call or a variable holds is not known.
std::optional<PtxUnsupported> cannot_be_recorded(const Program& program) {
  const auto is_of_module_alone = [](const Insn& insn) {
    const Lift lift = info(insn.op).lift;
    const AddressSpace space = insn.mods.memory.space;
    return lift == Lift::Call || lift == Lift::Return || lift == Lift::Dispatch || is_system_call(insn.op) ||
           (space != AddressSpace::None && space != AddressSpace::Global);
  };
  const auto found = std::find_if(program.code.begin(), program.code.end(), is_of_module_alone);
  const bool has_variables =
      std::any_of(program.params.begin(), program.params.end(), [](const Param& one) { return one.is_variable; });
  if (found == program.code.end() && !has_variables) return std::nullopt;
  return PtxUnsupported{"a kernel from PTX with " +
                            (found == program.code.end() ? "variables"
                                                         : "`" + std::string(info(found->op).mnemonic) + "` in line " +
                                                               std::to_string(found->where.line)) +
                            " cannot be run by the recording kernels",
                        "`warpsim crosscheck FILE.ptx` runs the text itself"};
}

std::optional<PtxUnsupported> cannot_be_written(const Program& program, const PtxOptions& options) {
  if (options.backend || options.records) return cannot_be_recorded(program);
  if (options.lanes != kPtxLanes)
    return PtxUnsupported{"a kernel from PTX cannot be written for " + counted(options.lanes, "lane"), "--lanes 32"};
  if (!program.unsupported.empty()) {
    const Unsupported& one = program.unsupported.front();
    const SourceRange& where = program.code[static_cast<std::size_t>(one.pc)].where;
    return PtxUnsupported{
        "`" + one.text + "` in line " + std::to_string(where.line) + " is not supported: " + one.because,
        "the text that it was read from has it"};
  }
  std::set<std::uint32_t> placed;
  for (const Routine& one : program.routines) placed.insert(one.function);
  for (const Param& param : program.params)
    for (const InitialAddress& one : param.addresses)
      if (one.of == InitialAddress::Of::Function && placed.count(static_cast<std::uint32_t>(one.index)) == 0)
        return PtxUnsupported{"`" + param.name + "` holds the address of a function without a body",
                              "the text that it was read from has it"};
  for (const Insn& insn : program.code) {
    const bool by_register = insn.mods.memory.space == AddressSpace::Param;
    if (insn.op != Op::CvtaParam && insn.op != Op::CvtaToParam && !by_register) continue;
    return PtxUnsupported{"line " + std::to_string(insn.where.line) +
                              " takes a kernel's parameters by their address, which cannot be written",
                          "the text that it was read from has it"};
  }
  return std::nullopt;
}

}  // namespace warpsim
