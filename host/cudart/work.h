// What a stream does, one piece after another: at once, or later as a node of a graph.
//
// Shapes: a copy and a fill have rows in layers; one of one dimension has one row. A kernel's parameters are copies of
//         what the caller passed.
// Units:  bytes.
// Errors: none here; Runtime::run() has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "host/cudart/cuda_types.h"

namespace warpsim::cudart {

struct KernelWork {
  Function* function = nullptr;
  dim3 grid, block;
  std::uint32_t shared_bytes = 0;
  bool is_cooperative = false;
  std::vector<std::vector<std::byte>> values;
};

// Of one side of a copy, or of what is filled.
struct Rows {
  std::uint64_t address = 0;
  std::size_t pitch = 0, layer = 0;  // from a row to the next, from a layer to the next
};
struct Extent {
  std::size_t width = 0, height = 1, depth = 1;  // bytes, rows, layers
  bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
  // From the first byte to behind the last.
  std::size_t reach(const Rows& rows) const {
    return is_empty() ? 0 : (depth - 1) * rows.layer + (height - 1) * rows.pitch + width;
  }
};

struct CopyWork {
  Rows to, from;
  Extent extent;
  cudaMemcpyKind kind = cudaMemcpyDefault;
  bool is_async = false;  // of a call that says so
};

struct FillWork {
  Rows to;
  Extent extent;
  std::uint32_t value = 0, element_bytes = 1;
  bool is_async = false;
};

struct HostWork {
  cudaHostFn_t function = nullptr;
  void* argument = nullptr;
  cudaStreamCallback_t callback = nullptr;  // in place of the function, of the stream
  cudaStream_t stream = nullptr;
};

struct EventWork {
  Event* event = nullptr;
  bool records = true;  // else it waits
};

struct GraphWork {
  std::shared_ptr<Graph> graph;
};

struct AllocateWork {
  std::uint64_t address = 0;
  std::size_t size = 0;
};
struct FreeWork {
  std::uint64_t address = 0;
  bool frees = false;  // else it is a node of a graph, whose memory stays
};
struct NoWork {};

using Work =
    std::variant<KernelWork, CopyWork, FillWork, HostWork, EventWork, GraphWork, AllocateWork, FreeWork, NoWork>;

}  // namespace warpsim::cudart
