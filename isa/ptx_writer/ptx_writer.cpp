// Program → PTX: the kernel around the instructions. See ptx_writer.h.
#include "isa/ptx_writer/ptx_writer.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "isa/program/expand.h"
#include "isa/ptx_writer/ptx_kernel.h"
#include "isa/table/special.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kStaticSharedBytes = 48 * 1024;  // what a kernel may declare: ptxas refuses more

std::size_t count_lines(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

std::string ptx_hex(std::uint64_t value, int digits) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%0*llX", digits, static_cast<unsigned long long>(value));
  return text.data();
}
std::string ptx_register_type(Type type) {
  return type == Type::Pred ? "pred" : "b" + std::to_string(std::max(16, bits(ptx_type(type))));
}
Type ptx_type_of(RegClass cls) {
  switch (cls) {
    case RegClass::Pred: return Type::Pred;
    case RegClass::R16: return Type::B16;
    case RegClass::R64: return Type::B64;
    case RegClass::R32:
    case RegClass::Mask:
    case RegClass::None: break;
  }
  return Type::B32;
}

PtxKernelText::PtxKernelText(const Program& program, const PtxOptions& options) : program_(program), options_(options) {
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    const Insn& insn = program.code[pc];
    for (const Operand& o : insn.operands)
      if (o.kind == Operand::Kind::Label) last_jumps_[o.target] = static_cast<std::int32_t>(pc);
    const auto form = slots(info(insn.op).form);
    for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
      const bool writes = form[k].role == Role::Dst && insn.operands[k].kind == Operand::Kind::Reg;
      if (writes && is_float(element(slot_type(form[k].type, insn.type, insn.type2))))
        float_registers_.insert(insn.operands[k].reg);
    }
  }
}

PtxKernel PtxKernelText::run() {
  kernel_.entry = options_.entry.empty() ? ptx_entry(program_.full_name()) : options_.entry;
  lay_out_shared();
  const std::int32_t end = static_cast<std::int32_t>(program_.code.size());
  std::vector<std::uint32_t> lines;
  std::size_t counted = 0;
  const auto are_of = [&](std::uint32_t line) {  // the lines that came since
    lines.insert(lines.end(), count_lines(std::string_view(out_).substr(counted)), line);
    counted = out_.size();
  };
  for (std::int32_t pc = 0; pc < end; ++pc) {
    labels(pc);
    are_of(0);
    instruction(pc);
    const SourceRange& where = program_.code[static_cast<std::size_t>(pc)].where;
    are_of(where.file == 0 ? where.line : 0);
  }
  labels(end);
  if (can_fall_off()) line("exit");
  const std::string body = std::exchange(out_, "");
  prologue();
  const std::string before = std::exchange(out_, "");
  head();
  declare_registers();
  const std::string begin = out_ + "\n" + before + "\n";
  kernel_.lines.assign(count_lines(begin), 0);
  kernel_.lines.insert(kernel_.lines.end(), lines.begin(), lines.end());
  kernel_.text = begin + body + "}\n";
  kernel_.lines.resize(count_lines(kernel_.text), 0);
  return std::move(kernel_);
}

// PTX ends a kernel that runs past its last line; ptxas wants to see an end all the same.
bool PtxKernelText::can_fall_off() const {
  if (program_.code.empty() || out_.rfind(":\n") == out_.size() - 2) return true;
  const Insn& last = program_.code.back();
  return last.guard.reg >= 0 || (last.op != Op::Exit && last.op != Op::Bra);
}

// ---- names

std::string PtxKernelText::reg(std::int32_t index) const {
  if (is_module_) return index == program_.frame_register ? "%__frame" : "%v" + std::to_string(index);
  const std::string& name = program_.registers[static_cast<std::size_t>(index)].name;
  const bool taken = name.rfind("%__", 0) == 0 || name == kCarryFlag || parse_special(name + ".x").has_value();
  return taken ? "%__own" + std::to_string(index) : name;
}
// Behind a prefix: PTX takes a percent sign as a name's first character alone.
std::string PtxKernelText::param(std::int32_t index) const {
  std::string name = program_.params[static_cast<std::size_t>(index)].name;
  if (name.front() == '%') name = name.substr(1) + "__" + std::to_string(index);
  return "param_" + name;
}
std::string PtxKernelText::own(const std::string& name, Type type) {
  own_.try_emplace("%__" + name, type);
  return "%__" + name;
}
std::string PtxKernelText::fresh(Type type) {
  const std::string kind = ptx_register_type(type);
  return own(kind + "_" + std::to_string(fresh_count_[kind]++), type);
}
std::string PtxKernelText::kept_special(Special special, bool wide) {
  specials_.insert(special);
  std::string name(warpsim::name(special).substr(1));
  std::replace(name.begin(), name.end(), '.', '_');
  const std::string kept = own(name, info(special).type == Type::U64 ? Type::U64 : Type::U32);
  if (!wide || info(special).type == Type::U64) return kept;
  wide_specials_.insert(special);
  return own(name + "_wide", Type::U64);
}
std::string PtxKernelText::kept_param(std::int32_t index) {
  kept_params_.insert(index);
  const Param& p = program_.params[static_cast<std::size_t>(index)];
  return own(param(index), p.is_buffer() ? Type::U64 : p.type);
}
std::string PtxKernelText::kept_delta() {
  needs_delta_ = true;
  return own("delta", Type::U64);
}
std::string PtxKernelText::real_base(std::int32_t index) {
  const std::string visible = kept_param(index);
  if (!options_.backend) return visible;
  kept_delta();
  real_bases_.insert(index);
  return own("at_" + param(index), Type::U64);
}
std::string PtxKernelText::kept_shared() {
  needs_shared_ = true;
  return own("shared", Type::U64);
}
std::string PtxKernelText::target_name(std::int32_t pc) const {
  if (is_module_) return "__L" + std::to_string(pc);
  for (const auto& [name, at] : program_.labels) {
    if (at == pc) return "L_" + name;
  }
  return "L__" + std::to_string(pc);
}
std::string PtxKernelText::guard(const Insn& insn) const {
  if (insn.guard.reg < 0) return "";
  return std::string(insn.guard.negated ? "@!" : "@") + reg(insn.guard.reg) + " ";
}

// ---- the frame

// One block of bytes, laid out as the simulator does, so that addresses are the same.
void PtxKernelText::lay_out_shared() {
  shared_offsets_ = shared_offsets(program_.objects, options_.lanes);
  kernel_.shared_bytes = static_cast<std::uint32_t>(shared_offsets_.back());
  kernel_.dynamic_shared = kernel_.shared_bytes > kStaticSharedBytes;
}

void PtxKernelText::head() {
  if (kernel_.dynamic_shared) out_ += ".extern .shared .align 16 .b8 " + kernel_.entry + "_shared[];\n";
  std::vector<std::string> params;
  for (std::size_t k = 0; k < program_.params.size(); ++k) {
    const Param& p = program_.params[k];
    const std::string type = p.is_buffer() ? "u64" : "b" + std::to_string(bits(ptx_type(p.type)));
    params.push_back(".param ." + type + " " + param(static_cast<std::int32_t>(k)));
  }
  if (options_.backend) params.insert(params.end(), {".param .u64 delta", ".param .u64 zero"});
  if (options_.records) params.insert(params.end(), {".param .u64 log", ".param .u32 log_words"});
  out_ += ".visible .entry " + kernel_.entry + "(";
  for (std::size_t k = 0; k < params.size(); ++k) out_ += (k == 0 ? "\n        " : ",\n        ") + params[k];
  out_ += ")\n{\n";
  if (kernel_.shared_bytes != 0 && !kernel_.dynamic_shared)
    out_ += "        .shared .align 16 .b8 shared_memory[" + std::to_string(kernel_.shared_bytes) + "];\n";
}

void PtxKernelText::declare_registers() {
  std::map<std::string, std::vector<std::string>> by_type;
  for (std::size_t k = 0; k < program_.registers.size(); ++k) {
    const std::int32_t index = static_cast<std::int32_t>(k);
    if (is_module_ && (used_registers_.count(index) == 0 || index == program_.frame_register)) continue;
    by_type[ptx_register_type(ptx_type_of(program_.registers[k].cls))].push_back(reg(static_cast<std::int32_t>(k)));
  }
  for (const auto& [name, type] : own_) by_type[ptx_register_type(type)].push_back(name);
  for (const auto& [type, names] : by_type) {
    std::string text;
    for (const std::string& name : names) {
      if (text.size() + name.size() > 100) {
        line(text);
        text.clear();
      }
      text += (text.empty() ? ".reg ." + type + " " : ", ") + name;
    }
    line(text);
  }
}

void PtxKernelText::prologue() {
  if (narrow()) leave_surplus_lanes();
  if (options_.records) find_log();
  load_parameters();
  fill_specials();
  if (needs_shared_)
    line("mov.u64 " + kept_shared() + ", " + (kernel_.dynamic_shared ? kernel_.entry + "_shared" : "shared_memory"));
}

// Lane and warp of the simulated block; threads that it does not have are done.
void PtxKernelText::leave_surplus_lanes() {
  const std::string at = own("hardware_thread", Type::U32), lane = own("lane", Type::U32);
  const std::string warp = own("warp", Type::U32), thread = own("thread", Type::U32);
  const std::string surplus = own("surplus", Type::Pred);
  line("mov.u32 " + at + ", %tid.x");
  line("and.b32 " + lane + ", " + at + ", 31");
  line("shr.u32 " + warp + ", " + at + ", 5");
  line("mad.lo.u32 " + thread + ", " + warp + ", " + std::to_string(options_.lanes) + ", " + lane);
  line("setp.ge.u32 " + surplus + ", " + lane + ", " + std::to_string(options_.lanes));
  line("@" + surplus + " exit");
  line("setp.ge.u32 " + surplus + ", " + thread + ", " + std::to_string(options_.block.count()));
  line("@" + surplus + " exit");
}

void PtxKernelText::load_parameters() {
  for (const std::int32_t k : kept_params_) {
    const Param& p = program_.params[static_cast<std::size_t>(k)];
    const std::string type = p.is_buffer()       ? "u64"
                             : is_signed(p.type) ? "s" + std::to_string(bits(p.type))
                                                 : "b" + std::to_string(bits(ptx_type(p.type)));
    line("ld.param." + type + " " + kept_param(k) + ", [" + param(k) + "]");
  }
  if (needs_delta_) line("ld.param.u64 " + kept_delta() + ", [delta]");
  for (const std::int32_t k : std::set<std::int32_t>(real_bases_))
    line("add.u64 " + real_base(k) + ", " + kept_param(k) + ", " + kept_delta());
  for (const std::string& type : zeros_) line("ld.param." + type + " %__zero_" + type + ", [zero]");
}

void PtxKernelText::fill_specials() {
  for (const Special special : specials_) fill_special(special, kept_special(special, false));
  for (const Special special : wide_specials_)
    line("cvt.u64.u32 " + kept_special(special, true) + ", " + kept_special(special, false));
}

// %warpid and %nwarpid are slots of the hardware; a program means the warp's number in its block.
void PtxKernelText::fill_special(Special special, const std::string& kept) {
  const Dim3& block = options_.block;
  const std::string thread = narrow() ? own("thread", Type::U32) : "", t = own("t", Type::U32), u = own("u", Type::U32);
  const auto along = [&](unsigned before, unsigned size) {  // thread / before % size
    line("div.u32 " + kept + ", " + thread + ", " + std::to_string(before));
    line("rem.u32 " + kept + ", " + kept + ", " + std::to_string(size));
  };
  const auto read = [&](const std::string& into, const char* which) { line("mov.u32 " + into + ", " + which); };
  const auto constant = [&](std::uint64_t value) { line("mov.u32 " + kept + ", " + std::to_string(value)); };
  const bool own_numbers = narrow();
  switch (special) {
    case Special::TidX: return own_numbers ? along(1, block.x) : read(kept, "%tid.x");
    case Special::TidY: return own_numbers ? along(block.x, block.y) : read(kept, "%tid.y");
    case Special::TidZ: return own_numbers ? along(block.x * block.y, block.z) : read(kept, "%tid.z");
    case Special::NTidX: return own_numbers ? constant(block.x) : read(kept, "%ntid.x");
    case Special::NTidY: return own_numbers ? constant(block.y) : read(kept, "%ntid.y");
    case Special::NTidZ: return own_numbers ? constant(block.z) : read(kept, "%ntid.z");
    case Special::WarpId:
      if (own_numbers) return read(kept, own("warp", Type::U32).c_str());
      read(kept, "%tid.z");
      read(t, "%ntid.y");
      read(u, "%tid.y");
      line("mad.lo.u32 " + kept + ", " + kept + ", " + t + ", " + u);
      read(t, "%ntid.x");
      read(u, "%tid.x");
      line("mad.lo.u32 " + kept + ", " + kept + ", " + t + ", " + u);
      line("shr.u32 " + kept + ", " + kept + ", 5");
      return;
    case Special::NWarpId:
      if (own_numbers) return constant((block.count() + options_.lanes - 1) / options_.lanes);
      read(kept, "%ntid.x");
      for (const char* other : {"%ntid.y", "%ntid.z"}) {
        read(t, other);
        line("mul.lo.u32 " + kept + ", " + kept + ", " + t);
      }
      line("add.u32 " + kept + ", " + kept + ", 31");
      line("shr.u32 " + kept + ", " + kept + ", 5");
      return;
    case Special::GTid:
      if (own_numbers) along(1, block.x);
      else read(kept, "%tid.x");
      read(t, "%ctaid.x");
      if (own_numbers) line("mov.u32 " + u + ", " + std::to_string(block.x));
      else read(u, "%ntid.x");
      line("mad.lo.u32 " + kept + ", " + t + ", " + u + ", " + kept);
      return;
    default: {
      const std::string type = info(special).type == Type::U64 ? "u64 " : "u32 ";
      return line("mov." + type + kept + ", " + std::string(name(special)));
    }
  }
}

// Where this thread's log goes: threads are numbered block by block.
void PtxKernelText::find_log() {
  const std::string t = own("t", Type::U32), n = own("n", Type::U32), all = own("all", Type::U64);
  const std::string w = own("w", Type::U64);
  const auto nest = [&](const std::string& into, const char* const(&axes)[5]) {  // ((a * b) + c) * d + e
    line("mov.u32 " + into + ", " + axes[0]);
    for (int k = 1; k < 5; k += 2) {
      line("mov.u32 " + t + ", " + axes[k]);
      line("mul.lo.u32 " + into + ", " + into + ", " + t);
      line("mov.u32 " + t + ", " + axes[k + 1]);
      line("add.u32 " + into + ", " + into + ", " + t);
    }
  };
  const std::string block = own("block_number", Type::U32), thread = own("block_thread", Type::U32);
  nest(block, {"%ctaid.z", "%nctaid.y", "%ctaid.y", "%nctaid.x", "%ctaid.x"});
  nest(thread, {"%tid.z", "%ntid.y", "%tid.y", "%ntid.x", "%tid.x"});
  line("mov.u32 " + n + ", %ntid.x");
  for (const char* axis : {"%ntid.y", "%ntid.z"}) {
    line("mov.u32 " + t + ", " + axis);
    line("mul.lo.u32 " + n + ", " + n + ", " + t);
  }
  line("mul.wide.u32 " + all + ", " + block + ", " + n);
  line("cvt.u64.u32 " + w + ", " + thread);
  line("add.u64 " + all + ", " + all + ", " + w);
  const std::string log = own("log", Type::U64), cursor = own("cursor", Type::U64), end = own("end", Type::U64);
  line("ld.param.u32 " + n + ", [log_words]");
  line("mul.wide.u32 " + w + ", " + n + ", 8");
  line("ld.param.u64 " + log + ", [log]");
  line("mad.lo.u64 " + log + ", " + all + ", " + w + ", " + log);
  line("add.u64 " + end + ", " + log + ", " + w);
  line("add.u64 " + cursor + ", " + log + ", 8");
  line("st.global.u64 [" + log + "], 1");
}

// ---- what others call

bool ptx_record::is_destination(const Insn& insn, std::size_t slot) {
  const Slot& s = slots(info(insn.op).form)[slot];
  return (s.role == Role::Dst || s.role == Role::DstPred) && !is_hidden(s) &&
         insn.operands[slot].kind == Operand::Kind::Reg;
}

unsigned ptx_record::values(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  if (row.lift == Lift::Copy) return 0;  // it is not recorded what was copied
  unsigned count = accesses_memory(row) ? 1 : 0;
  for (std::size_t k = 0; k < insn.operands.size(); ++k) {
    const bool source = slots(row.form)[k].role == Role::Src && insn.operands[k].kind != Operand::Kind::None;
    if (is_destination(insn, k) || (writes_memory(row) && source)) ++count;
  }
  return count;
}

std::variant<PtxKernel, PtxUnsupported> write_ptx(const Program& program, const PtxOptions& options) {
  if (options.lanes > kPtxLanes) {
    return PtxUnsupported{"a warp of " + std::to_string(options.lanes) +
                              " lanes is unsupported on this device: a GPU's " + "warp has " +
                              std::to_string(kPtxLanes) + " lanes",
                          "run it with --lanes 32 or fewer"};
  }
  if (program.is_from_ptx) {
    if (std::optional<PtxUnsupported> fault = cannot_be_written(program, options)) return *std::move(fault);
    if (!options.backend && !options.records) return PtxKernelText(program, options).module();
  }
  const Program expanded = expand_collectives(program, options.lanes);
  return PtxKernelText(expanded, options).run();
}

std::string ptx_module(std::span<const PtxKernel> kernels) {
  unsigned target = 75;
  for (const PtxKernel& kernel : kernels) target = std::max(target, kernel.target);
  unsigned version = 80;
  for (const PtxKernel& kernel : kernels) version = std::max(version, kernel.version);
  std::string text = ".version " + std::to_string(version / 10) + "." + std::to_string(version % 10) + "\n.target sm_" +
                     std::to_string(target) + "\n.address_size 64\n";
  for (const PtxKernel& kernel : kernels) text += "\n" + kernel.text;
  return text;
}

std::string ptx_entry(std::string_view full_name) {
  std::string entry(full_name);
  for (char& c : entry) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && !(c >= '0' && c <= '9')) c = '_';
  }
  return entry;
}

Dim3 ptx_block(unsigned lanes, const Dim3& block) {
  if (lanes >= kPtxLanes) return block;
  return {static_cast<std::uint32_t>((block.count() + lanes - 1) / lanes * kPtxLanes), 1, 1};
}

}  // namespace warpsim
