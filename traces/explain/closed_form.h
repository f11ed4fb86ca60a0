// What an expected value is of the inputs, where the case does not say it: numbers, or a rule without inputs.
//
// Shapes: tried is whether every expected element of the output is one element of an input (its own, a neighbour's, the
//         mirrored, a fixed one), or a sum, a product, a smallest, a largest, an and, or or xor of some: all, those of
//         its block or warp, those up to it or from it on, a window around it; or the sum of products of two inputs; or
//         the input in another order (a sort, a transpose). The simplest that fits all elements is taken, and nothing
//         where two of one kind fit with different inputs. What is said of the numbers is true, whatever the case's
//         author had in mind.
// Units:  elements. Outputs of more than 512 elements and inputs of more than 1,024 are left alone.
// Errors: none.
// Source: none.
#pragma once

#include <cstddef>
#include <optional>

#include "traces/explain/wrong_answer_parts.h"

namespace warpsim::wrong {

struct ClosedForm {
  Inputs from;
  Message value;  // "136 (the sum of input[0-15])"
};

// Of one element of what is expected; `computed_from` is what went into the value that is there instead.
std::optional<ClosedForm> closed_form_of(const Trace& trace, const Array& expected, std::size_t element,
                                         const Inputs& computed_from);
// Every element of every input of the run.
Inputs all_inputs(const Trace& trace);
// "input[3]", "input[0-7, 12]", "a[0], b[0]"
std::string names_of(const TraceHead& head, const Inputs& inputs);

}  // namespace warpsim::wrong
