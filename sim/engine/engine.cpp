// See engine.h.
#include "sim/engine/engine.h"

#include "sim/engine/compiled.h"

namespace warpsim::engine {

// Compiling takes a millisecond or two, in which the interpreter makes some ten thousand issues.
static constexpr std::uint64_t kWorthCompiling = 16'384;

Engine::Engine(const Code& code, EngineChoice choice) : code_(code), choice_(choice) { restart(); }

void Engine::restart() {
  for (const bool whole : {false, true}) {
    codes_[whole ? 1 : 0].reset();
    entries_[whole ? 1 : 0] = nullptr;
    until_compiled_[whole ? 1 : 0] = can_compile() && choice_ == EngineChoice::Auto ? kWorthCompiling : 0;
    if (choice_ == EngineChoice::Compiled) compile(whole);
  }
}

void Engine::compile(bool whole) {
  codes_[whole ? 1 : 0] = compiled(code_, whole);
  if (codes_[whole ? 1 : 0]) entries_[whole ? 1 : 0] = codes_[whole ? 1 : 0]->entries();
}

void Engine::run(Frame& frame, bool whole) const { codes_[whole ? 1 : 0]->run(frame); }

}  // namespace warpsim::engine
