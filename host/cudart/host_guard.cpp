// See host_guard.h.
#include "host/cudart/host_guard.h"

#include <execinfo.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <span>

namespace warpsim::cudart {

// Of a list that only grows, which the handler reads.
struct GuardedPages {
  std::atomic<std::uint64_t> begin = 0, end = 0;  // both 0: none
  GuardedPages* next = nullptr;
};

namespace {

const std::uint64_t kPageBytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
constexpr std::size_t kMostWork = 256;   // the latest, that closes pages
constexpr std::size_t kMostRuns = 4096;  // of pages in one block: each is a mapping of the system's
constexpr std::size_t kMostNoted = 64;

// What the handler writes down; nothing of it allocates.
struct Noted {
  std::atomic<bool> is_whole = false;
  std::uint64_t address = 0;
  bool writes = false;
  const void* instruction = nullptr;
  std::array<void*, 24> stack{};
  int depth = 0;
};
std::array<Noted, kMostNoted> noted;
std::atomic<std::size_t> noted_count = 0;

std::atomic<GuardedPages*> guarded = nullptr;
struct sigaction programs_handler {};

#if defined(__x86_64__)
const void* instruction_of(const ucontext_t& at) {
  return reinterpret_cast<const void*>(at.uc_mcontext.gregs[REG_RIP]);
}
bool writes(const ucontext_t& at) { return (at.uc_mcontext.gregs[REG_ERR] & 2) != 0; }
#elif defined(__aarch64__)
const void* instruction_of(const ucontext_t& at) { return reinterpret_cast<const void*>(at.uc_mcontext.pc); }
bool writes(const ucontext_t&) { return false; }  // not said
#endif

void note(std::uint64_t address, const ucontext_t& at) {
  const std::size_t k = noted_count.fetch_add(1);
  if (k >= kMostNoted) return;
  Noted& one = noted[k];
  one.address = address;
  one.writes = writes(at);
  one.instruction = instruction_of(at);
  one.depth = ::backtrace(one.stack.data(), static_cast<int>(one.stack.size()));
  one.is_whole.store(true, std::memory_order_release);
}

void pass_on(int signal, siginfo_t* info, void* context) {
  if ((programs_handler.sa_flags & SA_SIGINFO) != 0) programs_handler.sa_sigaction(signal, info, context);
  else if (programs_handler.sa_handler != SIG_DFL && programs_handler.sa_handler != SIG_IGN)
    programs_handler.sa_handler(signal);
  else ::sigaction(signal, &programs_handler, nullptr);  // it comes again
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const std::uint64_t address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  bool is_ours = false;
  for (const GuardedPages* one = guarded.load(std::memory_order_acquire); one != nullptr && !is_ours; one = one->next)
    is_ours = address >= one->begin && address < one->end;
  if (!is_ours || info->si_code != SEGV_ACCERR) return pass_on(signal, info, context);
  ::mprotect(reinterpret_cast<void*>(address / kPageBytes * kPageBytes), kPageBytes, PROT_READ | PROT_WRITE);
  note(address, *static_cast<const ucontext_t*>(context));
  errno = error;
}

// Again where the program has set its own since.
void catch_faults() {
  struct sigaction now {};
  if (::sigaction(SIGSEGV, nullptr, &now) != 0 || ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &on_fault))
    return;
  std::array<void*, 1> first{};
  ::backtrace(first.data(), 1);  // it loads a library the first time
  struct sigaction ours {};
  ours.sa_sigaction = &on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&ours.sa_mask);
  programs_handler = now;
  ::sigaction(SIGSEGV, &ours, nullptr);
}

}  // namespace

struct HostGuard::Block : GuardedPages {
  std::uint64_t bytes = 0;
  std::vector<Page> pages;
};

HostGuard::Block& HostGuard::block_at(const DeviceMemory::Allocation& allocation) {
  Block*& block = blocks_[allocation.address];
  if (block != nullptr && block->bytes != allocation.size_bytes) block->begin = block->end = 0, block = nullptr;
  if (block != nullptr) return *block;
  for (GuardedPages* one = guarded.load(); one != nullptr && block == nullptr; one = one->next)
    if (one->end == 0) block = static_cast<Block*>(one);
  if (block == nullptr) {
    block = new Block;
    block->next = guarded.load();
    guarded.store(block, std::memory_order_release);
  }
  const std::uint64_t pages = (allocation.size_bytes + kPageBytes - 1) / kPageBytes;
  block->bytes = allocation.size_bytes;
  block->pages.assign(static_cast<std::size_t>(pages), Page::Open);
  block->begin = allocation.address;
  block->end = allocation.address + pages * kPageBytes;
  return *block;
}

void HostGuard::forget(std::uint64_t address) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) return;
  found->second->begin = found->second->end = 0;
  blocks_.erase(found);
}

void HostGuard::set(Block& block, const std::vector<Page>& pages) {
  std::size_t runs = 0;
  for (std::size_t k = 1; k < pages.size(); ++k) runs += pages[k] != pages[k - 1] ? 1 : 0;
  if (runs > kMostRuns) return set(block, std::vector<Page>(pages.size(), Page::Open));
  for (std::size_t k = 0, end = 0; k < pages.size(); k = end) {
    for (end = k + 1; end < pages.size() && pages[end] == pages[k] && block.pages[end] == block.pages[k];) ++end;
    if (pages[k] == block.pages[k]) continue;
    const int rights = pages[k] == Page::Open       ? PROT_READ | PROT_WRITE
                       : pages[k] == Page::ReadOnly ? PROT_READ
                                                    : PROT_NONE;
    ::mprotect(reinterpret_cast<void*>(block.begin + k * kPageBytes), (end - k) * kPageBytes, rights);
  }
  block.pages = pages;
}

void HostGuard::update(const DeviceMemory& memory, const std::deque<TouchingWork>& work) {
  const std::size_t first = work.size() > kMostWork ? work.size() - kMostWork : 0;
  memory.for_each([&](const DeviceMemory::Allocation& one) {
    if (!one.has_view || one.size_bytes == 0) return;
    std::vector<host::ByteRange> written, touched;
    for (std::size_t k = first; k < work.size(); ++k) {
      const host::ByteRange all{one.address, one.end()};
      work[k].touched.writes.for_each_in(all, [&](const host::ByteRange& range) { written.push_back(range); });
      work[k].touched.reads.for_each_in(all, [&](const host::ByteRange& range) { touched.push_back(range); });
    }
    if (written.empty() && touched.empty() && !blocks_.contains(one.address)) return;
    Block& block = block_at(one);
    touched.insert(touched.end(), written.begin(), written.end());
    std::vector<Page> pages(block.pages.size(), Page::Open);
    const auto close = [&](std::vector<host::ByteRange> ranges, Page as) {
      const host::ByteRanges whole(std::move(ranges));
      for (const host::ByteRange& range : whole.ranges()) {
        const std::uint64_t begin = range.begin - one.address, end = range.end - one.address;
        const bool is_small = pages.size() == 1;
        const std::uint64_t from = is_small ? 0 : (begin + kPageBytes - 1) / kPageBytes;
        const std::uint64_t to = is_small || end == block.bytes ? pages.size() : end / kPageBytes;
        for (std::uint64_t k = from; k < to; ++k) pages[static_cast<std::size_t>(k)] = as;
      }
    };
    close(std::move(touched), Page::ReadOnly);
    close(std::move(written), Page::Closed);
    if (pages == block.pages) return;
    catch_faults();
    set(block, pages);
  });
}

std::vector<HostGuard::Access> HostGuard::take_accesses() {
  std::vector<Access> accesses;
  const std::size_t count = std::min(noted_count.exchange(0), kMostNoted);
  for (Noted& one : std::span(noted).first(count)) {
    if (!one.is_whole.exchange(false, std::memory_order_acquire)) continue;
    accesses.push_back(
        {one.address, one.writes,
         host::CallStack::at_fault(one.instruction, std::span(one.stack).first(static_cast<std::size_t>(one.depth)))});
  }
  return accesses;
}

}  // namespace warpsim::cudart
