// Hosts for which no code is made; see engine.h.
#include "sim/engine/engine.h"

#include "sim/engine/compiled.h"

namespace warpsim::engine {

Engine::Engine(const Code& code, EngineChoice choice) : code_(code), choice_(choice) { restart(); }

void Engine::restart() { until_compiled_[0] = until_compiled_[1] = 0; }

void Engine::compile(bool) {}

void Engine::run(Frame&, bool) const {}

bool can_compile() { return false; }

}  // namespace warpsim::engine
