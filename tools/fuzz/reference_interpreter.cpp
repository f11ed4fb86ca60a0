// The living definition of a warp program: see reference_interpreter.h.
//
// Shapes: this file sets a grid up, runs each thread by itself, and reports. reference_grid.h names the other files.
// Units:  as in the header.
// Errors: a Fault is the first thing that went wrong.
// Source: PTX ISA 9.0, chapter 9.
#include "tools/fuzz/reference_interpreter.h"

#include <algorithm>

#include "tools/fuzz/reference_grid.h"

namespace warpsim::reference {

Grid::Grid(const Program& program, const Launch& launch) : program_(program), launch_(launch), lanes_(launch.lanes) {
  lay_out_global();
  for (std::uint32_t z = 0; z < launch.grid.z; ++z) {
    for (std::uint32_t y = 0; y < launch.grid.y; ++y) {
      for (std::uint32_t x = 0; x < launch.grid.x; ++x) blocks_.push_back(fresh_block({x, y, z}));
    }
  }
  executed_.assign(program.code.size(), 0);
}

Result Grid::run() {
  bool moved = true;
  while (moved && !fault_) {
    moved = false;
    for (Block& block : blocks_) {
      for (Thread& thread : block.threads) moved = run_thread(block, thread) || moved;
      moved = release_waiting(block) || moved;
    }
  }
  return report();
}

void Grid::lay_out_global() {
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
  for (const Object& array : program_.objects) {
    const Bits size = static_cast<Bits>(bytes(array.type));
    shared_size_ = (shared_size_ + size - 1) / size * size;
    shared_offset_.push_back(shared_size_);
    shared_size_ += size * static_cast<Bits>(constant(array.length, lanes_));
  }
}

Grid::Block Grid::fresh_block(Dim3 ctaid) const {
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

Result Grid::report() const {
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

bool Grid::run_thread(Block& block, Thread& thread) {
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

void Grid::step(Block& block, Thread& thread) {
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
    case Lift::Mbarrier: return mbarrier_step(block, thread, insn);
    case Lift::LoadParam: load_param(thread, insn); break;
    case Lift::Copy: begin_copy(block, thread, insn); break;
    case Lift::Nothing:
      if (info(insn.op).mnemonic.starts_with("cp.async.")) copies_step(block, thread, insn);
      break;
    case Lift::Pack: pack(block, thread, insn); break;
    case Lift::Unpack: unpack(block, thread, insn); break;
    case Lift::Branch: thread.pc = find(insn, "label")->target - 1; break;
    case Lift::Call:
    case Lift::Return:
    case Lift::Dispatch: return jump(block, thread, insn);
    case Lift::Special:
      if (insn.op == Op::ActiveMask) return arrive(block, thread);
      if (insn.op == Op::Trap) fault_ = "trap at pc " + std::to_string(thread.pc);
      thread.exited = true;
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

// Calls, returns and tables; nothing here knows frames of local memory.
void Grid::jump(const Block& block, Thread& thread, const Insn& insn) {
  std::int32_t to = -1;
  if (insn.op == Op::Ret) {
    if (!thread.calls.empty()) to = thread.calls.back();
    if (!thread.calls.empty()) thread.calls.pop_back();
  } else if (insn.op == Op::BrxIdx) {
    const std::vector<std::int32_t>& table = program_.tables[static_cast<std::size_t>(find(insn, "table")->target)];
    const Bits index = named(block, thread, "a", Type::U32, 0);
    if (index < table.size()) to = table[static_cast<std::size_t>(index)];
  } else if (insn.op == Op::Call) {
    to = find(insn, "label")->target;
    thread.calls.push_back(thread.pc + 1);
  }
  if (to < 0) fault_ = "no place to go to at pc " + std::to_string(thread.pc);
  else thread.pc = to;
}

void Grid::scalar_step(const Block& block, Thread& thread, const Insn& insn) {
  const auto form = slots(info(insn.op).form);
  std::vector<Bits> sources;
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    if (form[k].role == Role::Src) sources.push_back(value(block, thread, insn.operands[k], type_of(insn, form[k])));
  }
  const Bits result = evaluate(insn.op, insn.type, insn.type2, insn.mods, sources, lanes_);
  if (form.size() > 1 && is_hidden(form[1]))
    write(thread, &insn.operands[1], Type::Pred, carries_out(insn.op, insn.type, sources) ? 1 : 0);
  if (form[0].role == Role::Dst) return write_d(thread, result);
  write(thread, find(insn, "p"), Type::Pred, result);
  if (find(insn, "q") != nullptr)
    write(thread, find(insn, "q"), Type::Pred, second_predicate(insn.op, insn.type, insn.mods, sources) ? 1 : 0);
}

void Grid::pack(const Block& block, Thread& thread, const Insn& insn) {
  const int n = elements(info(insn.op).form), width = bits(insn.type) / n;
  Bits whole = 0;
  for (int k = n - 1; k >= 0; --k)
    whole = whole << width | named(block, thread, element_name('a', k), width == 32 ? Type::B32 : Type::B16, 0);
  write_d(thread, whole);
}

void Grid::unpack(const Block& block, Thread& thread, const Insn& insn) {
  const int n = elements(info(insn.op).form), width = bits(insn.type) / n;
  const Bits whole = named(block, thread, "a", insn.type, 0);
  for (int k = 0; k < n; ++k)
    write(thread, find(insn, element_name('d', k)), width == 32 ? Type::B32 : Type::B16, whole >> width * k);
}

void Grid::load_param(Thread& thread, const Insn& insn) {
  for (const Operand& operand : insn.operands) {
    if (operand.kind == Operand::Kind::Reg || operand.param < 0) continue;
    const std::size_t param = static_cast<std::size_t>(operand.param);
    write_d(thread, program_.params[param].is_buffer() ? global_[param].address : scalar(operand.param));
  }
}

// The lift says which function acts for a row, and the table which forms go with the lift. What is left is what the row
// itself computes.
bool Grid::defines(Op op, Type type) {
  switch (info(op).lift) {
    case Lift::Lane:
    case Lift::Compare:
    case Lift::Bits:
    case Lift::Redux:
    case Lift::Reduce:
    case Lift::Scan: return has_scalar_meaning(op, type);
    case Lift::Atomic: return evaluate_atomic(op, type, 0, 0, 0).has_value();
    case Lift::Vote: return voted(op, 0, 0).has_value();
    case Lift::BarrierReduce: return reduced(op, 0, 0).has_value();
    case Lift::Special: return op == Op::ActiveMask || op == Op::Exit || op == Op::Trap;  // step() has code for each
    case Lift::Call:
    case Lift::Return:
    case Lift::Dispatch:
    case Lift::Mbarrier:  // mbarrier_step() reads the mnemonic
    case Lift::Shuffle:   // the table demands a ShuffleMode
    case Lift::Match:
    case Lift::Broadcast:
    case Lift::Load:
    case Lift::Store:
    case Lift::Copy:
    case Lift::Pack:
    case Lift::Unpack:
    case Lift::LoadParam:
    case Lift::Branch:
    case Lift::Barrier:
    case Lift::Nothing: return true;
  }
  return false;
}

bool defines(Op op, Type type) { return Grid::defines(op, type); }
Result run(const Program& program, const Launch& launch) { return Grid(program, launch).run(); }

}  // namespace warpsim::reference
