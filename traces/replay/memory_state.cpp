// Replaying a trace's stores and atomics.
#include "traces/replay/memory_state.h"

#include <algorithm>

namespace warpsim {
namespace {

void put(std::vector<std::uint8_t>& data, std::size_t at, std::uint64_t bits, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) data[at + k] = static_cast<std::uint8_t>(bits >> (8 * k));
}

template <class Bytes>
void fill(Bytes& bytes_of, const Array& array, const std::vector<std::uint64_t>& undefined) {
  const std::size_t size = static_cast<std::size_t>(bytes(array.type));
  for (std::size_t k = 0; k < array.bits.size() && (k + 1) * size <= bytes_of.data.size(); ++k) {
    put(bytes_of.data, k * size, array.bits[k], size);
    const bool is_undefined = std::binary_search(undefined.begin(), undefined.end(), k);
    for (std::size_t b = 0; b < size; ++b) bytes_of.undefined[k * size + b] = is_undefined;
  }
}

// The element that begins at a byte; false if it is undefined.
template <class Bytes>
bool get(const Bytes& bytes_of, std::size_t at, std::size_t size, std::uint64_t& bits) {
  bool is_defined = true;
  bits = 0;
  for (std::size_t b = 0; b < size; ++b) {
    bits |= std::uint64_t{bytes_of.data[at + b]} << (8 * b);
    is_defined = is_defined && !bytes_of.undefined[at + b];
  }
  return is_defined;
}

template <class Bytes>
TraceMemoryState::Elements elements(const Bytes& bytes_of, Type type) {
  TraceMemoryState::Elements out{{type, {}}, {}};
  const std::size_t size = static_cast<std::size_t>(bytes(type));
  for (std::size_t at = 0; at + size <= bytes_of.data.size(); at += size)
    if (!get(bytes_of, at, size, out.values.bits.emplace_back())) out.undefined.push_back(at / size);
  return out;
}

template <class Bytes>
TemplateValue element_of(const Bytes& bytes_of, Type type, std::int64_t index) {
  const std::size_t size = static_cast<std::size_t>(bytes(type));
  if (index < 0 || static_cast<std::uint64_t>(index) >= bytes_of.data.size() / size) return {};
  std::uint64_t bits = 0;
  const bool is_defined = get(bytes_of, static_cast<std::size_t>(index) * size, size, bits);
  return is_defined ? TemplateValue::of(type, bits) : TemplateValue::undefined();
}

}  // namespace

TraceMemoryState::TraceMemoryState(const TraceHead& head) : params_(head.params), shared_arrays_(head.shared) {
  // Shared arrays follow one another, each aligned to its elements, as in the machine.
  std::uint64_t end = 0;
  for (const TraceShared& array : shared_arrays_) {
    const std::uint64_t size = static_cast<std::uint64_t>(bytes(array.type));
    shared_bases_.push_back(aligned(end, size));
    end = shared_bases_.back() + size * array.length;
  }
  inputs_.resize(params_.size());
  const auto find = [this](const std::string& name) {
    std::size_t k = 0;
    while (k < params_.size() && params_[k].name != name) ++k;
    return k;
  };
  for (const auto& [name, array] : head.inputs)
    if (const std::size_t k = find(name); k < params_.size()) inputs_[k] = array;
  if (!head.start) return;
  for (const auto& [name, array] : head.start->buffers) {
    const std::size_t k = find(name);
    if (k == params_.size()) continue;
    std::vector<std::uint64_t> undefined;
    for (const UndefinedElements& one : head.start->undefined)
      if (one.name == name) undefined = one.index;
    fill(buffers_.emplace(k, initial_buffer(k)).first->second, array, undefined);
  }
  for (const TraceStart::Shared& one : head.start->shared) {
    const std::size_t object = static_cast<std::size_t>(one.object);
    fill(shared_.emplace(SharedKey{one.block, object}, initial_shared(object)).first->second, one.values,
         one.undefined);
  }
}

TraceMemoryState::Bytes TraceMemoryState::initial_buffer(std::size_t param) const {
  Bytes out;
  out.data.resize(params_[param].length * static_cast<std::size_t>(bytes(params_[param].type)));
  out.undefined.resize(out.data.size());
  fill(out, inputs_[param], {});
  return out;
}

TraceMemoryState::Bytes TraceMemoryState::initial_shared(std::size_t object) const {
  Bytes out;
  out.data.resize(shared_arrays_[object].length * static_cast<std::size_t>(bytes(shared_arrays_[object].type)));
  out.undefined.assign(out.data.size(), true);
  return out;
}

// The bytes of an object that an event writes, and where they begin in the address space of the access.
TraceMemoryState::Bytes& TraceMemoryState::touch(const TraceEvent& event, std::size_t object, std::uint64_t& base) {
  if (event.memory->is_shared()) {
    base = shared_bases_[object];
    const SharedKey key{event.block, object};
    const auto found = shared_.find(key);
    return found != shared_.end() ? found->second : shared_.emplace(key, initial_shared(object)).first->second;
  }
  base = params_[object].address;
  const auto found = buffers_.find(object);
  return found != buffers_.end() ? found->second : buffers_.emplace(object, initial_buffer(object)).first->second;
}

void TraceMemoryState::apply(const TraceEvent& event) {
  if (!event.memory || !event.memory->writes()) return;
  const TraceMemory& memory = *event.memory;
  const std::size_t size = memory.bytes;
  // Where several store to one element, the last wins; atomics act in this order.
  memory.for_each_turn([&](unsigned lane, std::size_t which) {
    if (memory.object[which] < 0) return;
    std::uint64_t base = 0;
    Bytes& target = touch(event, static_cast<std::size_t>(memory.object[which]), base);
    for (unsigned e = 0; e < memory.elements; ++e) {
      const std::uint64_t at = memory.address[which] + e * size - base;
      if (at > target.data.size() || target.data.size() - at < size) continue;
      put(target.data, at, memory.left(which * memory.elements + e), size);
      for (std::size_t b = 0; b < size; ++b) target.undefined[at + b] = has_lane(memory.left_undefined(e), lane);
    }
  });
}

TraceMemoryState::Elements TraceMemoryState::buffer(std::size_t param) const {
  const auto found = buffers_.find(param);
  return elements(found != buffers_.end() ? found->second : initial_buffer(param), params_[param].type);
}

TraceMemoryState::Elements TraceMemoryState::shared(std::uint32_t block, std::size_t object) const {
  const auto found = shared_.find({block, object});
  return elements(found != shared_.end() ? found->second : initial_shared(object), shared_arrays_[object].type);
}

TemplateValue TraceMemoryState::element(std::string_view name, std::int64_t index, std::uint32_t block) const {
  for (std::size_t k = 0; k < params_.size(); ++k) {
    if (params_[k].name != name || !params_[k].is_buffer()) continue;
    const auto found = buffers_.find(k);
    if (found != buffers_.end()) return element_of(found->second, params_[k].type, index);
    if (index < 0 || static_cast<std::uint64_t>(index) >= params_[k].length) return {};
    const std::vector<std::uint64_t>& input = inputs_[k].bits;
    return TemplateValue::of(params_[k].type, input.empty() ? 0 : input[static_cast<std::size_t>(index)]);
  }
  for (std::size_t k = 0; k < shared_arrays_.size(); ++k) {
    if (shared_arrays_[k].name != name) continue;
    const auto found = shared_.find({block, k});
    return found != shared_.end() ? element_of(found->second, shared_arrays_[k].type, index) : TemplateValue{};
  }
  return {};
}

std::vector<std::size_t> TraceMemoryState::written_buffers() const {
  std::vector<std::size_t> out;
  for (const auto& [param, ignored] : buffers_) out.push_back(param);
  return out;
}

std::vector<std::pair<std::uint32_t, std::size_t>> TraceMemoryState::written_shared() const {
  std::vector<SharedKey> out;
  for (const auto& [key, ignored] : shared_) out.push_back(key);
  return out;
}

}  // namespace warpsim
