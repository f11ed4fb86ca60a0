// A kernel of PTX with clock reads: the clock and the multiprocessor of every thread, from its begin to its end.
//
// Shapes: what is added are three parameters behind the others, `clock_begin`, `clock_end` and `clock_sm`: an u32 a
//         thread, the threads of a block filled up to whole warps.
// Units:  cycles of the thread's multiprocessor.
// Errors: "" if the text has no such kernel, or one that ends in more ways than by `ret` alone.
// Source: PTX ISA 9.0.
#pragma once

#include <string>
#include <string_view>

namespace warpsim {

std::string clocked_ptx(std::string_view ptx, std::string_view entry);
// The kernel's description (isa/ptx/ptx_lesson.h) with those parameters, for so many threads.
std::string clocked_description(std::string_view description, std::string_view entry, std::size_t threads);

}  // namespace warpsim
