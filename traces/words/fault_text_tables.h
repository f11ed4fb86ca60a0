// The tables of sentences behind fault_text.h, by what makes them.
//
// Shapes: {0}, {1} … stand for any text that is not empty, as short as what follows it allows; in Korean that text is
//         said in its turn. {이/가} … are particles, see korean.h. Of a table, and of the tables in the order in which
//         they stand here, the first sentence that fits counts: what fits much stands in the last.
// Errors: none.
// Source: the files that each table names.
#pragma once

#include <span>
#include <string_view>

namespace warpsim {

struct FaultSentence {
  std::string_view english, korean;
};

std::span<const FaultSentence> trap_sentences();    // what stops a run
std::span<const FaultSentence> check_sentences();   // what the checker, the linter and assertions find
std::span<const FaultSentence> advice_sentences();  // what could be done with less
std::span<const FaultSentence> answer_sentences();  // why an output is wrong
std::span<const FaultSentence> part_sentences();    // who, where, how often: what others are put together from

}  // namespace warpsim
