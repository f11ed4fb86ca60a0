// The living definition of a warp program: see reference_interpreter.h.
//
// Shapes: a Thread is one lane of one warp. run() lets every thread go on by itself to its next meeting point, then
//         opens the meetings whose lanes have all come, and so on until nobody is left.
// Units:  as in the header.
// Errors: a Fault is the first thing that went wrong.
// Source: PTX ISA 9.0: shfl.sync 9.7.9.6, vote.sync 9.7.13.9, match.sync and redux.sync beside it, bar
//         9.7.13.1, bar.warp.sync 9.7.13.2.
#include "tools/fuzz/reference_interpreter.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace warpsim::reference {
namespace {

using Bits = std::uint64_t;

std::int64_t apply(ConstToken::Kind kind, std::int64_t x, std::int64_t y) {
  const Bits a = static_cast<Bits>(x), b = static_cast<Bits>(y);
  switch (kind) {
    case ConstToken::Kind::Add: return static_cast<std::int64_t>(a + b);
    case ConstToken::Kind::Sub: return static_cast<std::int64_t>(a - b);
    case ConstToken::Kind::Mul: return static_cast<std::int64_t>(a * b);
    case ConstToken::Kind::Div: return y == 0 ? 0 : y == -1 ? static_cast<std::int64_t>(0 - a) : x / y;
    case ConstToken::Kind::Rem: return y == 0 || y == -1 ? 0 : x % y;
    case ConstToken::Kind::Shl: return b > 63 ? 0 : static_cast<std::int64_t>(a << b);
    case ConstToken::Kind::Shr: return b > 63 ? 0 : x >> y;
    case ConstToken::Kind::And: return x & y;
    case ConstToken::Kind::Or: return x | y;
    case ConstToken::Kind::Xor: return x ^ y;
    default: return 0;
  }
}

std::int64_t constant(const ConstExpr& expression, unsigned lanes) {
  std::vector<std::int64_t> stack;
  for (const ConstToken& token : expression.tokens) {
    if (token.kind == ConstToken::Kind::Number) {
      stack.push_back(token.number);
    } else if (token.kind == ConstToken::Kind::WarpSize) {
      stack.push_back(lanes);
    } else if (token.kind == ConstToken::Kind::Neg) {
      stack.back() = static_cast<std::int64_t>(0 - static_cast<Bits>(stack.back()));
    } else if (token.kind == ConstToken::Kind::Not) {
      stack.back() = ~stack.back();
    } else {
      const std::int64_t right = stack.back();
      stack.pop_back();
      stack.back() = apply(token.kind, stack.back(), right);
    }
  }
  return stack.empty() ? 0 : stack.back();
}

struct Thread {
  std::int32_t pc = 0;
  bool exited = false;
  bool waiting = false;         // at a meeting point, at `pc`
  Bits member_mask = 0;         // of a meeting inside the warp
  Bits barrier = 0, count = 0;  // of a block barrier; count 0: all threads
  Bits brings = 0;              // the predicate, of a barrier that reduces
  std::uint32_t linear = 0;     // in the block
  Dim3 tid{0, 0, 0};
  std::vector<Bits> registers;
};

struct Memory {
  Bits address = 0;
  bool read_only = false;
  std::vector<unsigned char> bytes;
};

// One block: its threads and its shared memory.
struct Block {
  Dim3 ctaid{0, 0, 0};
  std::vector<Thread> threads;
  Memory shared;
};

constexpr const char* kUnknown = "an instruction that this interpreter does not know";

// ---- what each row of the exchanges gives; nothing for a row that is not known

// PTX's pseudo-code, word for word; 64 lanes have six bits where PTX has five.
struct Source {
  unsigned lane;
  bool in_range;
};
std::optional<Source> shuffle_source(Op op, unsigned lane, Bits b, Bits c, unsigned lanes) {
  const unsigned five_bits = lanes > 32 ? 63 : 31;
  const int bval = static_cast<int>(b & five_bits), cval = static_cast<int>(c & five_bits);
  const int segmask = static_cast<int>(c >> 8 & five_bits);
  const int inverse = ~segmask & static_cast<int>(five_bits), own = static_cast<int>(lane);
  const int max_lane = (own & segmask) | (cval & inverse), min_lane = own & segmask;
  int j = 0;
  bool p = false;
  switch (op) {
    case Op::ShflUp:
      j = own - bval;
      p = j >= max_lane;
      break;
    case Op::ShflDown:
      j = own + bval;
      p = j <= max_lane;
      break;
    case Op::ShflBfly:
      j = own ^ bval;
      p = j <= max_lane;
      break;
    default:
      j = min_lane | (bval & inverse);
      p = j <= max_lane;
      break;
  }
  return Source{p ? static_cast<unsigned>(j) : lane, p};
}

Meaning vote_result(Op op, Bits ballot, Bits all) {
  switch (op) {
    case Op::VoteAll: return ballot == all ? 1 : 0;
    case Op::VoteAny: return ballot != 0 ? 1 : 0;
    case Op::VoteUni: return ballot == all || ballot == 0 ? 1 : 0;
    case Op::VoteBallot: return ballot;
    default: return std::nullopt;
  }
}

Meaning match_result(Op op, Bits same, Bits all) {
  switch (op) {
    case Op::MatchAny: return same;
    case Op::MatchAll: return same == all ? all : 0;
    default: return std::nullopt;
  }
}

constexpr std::array kAtBarriers = {Op::BarSync, Op::BarRedPopc, Op::BarRedAnd, Op::BarRedOr};
// Of the threads that arrived at a barrier, for how many p is true; bar.sync gives nothing.
Meaning barrier_result(Op op, Bits trues, Bits arrived) {
  switch (op) {
    case Op::BarRedPopc: return trues;
    case Op::BarRedAnd: return trues == arrived ? 1 : 0;
    case Op::BarRedOr: return trues > 0 ? 1 : 0;
    default: return std::nullopt;
  }
}

class Grid {
 public:
  Grid(const Program& program, const Launch& launch) : program_(program), launch_(launch), lanes_(launch.lanes) {
    lay_out_global();
    for (std::uint32_t z = 0; z < launch.grid.z; ++z) {
      for (std::uint32_t y = 0; y < launch.grid.y; ++y) {
        for (std::uint32_t x = 0; x < launch.grid.x; ++x) blocks_.push_back(fresh_block({x, y, z}));
      }
    }
    executed_.assign(program.code.size(), 0);
  }

  Result run() {
    bool moved = true;
    while (moved && !fault_) {
      moved = false;
      for (Block& block : blocks_) {
        for (Thread& thread : block.threads) moved = go_on(block, thread) || moved;
        moved = open_meetings(block) || moved;
      }
    }
    return report();
  }

 private:
  // ---- setting up
  void lay_out_global() {
    for (const Param& param : program_.params) {
      Memory memory;
      memory.read_only = param.kind == Param::Kind::In;
      if (const auto where = launch_.addresses.find(param.name); where != launch_.addresses.end()) {
        memory.address = where->second;
      }
      if (const auto given = launch_.buffers.find(param.name); param.is_buffer() && given != launch_.buffers.end()) {
        const int size = bytes(param.type);
        memory.bytes.resize(given->second.bits.size() * static_cast<std::size_t>(size));
        for (std::size_t k = 0; k < given->second.bits.size(); ++k) {
          put(memory, k * static_cast<std::size_t>(size), size, given->second.bits[k]);
        }
      }
      global_.push_back(memory);
    }
    // Shared arrays follow each other, each at a multiple of its element's size.
    for (const SharedArray& array : program_.shared) {
      const Bits size = static_cast<Bits>(bytes(array.type));
      shared_size_ = (shared_size_ + size - 1) / size * size;
      shared_offset_.push_back(shared_size_);
      shared_size_ += size * static_cast<Bits>(constant(array.length, lanes_));
    }
  }

  Block fresh_block(Dim3 ctaid) const {
    Block block;
    block.ctaid = ctaid;
    block.shared.bytes.resize(shared_size_);
    for (std::uint32_t k = 0; k < launch_.block.count(); ++k) {
      Thread thread;
      thread.linear = k;
      thread.tid = {k % launch_.block.x, k / launch_.block.x % launch_.block.y, k / launch_.block.x / launch_.block.y};
      thread.registers.resize(program_.registers.size());
      block.threads.push_back(thread);
    }
    return block;
  }

  Result report() const {
    Result result;
    const auto unfinished = [](const Block& b) {
      return std::any_of(b.threads.begin(), b.threads.end(), [](const Thread& t) { return !t.exited; });
    };
    result.why = fault_.value_or("");
    if (!fault_ && std::any_of(blocks_.begin(), blocks_.end(), unfinished)) result.why = "nothing can go on";
    result.trapped = !result.why.empty();
    for (std::size_t k = 0; k < program_.params.size(); ++k) {
      const Param& param = program_.params[k];
      if (!param.is_buffer()) continue;
      Array& array = result.buffers[param.name];
      array.type = param.type;
      const std::size_t size = static_cast<std::size_t>(bytes(param.type));
      for (std::size_t at = 0; at < global_[k].bytes.size(); at += size) {
        array.bits.push_back(get(global_[k], at, static_cast<int>(size)));
      }
    }
    for (const Block& block : blocks_) {
      for (const Thread& thread : block.threads) result.registers.push_back(thread.registers);
    }
    result.executed = executed_;
    return result;
  }

  // ---- values
  int width_of(Type type) const { return type == Type::Mask ? (lanes_ > 32 ? 64 : 32) : bits(type); }

  Type type_of(const Insn& insn, const Slot& slot) const { return slot_type(slot.type, insn.type, insn.type2); }

  Bits special(const Block& block, const Thread& thread, Special which) const {
    const Bits lane = thread.linear % lanes_;
    const Bits eq = Bits{1} << lane, lt = eq - 1;
    switch (which) {
      case Special::LaneId: return lane;
      case Special::WarpId: return thread.linear / lanes_;
      case Special::NWarpId: return (launch_.block.count() + lanes_ - 1) / lanes_;
      case Special::TidX: return thread.tid.x;
      case Special::TidY: return thread.tid.y;
      case Special::TidZ: return thread.tid.z;
      case Special::NTidX: return launch_.block.x;
      case Special::NTidY: return launch_.block.y;
      case Special::NTidZ: return launch_.block.z;
      case Special::CtaIdX: return block.ctaid.x;
      case Special::CtaIdY: return block.ctaid.y;
      case Special::CtaIdZ: return block.ctaid.z;
      case Special::NCtaIdX: return launch_.grid.x;
      case Special::NCtaIdY: return launch_.grid.y;
      case Special::NCtaIdZ: return launch_.grid.z;
      case Special::LaneMaskEq: return eq;
      case Special::LaneMaskLe: return lt | eq;
      case Special::LaneMaskLt: return lt;
      case Special::LaneMaskGe: return ~lt & ones(width_of(Type::Mask));
      case Special::LaneMaskGt: return ~(lt | eq) & ones(width_of(Type::Mask));
      case Special::GTid: return block.ctaid.x * launch_.block.x + thread.tid.x;
      case Special::Clock:
      case Special::Clock64: break;  // it has no cycles; random programs read none
    }
    return 0;
  }

  Bits value(const Block& block, const Thread& thread, const Operand& operand, Type type) const {
    Bits raw = 0;
    switch (operand.kind) {
      case Operand::Kind::Reg: raw = thread.registers[static_cast<std::size_t>(operand.reg)]; break;
      case Operand::Kind::Imm: raw = static_cast<Bits>(constant(operand.expr, lanes_)); break;
      case Operand::Kind::FloatImm: {
        const Type one = element(type);
        const bool narrow = is_float(one) && one != Type::F64;
        Mods nearest;
        nearest.round = Round::Rn;
        raw = narrow ? evaluate(Op::Cvt, one, Type::F64, nearest, {operand.float_bits}, lanes_) : operand.float_bits;
        if (one != type) raw |= raw << 16;  // a pair has the constant twice
        break;
      }
      case Operand::Kind::BitsImm: raw = operand.float_bits; break;
      case Operand::Kind::Special: raw = special(block, thread, operand.special); break;
      case Operand::Kind::Param: raw = scalar(operand.param); break;
      case Operand::Kind::BufferAddr: raw = global_[static_cast<std::size_t>(operand.param)].address; break;
      case Operand::Kind::SharedAddr: raw = shared_offset_[static_cast<std::size_t>(operand.shared)]; break;
      default: break;
    }
    if (type == Type::Pred) raw = (raw != 0) != operand.negated ? 1 : 0;
    return raw & ones(width_of(type));
  }

  Bits scalar(std::int32_t param) const {
    const auto it = launch_.scalars.find(program_.params[static_cast<std::size_t>(param)].name);
    return it == launch_.scalars.end() ? 0 : it->second;
  }

  // The operand in the slot of that name; null where it was left out or the form has none.
  static const Operand* find(const Insn& insn, std::string_view slot_name) {
    const auto form = slots(info(insn.op).form);
    for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
      if (form[k].name == slot_name && insn.operands[k].kind != Operand::Kind::None) return &insn.operands[k];
    }
    return nullptr;
  }

  Bits named(const Block& block, const Thread& thread, std::string_view slot_name, Type type, Bits absent) const {
    const Operand* operand = find(insn_at(thread), slot_name);
    return operand == nullptr ? absent : value(block, thread, *operand, type);
  }

  void write(Thread& thread, const Operand* destination, Type type, Bits bits_written) {
    if (destination == nullptr || destination->kind != Operand::Kind::Reg) return;
    Bits held = bits_written & ones(width_of(type));
    if (type == Type::S8 && held >= 0x80) held += 0xff00;  // its register has 16 bits
    thread.registers[static_cast<std::size_t>(destination->reg)] = held;
  }
  // The destination `d`, whose slot says the type.
  void write_d(Thread& thread, Bits bits_written) {
    const Insn& insn = insn_at(thread);
    for (const Slot& slot : slots(info(insn.op).form)) {
      if (slot.role == Role::Dst) write(thread, find(insn, "d"), type_of(insn, slot), bits_written);
    }
  }

  const Insn& insn_at(const Thread& thread) const { return program_.code[static_cast<std::size_t>(thread.pc)]; }

  // ---- one thread by itself
  bool go_on(Block& block, Thread& thread) {
    bool moved = false;
    while (!thread.exited && !thread.waiting && !fault_) {
      moved = true;
      if (thread.pc < 0 || static_cast<std::size_t>(thread.pc) >= program_.code.size()) {
        fault_ = "control passed the last instruction";
        return true;
      }
      if (++steps_ > launch_.max_steps) {
        fault_ = "too many steps";
        return true;
      }
      step(block, thread);
    }
    return moved;
  }

  void step(Block& block, Thread& thread) {
    const Insn& insn = insn_at(thread);
    if (insn.guard.reg >= 0) {
      const bool holds = thread.registers[static_cast<std::size_t>(insn.guard.reg)] != 0;
      if (holds == insn.guard.negated) {
        ++thread.pc;
        return;
      }
    }
    ++executed_[static_cast<std::size_t>(thread.pc)];
    switch (info(insn.op).lift) {
      case Lift::Lane:
      case Lift::Compare:
      case Lift::Bits: scalar_step(block, thread, insn); break;
      case Lift::Load:
      case Lift::Store:
      case Lift::Atomic: memory_step(block, thread, insn); break;
      case Lift::LoadParam: load_param(thread, insn); break;
      case Lift::Nothing: break;
      case Lift::Pack: pack(block, thread, insn); break;
      case Lift::Unpack: unpack(block, thread, insn); break;
      case Lift::Branch: thread.pc = find(insn, "label")->target - 1; break;
      case Lift::Special:
        if (insn.op == Op::ActiveMask) return arrive(block, thread);
        if (insn.op == Op::Exit) thread.exited = true;
        else fault_ = kUnknown;
        return;
      case Lift::Shuffle:
      case Lift::Vote:
      case Lift::Match:
      case Lift::Redux:
      case Lift::Broadcast:
      case Lift::Reduce:
      case Lift::Scan:
      case Lift::Barrier:
      case Lift::BarrierReduce: return arrive(block, thread);
    }
    ++thread.pc;
  }

  void scalar_step(const Block& block, Thread& thread, const Insn& insn) {
    const auto form = slots(info(insn.op).form);
    std::vector<Bits> sources;
    for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
      if (form[k].role == Role::Src) sources.push_back(value(block, thread, insn.operands[k], type_of(insn, form[k])));
    }
    const Meaning known = meaning(insn.op, insn.type, insn.type2, insn.mods, sources, lanes_);
    if (!known) fault_ = kUnknown;
    const Bits result = known.value_or(0);
    if (form.size() > 1 && is_hidden(form[1]))
      write(thread, &insn.operands[1], Type::Pred, carries_out(insn.op, insn.type, sources) ? 1 : 0);
    if (form[0].role == Role::Dst) return write_d(thread, result);
    write(thread, find(insn, "p"), Type::Pred, result);
    write(thread, find(insn, "q"), Type::Pred, result ^ 1);
  }

  // The registers of a vector, first to last: their slots' names end in their numbers.
  static std::string element_name(char letter, int k) { return {letter, static_cast<char>('0' + k)}; }

  void pack(const Block& block, Thread& thread, const Insn& insn) {
    const int n = elements(info(insn.op).form), width = bits(insn.type) / n;
    Bits whole = 0;
    for (int k = n - 1; k >= 0; --k)
      whole = whole << width | named(block, thread, element_name('a', k), width == 32 ? Type::B32 : Type::B16, 0);
    write_d(thread, whole);
  }
  void unpack(const Block& block, Thread& thread, const Insn& insn) {
    const int n = elements(info(insn.op).form), width = bits(insn.type) / n;
    const Bits whole = named(block, thread, "a", insn.type, 0);
    for (int k = 0; k < n; ++k)
      write(thread, find(insn, element_name('d', k)), width == 32 ? Type::B32 : Type::B16, whole >> width * k);
  }

  void load_param(Thread& thread, const Insn& insn) {
    for (const Operand& operand : insn.operands) {
      if (operand.kind == Operand::Kind::Reg || operand.param < 0) continue;
      const std::size_t param = static_cast<std::size_t>(operand.param);
      write_d(thread, program_.params[param].is_buffer() ? global_[param].address : scalar(operand.param));
    }
  }

  // ---- memory
  static void put(Memory& memory, Bits at, int size, Bits bits_stored) {
    for (int k = 0; k < size; ++k)
      memory.bytes[at + static_cast<Bits>(k)] = static_cast<unsigned char>(bits_stored >> 8 * k);
  }
  static Bits get(const Memory& memory, Bits at, int size) {
    Bits result = 0;
    for (int k = 0; k < size; ++k) result |= Bits{memory.bytes[at + static_cast<Bits>(k)]} << 8 * k;
    return result;
  }

  // The place that an address operand names, as an address in its space.
  Bits address_of(const Block& block, const Thread& thread, const Operand& operand) const {
    Bits moving = static_cast<Bits>(constant(operand.expr, lanes_));
    if (operand.reg >= 0) {
      const std::size_t reg = static_cast<std::size_t>(operand.reg);
      const Bits raw = thread.registers[reg];
      const bool wide = program_.registers[reg].cls == RegClass::R64;
      const bool is_index = operand.kind == Operand::Kind::Element;
      moving += !wide && is_index ? static_cast<Bits>(static_cast<std::int64_t>(static_cast<std::int32_t>(raw))) : raw;
    }
    if (operand.special_index >= 0) moving += special(block, thread, static_cast<Special>(operand.special_index));
    Bits base = 0, scale = 1;
    if (operand.param >= 0) {
      base = global_[static_cast<std::size_t>(operand.param)].address;
      scale = static_cast<Bits>(bytes(program_.params[static_cast<std::size_t>(operand.param)].type));
    }
    if (operand.shared >= 0) {
      base = shared_offset_[static_cast<std::size_t>(operand.shared)];
      scale = static_cast<Bits>(bytes(program_.shared[static_cast<std::size_t>(operand.shared)].type));
    }
    return base + moving * (operand.kind == Operand::Kind::Element ? scale : 1);
  }

  // An element of an array is one of its own, not what lies behind it.
  bool inside_named_array(const Block& block, const Thread& thread, const Operand& operand, int access_bytes) const {
    if (operand.kind != Operand::Kind::Element) return true;
    const Bits address = address_of(block, thread, operand);
    if (operand.param >= 0) {
      const Memory& buffer = global_[static_cast<std::size_t>(operand.param)];
      return address >= buffer.address && address - buffer.address < buffer.bytes.size();
    }
    const std::size_t k = static_cast<std::size_t>(operand.shared);
    const SharedArray& array = program_.shared[k];
    const Bits size = static_cast<Bits>(bytes(array.type)) * static_cast<Bits>(constant(array.length, lanes_));
    return address >= shared_offset_[k] && address - shared_offset_[k] + static_cast<Bits>(access_bytes) <= size;
  }

  void memory_step(Block& block, Thread& thread, const Insn& insn) {
    const bool is_store = info(insn.op).lift == Lift::Store, is_load = info(insn.op).lift == Lift::Load;
    const bool is_shared = info(insn.op).space == AddressSpace::Shared;
    const int n = elements(info(insn.op).form), one = bytes(insn.type), size = n == 0 ? one : n * one;
    const Bits address = address_of(block, thread, *find(insn, "address"));
    Memory* memory = is_shared ? &block.shared : nullptr;
    for (Memory& buffer : global_) {
      if (!is_shared && address >= buffer.address && address - buffer.address < buffer.bytes.size()) memory = &buffer;
    }
    if (!inside_named_array(block, thread, *find(insn, "address"), size)) memory = nullptr;
    if (memory == nullptr || address - memory->address + static_cast<Bits>(size) > memory->bytes.size() ||
        address - memory->address >= memory->bytes.size()) {
      fault_ = "out of bounds at pc " + std::to_string(thread.pc);
    } else if (address % static_cast<Bits>(size) != 0) {
      fault_ = "misaligned at pc " + std::to_string(thread.pc);
    } else if (!is_load && memory->read_only) {
      fault_ = "store to a read-only buffer at pc " + std::to_string(thread.pc);
    } else if (n > 0) {
      for (int k = 0; k < n; ++k) {
        const Bits at = address - memory->address + static_cast<Bits>(k * one);
        if (is_store) put(*memory, at, one, named(block, thread, element_name('a', k), insn.type, 0));
        else write(thread, find(insn, element_name('d', k)), insn.type, get(*memory, at, one));
      }
    } else if (is_store) {
      put(*memory, address - memory->address, size, value(block, thread, *find(insn, "a"), insn.type));
    } else {
      const Bits old = get(*memory, address - memory->address, size);
      if (!is_load) {
        const Bits b = named(block, thread, "b", insn.type, 0), c = named(block, thread, "c", insn.type, 0);
        const Meaning left = atomic_meaning(insn.op, insn.type, old, b, c);
        if (!left) fault_ = kUnknown;
        put(*memory, address - memory->address, size, left.value_or(0));
      }
      write_d(thread, old);
    }
  }

  // ---- meetings
  static bool is_for_the_block(const Insn& insn) {
    return insn.op == Op::BarSync || info(insn.op).lift == Lift::BarrierReduce;
  }
  void arrive(const Block& block, Thread& thread) {
    const Insn& insn = insn_at(thread);
    thread.waiting = true;
    if (is_for_the_block(insn)) {
      thread.barrier = named(block, thread, "barrier", Type::U32, 0);
      thread.count = named(block, thread, "count", Type::U32, 0);
      thread.brings = named(block, thread, "p", Type::Pred, 0);
      return;
    }
    thread.member_mask = named(block, thread, "membermask", Type::Mask, ~Bits{0});
    if ((thread.member_mask >> thread.linear % lanes_ & 1) == 0) fault_ = "a lane outside its own member mask";
  }

  bool open_meetings(Block& block) {
    bool opened = open_barrier(block);
    for (std::size_t first = 0; first < block.threads.size() && !fault_; first += lanes_) {
      opened = open_in_warp(block, first) || opened;
    }
    return opened;
  }

  bool open_barrier(Block& block) {
    bool opened = false;
    for (Bits place = 0; place < 16 * kAtBarriers.size(); ++place) {  // each barrier once for every row
      const Op op = kAtBarriers[place % kAtBarriers.size()];
      const auto is_here = [&](const Thread& t) {
        return t.waiting && insn_at(t).op == op && t.barrier == place / kAtBarriers.size();
      };
      const auto arrived = static_cast<Bits>(std::count_if(block.threads.begin(), block.threads.end(), is_here));
      const auto living = static_cast<Bits>(
          std::count_if(block.threads.begin(), block.threads.end(), [](const Thread& t) { return !t.exited; }));
      if (arrived == 0) continue;
      const Thread& one = *std::find_if(block.threads.begin(), block.threads.end(), is_here);
      if (arrived < (one.count == 0 ? living : one.count)) continue;
      const Bits trues = static_cast<Bits>(std::count_if(block.threads.begin(), block.threads.end(),
                                                         [&](const Thread& t) { return is_here(t) && t.brings != 0; }));
      for (Thread& thread : block.threads) {
        if (!is_here(thread)) continue;
        if (const Meaning d = barrier_result(op, trues, arrived)) write_d(thread, *d);
        thread.waiting = false;
        ++thread.pc;
      }
      opened = true;
    }
    return opened;
  }

  // A warp's threads, by lane; lanes that do not exist or have exited are left out.
  std::vector<Thread*> living_lanes(Block& block, std::size_t first) const {
    std::vector<Thread*> result;
    for (std::size_t k = first; k < std::min(first + lanes_, block.threads.size()); ++k) {
      if (!block.threads[k].exited) result.push_back(&block.threads[k]);
    }
    return result;
  }
  unsigned lane_of(const Thread& thread) const { return thread.linear % lanes_; }

  bool open_in_warp(Block& block, std::size_t first) {
    bool opened = false;
    const std::vector<Thread*> living = living_lanes(block, first);
    for (Thread* thread : living) {
      if (!thread->waiting || is_for_the_block(insn_at(*thread)) || fault_) continue;
      std::vector<Thread*> members;
      for (Thread* other : living) {
        if ((thread->member_mask >> lane_of(*other) & 1) != 0) members.push_back(other);
      }
      const Op op = insn_at(*thread).op;
      const auto has_come = [&](const Thread* other) {
        if (!other->waiting || is_for_the_block(insn_at(*other))) return false;
        // Barriers may be met at different lines, everything else at one; always under one mask.
        const bool same_place = op == Op::BarWarp ? insn_at(*other).op == Op::BarWarp : other->pc == thread->pc;
        return same_place && other->member_mask == thread->member_mask;
      };
      if (!std::all_of(members.begin(), members.end(), has_come)) continue;
      meet(block, members, members.size() == living.size());
      for (Thread* other : members) {
        other->waiting = false;
        ++other->pc;
      }
      opened = true;
    }
    return opened;
  }

  void meet(Block& block, const std::vector<Thread*>& members, bool whole_warp) {
    const Insn& insn = insn_at(*members.front());
    switch (info(insn.op).lift) {
      case Lift::Shuffle: return shuffle(block, members, insn);
      case Lift::Vote: return vote(block, members, insn);
      case Lift::Match: return match(block, members, insn);
      case Lift::Redux: return redux(block, members, insn);
      case Lift::Broadcast:
      case Lift::Reduce:
      case Lift::Scan:
        if (!whole_warp) {
          fault_ = "a collective without the whole warp";
          return;
        }
        return collective(block, members, insn);
      case Lift::Special: {
        Bits mask = 0;
        for (const Thread* thread : members) mask |= Bits{1} << lane_of(*thread);
        for (Thread* thread : members) write_d(*thread, mask);
        return;
      }
      default: return;
    }
  }

  // The operand c that CUDA's width stands for: ((32 - width) << 8), with 31 in the low bits but for `up`.
  Bits clamp_of_width(Op op, Bits width) const {
    const Bits five_bits = lanes_ > 32 ? 63 : 31;
    return ((five_bits + 1 - width) & five_bits) << 8 | (op == Op::ShflUp ? 0 : five_bits);
  }

  void shuffle(const Block& block, const std::vector<Thread*>& members, const Insn& insn) {
    std::vector<Bits> values(64, 0);
    for (const Thread* thread : members) values[lane_of(*thread)] = named(block, *thread, "a", insn.type, 0);
    for (Thread* thread : members) {
      const Bits b = named(block, *thread, "b", Type::U32, 0);
      const Operand* c = find(insn, "c");
      Bits clamp = clamp_of_width(insn.op, lanes_);
      if (c != nullptr && c->kind == Operand::Kind::Width) {
        clamp = clamp_of_width(insn.op, static_cast<Bits>(constant(c->expr, lanes_)));
      } else if (c != nullptr) {
        clamp = value(block, *thread, *c, Type::U32);
      }
      const std::optional<Source> known = shuffle_source(insn.op, lane_of(*thread), b, clamp, lanes_);
      if (!known) fault_ = kUnknown;
      const Source source = known.value_or(Source{lane_of(*thread), false});
      write_d(*thread, values[source.lane]);  // 0 from a lane that is not there, as on the H200
      write(*thread, find(insn, "p"), Type::Pred, source.in_range ? 1 : 0);
    }
  }

  void vote(const Block& block, const std::vector<Thread*>& members, const Insn& insn) {
    Bits ballot = 0, all = 0;
    for (const Thread* thread : members) {
      all |= Bits{1} << lane_of(*thread);
      ballot |= named(block, *thread, "a", Type::Pred, 0) << lane_of(*thread);
    }
    for (Thread* thread : members) {
      const Meaning result = vote_result(insn.op, ballot, all);
      if (!result) fault_ = kUnknown;
      if (find(insn, "p") != nullptr) write(*thread, find(insn, "p"), Type::Pred, result.value_or(0));
      else write_d(*thread, result.value_or(0));
    }
  }

  void match(const Block& block, const std::vector<Thread*>& members, const Insn& insn) {
    std::vector<Bits> lanes_with;
    for (const Thread* thread : members) {
      Bits same = 0;
      for (const Thread* other : members) {
        const bool equal = named(block, *thread, "a", insn.type, 0) == named(block, *other, "a", insn.type, 0);
        same |= Bits{equal} << lane_of(*other);
      }
      lanes_with.push_back(same);
    }
    Bits all = 0;
    for (const Thread* thread : members) all |= Bits{1} << lane_of(*thread);
    for (std::size_t k = 0; k < members.size(); ++k) {
      const Meaning result = match_result(insn.op, lanes_with[k], all);
      if (!result) fault_ = kUnknown;
      write_d(*members[k], result.value_or(0));
      write(*members[k], find(insn, "p"), Type::Pred, lanes_with[k] == all ? 1 : 0);
    }
  }

  void redux(const Block& block, const std::vector<Thread*>& members, const Insn& insn) {
    Bits total = named(block, *members.front(), "a", insn.type, 0);
    for (std::size_t k = 1; k < members.size(); ++k)
      total =
          evaluate(insn.op, insn.type, insn.type2, {}, {total, named(block, *members[k], "a", insn.type, 0)}, lanes_);
    for (Thread* thread : members) write_d(*thread, total);
  }

  // What lane 0 gets of an exclusive scan.
  static Bits identity(Op op, Type type) {
    const bool is_f32 = type == Type::F32;
    const bool negative_low = is_signed(type);
    const Bits all = ones(bits(type)), top = Bits{1} << (bits(type) - 1);
    switch (op) {
      case Op::ScanMul:
        if (is_float(type)) return is_f32 ? 0x3f800000 : 0x3ff0000000000000;
        return 1;
      case Op::ScanMin:
        if (is_float(type)) return is_f32 ? 0x7f800000 : 0x7ff0000000000000;
        return negative_low ? all ^ top : all;
      case Op::ScanMax:
        if (is_float(type)) return is_f32 ? 0xff800000 : 0xfff0000000000000;
        return negative_low ? top : 0;
      default: return 0;
    }
  }

  void collective(const Block& block, const std::vector<Thread*>& members, const Insn& insn) {
    std::vector<Bits> values(64, 0);
    for (const Thread* thread : members) values[lane_of(*thread)] = named(block, *thread, "a", insn.type, 0);
    const Lift lift = info(insn.op).lift;
    if (lift == Lift::Broadcast) {
      const std::vector<Bits> before = values;
      for (Thread* thread : members) {
        const Bits from = named(block, *thread, "lane", Type::U32, 0);
        values[lane_of(*thread)] =
            before[shuffle_source(Op::ShflIdx, lane_of(*thread), from, clamp_of_width(Op::ShflIdx, lanes_), lanes_)
                       ->lane];
      }
    } else if (lift == Lift::Reduce) {
      for (unsigned offset = lanes_ / 2; offset > 0; offset /= 2) combine(members, insn, values, offset, true);
    } else {
      for (unsigned offset = 1; offset < lanes_; offset *= 2) combine(members, insn, values, offset, false);
      if (insn.mods.exclusive) {
        values.insert(values.begin(), identity(insn.op, insn.type));
      }
    }
    for (Thread* thread : members) write_d(*thread, values[lane_of(*thread)]);
  }

  // One step of the butterfly (reduce) or of the scan's climb: every lane takes in another lane's value.
  void combine(const std::vector<Thread*>& members, const Insn& insn, std::vector<Bits>& values, unsigned offset,
               bool butterfly) const {
    const std::vector<Bits> before = values;
    for (const Thread* thread : members) {
      const unsigned lane = lane_of(*thread);
      if (!butterfly && lane < offset) continue;
      const unsigned other = butterfly ? lane ^ offset : lane - offset;
      values[lane] = evaluate(insn.op, insn.type, insn.type2, {}, {before[lane], before[other]}, lanes_);
    }
  }

  const Program& program_;
  const Launch& launch_;
  unsigned lanes_;
  std::vector<Memory> global_;       // by parameter
  std::vector<Bits> shared_offset_;  // by shared array
  Bits shared_size_ = 0;
  std::vector<Block> blocks_;
  std::vector<std::uint64_t> executed_;
  std::uint64_t steps_ = 0;
  std::optional<std::string> fault_;
};

}  // namespace

bool defines(Op op) {
  const OpInfo& row = info(op);
  const auto one_of = [](TypeSet types) {
    int k = 0;
    while (k + 1 < kTypeCount && !contains(types, static_cast<Type>(k))) ++k;
    return static_cast<Type>(k);
  };
  const Type type = one_of(row.types);
  switch (row.lift) {
    case Lift::Lane:
    case Lift::Compare:
    case Lift::Bits:
    case Lift::Redux:
    case Lift::Reduce:
    case Lift::Scan: return meaning(op, type, one_of(second_types(row.types)), {}, {0, 0, 0, 0}, 32).has_value();
    case Lift::Atomic: return atomic_meaning(op, type, 0, 0, 0).has_value();
    case Lift::Shuffle: return shuffle_source(op, 0, 0, 0, 32).has_value();
    case Lift::Vote: return vote_result(op, 0, 0).has_value();
    case Lift::Match: return match_result(op, 0, 0).has_value();
    case Lift::BarrierReduce: return barrier_result(op, 0, 0).has_value();
    case Lift::Barrier: return op == Op::BarSync || op == Op::BarWarp;
    case Lift::Special: return op == Op::ActiveMask || op == Op::Exit;
    case Lift::Load:  // the form and the types say all of these
    case Lift::Store:
    case Lift::LoadParam:
    case Lift::Pack:
    case Lift::Unpack:
    case Lift::Broadcast:
    case Lift::Branch:
    case Lift::Nothing: return true;
  }
  return false;
}

Result run(const Program& program, const Launch& launch) { return Grid(program, launch).run(); }

}  // namespace warpsim::reference
