// Random loads, stores, atomics and exchanges through shared memory.
//
// Shapes: reads go anywhere in a read-only input, stores to the thread's own element. Exchanges stand between barriers.
// Errors: none.
#include <algorithm>

#include "tools/fuzz/random/random_writer.h"

namespace warpsim::reference {

bool RandomWriter::memory_operation(const OpInfo& row) {
  if (elements(row.form) > 0) return vector_access(row);
  if (row.unit == Unit::Shared) return false;  // exchange_in_block() and exchange_in_warp() write those
  const Type type = any_type(row.types);
  if (row.lift == Lift::Store) return store(row, type);
  const bool unwritten = reads_unwritten_only(row);
  const Text opcode = cat({row.mnemonic, for_caches(row)});
  const Text element = cat({warpsim::name(type)});
  if (!unwritten && random_.chance(20) && reg_class(type) == RegClass::R32) {
    line(cat({guard(20), opcode, ".", element, " ", any_register(type), ", ", pointer("own_u32", 4, "%gl", 0)}));
    return true;
  }
  const Text in = input_of_size(bits(type));
  const bool same_type = in == cat({"in_", element});
  if (same_type && random_.chance(20)) {
    line(cat({guard(20), opcode, ".", element, " ", any_register(type), ", ", in, "[",
              random_.below(kInputLength + kSlack), "]"}));
    return true;
  }
  line(cat({"and.b32 %t0, ", any_register(Type::B32), ", ", kInputLength - 1}));
  const std::uint64_t more = random_.below(kSlack + 1);
  const Text place = same_type && random_.chance(60) ? cat({in, "[%t0", more != 0 ? cat({" + ", more}) : "", "]"})
                                                     : pointer(in, bits(type) / 8, "%t0", more);
  line(cat({guard(20), opcode, ".", element, " ", any_register(type), ", ", place}));
  return true;
}

// ldu is for what nobody writes while the kernel runs; a GPU may read anything else late.
bool RandomWriter::reads_unwritten_only(const OpInfo& row) const {
  return limits_.hardware && row.lift == Lift::Load && (row.mods & kSemantics) == 0;
}

// Words for the caches, at times. What is written while the kernel runs must not be read with .nc on a GPU.
Text RandomWriter::for_caches(const OpInfo& row) {
  if ((row.mods & kCache) == 0 || !random_.chance(20)) return "";
  if (row.lift == Lift::Store) return random_.pick(std::vector<Text>{".wb", ".cs", ".wt", ".L1::no_allocate"});
  if (!limits_.hardware && random_.chance(40)) return random_.chance(50) ? ".nc" : ".nc.L1::no_allocate.L2::128B";
  return random_.pick(std::vector<Text>{".ca", ".cg", ".cv", ".lu", ".L1::evict_last", ".L2::256B"});
}

Text RandomWriter::input_of_size(int width) {
  if (width == 8) return random_.pick(std::vector<Text>{"in_u8", "in_f16", "in_u32"});
  if (width == 16) return random_.pick(std::vector<Text>{"in_f16", "in_f16", "in_u32", "in_f64"});
  return random_.pick(width == 32 ? std::vector<Text>{"in_u32", "in_s32", "in_f32"}
                                  : std::vector<Text>{"in_u64", "in_f64"});
}

// Writes the address arithmetic; returns the operand.
Text RandomWriter::pointer(const Text& buffer_name, int size, const Text& index, std::uint64_t more) {
  line(random_.chance(50) ? cat({"mov.u64 %u0, ", buffer_name}) : cat({"ld.param.u64 %u0, [", buffer_name, "]"}));
  if (random_.chance(50)) {
    line(cat({"mad.wide.u32 %u0, ", index, ", ", size, ", %u0"}));
  } else {
    line(cat({"mul.wide.u32 %u1, ", index, ", ", size}));
    line("add.u64 %u0, %u0, %u1");
  }
  return more == 0 ? "[%u0]" : cat({"[%u0 + ", more * static_cast<std::uint64_t>(size), "]"});
}

bool RandomWriter::store(const OpInfo& row, Type type) {
  if (random_.chance(25) && reg_class(type) == RegClass::R32) {
    line(cat({guard(30), row.mnemonic, for_caches(row), ".", warpsim::name(type), " ", pointer("own_u32", 4, "%gl", 0),
              ", ", source(type)}));
    return true;
  }
  const Text out = cat({"out_", warpsim::name(type)});
  const bool has_buffer = program_.buffers.count(out) != 0;
  const Text buffer_name = has_buffer         ? out
                           : bits(type) == 8  ? "out_u8"
                           : bits(type) == 16 ? "out_f16"
                           : bits(type) == 32 ? "out_u32"
                                              : "out_u64";
  const Text place = has_buffer && random_.chance(60) ? cat({out, "[", own_index(), "]"})
                                                      : pointer(buffer_name, bits(type) / 8, "%gl", 0);
  line(cat({guard(30), row.mnemonic, for_caches(row), ".", warpsim::name(type), " ", place, ", ", any_register(type)}));
  return true;
}

// Sixteen bytes of the thread's own, or of an input.
bool RandomWriter::vector_access(const OpInfo& row) {
  const Type type = any_type(row.types);
  Text place;
  if (row.unit == Unit::Shared) {
    line("mov.u32 %t2, s_quads");
    line("mad.lo.u32 %t2, %bl, 16, %t2");
    place = "[%t2]";
  } else if (row.lift == Lift::Load && (reads_unwritten_only(row) || random_.chance(50))) {
    line(cat({"and.b32 %t0, ", any_register(Type::B32), ", 7"}));
    place = pointer(random_.pick(std::vector<Text>{"in_u32", "in_f32", "in_f64", "in_f16"}), 16, "%t0", 0);
  } else if (type == Type::U32 && random_.chance(60)) {
    line("shl.b32 %t0, %gl, 2");
    place = "quads_u32[%t0]";
  } else {
    place = pointer("quads_u32", 16, "%gl", 0);
  }
  Text operands;
  const auto form = slots(row.form);
  for (std::size_t k = 0; k < form.size(); ++k) {
    if (form[k].in_braces && (k == 0 || !form[k - 1].in_braces)) operands += cat({k == 0 ? "" : ", ", "{"});
    else operands += k == 0 ? "" : ", ";
    operands += form[k].role == Role::Addr ? place : vector_register(type, k);
    if (form[k].in_braces && (k + 1 == form.size() || !form[k + 1].in_braces)) operands += "}";
  }
  line(cat({guard(20), row.mnemonic, ".", warpsim::name(type), " ", operands}));
  return true;
}

// Copies into the thread's own sixteen bytes, in one or two groups, each read when it has been waited for.
bool RandomWriter::copies(const OpInfo& row) {
  const bool any_size = &row == &info(Op::CpAsyncCa);
  const std::uint64_t size = any_size ? std::uint64_t{4} << random_.below(3) : 16;
  const std::uint64_t groups = size == 16 ? 1 : 1 + random_.below(2);
  line("mov.u32 %t2, s_quads");
  line("mad.lo.u32 %t2, %bl, 16, %t2");
  for (std::uint64_t k = 0; k < groups; ++k) {
    line(cat({"and.b32 %t0, ", any_register(Type::B32), ", 7"}));
    const Text from = pointer(random_.pick(std::vector<Text>{"in_u32", "in_f32", "in_f64", "in_f16"}),
                              static_cast<int>(size), "%t0", 0);
    Text read;
    if (random_.chance(40)) {
      line(cat({"and.b32 %t0, ", any_register(Type::B32), ", ", size - 1}));
      read = random_.chance(50) ? Text(", %t0") : cat({", ", random_.below(size + 1)});
    }
    line(cat({guard(20), row.mnemonic, " [%t2 + ", k * size, "], ", from, ", ", size, read}));
    if (groups == 2 || random_.chance(50)) line("cp.async.commit_group");
    else line("cp.async.wait_all");
  }
  for (std::uint64_t k = 0; k < groups; ++k) {
    line(cat({"cp.async.wait_group ", groups - 1 - k}));
    line(cat({"ld.shared.b32 ", any_register(Type::B32), ", [%t2 + ", k * size + random_.below(size / 4) * 4, "]"}));
  }
  return true;
}

// Atomics whose results do not depend on the order of threads: any operation at the thread's own element, and at
// elements that many share one operation whose old value no thread reads.
bool RandomWriter::atomic(const OpInfo& row) {
  const Type type = any_type(row.types);
  const int width = bits(type);
  if (limits_.hardware && is_float(type) && row.unit == Unit::Shared) return false;  // NaN payloads: a loop of ptxas
  const Text opcode =
      cat({guard(20), row.mnemonic, random_.chance(20) ? ".relaxed.gpu" : "", ".", warpsim::name(type), " "});
  if (row.form == Form::Red && row.unit != Unit::Shared && !is_float(type) && random_.chance(60)) {
    const Text key = cat({row.mnemonic, warpsim::name(type)});
    const std::size_t slot =
        static_cast<std::size_t>(std::find(shared_sums_.begin(), shared_sums_.end(), key) - shared_sums_.begin());
    if (slot == kSums) return false;
    if (slot == shared_sums_.size()) shared_sums_.push_back(key);
    line(cat({"and.b32 %t0, ", any_register(Type::B32), ", ", kSumElements - 1}));
    const bool counts = has_trait(row, kCounts);
    const Text b = counts ? cat({5 + slot}) : any_register(type);  // all must wrap at the same limit
    line(cat({opcode, pointer(cat({"sums_u", width}), width / 8, "%t0", slot * kSumElements), ", ", b}));
    return true;
  }
  const Text place = row.unit == Unit::Shared            ? cat({width == 32 ? "s_u32" : "s_f64", "[%bl]"})
                     : width == 32 && random_.chance(50) ? cat({"own_u32[", own_index(), "]"})
                                                         : pointer(cat({"own_u", width}), width / 8, "%gl", 0);
  Text operands;
  for (const Slot& slot : slots(row.form)) {
    operands += operands.empty() ? "" : ", ";
    operands += slot.role == Role::Dst ? any_register(type) : slot.role == Role::Addr ? place : source(type);
  }
  line(cat({opcode, operands}));
  return true;
}

// Every thread writes its own word, waits at a barrier, and reads another's.
bool RandomWriter::exchange_in_block() {
  const Type type = random_.pick(shared_types_);
  const Text array = cat({"s_", warpsim::name(type)}), element = Text(warpsim::name(type));
  line(cat({guard(20), "st.shared.", element, " ", array, "[%bl], ", any_register(type)}));
  line("bar.sync 0");
  if (random_.chance(25)) {
    const std::uint64_t k = random_.below(threads_);
    const Text place = random_.chance(50)
                           ? cat({array, "[", k, "]"})
                           : cat({"[", array, " + ", k * static_cast<std::uint64_t>(bits(type) / 8), "]"});
    line(cat({guard(20), "ld.shared.", element, " ", any_register(type), ", ", place}));
  }
  line(cat({"add.u32 %t0, %bl, ", random_.below(threads_)}));
  line(cat({"rem.u32 %t0, %t0, ", threads_}));
  const Text place = shared_place(array, bits(type) / 8, "%t0");
  line(cat({guard(20), "ld.shared.", element, " ", any_register(type), ", ", place}));
  line("bar.sync 0");
  return true;
}

Text RandomWriter::shared_place(const Text& array, int size, const Text& index) {
  if (random_.chance(60)) return cat({array, "[", index, "]"});
  line(cat({"mov.u32 %t2, ", array}));
  line(cat({"mad.lo.u32 %t2, ", index, ", ", size, ", %t2"}));
  return "[%t2]";
}

// The same inside a warp: lanes of whole segments, between two warp barriers of the group.
bool RandomWriter::exchange_in_warp(const Group& group) {
  if (group.segment < 2) return false;
  const Type type = random_.pick(shared_types_);
  const Text array = cat({"s_", warpsim::name(type)}),
             warp_barrier = cat({"bar.warp.sync", member_operand(group, " ")});
  line(warp_barrier);
  line(cat({"st.shared.", warpsim::name(type), " ", array, "[%bl], ", any_register(type)}));
  line(warp_barrier);
  line(cat({"xor.b32 %t0, %bl, ", random_.below(group.segment)}));
  // A block's warps start at multiples of the lane count, so the lowest bits of %bl are those of the lane.
  line(cat(
      {"ld.shared.", warpsim::name(type), " ", any_register(type), ", ", shared_place(array, bits(type) / 8, "%t0")}));
  line(warp_barrier);
  return true;
}

}  // namespace warpsim::reference
