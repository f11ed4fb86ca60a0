// See engine.h.
#include "sim/engine/engine.h"

#include <utility>

#include "sim/engine/compiled.h"

namespace warpsim::engine {

// Compiling takes a millisecond or two, in which the interpreter makes some ten thousand issues.
static constexpr std::uint64_t kWorthCompiling = 16'384;

Engine::Engine(const Code& code, EngineChoice choice) : code_(code), choice_(choice) { restart(); }

void Engine::restart() {
  const bool may_compile = can_compile() && choice_ != EngineChoice::Interpreter;
  for (const bool whole : {false, true}) {
    use(whole, may_compile ? known(code_, whole) : nullptr);
    until_compiled_[whole ? 1 : 0] = may_compile && !codes_[whole ? 1 : 0] ? kWorthCompiling : 0;
    if (may_compile && choice_ == EngineChoice::Compiled) compile(whole);
  }
}

void Engine::compile(bool whole) { use(whole, compiled(code_, whole)); }

void Engine::use(bool whole, std::shared_ptr<const CompiledCode> code) {
  codes_[whole ? 1 : 0] = std::move(code);
  entries_[whole ? 1 : 0] = codes_[whole ? 1 : 0] ? codes_[whole ? 1 : 0]->entries() : nullptr;
}

void Engine::run(Frame& frame, bool whole) const { codes_[whole ? 1 : 0]->run(frame); }

}  // namespace warpsim::engine
