// What the operators of template expressions compute.
//
// Shapes: two floats of one type compute as the simulator does in that type, rounded to the nearest; of two types, or
//         of one and an integer, in the wider. Integers compute as numbers: a result of up to 64 bits is exact
//         whatever its operands' types, one beyond wraps. Numbers of any two types compare by what they are worth. A
//         literal takes the type of the other operand: 0.1 beside an f32 is that f32, 0xffffffff beside an s32 is -1.
// Units:  operators are an Expression's letters (traces/template/phase_expression.h).
// Errors: what has no value is Missing and says why; undefined operands give an undefined result.
// Source: traces/FORMAT.md, "Phases and drawings".
#pragma once

#include "traces/template/phase_expression.h"

namespace warpsim {

TemplateValue combined(char op, const TemplateValue& x, const TemplateValue& y);
TemplateValue negated(const TemplateValue& value);
// Every bit of the value's own type; of a mask, every lane.
TemplateValue inverted(const TemplateValue& value, unsigned lanes);

bool is_comparison(char op);
// Whether such an operator can have a value for such types at all; of a pair of floats only == and != can.
bool can_combine(char op, Type x, Type y);
// What the result is then: Pred, a float's type, or S64 for every integer.
Type combined_type(char op, Type x, Type y);

std::int64_t as_integer(const TemplateValue& value);

}  // namespace warpsim
