// Korean particles: 이 or 가, 을 or 를, by the last sound of what stands before.
//
// Shapes: a text is written with markers, `{0}{이/가}` or `{%x}{을/를}`, and resolved when its values
//         stand in it. Markers are 이/가, 을/를, 은/는, 와/과, 으로/로, 이나/나, 이라/라, 이면/면, 이고/고, in either
//         order of their halves.
// Units:  UTF-8.
// Errors: none: braces that hold no marker stay as they are.
// Source: the Korean Standard Language Regulations' choice by final consonant; 으로/로 takes 로 after ㄹ
//         too. Digits are read as Sino-Korean numbers: 3 삼, 10 십, 1.5 일 점 오. A remark in
//         parentheses after a blank is passed over, as the Korean edition of the GPU Puzzles does:
//         "current_val=7 (전역 max)과".
#pragma once

#include <string>
#include <string_view>

namespace warpsim {

// Whether `text` is a marker without its braces: "이/가".
bool is_particle_marker(std::string_view text);
// The half of `marker` that follows `before`.
std::string_view particle(std::string_view before, std::string_view marker);
// All markers of a text resolved, from the left.
std::string with_particles(std::string_view text);

}  // namespace warpsim
