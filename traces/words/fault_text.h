// What a trap or a finding says, in each language.
//
// Shapes: a message of this run is filled into its row. A file has its messages in English: such a Text is first read
//         back, into the row and the parts that give it; a text that no row gives stays as it is.
// Units:  none.
// Errors: none.
// Source: isa/text/messages.def.
#pragma once

#include <string>
#include <string_view>

#include "isa/text/message.h"
#include "traces/words/language.h"

namespace warpsim {

std::string fault_text(const Message& message, Language language);

// The message whose English this is: the first row that fits, with its parts read in their turn. english() of it is the
// same text.
Message message_from(std::string_view english);

}  // namespace warpsim
