// NumPy's files of one array: read, and written.
//
// Shapes: of any number of dimensions, in C order; one after the other here. Formats 1.0, 2.0 and 3.0 are read, 1.0 is
//         written. Types are NumPy's of 1 to 8 bytes, little endian; bool is u8. What NumPy has no type for (bf16, b32,
//         pairs of halves, masks) is written as unsigned integers of its size.
// Units:  elements.
// Errors: NpyError in words: what the file has, what is read.
// Source: numpy.org, "NEP 1: A simple file format for NumPy arrays", and numpy.lib.format.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "isa/table/array.h"

namespace warpsim::tools {

struct NpyError {
  std::string message;  // "is in Fortran order"
  std::string hint;
};

bool is_npy(std::string_view bytes);
std::variant<Array, NpyError> read_npy(std::string_view bytes);
std::string write_npy(const Array& array);
// As which type such a file holds elements of this one: f32 as f32, bf16 as u16.
Type npy_type(Type type);

}  // namespace warpsim::tools
