// Hosts for which no code is made; see engine.h.
#include "sim/engine/engine.h"

#include "sim/engine/compiled.h"

namespace warpsim::engine {

void Engine::find_code() { until_compiled_[0] = until_compiled_[1] = 0; }

void Engine::compile(bool) {}
void Engine::find_loops() {}
bool Engine::run_loop(Frame&, const RegisterLoop&, unsigned) { return false; }

void Engine::run(Frame&, bool) const {}
const std::byte* Engine::code_at(std::int32_t, bool) const { return nullptr; }

std::array<std::uint64_t, 2> Engine::interpreted() const { return {}; }

void Engine::report(const std::function<void(std::string_view)>& line) const {
  line("no machine code: this build makes none");
}

std::optional<Isa> isa_of_host() { return std::nullopt; }
void name_code_by(NameCode) {}

}  // namespace warpsim::engine
