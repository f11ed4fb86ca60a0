// The fenced code blocks of a Markdown text that ask for a diagram: ```warp-sim NAME lanes=8.
//
// Shapes: a fence in another fence is text of that. One in a list item is indented; one in a quotation is not found.
// Units:  lines from 1, bytes of the text.
// Errors: none: a fence without an end goes on to the end of the text, as in Markdown.
// Source: CommonMark 0.31, 4.5 "Fenced code blocks".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim::tools {

struct Fence {
  std::size_t begin = 0, end = 0;  // of the whole, both lines of marks and the last line's end included
  std::size_t line = 0;            // of the first one
  std::string indent;              // blanks before it
  std::string info;                // what stands behind `warp-sim`
  std::string body;                // the lines between, without that indent
};
std::vector<Fence> diagram_fences(std::string_view markdown);

}  // namespace warpsim::tools
