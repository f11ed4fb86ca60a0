// Linear rows (linear_rows.h): code computes the first lane, in memory, and where a load or a store goes to neighbours,
// or all lanes to one address, or each as far from the first as is known, no lane needs to be looked at. Whoever needs
// all lanes of such a row makes them of the first one (row_cache.h).
#include <algorithm>
#include <cstddef>
#include <limits>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;
using Xbyak::Reg;
using Xbyak::Ymm;
using Xbyak::Zmm;
using State = RowCache::State;

namespace {
constexpr std::int64_t kLastLane = 31;
}  // namespace

// What the piece that begins there may begin with.
const KnownRows& Translator::known_at(std::int32_t pc) const {
  static const KnownRows nothing;
  const std::size_t k = static_cast<std::size_t>(pc);
  return k < insns_.size() && !flow_.empty() && is_translated(insns_[k]) ? flow_[k] : nothing;
}

// Of whoever comes from elsewhere, all of whose rows are in memory.
void Translator::emit_whether_linear(const LinearRows& known, Label& otherwise) {
  const bool is_avx512 = isa_ == Isa::Avx512;
  const std::uint32_t width = is_avx512 ? kLineBytes : kChunkBytes;
  const Ymm wanted = is_avx512 ? Zmm(0) : Ymm(0), all = is_avx512 ? Zmm(1) : Ymm(1);
  if (is_avx512) kxnorw(k1, k1, k1);
  else vpcmpeqd(ymm2, ymm2, ymm2);
  for (const auto& [row, how] : known) {
    how.wide ? vpbroadcastq(all, first_lane_of(row, true)) : vpbroadcastd(all, first_lane_of(row, false));
    for (std::uint32_t n = 0; n < RowCache::bytes_of(how); n += width) {
      const Xbyak::Address now = ptr[r12 + static_cast<int>(row + n)];
      const Ymm& expected = how.step == 0 ? all : wanted;
      if (how.step != 0)
        how.wide ? vpaddq(wanted, all, rows_.steps_of(how, n)) : vpaddd(wanted, all, rows_.steps_of(how, n));
      if (is_avx512) {
        vpcmpeqd(k1 | k1, Zmm(expected.getIdx()), now);
      } else {
        vpcmpeqd(ymm3, expected, now);
        vpand(ymm2, ymm2, ymm3);
      }
    }
  }
  if (is_avx512) {
    kortestw(k1, k1);
    jnc(otherwise, T_NEAR);
  } else {
    vpmovmskb(eax, ymm2);
    cmp(eax, -1);
    jne(otherwise, T_NEAR);
  }
}

// Before an instruction that looks at all lanes: AVX2 reads them in memory, and what keeps some lanes, or is computed
// of itself, cannot be made of its first lane meanwhile.
void Translator::settle_operands(const DecodedInsn& d) {
  if (rows_.state().stale.empty()) return;
  const std::vector<std::uint32_t> read = rows_read_by(d);
  for (const std::uint32_t row : read)
    if (isa_ == Isa::Avx2) rows_.settle(row);
  for (const std::uint32_t row : rows_written_by(d))
    if (is_masked(d) || std::find(read.begin(), read.end(), row) != read.end()) rows_.settle(row);
}

// Whether the first lane was enough.
bool Translator::emit_linear(const DecodedInsn& d) {
  if (!uses_linear_ || is_masked(d)) return false;
  if (facts_.is_of_one_truth(d, rows_.state().linear)) {
    emit_truth(d, bits(d.type) == 64);
    return true;
  }
  if (const std::optional<std::int32_t> last = facts_.counted_up(d, rows_.state().linear)) {
    emit_truth_of_ends(d, *last);
    return true;
  }
  if (d.lift == Lift::Load || d.lift == Lift::Store) return emit_linear_access(d);
  const std::optional<Linear> found = facts_.result(d, rows_.state().linear);
  if (!found) return false;
  LinearFacts::widens(d) ? emit_first_lane_widened(d) : emit_first_lane(d, found->wide);
  rows_.define_linear(d.dst, *found);
  return true;
}

// ---- arithmetic

// Of two rows that are alike in all lanes.
void Translator::emit_truth(const DecodedInsn& d, bool wide) {
  const Reg first = scalar(rax, wide);
  load_first_lane(first, d.a, wide);
  cmp(first, first_lane_of(d.b, wide));
  set_truth(d, al);
  movzx(edx, al);
  neg(edx);
  finish_compare(d);
}

// What the comparison that was just made says.
void Translator::set_truth(const DecodedInsn& d, const Xbyak::Reg8& to) {
  const bool has_sign = is_signed(d.type);
  switch (d.op) {
    case Op::SetpEq: return sete(to);
    case Op::SetpNe: return setne(to);
    case Op::SetpLt: return has_sign ? setl(to) : setb(to);
    case Op::SetpLe: return has_sign ? setle(to) : setbe(to);
    case Op::SetpGt: return has_sign ? setg(to) : seta(to);
    default: return has_sign ? setge(to) : setae(to);
  }
}

// Of lanes that count up, the last one so much beyond the first, and a row that is alike in all lanes. Where the first
// and the last do not say the same, or the last has wrapped, each lane is asked.
void Translator::emit_truth_of_ends(const DecodedInsn& d, std::int32_t last) {
  const bool wide = bits(d.type) == 64;
  const Reg of_first = scalar(rax, wide), of_last = scalar(rcx, wide);
  Label& done = later();
  Label& differ = outside([this, &d, state = rows_.state(), &done] {
    rows_.set(state);
    rows_.flush();
    rows_.forget_lines();
    isa_ == Isa::Avx512 ? emit_compare(d) : emit_compare_avx2(d);
    rows_.emit_loads(state);
    jmp(done);
  });
  load_first_lane(of_first, d.a, wide);
  mov(of_last, of_first);
  add(of_last, last);
  is_signed(d.type) ? jo(differ) : jc(differ);
  cmp(of_first, first_lane_of(d.b, wide));
  set_truth(d, al);
  cmp(of_last, first_lane_of(d.b, wide));
  set_truth(d, cl);
  cmp(al, cl);
  jne(differ);
  movzx(edx, al);
  neg(edx);
  finish_compare(d);
  L(done);
}

namespace {
bool has_either_order(Op op) {
  return op == Op::Add || op == Op::And || op == Op::Or || op == Op::Xor || op == Op::MulLo || op == Op::MadLo;
}
}  // namespace

// What the instruction before has left in rax is not read where it was stored: a chain of those would wait each time
// until the store is done.
void Translator::load_first_lane(const Reg& to, std::uint32_t row, bool wide) {
  if (row != in_rax_) mov(to, first_lane_of(row, wide));
  else if (to.getIdx() != rax.getIdx()) mov(to, scalar(rax, wide));
  in_rax_ = kNoOffset;
}

void Translator::emit_first_lane(const DecodedInsn& d, bool wide) {
  const Reg value = scalar(rax, wide), other = scalar(rcx, wide);
  const std::uint8_t by = static_cast<std::uint8_t>(d.literal);
  const bool b_first = d.b == in_rax_ && has_either_order(d.op);
  const std::uint32_t second = b_first ? d.a : d.b;
  load_first_lane(value, b_first ? d.b : d.a, wide);
  switch (d.op) {
    case Op::Add: add(value, first_lane_of(second, wide)); break;
    case Op::Sub: sub(value, first_lane_of(second, wide)); break;
    case Op::And: and_(value, first_lane_of(second, wide)); break;
    case Op::Or: or_(value, first_lane_of(second, wide)); break;
    case Op::Xor: xor_(value, first_lane_of(second, wide)); break;
    case Op::MulLo:
    case Op::MadLo:
      imul(value, first_lane_of(second, wide));
      if (d.op == Op::MadLo) add(value, first_lane_of(d.c, wide));
      break;
    case Op::Shl: shl(value, by); break;
    case Op::Shr: is_signed(d.type) ? sar(value, by) : shr(value, by); break;
    case Op::Not: not_(value); break;
    case Op::Neg: neg(value); break;
    case Op::Min:
    case Op::Max:
      mov(other, first_lane_of(d.b, wide));
      cmp(value, other);
      if (d.op == Op::Min) is_signed(d.type) ? cmovg(value.cvt64(), rcx) : cmova(value.cvt64(), rcx);
      else is_signed(d.type) ? cmovl(value.cvt64(), rcx) : cmovb(value.cvt64(), rcx);
      break;
    default: break;  // a copy, or what is cut
  }
  mov(first_lane_of(d.dst, wide), value);
  in_rax_ = d.dst;
}

// 32 bits become 64: where the lanes count on beyond what 32 bits hold, the interpreter does it.
void Translator::load_widened(const Xbyak::Reg64& to, const DecodedInsn& d, std::uint32_t row) {
  const bool has_sign = is_signed(d.op == Op::Cvt ? d.type2 : d.type), is_in_rax = row == in_rax_;
  const Xbyak::Address at = first_lane_of(row, false);
  if (has_sign) is_in_rax ? movsxd(to, eax) : movsxd(to, at);
  else is_in_rax ? mov(to.cvt32(), eax) : mov(to.cvt32(), at);
  in_rax_ = kNoOffset;
  const Linear known = *facts_.of(row, false, rows_.state().linear);
  if (known.step == 0) return;
  Label& leaves = leaving(d.pc, not_issued_at(d.pc));
  const std::int64_t beyond = known.lanes ? known.highest() : known.beyond(kLastLane);
  if (beyond > 0 && beyond <= std::numeric_limits<std::int32_t>::max()) {
    mov(esi, to.cvt32());
    add(esi, static_cast<std::uint32_t>(beyond));
    has_sign ? jo(leaves) : jc(leaves);
    return;
  }
  mov(rsi, static_cast<std::uint64_t>(beyond));
  add(rsi, to);
  if (has_sign) movsxd(rdi, esi);
  else mov(edi, esi);
  cmp(rsi, rdi);
  jne(leaves);
}

void Translator::emit_first_lane_widened(const DecodedInsn& d) {
  load_widened(rax, d, d.a);
  if (d.op != Op::Cvt && d.literal > 0 && d.literal <= std::numeric_limits<std::int32_t>::max()) {
    imul(rax, rax, static_cast<int>(d.literal));
  } else if (d.op != Op::Cvt) {
    load_widened(rcx, d, d.b);
    imul(rax, rcx);
  }
  if (d.op == Op::MadWide) add(rax, first_lane_of(d.c, true));
  mov(first_lane_of(d.dst, true), rax);
  in_rax_ = d.dst;
}

// ---- memory

// All lanes load from one address, or go to neighbours, or as far from the first one as is known.
bool Translator::emit_linear_access(const DecodedInsn& d) {
  const bool apart = !facts_.goes_together(d, rows_.state().linear);
  if (apart && (load_groups_.contains(d.pc) || !facts_.goes_apart(d, rows_.state().linear))) return false;
  const Linear address = *facts_.of(d.index, d.index_wide, rows_.state().linear);
  const int size = static_cast<int>(bytes(d.type));
  const bool is_load = d.lift == Lift::Load, is_avx512 = isa_ == Isa::Avx512;
  const std::optional<Linear> one = facts_.result(d, rows_.state().linear);
  const std::uint32_t row = is_load ? d.dst : d.a;
  if (!is_load && !is_avx512) rows_.settle(row);
  std::vector<Zmm> values;
  if (!one && is_avx512) values = values_of_access(d);
  const std::vector<std::uint32_t> written = rows_written_by(d);
  if (one) rows_.make_room(written.size());
  const State before = rows_.state();
  for (const std::uint32_t of : written) one ? rows_.define_linear(of, *one) : rows_.forget_linear(of);
  if (is_load) define_loaded(d, values);
  Label& done = later();
  Label& otherwise = outside([this, &d, before, deferred = deferred_, after = rows_.state(), &done] {
    emit_stores_before(before, deferred);
    emit_access_call(d, false);
    rows_.emit_loads(after);
    jmp(done);
  });
  emit_position(d);
  emit_bounds(d, one ? 0 : static_cast<int>(apart ? address.highest() : kLastLane * size), otherwise);
  if (d.watched) emit_hearing(d, one ? bytes_of_access(d) : 32 * static_cast<unsigned>(size), before, otherwise);
  if (one) move_first_lane(d);
  else if (apart) move_apart(d, values, address);
  else if (is_avx512) move_neighbours(d, values);
  else size < 4 ? move_small_chunks(d) : move_chunks(is_load, row, size == 8);
  L(done);
  return true;
}

// What all lanes find at rax.
void Translator::move_first_lane(const DecodedInsn& d) {
  const bool wide = bits(d.type) == 64;
  const Reg value = scalar(rdx, wide);
  for (unsigned e = 0; e < std::max<unsigned>(d.elements, 1); ++e) {
    const std::uint32_t row = d.elements == 0 ? d.dst : d.element[e];
    if (row == kNoOffset) continue;
    mov(value, ptr[rax + static_cast<int>(e * static_cast<unsigned>(bytes(d.type)))]);
    mov(first_lane_of(row, wide), value);
  }
}

// Between registers and neighbours from rax on.
void Translator::move_neighbours(const DecodedInsn& d, const std::vector<Zmm>& values) {
  const int size = static_cast<int>(bytes(d.type));
  for (std::size_t n = 0; n < values.size(); ++n) {
    const Zmm& value = values[n];
    const Xbyak::Address at = ptr[rax + static_cast<int>(n) * (size == 8 ? 64 : 16 * size)];
    if (d.lift == Lift::Store) {
      if (size >= 4) vmovdqu64(at, value);
      else size == 1 ? vpmovdb(at, value) : vpmovdw(at, value);
      continue;
    }
    if (size >= 4) vmovdqu64(value, at);
    else if (size == 2) vpmovzxwd(value, at);
    else d.type == Type::S8 ? vpmovsxbd(value, at) : vpmovzxbd(value, at);
    if (d.type == Type::S8) vpandd(value, value, ptr_b[rip + low_half_]);
  }
}

}  // namespace warpsim::engine
