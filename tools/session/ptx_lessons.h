// Kernels of a PTX file as lessons: what it lacks comes from the file beside it, or from the command line.
//
// Shapes: NAME.launch beside NAME.ptx describes kernels and has their cases (isa/ptx/ptx_lesson.h). Without it
//         `--input x:f32[1000]=WHAT` describes a buffer and `--param n=VALUE` a number: buffers are the kernel's
//         parameters of 64 bits in their order, numbers the others in theirs. Of `--input x=@x.npy` type and
//         length are the file's. `--param 's={x, n:s32=3}'` describes a structure by value: addresses of buffers by
//         name, and numbers.
// Units:  none.
// Errors: through the Reply.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program/lesson.h"
#include "isa/ptx/ptx_reader.h"
#include "tools/session/session.h"

namespace warpsim::tools {

struct StructureMember {
  std::string name, type, value;  // of an address the name alone
};
// Of a word of --param; none: it is about a number.
std::optional<std::vector<StructureMember>> structure_members(std::string_view word);

// The file as PTX: its text if it is PTX, what nvcc makes of it if it is CUDA C++. `name` is what messages call it.
struct PtxText {
  std::string name, text;
};
bool is_ptx_source(std::string_view language);
std::optional<PtxText> read_as_ptx(Session& session, const std::string& path, std::string_view language,
                                   std::string text);
// The same of a file that has not been read; of one in another language none, and nothing is said.
std::optional<PtxText> ptx_of_file(Session& session, const std::string& path);

// The module, linked with those of --link. None after it has said why.
std::optional<ptx::ReadModule> read_ptx(Session& session, const PtxText& ptx);

// The kernel that the file has, or that --kernel names, as a program with the parameters that PTX says.
struct PtxEntry {
  std::string symbol;
  Program program;
};
std::optional<PtxEntry> load_ptx_entry(Session& session, const std::string& path, const PtxText& ptx);

std::vector<Lesson> load_ptx(Session& session, const std::string& path, const PtxText& ptx);

}  // namespace warpsim::tools
