// What a trap of memory says: which lane, which element or address, and how far outside.
#include <algorithm>

#include "isa/text/number_text.h"
#include "sim/machine/memory_unit.h"
#include "sim/machine/traps.h"

namespace warpsim {
namespace {

std::string hex(std::uint64_t n) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[n & 15]);
    n >>= 4;
  } while (n != 0);
  return "0x" + text;
}

struct Words {
  std::string what, hint;
};

constexpr const char* kFreedHint = "free it behind the last launch that uses it";

// An element of a buffer whose parameter is bound to nothing: "a[3], but a was freed".
Words unbound_element(const LaunchState& state, const DecodedInsn& d, const std::string& element) {
  const std::uint64_t address = state.memory.of_param(d.object)->address;
  if (const DeviceMemory::Freed* gone = state.memory.device().freed(address); gone != nullptr)
    return {element + ", in " + gone->name + ", which was freed", kFreedHint};
  return {element + ", but nothing is allocated at " + hex(address), "bind the parameter to memory that is allocated"};
}

// An access by name: "a[12], 3 elements past the end of its 10".
Words named_element(const LaunchState& state, TrapKind kind, const DecodedInsn& d, const MemoryAccess& x, unsigned l) {
  const bool shared = d.shared_space;
  const std::size_t k = static_cast<std::size_t>(d.object);
  const std::string& object = shared ? state.program.shared[k].name : state.program.params[k].name;
  const Type type = shared ? state.program.shared[k].type : state.program.params[k].type;
  const std::uint64_t size = shared ? state.code.shared[k].size_bytes : state.memory.of_param(d.object)->size_bytes;
  const std::int64_t length = static_cast<std::int64_t>(size) / bytes(type);
  const std::int64_t last = x.index[l] + x.elements - 1;
  Words words{object + "[" + std::to_string(x.index[l]) + "]", ""};
  if (x.elements > 1) words.what += " to [" + std::to_string(last) + "]";
  if (kind != TrapKind::OutOfBounds) return words;
  if (!shared && state.memory.of_param(d.object)->bytes == nullptr) return unbound_element(state, d, words.what);
  const std::int64_t far = x.index[l] < 0 ? -x.index[l] : last - length + 1;
  words.what += ", " + counted(static_cast<std::uint64_t>(far), "element") +
                (x.index[l] < 0 ? " before the start of its " : " past the end of its ") + std::to_string(length);
  words.hint = "guard the access: compare the index with the number of elements";
  return words;
}

// An access by a pointer: "4 bytes at 0x1030, 4 bytes past the end of a".
Words pointed_bytes(const LaunchState& state, TrapKind kind, const DecodedInsn& d, const MemoryAccess& x, unsigned l) {
  const std::uint64_t address = x.address[l];
  Words words{std::to_string(x.size_bytes()) + " bytes at " + hex(address),
              "follow the pointer back to where it was made"};
  if (kind != TrapKind::OutOfBounds) return words;
  if (d.shared_space) {
    words.what += ", the block has " + counted(state.code.shared_bytes, "byte") + " of shared memory";
  } else if (const DeviceMemory::Freed* gone = state.memory.device().freed(address); gone != nullptr) {
    words = {words.what + ", in " + gone->name + ", which was freed", kFreedHint};
  } else if (const DeviceMemory::Allocation* near = state.memory.device().nearest(address); near != nullptr) {
    const bool before = address < near->address;
    words.what += ", " + counted(before ? near->address - address : address - std::min(near->end(), address), "byte") +
                  (before ? " before the start of " : " past the end of ") + near->name;
  }
  return words;
}

}  // namespace

void trap_access(LaunchState& state, TrapKind kind, const Warp& warp, const DecodedInsn& d, LaneMask faulty,
                 const MemoryAccess& x) {
  const unsigned l = first_lane(faulty);
  const std::string verb = d.lift == Lift::Load ? " reads " : d.lift == Lift::Store ? " writes " : " changes ";
  const std::string others = count_lanes(faulty) > 1 ? "; so do " + counted(count_lanes(faulty) - 1, "other lane") : "";
  Words words = d.object >= 0 ? named_element(state, kind, d, x, l) : pointed_bytes(state, kind, d, x, l);
  const std::string size = std::to_string(x.size_bytes());
  if (kind == TrapKind::Misaligned) {
    words.what += ", which is not a multiple of " + size;
    words.hint = "an access of " + size + " bytes must be aligned to them";
  }
  if (kind == TrapKind::ReadOnly) {
    const GlobalMemory::Buffer* const b =
        d.object >= 0 ? state.memory.of_param(d.object) : state.memory.buffer_at(x.address[l]);
    const bool is_in = b != nullptr && state.program.params[static_cast<std::size_t>(b->param)].kind == Param::Kind::In;
    words.what += is_in ? ", which the kernel takes as `in`" : ", which is read-only memory";
    words.hint = is_in ? "declare the buffer `out` or `inout`" : "take the mark away, or write elsewhere";
  }
  trap(state, kind, warp, d.pc, faulty, "lane " + std::to_string(l) + verb + words.what + others, words.hint);
}

}  // namespace warpsim
