// Machine code of a whole program, for x86-64 with AVX-512 or AVX2: straight pieces of it between branches and what
// only the machine can do.
//
// Shapes: a piece begins at a branch's target, behind a branch, or behind an instruction that is not translated. It
//         counts its instructions against Frame::left before it begins, and leaves the code at its own first pc where
//         those are too few. `whole`: all lanes of the launch act; else those of Frame::lanes.
//         Registers: rbp in a body all lanes of the group, rbx the Frame, r12 the warp's register block, r13
//         Frame::left, r14 Frame::lanes, r15 the Places. zmm0 to zmm7 and k1 to k7, rax, rcx, rdx, rsi, rdi and r8 to
//         r11 are an instruction's own.
// Units:  bytes; pcs.
// Errors: an instruction that no code can be made of is one at which the code is left.
// Source: what an instruction computes is its row's kernel (isa/kernels); tests/sim/engine compares every row.
#pragma once

#include <xbyak/xbyak.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "sim/code/decode.h"
#include "sim/engine/compiled.h"
#include "sim/engine/frame.h"
#include "sim/engine/linear_rows.h"
#include "sim/engine/register_loops.h"
#include "sim/engine/row_cache.h"

namespace warpsim::engine {

// The code is position-independent but for calls, whose targets stay where they are.
class HeapAllocator : public Xbyak::Allocator {
 public:
  std::uint8_t* alloc(std::size_t size) override;
  void free(std::uint8_t* memory) override;
  bool useProtect() const override { return false; }
};

class Translator : private HeapAllocator, public Xbyak::CodeGenerator {
 public:
  // Whether a line (row_cache.h) may still be read from a pc on; null: all are to be kept.
  using IsLive = std::function<bool(std::int32_t pc, std::uint32_t line)>;

  // `insns` must stay where they are for as long as the code runs; they are `code`'s.
  Translator(const std::vector<DecodedInsn>& insns, const Code& code, bool whole, Isa isa, IsLive is_live);

  void translate();
  // The same of a loop of registers alone, which must stay, too: CodeFor::loop.
  void translate_loop(const SideBySide& of);
  // By pc: where the code of a piece that begins there begins; 0: nowhere. Position 0 of the code is how it is entered.
  const std::vector<std::size_t>& entries() const { return entries_; }
  // The pcs of what is left to the interpreter's own loops, and of what the code is left at.
  const std::set<std::int32_t>& called() const { return called_; }
  const std::set<std::int32_t>& left() const { return left_; }

 private:
  using Type = warpsim::Type;
  using Zmm = Xbyak::Zmm;
  using Opmask = Xbyak::Opmask;

  // ---- pieces (translator.cpp)
  void find_pieces();
  void finish();
  std::int32_t piece_end_of(std::int32_t pc) const;
  std::int32_t not_issued_at(std::int32_t pc) const;
  void emit_entry();
  void emit_constants();
  void emit_piece(std::int32_t begin, std::int32_t end);
  void emit_piece_of(std::int32_t begin, std::int32_t end, const KnownRows& known);
  static bool ends_turn(const DecodedInsn& d);
  void emit_end_of_turns();
  void emit_end_of_turn(bool is_exit, Xbyak::Label& goes_on);
  void emit_next_block(Xbyak::Label& goes_on);
  void emit_head(std::int32_t begin, std::int32_t end);
  void emit_arrival(std::int32_t begin, std::int32_t end);
  void emit_body(std::int32_t begin, std::int32_t end, Xbyak::Label* loop, const RowCache::State* at_loop);
  void keep_live(std::int32_t pc);
  void go_to(std::int32_t pc);
  Xbyak::Label& leaving(std::int32_t pc, std::int32_t not_issued);
  void leave_at(std::int32_t pc, std::int32_t not_issued);
  Xbyak::Label& outside(std::function<void()> emit);
  Xbyak::Label& later() { return places_.emplace_back(); }  // a place that code outside comes back to
  bool is_translated(const DecodedInsn& d) const;
  bool is_of_whole(const DecodedInsn& d) const;
  void emit_insn(const DecodedInsn& d);
  void emit_insn_avx512(const DecodedInsn& d);
  void emit_call(const DecodedInsn& d);
  void emit_call_of_loop(const DecodedInsn& d);
  Xbyak::Label& calling(const DecodedInsn& d, const RowCache::State& before, const RowCache::State& after,
                        Xbyak::Label& done);

  // ---- linear rows (translate_linear.cpp)
  const KnownRows& known_at(std::int32_t pc) const;
  void emit_whether_linear(const LinearRows& known, Xbyak::Label& otherwise);
  void settle_operands(const DecodedInsn& d);
  bool emit_linear(const DecodedInsn& d);
  void load_first_lane(const Xbyak::Reg& to, std::uint32_t row, bool wide);
  void emit_first_lane(const DecodedInsn& d, bool wide);
  void emit_first_lane_widened(const DecodedInsn& d);
  void load_widened(const Xbyak::Reg64& to, const DecodedInsn& d, std::uint32_t row);
  bool emit_linear_access(const DecodedInsn& d);
  void move_first_lane(const DecodedInsn& d);
  void move_neighbours(const DecodedInsn& d, const std::vector<Zmm>& values);
  void emit_truth(const DecodedInsn& d, bool wide);
  void set_truth(const DecodedInsn& d, const Xbyak::Reg8& to);
  void emit_truth_of_ends(const DecodedInsn& d, std::int32_t last);
  Xbyak::Address first_lane_of(std::uint32_t row, bool wide) const {
    return wide ? qword[r12 + static_cast<int>(row)] : dword[r12 + static_cast<int>(row)];
  }
  // An instruction's own registers, as wide as that.
  Xbyak::Reg scalar(const Xbyak::Reg64& of, bool wide) const { return wide ? Xbyak::Reg(of) : Xbyak::Reg(of.cvt32()); }

  // ---- branches (translate_branches.cpp)
  void emit_branch(const DecodedInsn& d, Xbyak::Label* loop, const RowCache::State* at_loop);
  bool is_around_body(const DecodedInsn& d) const;
  RowCache::State state_at_loop() const;
  void emit_divergence(const DecodedInsn& d);
  void emit_body_of_some(const DecodedInsn& d);
  void emit_shed(const DecodedInsn& d);
  void emit_split(const DecodedInsn& d);
  void emit_join(std::int32_t pc);
  void emit_regrouping();
  void note_body();

  // ---- loops of registers alone (translate_loops.cpp)
  void emit_round(const SideBySide& of, Xbyak::Label& ends);
  void emit_in_loop(const DecodedInsn& d, Alike result);
  void emit_at_end(const DecodedInsn& d, const SideBySide& of);
  void emit_scalar(const DecodedInsn& d);
  static bool is_word(Type type) { return (bits(type) == 32 || bits(type) == 64) && !is_pair(type); }
  Xbyak::Address of_place(const DecodedInsn& d, std::size_t offset) const;

  // ---- lanes that act
  bool is_masked(const DecodedInsn& d) const { return !whole_ || body_.branch >= 0 || d.guard != kNoOffset; }
  void load_active(const DecodedInsn& d);            // into rax
  void load_masks(const DecodedInsn& d, bool wide);  // if it is masked
  void load_masks_of_group(Masks wanted);
  void spread_masks(bool wide);
  static Opmask mask_of(unsigned line, bool wide) { return Opmask(static_cast<int>(4 + line * (wide ? 1 : 2))); }
  static bool keeps_masks(const DecodedInsn& d);
  // The lanes that act get the value, which may be a register of fresh() alone.
  void write(const DecodedInsn& d, std::uint32_t row, unsigned number, const Zmm& value, bool wide);
  void define(std::uint32_t line, const Zmm& value);
  bool is_for_resting(const DecodedInsn& d, std::uint32_t line);

  // ---- arithmetic (translate_lanes.cpp, translate_floats.cpp)
  bool emit_lanes(const DecodedInsn& d);
  bool emit_integer(const DecodedInsn& d);
  void emit_operation(const DecodedInsn& d, const Zmm& r, const Zmm& a, const Zmm& b, std::uint32_t c);
  void check_choices(const DecodedInsn& d);
  bool emit_selection(const DecodedInsn& d);
  bool emit_shift(const DecodedInsn& d);
  bool emit_wide_product(const DecodedInsn& d);
  void widen_half(const Zmm& to, std::uint32_t row, unsigned line, bool with_sign);
  void narrow_lines(const Zmm& to, const Zmm& low, const Zmm& high);
  bool emit_float(const DecodedInsn& d);
  void emit_arithmetic(const DecodedInsn& d, const Zmm& to, unsigned at);
  void emit_extreme(const DecodedInsn& d, const Zmm& value, const Zmm& a, const Zmm& b);
  bool emit_double(const DecodedInsn& d);
  bool emit_flushing(const DecodedInsn& d);
  void flush_subnormals(const Zmm& to, const Zmm& from);
  Zmm operand_of(const DecodedInsn& d, std::uint32_t line, const Zmm& flushed);
  void finish_single(const DecodedInsn& d, const Zmm& value);
  void take_or_call(const DecodedInsn& d, const Zmm* values, unsigned lines, bool wide);
  void emit_float_constants();
  void emit_pack(const DecodedInsn& d);
  void emit_unpack(const DecodedInsn& d);
  bool emit_conversion(const DecodedInsn& d);
  bool emit_conversion_to_integer(const DecodedInsn& d);
  void emit_extension(const Zmm& to, const Zmm& from, Type type);
  void emit_cut(const Zmm& value, Type type);
  bool emit_compare(const DecodedInsn& d);
  bool emit_predicates(const DecodedInsn& d);
  bool emit_copy(const DecodedInsn& d, std::uint32_t from, bool wide);
  void load_predicate(const Opmask& k, std::uint32_t row, LaneMask flip, unsigned line, bool wide);
  // compute(line of the row) gives a fresh register.
  template <class F>
  void each_line(const DecodedInsn& d, bool wide, F compute) {
    load_masks(d, wide);
    const unsigned lines = is_result_alike_ ? 1 : wide ? 4 : 2;
    for (unsigned n = 0; n < lines; ++n) {
      rows_.begin_instruction();
      write(d, d.dst, n, compute(n * 64), wide);
    }
  }
  void make_nan_canonical(const Zmm& value);
  bool may_be_any_nan(const DecodedInsn& d) const;
  void write_predicate(const DecodedInsn& d, std::uint32_t row);  // from rdx

  // ---- values that cross lanes (translate_exchange.cpp)
  void check_members(const DecodedInsn& d);
  void emit_match(const DecodedInsn& d);
  void emit_ballot(const DecodedInsn& d);
  void emit_shuffle(const DecodedInsn& d);
  void emit_permutation(const DecodedInsn& d);
  void store_in_range(const DecodedInsn& d);
  void emit_sources(const DecodedInsn& d, unsigned line);

  // ---- AVX2 (translate_avx2.cpp)
  void emit_insn_avx2(const DecodedInsn& d);
  bool emit_avx2(const DecodedInsn& d);
  Xbyak::Address chunk(std::uint32_t row, unsigned number) const;
  Xbyak::Address half_chunk(std::uint32_t row, unsigned number) const;
  Xbyak::Address lanes_of(unsigned number, bool wide);
  void spread_mask(const Xbyak::Ymm& to, const Xbyak::Reg32& from);
  void find_lanes(const Xbyak::Ymm& to, const Xbyak::Ymm& mask, unsigned number, bool wide);
  static constexpr int kChunkBytes = 32;
  static unsigned chunks_of(bool wide) { return wide ? 8 : 4; }
  void load_resting(const DecodedInsn& d);
  void put_chunk(const DecodedInsn& d, std::uint32_t row, unsigned number, bool wide, const Xbyak::Ymm& value);
  // compute(number of a chunk) leaves its value in ymm0, and may use all but ymm6 and ymm15. Gives true.
  using ComputeChunk = std::function<void(unsigned number)>;
  bool emit_rows_avx2(const DecodedInsn& d, bool wide, const ComputeChunk& compute);
  // The same as a loop over chunks, for what takes many instructions. `compute` asks for chunks and half chunks with
  // the number 0 alone, and uses neither r8 nor r9.
  bool emit_loop_avx2(const DecodedInsn& d, bool wide, const std::function<void()>& compute);
  // 2^52 as f64: an integer below it is added by or.
  static constexpr std::uint64_t kTwoTo52 = 0x4330000000000000;
  // A constant of 64 bits as often as a chunk has room for it.
  Xbyak::Address of_all(std::uint64_t both) { return ptr[rip + constants_[both]]; }
  Xbyak::Address of_words(std::uint32_t one) { return of_all(std::uint64_t{one} << 32 | one); }
  bool emit_selection_avx2(const DecodedInsn& d);
  void emit_pack_avx2(const DecodedInsn& d);
  void emit_unpack_avx2(const DecodedInsn& d);
  void take_words(std::uint32_t row, unsigned number, unsigned half);
  bool emit_compare_avx2(const DecodedInsn& d);
  void finish_compare(const DecodedInsn& d);
  void emit_access_avx2(const DecodedInsn& d, bool masked);
  void emit_direct_avx2(const DecodedInsn& d, bool masked, const LoadGroup* group);
  void emit_first_of_all(const DecodedInsn& d, int step, Xbyak::Label& otherwise);
  void emit_position(const DecodedInsn& d);
  void emit_position_by_index(const DecodedInsn& d, int step, Xbyak::Label& otherwise);
  void move_chunks(bool is_load, std::uint32_t row, bool wide);
  void emit_positions(const DecodedInsn& d, bool masked, int more, Xbyak::Label& outside_of_it);
  void emit_gather(const DecodedInsn& d, bool masked);
  void emit_small_gather(const DecodedInsn& d, bool masked);
  void emit_gathers();
  void move_small_chunks(const DecodedInsn& d);
  Xbyak::Label& calling_access(const DecodedInsn& d, bool masked, Xbyak::Label& done);
  void emit_hearing(const DecodedInsn& d, unsigned size, const RowCache::State& before, Xbyak::Label& unheard);
  void emit_lanes_call(const DecodedInsn& d, bool masked, Xbyak::Label& unheard);
  void emit_hearing_lanes(const DecodedInsn& d, bool masked, Xbyak::Label& unheard);
  // ---- watched accesses of memory that is taken to be calm (translate_calm.cpp)
  void emit_calm(const DecodedInsn& d, unsigned size, Xbyak::Label& otherwise);
  void test_only_read(const DecodedInsn& d);
  void emit_reads(const DecodedInsn& d, unsigned size, Xbyak::Label& done);
  void emit_calm_words(const DecodedInsn& d, unsigned size, Xbyak::Label& otherwise, bool by_byte = false);
  void emit_calm_parts(const DecodedInsn& d, unsigned size, Xbyak::Label& otherwise);
  void emit_calm_range(const DecodedInsn& d, unsigned words, Xbyak::Label& otherwise);
  void emit_calm_lines(const DecodedInsn& d, unsigned words, int line, Xbyak::Label& otherwise);
  void emit_calm_line(const DecodedInsn& d, const Zmm& now, const Zmm& own, Xbyak::Label& otherwise);
  void load_first_address(const DecodedInsn& d);
  void add_place(const DecodedInsn& d);
  void emit_calm_range_avx2(const DecodedInsn& d, Xbyak::Label& otherwise);
  void load_number(const DecodedInsn& d, const Xbyak::Ymm& to, std::size_t offset);
  void emit_calm_behind_avx2(const DecodedInsn& d, Xbyak::Label& otherwise);
  void emit_calm_others_avx2(const DecodedInsn& d, Xbyak::Label& otherwise);
  void emit_calm_word(const DecodedInsn& d, unsigned number, Xbyak::Label& otherwise);
  void emit_offsets_calm(const DecodedInsn& d, bool masked, Xbyak::Label& otherwise);
  static std::size_t of_calm(const DecodedInsn& d, std::size_t offset);
  static constexpr unsigned kWord = 4;
  // ---- the same lane by lane (translate_calm_lanes.cpp)
  struct CalmLanes;
  void emit_calm_lanes(const DecodedInsn& d, bool masked, Xbyak::Label& otherwise);
  void emit_calm_neighbours(const DecodedInsn& d, Xbyak::Label& otherwise);
  void emit_calm_lanes_of(const CalmLanes& of, Xbyak::Label& otherwise);
  void find_lanes_of_chunk(const CalmLanes& of, Xbyak::Label& otherwise);
  void emit_whether_kept(const CalmLanes& of, unsigned half, Xbyak::Label& otherwise);
  void emit_numbers_of_lanes(const CalmLanes& of, unsigned half, const Xbyak::Address& at);
  void find_undefined_lanes(const CalmLanes& of, unsigned half, unsigned k);
  void emit_numbers_of_others(const CalmLanes& of, const Xbyak::Address& at, Xbyak::Label& otherwise);
  void find_whether_apart(const CalmLanes& of, unsigned half, const Opmask& lanes);
  void emit_calm_row(CalmLanes of, Xbyak::Label& otherwise);
  void emit_calm_loads(const CalmLanes& of, unsigned half, unsigned k, Xbyak::Label& otherwise);
  void emit_calm_stores(const CalmLanes& of, unsigned half, unsigned k, Xbyak::Label& otherwise);
  void emit_calm_sums(const CalmLanes& of, unsigned half, Xbyak::Label& otherwise);
  void call_calm_vectors(const CalmLanes& of, Xbyak::Label& known);
  void emit_calm_vectors();
  void emit_calm_vectors_of(const DecodedInsn& d, Xbyak::Label& begin);
  void widen_offsets();
  void load_base(const DecodedInsn& d);
  void broadcast_avx2(const DecodedInsn& d);
  void emit_vectors_avx2(const DecodedInsn& d);
  Xbyak::Address vector_of(int lane);
  Xbyak::Address part_of_row(const DecodedInsn& d, unsigned element, int lane) const;
  void write_part(const DecodedInsn& d, unsigned element, int lane, const Xbyak::Xmm& value);
  void move_double_pairs(const DecodedInsn& d, int lane);
  void move_pairs(const DecodedInsn& d, int lane);
  void move_quadruples(const DecodedInsn& d, int lane);
  void emit_atomic_avx2(const DecodedInsn& d, bool masked);
  bool emit_exchange_avx2(const DecodedInsn& d);
  void check_members_avx2(const DecodedInsn& d);
  bool emit_vote_avx2(const DecodedInsn& d);
  void emit_shuffle_avx2(const DecodedInsn& d);
  void emit_xor_avx2(const DecodedInsn& d);
  void emit_sources_avx2(const DecodedInsn& d, unsigned number);
  void emit_match_avx2(const DecodedInsn& d);
  void emit_lane_stores(const DecodedInsn& d, bool masked);
  void add_truths(unsigned number, bool wide);
  bool emit_float_compare_avx2(const DecodedInsn& d);
  static int float_relation(Op op);
  void emit_bounds(const DecodedInsn& d, int behind, Xbyak::Label& outside_of_it);
  void emit_avx2_constants();
  // ---- floats for AVX2 (translate_avx2_floats.cpp)
  bool emit_float_avx2(const DecodedInsn& d);
  void emit_arithmetic_avx2(const DecodedInsn& d, const Xbyak::Ymm& value, unsigned number);
  void emit_extreme_avx2(const DecodedInsn& d, const Xbyak::Ymm& value, unsigned number);
  void load_float(const DecodedInsn& d, const Xbyak::Ymm& to, std::uint32_t row, unsigned number);
  void flush_chunk(const Xbyak::Ymm& value);
  void saturate_chunk(const Xbyak::Ymm& value);
  void note_smallest(const DecodedInsn& d, unsigned number);
  void make_nans_canonical(unsigned count);
  void note_nans(const DecodedInsn& d);
  void note(const DecodedInsn& d, unsigned number, bool wide);
  void set_rounding(Round round);
  // Results of a whole row before any is written. Where a bit is set in ymm5, the interpreter's own loop computes it.
  static Xbyak::Ymm result(unsigned number) { return Xbyak::Ymm(static_cast<int>(7 + number)); }
  void call_if_noted(const DecodedInsn& d, Xbyak::Label& done);
  void put_results(const DecodedInsn& d, bool wide);
  // ---- conversions for AVX2 (translate_avx2_convert.cpp)
  bool emit_conversion_avx2(const DecodedInsn& d);
  bool emit_integer_conversion_avx2(const DecodedInsn& d);
  bool emit_saturation_avx2(const DecodedInsn& d);
  bool emit_conversion_to_float_avx2(const DecodedInsn& d);
  bool emit_conversion_to_integer_avx2(const DecodedInsn& d);
  bool emit_double_to_integer_avx2(const DecodedInsn& d);
  bool emit_conversion_to_long_avx2(const DecodedInsn& d);
  bool emit_conversion_of_floats_avx2(const DecodedInsn& d);
  void load_number(const Xbyak::Ymm& to, const DecodedInsn& d, unsigned number);
  void extend_chunk(const Xbyak::Ymm& value, Type type);
  void cut_chunk(const Xbyak::Ymm& value, Type type);
  void clamp_chunk(const Xbyak::Ymm& value, Type type, bool with_sign);
  void join_halves(const Xbyak::Ymm& low, const Xbyak::Ymm& high);
  // ---- integers for AVX2 (translate_avx2_integers.cpp)
  bool emit_integer_avx2(const DecodedInsn& d);
  void emit_operation_avx2(const DecodedInsn& d, const Xbyak::Address& b);
  bool emit_one_operand_avx2(const DecodedInsn& d);
  bool emit_wide_integer_avx2(const DecodedInsn& d);
  bool emit_shift_avx2(const DecodedInsn& d);
  bool emit_wide_product_avx2(const DecodedInsn& d);
  bool emit_upper_product_avx2(const DecodedInsn& d);
  bool emit_division_avx2(const DecodedInsn& d);
  void shift_signed_doubles();
  void multiply_doubles();
  // ---- bits and integers of 16 bits for AVX2 (translate_avx2_bits.cpp, translate_avx2_integers.cpp)
  bool emit_bits_avx2(const DecodedInsn& d);
  bool emit_count_avx2(const DecodedInsn& d);
  void count_ones(const Xbyak::Ymm& value);
  bool emit_highest_bit_avx2(const DecodedInsn& d);
  void count_leading_zeros(const Xbyak::Ymm& value);
  bool emit_reversal_avx2(const DecodedInsn& d);
  bool emit_funnel_avx2(const DecodedInsn& d);
  bool emit_field_avx2(const DecodedInsn& d);
  bool emit_insertion_avx2(const DecodedInsn& d);
  bool emit_permutation_avx2(const DecodedInsn& d);
  bool emit_lookup_avx2(const DecodedInsn& d);
  void take_low_words(const Xbyak::Ymm& low, const Xbyak::Ymm& high);
  bool emit_narrow_avx2(const DecodedInsn& d);
  void emit_narrow_operation_avx2(const DecodedInsn& d, unsigned number);
  void extend_narrow(const Xbyak::Ymm& to, std::uint32_t row, unsigned number, bool with_sign);

  // ---- bits (translate_bits.cpp)
  void emit_bit_constants();
  bool emit_bits(const DecodedInsn& d);
  bool emit_narrow(const DecodedInsn& d);
  void emit_narrow_operation(const DecodedInsn& d, const Zmm& r, unsigned at, bool with_sign);
  void raise_half(const Zmm& to, std::uint32_t line);
  void extend_half(const Zmm& to, std::uint32_t line, bool with_sign);
  bool emit_reversal(const DecodedInsn& d);
  bool emit_funnel(const DecodedInsn& d);
  bool emit_field(const DecodedInsn& d);
  bool emit_count(const DecodedInsn& d);
  bool emit_upper_product(const DecodedInsn& d);
  // ---- approximate functions (translate_approximate.cpp)
  bool emit_approximate(const DecodedInsn& d);
  void emit_rsqrt_of_line(const Zmm& value, std::uint32_t line, const Opmask& is_other);
  void emit_ex2_of_line(const Zmm& value, std::uint32_t line, const Opmask& is_other);
  void interpolate_ex2(const Zmm& value);
  void interpolate_rsqrt(const Zmm& value);
  void emit_square(const Zmm& other);
  void look_up(const Zmm& to, Xbyak::Label& table, unsigned words);
  Xbyak::Address approximate(int index);  // a constant, to all lanes
  void emit_segments();
  static std::uint32_t pairs_of(std::uint32_t first);
  // ---- the same for AVX2 (translate_avx2_approximate.cpp)
  struct Function;
  bool emit_approximate_avx2(const DecodedInsn& d, const Function& of);
  void interpolate(const Function& of, const Xbyak::Ymm& value);
  void square_avx2();
  void scale_chunk(const Xbyak::Ymm& value);
  void emit_rsqrt_chunk(const DecodedInsn& d, const Function& of, unsigned number);
  void emit_ex2_chunk(const DecodedInsn& d, const Function& of, unsigned number);
  void emit_rcp_chunk(const DecodedInsn& d, const Function& of, unsigned number);
  bool emit_function_avx2(const DecodedInsn& d);

  // ---- memory (translate_memory.cpp)
  bool is_access(const DecodedInsn& d) const;
  bool is_direct_atomic(const DecodedInsn& d) const;
  void emit_atomic(const DecodedInsn& d);
  void emit_shared_lane_sums(const DecodedInsn& d, bool masked, int scratch, Xbyak::Label& done);
  void emit_lane_sums(const DecodedInsn& d, bool masked, int scratch);
  void emit_access(const DecodedInsn& d);
  void note_cycle(const DecodedInsn& d);
  void emit_access_call(const DecodedInsn& d, bool is_masked_access);
  void emit_whether_settled(const DecodedInsn& d, unsigned size, Xbyak::Label& unsettled);
  void emit_offsets_settled(const DecodedInsn& d, bool masked, Xbyak::Label& unsettled);
  void emit_direct_access(const DecodedInsn& d, bool masked);
  void move_directly(const Access& of, Xbyak::Label& done);
  // ---- neighbours' accesses together (translate_groups.cpp)
  void find_groups(std::int32_t begin, std::int32_t end);
  bool defer(const DecodedInsn& d);
  void emit_stores_before(const RowCache::State& before, const Deferred& deferred);
  int load_numbers_of_place(const DecodedInsn& d, Xbyak::Label& slow);
  void emit_indexed_offsets(const Access& of, Xbyak::Label& slow);
  void emit_indexed_positions(const DecodedInsn& d, bool masked, Xbyak::Label& slow);
  // Of an access in the code now: whether it takes the index itself.
  bool is_indexed(const DecodedInsn& d) const { return !deferred_.empty() && indexed_.contains(d.pc); }
  std::uint32_t index_of(const DecodedInsn& d) const { return is_indexed(d) ? indexed_.at(d.pc).index : d.index; }
  Xbyak::Address are_fetched(const LoadGroup& group);
  void emit_load_of_group(const Access& of, const LoadGroup& group, Xbyak::Label& done);
  void emit_first_of_group(const Access& of, const LoadGroup& group, Xbyak::Label& otherwise);
  Xbyak::Label& storing_apart(const DecodedInsn& d, Xbyak::Label& done);
  void emit_stores_of_word(const DecodedInsn& d, bool masked);
  void emit_stores_of_word_avx2(const DecodedInsn& d, bool masked);
  void emit_load_of_group_avx2(const DecodedInsn& d, const LoadGroup& group, bool masked);
  void emit_first_of_group_avx2(const DecodedInsn& d, const LoadGroup& group, bool masked, Xbyak::Label& done);
  void put_fetched(const DecodedInsn& d, bool masked, int from);
  void emit_words_of_lanes();
  void keep(const Zmm& copy, std::uint32_t line, std::vector<Kept>& kept);
  std::vector<Zmm> values_of_access(const DecodedInsn& d, std::vector<Kept>* kept = nullptr);
  void define_loaded(const DecodedInsn& d, const std::vector<Zmm>& values);
  void move_apart(const DecodedInsn& d, const std::vector<Zmm>& values, const Linear& known);
  std::vector<Zmm> read_index(const DecodedInsn& d);
  void emit_offsets(const Access& of, Xbyak::Label& done);
  void emit_hearing_offsets(const DecodedInsn& d, bool masked, Xbyak::Label& unheard);
  void emit_wide_offsets(const Access& of, int more, Xbyak::Label& slow);
  void emit_narrow_offsets(const DecodedInsn& d, const std::vector<Zmm>& index, bool masked, Xbyak::Label& slow);
  void emit_moves(const DecodedInsn& d, const std::vector<Zmm>& values, bool masked, bool is_indexed);
  bool are_pairs_in_words(const DecodedInsn& d) const;
  void move_pairs_of_neighbours(const DecodedInsn& d, const Zmm& first, const Zmm& second, int low, int high);
  void emit_moves_of_all_pairs(const DecodedInsn& d, const std::vector<Zmm>& values, Xbyak::Label& done);
  void emit_moves_of_pairs(const DecodedInsn& d, const std::vector<Zmm>& values, Xbyak::Label& done);
  void move_vectors(const DecodedInsn& d, unsigned line, const std::vector<Zmm>& values, bool masked, const Linear* at);
  void load_scattered(const Zmm& offsets, bool wide);
  void emit_loads_of_one_address(const DecodedInsn& d, const std::vector<Zmm>& values, Xbyak::Label& done);
  void move_scattered(const DecodedInsn& d, const Zmm& offsets, const Zmm& value, int behind);
  void move_some_together(const DecodedInsn& d, const Zmm& offsets, const Zmm& value);
  void move_together(const DecodedInsn& d, const Zmm& offsets, const Zmm& value);
  void store_small(const DecodedInsn& d, const Zmm& offsets, const Zmm& value);
  void store_some_small(unsigned bits, const Zmm& low, const Zmm& high, Xbyak::Label* overlap);
  void check_rising(int offsets, Xbyak::Label& otherwise);
  void take_words_of_offsets();
  void move_small(const DecodedInsn& d, const Zmm& offsets, const Zmm& value, bool masked);

  const std::vector<DecodedInsn>& insns_;
  const unsigned lanes_;
  const bool whole_;
  const Isa isa_;
  const IsLive is_live_;
  const LinearFacts facts_;
  const std::vector<SpecialRow>& specials_;
  bool uses_linear_;
  std::vector<KnownRows> flow_;                // by pc: what is known there, if it is used
  const KnownRows* known_ = nullptr;           // of these, what the code that is written now begins with
  std::vector<bool> begins_;                   // by pc: a piece begins here
  std::vector<Xbyak::Label> labels_, linear_;  // of pieces that begin with nothing known, and with what flow_ says
  std::vector<std::size_t> entries_;
  std::map<std::int32_t, LoadGroup> load_groups_;           // by pc of each
  std::map<std::int32_t, IndexedAccess> indexed_;           // by pc of each part
  Deferred deferred_;                                       // parts that are not computed yet, in the code now
  std::map<std::uint32_t, std::int32_t> last_for_resting_;  // by line: where lanes outside the group may need it last
  std::set<std::int32_t> stores_of_words_;                  // by pc of the first
  std::int32_t stores_word_ = -kStoresOfWord;  // that of the one that stores for those behind it, in the code now
  std::set<std::int32_t> called_, left_;
  std::deque<Outside> outside_;
  std::deque<Xbyak::Label> places_;
  RowCache rows_;
  std::uint32_t in_rax_ = kNoOffset, in_r11_ = kNoOffset;  // a row's first lane, until what is next; a predicate
  Body body_;                                              // the code of which is written
  Masks masks_ = Masks::None;                              // that hold the lanes of the group
  std::set<std::uint32_t> defined_;                        // lines that it writes
  bool loops_ = false, is_result_alike_ = false;  // the piece, with a branch to its begin; the instruction, in halves
  RowCache::State at_loop_;                       // what its first round leaves in registers
  Xbyak::Label nibbles_low_, nibbles_high_, bytes_of_words_, bytes_of_doubles_, nibble_, width_;  // translate_bits.cpp
  std::map<std::uint64_t, Xbyak::Label> constants_;
  int bytes_of_loop_ = 0;  // 0: there is none; else r8 counts half of them up to 0, and r9 is where lanes' bits are
  Xbyak::Label ones_of_nibbles_, upper_doubles_, even_pairs_, lane_bits_narrow_, lane_bits_wide_, packed_order_;
  Xbyak::Label steps_narrow_[4], steps_wide_[4];                         // of lanes, by the logarithm of their size
  Xbyak::Label gather_[2], words_of_lanes_[2], lanes_of_words_[2];       // of words, of doubles; of two, of four
  bool gathers_[2] = {}, brings_words_[2] = {}, uses_segments_ = false;  // the last: of the functions' tables
  std::map<std::size_t, std::pair<const DecodedInsn*, Xbyak::Label>> calm_vectors_;  // by kind: one that calls it
  Xbyak::Label rsqrt_a_, rsqrt_b_and_c_, ex2_a_, ex2_b_and_c_, pairs_, approximate_, two_to_31_;
  Xbyak::Label one_of_double_, sign_of_double_, one_, smallest_normal_, low_bytes_, low_halves_;
  Xbyak::Label leave_, end_turn_, end_warp_, diverge_, arrive_, nan_, sign_, steps4_, lanes4_, steps8_, even_doubles_,
      odd_doubles_, low_pairs_, high_pairs_, even_, odd_, lane_bits_, below_size_, low_byte_, low_half_;
};

}  // namespace warpsim::engine
