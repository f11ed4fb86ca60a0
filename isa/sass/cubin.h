// A cubin, as ptxas writes it: an ELF file with the machine code of kernels for one kind of GPU.
//
// Shapes: a CodeSection is a kernel or a function with the subroutines that ptxas put behind it; addresses count from
//         its begin. Lines of PTX count in the PTX text that ptxas read, which `-lineinfo` keeps in the file; those of
//         CUDA in `files`. Lines and files count from 1; 0 is none.
// Units:  bytes.
// Errors: CubinError: a sentence. What is wrong with the lines alone is a note: the code is there without.
//         Nothing outside of the given bytes is read.
// Source: the ELF specification; NVIDIA's numbers as LLVM (llvm/BinaryFormat/ELF.h) and binutils have them; names and
//         contents of the sections as CUDA's binary utilities print them of our own kernels.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "isa/sass/bytes.h"
#include "isa/sass/word.h"

namespace warpsim::sass {

struct CudaLine {
  std::uint32_t file = 0, line = 0;
};

struct CodeWord {
  Word word;
  std::uint32_t ptx_line = 0;
  CudaLine cuda;     // of a function that was inlined the line that called it, outermost
  CudaLine inlined;  // then the line within it
};

struct CodeLabel {
  std::uint64_t address = 0;
  std::string name;
};

// Where the address of a variable belongs; "": of something that is no variable.
struct CodeReference {
  std::uint64_t at = 0;
  std::string variable;
  std::int64_t more = 0;
};
// … half of it into an instruction, as the linker of -rdc=true leaves it.
struct CodeAddress {
  std::uint64_t at = 0;  // of the instruction
  std::string variable;
  std::int64_t more = 0;
  bool is_upper = false;
  static constexpr unsigned kFirstBit = 32, kBits = 32;  // of the word
};

struct CodeSection {
  std::string name;  // as the linker has it, mangled
  bool is_entry = false;
  unsigned registers = 0;          // of a thread
  std::uint32_t shared_bytes = 0;  // of a block, with those of the system, which are the first; 0: it declares none
  std::vector<CodeWord> words;
  std::vector<CodeAddress> addresses;
  std::vector<CodeLabel> labels;  // functions in it, in the order of their addresses
};

// Constants: bank 2 of one kernel, 3 of what the program calls constant, 4 of addresses.
struct CodeBank {
  std::uint8_t number = 0;
  std::string kernel;  // "": of all
  std::vector<std::byte> bytes;
  std::vector<CodeReference> references;
};
// A variable in a bank.
struct CodeConstant {
  std::string name;
  std::uint8_t bank = 0;
  std::uint64_t at = 0, size = 0;
};

struct Cubin {
  unsigned target = 0;   // 90
  std::string compiler;  // "Cuda compilation tools, release 13.0, V13.0.88"; "" if the file does not say
  std::vector<CodeSection> sections;
  std::vector<CodeBank> banks;
  std::vector<CodeConstant> constants;
  std::vector<std::string> files;
  std::vector<std::string> ptx;  // its lines; empty without -lineinfo
  std::vector<std::string> notes;
};

struct CubinError {
  std::string message;
};

bool is_elf(Bytes bytes);
// Whether it is machine code for a GPU, by its header.
bool is_cubin(Bytes bytes);
std::variant<Cubin, CubinError> read_cubin(Bytes bytes);

}  // namespace warpsim::sass
