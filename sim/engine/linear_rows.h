// Rows whose lanes count: each holds `step` more than the one before it; or of which it is known otherwise how far each
// is beyond the first one, as of %tid.x & 6. Of those code computes the first lane alone: an address that is
// base + lane * size, and what all lanes have alike (step 0), are numbers of scalar code.
//
// Shapes: LinearRows by the offset of a row. What is known is known of warps all of whose lanes execute together; where
//         one comes from elsewhere, the code compares before it relies on it.
// Units:  bytes; steps modulo 2^32, or 2^64 of wide rows.
// Errors: none: of what is not in the map nothing is known.
// Source: forward data flow, as constant propagation: Aho, Lam, Sethi, Ullman, "Compilers" (2nd edition), section 9.4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/code/decode.h"

namespace warpsim::engine {

struct Linear {
  using Lanes = std::array<std::int64_t, 32>;
  static constexpr std::int64_t kNoStep = std::numeric_limits<std::int64_t>::min();

  bool wide = false;  // 64 bits a lane
  std::int64_t step = 0;
  std::shared_ptr<const Lanes> lanes = nullptr;  // where they do not count: how far each is beyond the first one
  // So many of the first lane's bits are 0, from the lowest one on, whatever the others have done; of rows that are
  // alike 0.
  unsigned zeros = 0;

  std::int64_t beyond(std::size_t lane) const {
    return lanes ? (*lanes)[lane] : step * static_cast<std::int64_t>(lane);
  }
  std::int64_t lowest() const;  // of all lanes'
  std::int64_t highest() const;
  // Whether lanes are alike, but for what is known of the first one.
  bool operator==(const Linear& other) const;
  bool operator<(const Linear& other) const;
};
// What becomes of lanes; none: it is not known.
Linear sum(const Linear& a, const Linear& b, bool subtracts);
Linear times(const Linear& a, std::uint64_t factor, bool wide);
std::optional<Linear> with_bits(Op op, const Linear& a, std::int64_t literal);  // and, or, exclusive or
std::optional<Linear> shifted_right(const Linear& a, std::int64_t by);

using LinearRows = std::map<std::uint32_t, Linear>;

struct KnownRows {
  LinearRows linear;
  std::set<std::uint32_t> stale;  // of these, those of which the first lane alone may be what it should be, in memory
};

std::uint32_t bytes_of_access(const DecodedInsn& d);  // of a lane
// The row that an access loads that element into, or stores it from. kNoOffset: into none.
std::uint32_t row_of_element(const DecodedInsn& d, unsigned element);
// Whether the addresses alone say where an access goes in its place (frame.h), whether code may make it by itself, and
// whether its place may be one that is only read.
bool is_in_place(const DecodedInsn& d);
bool is_direct(const DecodedInsn& d);
inline bool may_only_read(const DecodedInsn& d) { return d.lift == Lift::Load && d.space != AddressSpace::Shared; }

// Loads of a word each at neighbouring addresses, of one straight piece, between which nothing is stored and no order
// made: where lanes go anywhere, the first of them brings what the others want. Two or four, each a word behind the one
// before.
struct LoadGroup {
  std::vector<std::int32_t> pcs;
  unsigned row = 0;  // of Frame::fetched, from the second one on
};
std::vector<LoadGroup> load_groups(const std::vector<DecodedInsn>& insns, std::int32_t begin, std::int32_t end);

// A load or a store whose address is `base + index * size`, the index a row of 32 bits and the base alike in all lanes:
// two instructions of the same straight piece compute it, of which nobody else wants to know, and of which only such
// accesses follow.
struct IndexedAccess {
  std::int32_t product = 0, sum = 0;  // the pcs of `index * size` and `base + product`; `sum` is 0 of these two
  std::int32_t last = 0;              // that of the last access that is computed so
  std::uint32_t index = 0, base = 0;  // rows; those of an access
  bool has_sign = true;               // the index
};
// By pc: of each access and both instructions.
std::map<std::int32_t, IndexedAccess> indexed_accesses(
    const std::vector<DecodedInsn>& insns, std::int32_t begin, std::int32_t end,
    const std::function<bool(std::uint32_t row)>& is_base,
    const std::function<bool(std::int32_t pc, std::uint32_t row)>& is_live);

// The pcs of stores of a byte each that three others follow at once, each to the byte behind the one before: a word,
// where no two lanes' words have a byte in common.
inline constexpr std::int32_t kStoresOfWord = 4;
std::vector<std::int32_t> stores_of_words(const std::vector<DecodedInsn>& insns, std::int32_t begin, std::int32_t end);

// The rows that the instruction may write.
std::vector<std::uint32_t> rows_written_by(const DecodedInsn& d);
// The rows that it reads. One of which it writes some lanes alone is not among them.
std::vector<std::uint32_t> rows_read_by(const DecodedInsn& d);

class LinearFacts {
 public:
  // Straight pieces of code, by where they begin; what is no code is a piece of its own.
  struct Pieces {
    const std::vector<DecodedInsn>& insns;
    const std::vector<bool>& begins;  // by pc, and true behind the last instruction
    std::vector<bool> in_code;        // by pc
    std::size_t end_of(std::size_t begin) const {
      do {
        ++begin;
      } while (!begins[begin]);
      return begin;
    }
  };
  using IsLive = std::function<bool(std::int32_t pc, std::uint32_t row)>;

  // `knows_lanes`: code can make use of lanes that do not count.
  LinearFacts(const Code& code, bool knows_lanes);

  // Of an operand: what is known before the instruction, a constant, or a special register.
  std::optional<Linear> of(std::uint32_t row, bool wide, const LinearRows& known) const;
  // Of the instruction's result, or of each element that it loads, if all lanes execute it.
  std::optional<Linear> result(const DecodedInsn& d, const LinearRows& known) const;
  // Of a load or a store: whether all lanes load from one address, or go to neighbours, so that none is looked at.
  bool goes_together(const DecodedInsn& d, const LinearRows& known) const;
  // Whether it is known how far each lane's address is beyond the first one's, so that all go where the first one says.
  bool goes_apart(const DecodedInsn& d, const LinearRows& known) const;
  // Of a comparison: whether all lanes' is one.
  bool is_of_one_truth(const DecodedInsn& d, const LinearRows& known) const;
  // Of one by order, with what all lanes have alike, of lanes that count up: by how much from the first one to the
  // last, which are the only ones to be asked where both say the same, and nothing wraps. None: it is another one.
  std::optional<std::int32_t> counted_up(const DecodedInsn& d, const LinearRows& known) const;
  // What is known behind it.
  void pass(const DecodedInsn& d, LinearRows& known) const;
  // By where a piece begins: what is known wherever all lanes come from, as far as it makes code shorter before that is
  // left: behind what is no code who comes is asked again. `is_live`: a row may still be read.
  std::vector<KnownRows> flow(const Pieces& of, const IsLive& is_live) const;
  // Whether it widens 32 bits to 64: then the last lane must be what the first one says, without a carry.
  static bool widens(const DecodedInsn& d);

 private:
  using Rows = std::set<std::uint32_t>;
  enum class Use : std::uint8_t;
  Use use_of(const DecodedInsn& d, const LinearRows& known) const;
  void pass_piece(const Pieces& of, std::size_t begin, KnownRows& now, std::vector<Use>* uses) const;
  void pass_back(const DecodedInsn& d, Use use, Rows& needed) const;
  std::vector<Rows> needs(const Pieces& of, const std::vector<KnownRows>& known) const;
  std::optional<Linear> computed(const DecodedInsn& d, const LinearRows& known) const;
  std::optional<Linear> widened(const DecodedInsn& d, const LinearRows& known) const;

  std::uint32_t register_bytes_;
  bool knows_lanes_;
  std::map<std::uint32_t, std::optional<Linear>> specials_;  // by offset of the row
};

}  // namespace warpsim::engine
