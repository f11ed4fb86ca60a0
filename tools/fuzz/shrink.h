// A program that differs, made small: lines, parameters, threads and values that the difference does not need go.
//
// Shapes: the judge says of many candidates at once what differs, "" for one that does not or that proves nothing
//         because it is no valid program any more. A smaller program must differ in the same way as the first one: in a
//         value, or in being refused, or in what stops.
// Errors: none; what cannot be made smaller is returned unchanged.
// Source: Zeller, Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (IEEE TSE 28, 2002).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tools/fuzz/random/random_program.h"

namespace warpsim::fuzz {

using Judge = std::function<std::vector<std::string>(std::span<const reference::RandomProgram>)>;

// `difference` is what the judge says of `source`.
reference::RandomProgram shrink(const reference::RandomProgram& source, const std::string& difference,
                                const Judge& judge);

}  // namespace warpsim::fuzz
