// See compiled.h.
#include "sim/engine/compiled.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <mutex>

#include "isa/program/liveness.h"
#include "sim/code/lane_ops.h"
#include "sim/engine/register_loops.h"
#include "sim/engine/translator.h"

namespace warpsim::engine {

namespace {

NameCode& namer() {
  static NameCode the;
  return the;
}

}  // namespace

void name_code_by(NameCode name) { namer() = std::move(name); }

CodePages::CodePages(const std::vector<std::byte>& code) : size_(code.size()) {
  void* const pages = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return;
  std::memcpy(pages, code.data(), size_);
  if (::mprotect(pages, size_, PROT_READ | PROT_EXEC) != 0) ::munmap(pages, size_);
  else begin_ = static_cast<std::byte*>(pages);
}

CodePages::~CodePages() {
  if (begin_ != nullptr) ::munmap(begin_, size_);
}

namespace {

// By line of a warp's registers: whose values it is part of.
Translator::IsLive liveness_of(const Code& code, const Program& program) {
  std::vector<std::vector<std::int32_t>> of_line(code.register_bytes / kLineBytes + 1);
  for (std::size_t r = 0; r < program.registers.size(); ++r) {
    if (program.registers[r].cls == RegClass::Pred || code.register_offset[r] >= code.register_bytes) continue;
    const std::size_t first = code.register_offset[r] / kLineBytes;
    const std::size_t lines = code.width * (code.register_wide[r] ? 8U : 4U) / kLineBytes;
    for (std::size_t k = 0; k < lines; ++k) of_line[first + k].push_back(static_cast<std::int32_t>(r));
  }
  return [of_line = std::move(of_line), liveness = std::make_shared<Liveness>(program),
          lines = code.block_template.size() / kLineBytes](std::int32_t pc, std::uint32_t line) {
    const std::size_t k = line / kLineBytes % lines;  // of several warps
    if (k >= of_line.size() || of_line[k].empty()) return true;
    return std::any_of(of_line[k].begin(), of_line[k].end(), [&](std::int32_t r) { return liveness->is_live(pc, r); });
  };
}

}  // namespace

CompiledCode::CompiledCode(const Code& code, CodeFor what, const Program& program, Isa isa)
    : insns_(code.insns),
      specials_(code.specials),
      register_bytes_(code.register_bytes),
      lanes_(code.lanes),
      what_(what) {
  try {
    Translator translator(insns_, code, what.whole, isa,
                          what.keeps_all ? Translator::IsLive() : liveness_of(code, program));
    translate(translator, code, program);
    const std::byte* const made = reinterpret_cast<const std::byte*>(translator.getCode());
    pages_ = std::make_unique<CodePages>(std::vector<std::byte>(made, made + translator.getSize()));
    entries_ = translator.entries();
    called_ = translator.called();
    left_ = translator.left();
    if (is_usable()) name_pieces(program);
  } catch (const Xbyak::Error&) {  // larger than code can be
    pages_.reset();
  }
}

// Predicates that nobody reads any more need not be written.
void CompiledCode::forget_dead_predicates(const Code& code, const Program& program) {
  if (what_.keeps_all) return;
  Liveness liveness(program);
  for (DecodedInsn& d : side_by_side_.insns) {
    const std::uint32_t row = code.insns[static_cast<std::size_t>(d.pc)].dst_pred;
    bool is_read = row == kNoOffset;
    for (std::size_t r = 0; r < program.registers.size() && !is_read; ++r)
      is_read = code.register_offset[r] == row && liveness.is_live(d.pc + 1, static_cast<std::int32_t>(r));
    if (!is_read) d.dst_pred = kNoOffset;
  }
}

void CompiledCode::translate(Translator& translator, const Code& code, const Program& program) {
  if (what_.loop < 0) return translator.translate();
  for (const RegisterLoop& one : register_loops(code))
    if (one.begin == what_.loop) side_by_side_ = side_by_side(code, one, what_.warps, what_.assumed);
  forget_dead_predicates(code, program);
  if (!what_.keeps_all) join_halves(side_by_side_, what_.warps, liveness_of(code, program));
  translator.translate_loop(side_by_side_);
}

void CompiledCode::name_pieces(const Program& program) const {
  const NameCode& name = namer();
  if (!name) return;
  for (std::size_t pc = 0, next = 0; pc < insns_.size(); pc = next) {
    for (next = pc + 1; next < entries_.size() && entries_[next] == 0;) ++next;
    if (entries_[pc] == 0) continue;
    const std::size_t end = next < insns_.size() ? entries_[next] : bytes();
    name(pages_->begin() + entries_[pc], end - entries_[pc],
         program.full_name() + ":" + program.line(static_cast<std::int32_t>(pc)) + (what_.whole ? "" : ", some lanes"));
  }
}

void CompiledCode::run(Frame& frame) const {
  using Entry = void (*)(Frame*, const std::byte*);
  const std::byte* const code = pages_->begin();
  Entry entry;
  std::memcpy(&entry, &code, sizeof entry);
  entry(&frame, code + entries_[static_cast<std::size_t>(frame.pc)]);
}

bool CompiledCode::is_of(const Code& code, CodeFor what) const {
  return lanes_ == code.lanes && what_ == what && register_bytes_ == code.register_bytes &&
         specials_ == code.specials && insns_ == code.insns;
}

std::optional<Isa> isa_of_host() {
  if (lane_ops().host_isa == "avx512") return Isa::Avx512;
  return lane_ops().host_isa == "avx2" ? std::optional(Isa::Avx2) : std::nullopt;
}

namespace {

// The newest first.
struct Cache {
  std::mutex mutex;
  std::list<std::shared_ptr<const CompiledCode>> entries;
};
constexpr std::size_t kMostCached = 64;

Cache& cache() {
  static Cache the;
  return the;
}

// The cache is locked.
std::shared_ptr<const CompiledCode> find(Cache& in, const Code& code, CodeFor what) {
  const auto found =
      std::find_if(in.entries.begin(), in.entries.end(), [&](const auto& one) { return one->is_of(code, what); });
  if (found == in.entries.end()) return nullptr;
  in.entries.splice(in.entries.begin(), in.entries, found);
  return *found;
}

}  // namespace

std::shared_ptr<const CompiledCode> known(const Code& code, CodeFor what) {
  Cache& the = cache();
  const std::lock_guard lock(the.mutex);
  return find(the, code, what);
}

std::shared_ptr<const CompiledCode> compiled(const Code& code, const Program& program, CodeFor what) {
  const std::optional<Isa> isa = isa_of_host();
  if (!isa || code.width != 32) return nullptr;
  Cache& the = cache();
  const std::lock_guard lock(the.mutex);
  if (std::shared_ptr<const CompiledCode> old = find(the, code, what)) return old;
  auto made = std::make_shared<const CompiledCode>(code, what, program, *isa);
  if (!made->is_usable()) return nullptr;
  the.entries.push_front(made);
  if (the.entries.size() > kMostCached) the.entries.pop_back();
  return made;
}

}  // namespace warpsim::engine
