// See compiled.h.
#include "sim/engine/compiled.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <mutex>

#include "sim/code/lane_ops.h"
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

CompiledCode::CompiledCode(std::vector<DecodedInsn> insns, unsigned lanes, bool whole, const Program& program, Isa isa)
    : insns_(std::move(insns)), lanes_(lanes), whole_(whole) {
  try {
    Translator translator(insns_, lanes, whole, isa);
    translator.translate();
    const std::byte* const code = reinterpret_cast<const std::byte*>(translator.getCode());
    pages_ = std::make_unique<CodePages>(std::vector<std::byte>(code, code + translator.getSize()));
    entries_ = translator.entries();
    called_ = translator.called();
    left_ = translator.left();
    if (is_usable()) name_pieces(program);
  } catch (const Xbyak::Error&) {  // larger than code can be
    pages_.reset();
  }
}

void CompiledCode::name_pieces(const Program& program) const {
  const NameCode& name = namer();
  if (!name) return;
  for (std::size_t pc = 0, next = 0; pc < insns_.size(); pc = next) {
    for (next = pc + 1; next < entries_.size() && entries_[next] == 0;) ++next;
    if (entries_[pc] == 0) continue;
    const std::size_t end = next < insns_.size() ? entries_[next] : bytes();
    name(pages_->begin() + entries_[pc], end - entries_[pc],
         program.full_name() + ":" + program.line(static_cast<std::int32_t>(pc)) + (whole_ ? "" : ", some lanes"));
  }
}

void CompiledCode::run(Frame& frame) const {
  using Entry = void (*)(Frame*, const std::byte*);
  const std::byte* const code = pages_->begin();
  Entry entry;
  std::memcpy(&entry, &code, sizeof entry);
  entry(&frame, code + entries_[static_cast<std::size_t>(frame.pc)]);
}

bool CompiledCode::is_of(const std::vector<DecodedInsn>& insns, unsigned lanes, bool whole) const {
  return lanes_ == lanes && whole_ == whole && insns_ == insns;
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
std::shared_ptr<const CompiledCode> find(Cache& in, const Code& code, bool whole) {
  const auto found = std::find_if(in.entries.begin(), in.entries.end(),
                                  [&](const auto& one) { return one->is_of(code.insns, code.lanes, whole); });
  if (found == in.entries.end()) return nullptr;
  in.entries.splice(in.entries.begin(), in.entries, found);
  return *found;
}

}  // namespace

std::shared_ptr<const CompiledCode> known(const Code& code, bool whole) {
  Cache& the = cache();
  const std::lock_guard lock(the.mutex);
  return find(the, code, whole);
}

std::shared_ptr<const CompiledCode> compiled(const Code& code, const Program& program, bool whole) {
  const std::optional<Isa> isa = isa_of_host();
  if (!isa || code.width != 32) return nullptr;
  Cache& the = cache();
  const std::lock_guard lock(the.mutex);
  if (std::shared_ptr<const CompiledCode> old = find(the, code, whole)) return old;
  auto made = std::make_shared<const CompiledCode>(code.insns, code.lanes, whole, program, *isa);
  if (!made->is_usable()) return nullptr;
  the.entries.push_front(made);
  if (the.entries.size() > kMostCached) the.entries.pop_back();
  return made;
}

}  // namespace warpsim::engine
