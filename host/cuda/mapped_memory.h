// Device memory that a program puts together itself: addresses that it reserves, memory that it creates, and which of
// the one lies at which of the other.
//
// Shapes: memory is a file without a name, mapped wherever it is asked for; neighbours that may be accessed are one
// piece
//         of device memory. What the host reads there is not noticed.
// Units:  bytes, in multiples of kGranularity.
// Errors: CUresult.
// Source: CUDA Driver API 13.0, "Virtual Memory Management".
#pragma once

#include <cstdint>
#include <map>

#include "host/cuda/call.h"

namespace warpsim::driver {

class MappedMemory {
 public:
  static constexpr std::size_t kGranularity = std::size_t{2} << 20;  // as an H200 has it
  static MappedMemory& get();

  CUresult reserve(std::size_t size, std::size_t alignment, CUdeviceptr& at);
  CUresult release_addresses(CUdeviceptr at, std::size_t size);
  CUresult create(cudart::Runtime& runtime, std::size_t size, const CUmemAllocationProp& properties,
                  std::uint64_t& handle);
  CUresult release(std::uint64_t handle);  // it goes when nothing is mapped to it any more
  CUresult map(CUdeviceptr at, std::size_t size, std::size_t offset, std::uint64_t handle);
  CUresult unmap(cudart::Runtime& runtime, CUdeviceptr at, std::size_t size);
  CUresult set_access(cudart::Runtime& runtime, CUdeviceptr at, std::size_t size, bool may);
  // Null where nothing is mapped.
  const bool* access(CUdeviceptr at) const;
  CUresult handle_at(CUdeviceptr at, std::uint64_t& handle);
  const CUmemAllocationProp* properties(std::uint64_t handle) const;  // null: there is none

 private:
  struct Memory {
    int file = -1;
    std::size_t size = 0;
    CUmemAllocationProp properties{};
    int users = 1;  // the handle, and what is mapped to it
    int handles = 1;
  };
  struct Mapping {
    std::size_t size = 0;
    std::uint64_t handle = 0;
    bool may_access = false;
  };
  using Mappings = std::map<CUdeviceptr, Mapping>;

  bool is_reserved(CUdeviceptr at, std::size_t size) const;
  // Those that lie in the range, all of which they cover; none if they do not.
  std::pair<Mappings::iterator, Mappings::iterator> covering(CUdeviceptr at, std::size_t size);
  void drop_user(std::uint64_t handle);
  void show(cudart::Runtime& runtime);

  std::map<CUdeviceptr, std::size_t> reserved_;
  std::map<std::uint64_t, Memory> memories_;
  Mappings mappings_;
  std::map<CUdeviceptr, std::size_t> shown_;  // pieces of device memory
  std::uint64_t next_handle_ = 1;
};

}  // namespace warpsim::driver
