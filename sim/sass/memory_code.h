// Addresses of accesses, and the memory behind them.
//
// Shapes: an access takes its lanes' addresses first; a generic one goes to shared, local or global memory by its
//         address (isa/kernels/windows.h).
// Units:  bytes.
// Errors: an address where nothing is, or that is not a multiple of its size, is a fault.
#pragma once

#include "sim/sass/code_builder.h"

namespace warpsim::sass {

enum class Space : std::uint8_t { Global, Shared, Local, Generic };

// Of an address's operand: `a` the register's row, `b` the uniform register's, `offset`; type2 U64: 64 bits of them.
bool take_address(CodeBuilder& b, const Operand& address);
// Into step.address, of the lanes that act; false: a fault.
void compute_addresses(Exec& x, const CodeOp& op);
// Where the bytes of a lane are; null: a fault. Of local memory: words are apart, and it is not here.
std::byte* bytes_at(Exec& x, std::uint64_t address, unsigned size, Space space, bool stores);
// Says of the step what it accesses, of all lanes what the first does.
void describe_access(Exec& x, Space space, unsigned size, bool stores);
// The space that a generic address is in, and the offset in it.
Space placed(std::uint64_t& address);
// The word of local memory that a lane has there.
std::uint32_t* local_word(Exec& x, std::uint64_t address, unsigned lane);

}  // namespace warpsim::sass
