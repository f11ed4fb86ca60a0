// Which instructions are watched, and when that changes; see undefined_watch.h.
#include "sim/check/undefined_watch.h"

#include "sim/machine/machine.h"

namespace warpsim {

void UndefinedWatch::on_start(const Machine& machine) {
  program_ = &machine.program();
  lanes_.on_start(machine);
  watch_ = {machine.lanes(), !machine.arguments().undefined.empty(), true};
  watched_ = what_to_watch(*program_, watch_);
  lanes_.take_as_written(watched_.registers);
  for (const std::string& name : machine.arguments().undefined) {
    const std::int32_t param = program_->find_param(name);
    const std::uint64_t size =
        static_cast<std::uint64_t>(bytes(program_->params[static_cast<std::size_t>(param)].type));
    lanes_.forget_global(machine.buffer_address(param), machine.buffer(name).bits.size() * size);
  }
}

// A shuffle whose source takes no part: from now on every shuffle is watched.
void UndefinedWatch::on_exchange(const ExchangeEvent& event) {
  if (event.undefined != 0 && watch_.finds_sources) {
    watch_.finds_sources = false;
    watched_ = what_to_watch(*program_, watch_);
  }
  lanes_.on_exchange(event);
}

}  // namespace warpsim
