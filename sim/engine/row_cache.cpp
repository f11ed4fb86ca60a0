// See row_cache.h.
#include "sim/engine/row_cache.h"

#include <algorithm>

#include "isa/text/check.h"

namespace warpsim::engine {

using Xbyak::Zmm;

int RowCache::State::find(std::uint32_t wanted) const {
  for (int k = kFirst; k < kEnd; ++k)
    if (line[static_cast<std::size_t>(k)] == wanted) return k;
  return -1;
}

bool RowCache::State::is_empty() const {
  for (int k = kFirst; k < kEnd; ++k)
    if (line[static_cast<std::size_t>(k)] != kNone) return false;
  return true;
}

void RowCache::emit_store(int reg, std::uint32_t line) const {
  code_.vmovdqa64(code_.ptr[code_.r12 + static_cast<int>(line)], Zmm(reg));
}
void RowCache::emit_load(int reg, std::uint32_t line, const State& state) {
  const Xbyak::Address at = code_.ptr[code_.r12 + static_cast<int>(line)];
  if (const auto linear = state.row_of(line); linear != state.linear.end() && state.stale.contains(linear->first)) {
    const auto& [row, how] = *linear;
    const Xbyak::Address first = code_.ptr[code_.r12 + static_cast<int>(row)];
    how.wide ? code_.vpbroadcastq(Zmm(reg), first) : code_.vpbroadcastd(Zmm(reg), first);
    if (how.step == 0) return;
    const Xbyak::Address steps = steps_of(how, line - row);
    how.wide ? code_.vpaddq(Zmm(reg), Zmm(reg), steps) : code_.vpaddd(Zmm(reg), Zmm(reg), steps);
  } else if (uniform_.contains(line)) code_.vpbroadcastd(Zmm(reg), at);
  else code_.vmovdqa64(Zmm(reg), at);
}

// ---- linear rows

bool RowCache::State::knows(const KnownRows& wanted) const {
  return std::all_of(wanted.linear.begin(), wanted.linear.end(), [&](const auto& one) {
    const auto found = linear.find(one.first);
    return found != linear.end() && found->second == one.second && found->second.zeros >= one.second.zeros;
  });
}

LinearRows::const_iterator RowCache::State::row_of(std::uint32_t wanted) const {
  auto found = linear.upper_bound(wanted);
  if (found == linear.begin()) return linear.end();
  --found;
  return wanted - found->first < bytes_of(found->second) ? found : linear.end();
}

void RowCache::make_room(std::size_t rows) {
  if (now_.stale.size() + rows > kMostStale) settle_all_but({now_.linear, {}});
  if (now_.linear.size() + rows > kMostLinear) settle_all_but({});
}

void RowCache::define_linear(std::uint32_t row, Linear how) {
  make_room(1);
  for (std::uint32_t n = 0; n < bytes_of(how); n += kLineBytes) drop(row + n);
  now_.linear[row] = how;
  now_.stale.insert(row);
}

void RowCache::forget_linear(std::uint32_t row) {
  now_.linear.erase(row);
  now_.stale.erase(row);
}

void RowCache::settle(std::uint32_t row) {
  if (now_.stale.erase(row) != 0) emit_lanes(row, now_.linear.at(row));
}

void RowCache::settle_all_but(const KnownRows& these) {
  std::erase_if(now_.linear, [&](const auto& one) {
    if (!these.stale.contains(one.first)) settle(one.first);
    return !these.linear.contains(one.first);
  });
}

// All lanes into memory, from the first one's.
void RowCache::emit_lanes(std::uint32_t row, Linear how) {
  const std::uint32_t width = isa_ == Isa::Avx512 ? kLineBytes : kLineBytes / 2;
  const Xbyak::Ymm all = isa_ == Isa::Avx512 ? Zmm(7) : Xbyak::Ymm(7),
                   sum = isa_ == Isa::Avx512 ? Zmm(6) : Xbyak::Ymm(6);
  const auto at = [&](std::uint32_t behind) { return code_.ptr[code_.r12 + static_cast<int>(row + behind)]; };
  how.wide ? code_.vpbroadcastq(all, at(0)) : code_.vpbroadcastd(all, at(0));
  for (std::uint32_t n = 0; n < bytes_of(how); n += width) {
    if (how.step != 0) {
      const Xbyak::Address steps = steps_of(how, n);
      how.wide ? code_.vpaddq(sum, all, steps) : code_.vpaddd(sum, all, steps);
    }
    const Xbyak::Ymm& value = how.step == 0 ? all : sum;
    isa_ == Isa::Avx512 ? code_.vmovdqa64(at(n), value) : code_.vmovdqa(at(n), value);
  }
}

Xbyak::Address RowCache::steps_of(Linear how, std::uint32_t behind) {
  return code_.ptr[code_.rip + steps_[how] + static_cast<int>(behind)];
}

void RowCache::emit_steps() {
  for (auto& [how, label] : steps_) {
    code_.align(kLineBytes);
    code_.L(label);
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
      const auto beyond = static_cast<std::uint64_t>(how.beyond(lane));
      how.wide ? code_.dq(beyond) : code_.dd(static_cast<std::uint32_t>(beyond));
    }
  }
}

// ---- lines

// The one that has not been used for longest, if none is free.
int RowCache::take() {
  int best = -1;
  for (int k = kFirst; k < kEnd; ++k) {
    const std::size_t r = static_cast<std::size_t>(k);
    if (pinned_[r]) continue;
    if (now_.line[r] == kNone) {
      best = k;
      break;
    }
    if (best < 0 || used_[r] < used_[static_cast<std::size_t>(best)]) best = k;
  }
  WARPSIM_CHECK(best >= 0);
  const std::size_t r = static_cast<std::size_t>(best);
  if (now_.line[r] != kNone && now_.dirty[r]) emit_store(best, now_.line[r]);
  now_.line[r] = kNone;
  now_.dirty[r] = false;
  used_[r] = ++time_;
  pinned_[r] = true;
  return best;
}

Zmm RowCache::read(std::uint32_t line) {
  if (alike_.contains(line - kLineBytes)) line -= kLineBytes;
  if (const auto linear = now_.row_of(line);
      linear != now_.linear.end() && linear->second.step == 0 && now_.stale.contains(linear->first))
    line = linear->first;
  int reg = now_.find(line);
  if (reg < 0) {
    reg = take();
    emit_load(reg, line, now_);
    now_.line[static_cast<std::size_t>(reg)] = line;
  }
  used_[static_cast<std::size_t>(reg)] = ++time_;
  pinned_[static_cast<std::size_t>(reg)] = true;
  return Zmm(reg);
}

Zmm RowCache::fresh() { return Zmm(take()); }

void RowCache::define(std::uint32_t line, const Zmm& value) {
  drop(line);
  if (const auto linear = now_.row_of(line); linear != now_.linear.end()) forget_linear(linear->first);
  const std::size_t r = static_cast<std::size_t>(value.getIdx());
  now_.line[r] = line;
  now_.dirty[r] = true;
}

void RowCache::drop(std::uint32_t line) {
  const int reg = now_.find(line);
  if (reg < 0) return;
  now_.line[static_cast<std::size_t>(reg)] = kNone;
  now_.dirty[static_cast<std::size_t>(reg)] = false;
}

void RowCache::make_alike(std::uint32_t row) {
  alike_.insert(row);
  drop(row + kLineBytes);
}

void RowCache::make_uniform(std::uint32_t row) {
  make_alike(row);
  uniform_.insert(row);
  drop(row);
}

void RowCache::separate(std::uint32_t row) {
  if (!alike_.contains(row)) return;
  const Zmm first = read(row), second = fresh();
  code_.vmovdqa64(second, first);
  alike_.erase(row);
  define(row + kLineBytes, second);
}

void RowCache::begin_instruction() { pinned_.fill(false); }

void RowCache::emit_stores(const State& state, const std::set<std::uint32_t>& but) {
  for (int k = kFirst; k < kEnd; ++k) {
    const std::size_t r = static_cast<std::size_t>(k);
    if (state.line[r] != kNone && state.dirty[r]) emit_store(k, state.line[r]);
  }
  for (const std::uint32_t row : state.stale)
    if (!but.contains(row)) emit_lanes(row, state.linear.at(row));
}

void RowCache::emit_loads(const State& state) {
  for (int k = kFirst; k < kEnd; ++k) {
    const std::size_t r = static_cast<std::size_t>(k);
    if (state.line[r] != kNone) emit_load(k, state.line[r], state);
  }
}

void RowCache::flush() {
  emit_stores(now_);
  now_.dirty.fill(false);
  now_.stale.clear();
}

void RowCache::forget_lines() {
  now_.line.fill(kNone);
  now_.dirty.fill(false);
}

// Lines that the head does not hold, or holds as stored, are stored. Then each register gets its line: from where it is
// now, unless another one still waits for what the target holds; of a ring one is moved aside to zmm0.
void RowCache::return_to(const State& head) {
  for (int k = kFirst; k < kEnd; ++k) {
    const std::size_t r = static_cast<std::size_t>(k);
    if (now_.line[r] == kNone || !now_.dirty[r]) continue;
    const int at_head = head.find(now_.line[r]);
    if (at_head < 0 || !head.dirty[static_cast<std::size_t>(at_head)]) emit_store(k, now_.line[r]);
  }
  std::array<int, kEnd> source;  // by target: the register that has its line; -1: nothing to do or to load
  source.fill(-1);
  std::array<bool, kEnd> to_load{};
  for (int k = kFirst; k < kEnd; ++k) {
    const std::size_t r = static_cast<std::size_t>(k);
    if (head.line[r] == kNone) continue;
    const int from = now_.find(head.line[r]);
    if (from < 0) to_load[r] = true;
    else if (from != k) source[r] = from;
  }
  for (bool is_moving = true; is_moving;) {
    is_moving = false;
    int waiting = -1;
    for (int k = kFirst; k < kEnd; ++k) {
      if (source[static_cast<std::size_t>(k)] < 0) continue;
      waiting = k;
      bool is_needed = false;
      for (int other = kFirst; other < kEnd; ++other)
        is_needed = is_needed || (other != k && source[static_cast<std::size_t>(other)] == k);
      if (is_needed) continue;
      code_.vmovdqa64(Zmm(k), Zmm(source[static_cast<std::size_t>(k)]));
      source[static_cast<std::size_t>(k)] = -1;
      is_moving = true;
    }
    if (is_moving || waiting < 0) continue;
    code_.vmovdqa64(Zmm(0), Zmm(waiting));
    for (int& from : source) from = from == waiting ? 0 : from;
    is_moving = true;
  }
  for (int k = kFirst; k < kEnd; ++k)
    if (to_load[static_cast<std::size_t>(k)]) emit_load(k, head.line[static_cast<std::size_t>(k)], head);
  now_ = head;
}

}  // namespace warpsim::engine
