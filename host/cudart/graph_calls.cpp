// The interface: graphs that are built, made executable and launched.
#include <algorithm>
#include <cstring>
#include <utility>

#include "host/cudart/call.h"
#include "host/cudart/node_params.h"

namespace warpsim::cudart {
namespace {

using Nodes = GraphNode* const*;
constexpr int kGraphUsedHigh = 1, kGraphReservedHigh = 3;
constexpr unsigned long long kInstantiateUpload = 2, kAllInstantiateFlags = 15;

template <class F>
cudaError_t with_graph(cudaGraph_t graph, F&& f) {
  return call(
      [&](Runtime& runtime) { return runtime.find(graph) == nullptr ? cudaErrorInvalidValue : f(runtime, *graph); });
}
template <class F>
cudaError_t with_exec(cudaGraphExec_t graph, F&& f) {
  return call([&](Runtime& runtime) {
    return runtime.executables().contains(graph) ? f(runtime, *graph) : cudaErrorInvalidValue;
  });
}
// A node that is in some graph that lives.
template <class F>
cudaError_t with_node(cudaGraphNode_t node, F&& f) {
  return call([&](Runtime& runtime) { return runtime.is_live(node) ? f(runtime, *node) : cudaErrorInvalidValue; });
}

// Fills an array of which the caller says the size, or the size alone.
cudaError_t list(const std::vector<GraphNode*>& nodes, cudaGraphNode_t* to, std::size_t* count) {
  if (count == nullptr) return cudaErrorInvalidValue;
  if (to == nullptr) return *count = nodes.size(), cudaSuccess;
  for (std::size_t k = 0; k < *count; ++k) to[k] = k < nodes.size() ? nodes[k] : nullptr;
  *count = std::min(*count, nodes.size());
  return cudaSuccess;
}

std::vector<GraphNode*> all_of(const Graph& graph) {
  std::vector<GraphNode*> nodes;
  for (const auto& node : graph.nodes) nodes.push_back(node.get());
  return nodes;
}

template <class P>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, Nodes behind, std::size_t count, P params) {
  return with_graph(graph, [&](Runtime& runtime, Graph& of) {
    if (node == nullptr || (behind == nullptr && count != 0)) return cudaErrorInvalidValue;
    for (std::size_t k = 0; k < count; ++k)
      if (!runtime.is_live(behind[k]) || behind[k]->graph != &of) return cudaErrorInvalidValue;
    Work work;
    const cudaError_t error = work_of(runtime, params, work);
    return error != cudaSuccess ? error : give(node, of.add(std::move(work), {behind, behind + count}));
  });
}

template <class P>
cudaError_t set(cudaGraphNode_t node, P params) {
  return with_node(node, [&](Runtime& runtime, GraphNode& of) {
    Work work;
    const cudaError_t error = work_of(runtime, params, work);
    if (error != cudaSuccess) return error;
    if (type_of(work) != type_of(of.work)) return cudaErrorInvalidValue;
    return of.work = std::move(work), cudaSuccess;
  });
}

template <class P>
cudaError_t set(cudaGraphExec_t graph, cudaGraphNode_t node, P params) {
  return with_exec(graph, [&](Runtime& runtime, GraphExec& of) {
    GraphExec::Step* const step = of.find(node);
    Work work;
    const cudaError_t error = step == nullptr ? cudaErrorInvalidValue : work_of(runtime, params, work);
    if (error != cudaSuccess) return error;
    if (type_of(work) != type_of(step->work)) return cudaErrorInvalidValue;
    return step->work = std::move(work), cudaSuccess;
  });
}

cudaError_t event_of(cudaGraphNode_t node, cudaEvent_t* event, bool records) {
  return with_node(node, [&](Runtime&, GraphNode& of) {
    const auto* const work = std::get_if<EventWork>(&of.work);
    return work == nullptr || work->records != records ? cudaErrorInvalidValue : give(event, work->event);
  });
}

}  // namespace

extern "C" {

// ---- graphs and their nodes
CUDART(cudaGraphCreate)(cudaGraph_t* graph, unsigned flags) {
  return call([&](Runtime& runtime) {
    return graph == nullptr || flags != 0 ? cudaErrorInvalidValue
                                          : give(graph, runtime.keep(std::make_shared<Graph>()));
  });
}
CUDART(cudaGraphDestroy)(cudaGraph_t graph) {
  return with_graph(graph, [](Runtime& runtime, Graph& of) { return runtime.drop(of), cudaSuccess; });
}
CUDART(cudaGraphClone)(cudaGraph_t* clone, cudaGraph_t graph) {
  return with_graph(graph, [clone](Runtime& runtime, Graph& of) {
    if (clone == nullptr) return cudaErrorInvalidValue;
    return of.has_memory() ? cudaErrorNotSupported : give(clone, runtime.keep(of.clone()));
  });
}
CUDART(cudaGraphNodeFindInClone)(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
  return with_graph(clone, [&](Runtime&, Graph& of) {
    for (const auto& one : of.nodes)
      if (one->original == original) return give(node, one.get());
    return cudaErrorInvalidValue;
  });
}
CUDART(cudaGraphAddKernelNode)
(cudaGraphNode_t* node, cudaGraph_t graph, Nodes behind, std::size_t count, const cudaKernelNodeParams* params) {
  return add(node, graph, behind, count, params);
}
CUDART(cudaGraphAddMemcpyNode)
(cudaGraphNode_t* node, cudaGraph_t graph, Nodes behind, std::size_t count, const cudaMemcpy3DParms* params) {
  return add(node, graph, behind, count, params);
}
CUDART(cudaGraphAddMemcpyNode1D)
(cudaGraphNode_t* node, cudaGraph_t graph, Nodes behind, std::size_t count, void* to, const void* from,
 std::size_t size, cudaMemcpyKind kind) {
  return add<const CopyWork&>(node, graph, behind, count, copy_of(to, from, size, kind));
}
CUDART(cudaGraphAddMemsetNode)
(cudaGraphNode_t* node, cudaGraph_t graph, Nodes behind, std::size_t count, const cudaMemsetParams* params) {
  return add(node, graph, behind, count, params);
}
CUDART(cudaGraphAddHostNode)
(cudaGraphNode_t* node, cudaGraph_t graph, Nodes behind, std::size_t count, const cudaHostNodeParams* params) {
  return add(node, graph, behind, count, params);
}
CUDART(cudaGraphAddChildGraphNode)
(cudaGraphNode_t* node, cudaGraph_t graph, Nodes behind, std::size_t count, cudaGraph_t child) {
  return add(node, graph, behind, count, child);
}
CUDART(cudaGraphAddEmptyNode)(cudaGraphNode_t* node, cudaGraph_t graph, Nodes behind, std::size_t count) {
  return add(node, graph, behind, count, NoWork{});
}
CUDART(cudaGraphAddEventRecordNode)
(cudaGraphNode_t* node, cudaGraph_t graph, Nodes behind, std::size_t count, cudaEvent_t event) {
  return add(node, graph, behind, count, EventWork{event, true});
}
CUDART(cudaGraphAddEventWaitNode)
(cudaGraphNode_t* node, cudaGraph_t graph, Nodes behind, std::size_t count, cudaEvent_t event) {
  return add(node, graph, behind, count, EventWork{event, false});
}
CUDART(cudaGraphAddMemAllocNode)
(cudaGraphNode_t* node, cudaGraph_t graph, Nodes behind, std::size_t count, cudaMemAllocNodeParams* params) {
  return add(node, graph, behind, count, params);
}
CUDART(cudaGraphAddMemFreeNode)(cudaGraphNode_t* node, cudaGraph_t graph, Nodes behind, std::size_t count, void* at) {
  return add(node, graph, behind, count, FreeWork{address_of(at)});
}
CUDART(cudaGraphAddNode)
(cudaGraphNode_t* node, cudaGraph_t graph, Nodes behind, const cudaGraphEdgeData*, std::size_t count,
 cudaGraphNodeParams* params) {
  return add(node, graph, behind, count, params);
}
CUDART(cudaGraphDestroyNode)(cudaGraphNode_t node) {
  return with_node(node, [](Runtime&, GraphNode& of) { return of.graph->remove(&of), cudaSuccess; });
}

// ---- edges
CUDART(cudaGraphAddDependencies)(cudaGraph_t graph, Nodes from, Nodes to, const cudaGraphEdgeData*, std::size_t count) {
  return with_graph(graph, [&](Runtime& runtime, Graph&) {
    for (std::size_t k = 0; k < count; ++k) {
      if (!runtime.is_live(from[k]) || !runtime.is_live(to[k])) return cudaErrorInvalidValue;
      to[k]->behind.push_back(from[k]);
    }
    return cudaSuccess;
  });
}
CUDART(cudaGraphRemoveDependencies)
(cudaGraph_t graph, Nodes from, Nodes to, const cudaGraphEdgeData*, std::size_t count) {
  return with_graph(graph, [&](Runtime& runtime, Graph&) {
    for (std::size_t k = 0; k < count; ++k)
      if (!runtime.is_live(to[k]) || std::erase(to[k]->behind, from[k]) == 0) return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}
CUDART(cudaGraphGetNodes)(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return with_graph(graph, [&](Runtime&, Graph& of) { return list(all_of(of), nodes, count); });
}
CUDART(cudaGraphGetRootNodes)(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return with_graph(graph, [&](Runtime&, Graph& of) {
    std::vector<GraphNode*> roots = all_of(of);
    std::erase_if(roots, [](const GraphNode* node) { return !node->behind.empty(); });
    return list(roots, nodes, count);
  });
}
CUDART(cudaGraphGetEdges)
(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges, std::size_t* count) {
  return with_graph(graph, [&](Runtime&, Graph& of) {
    std::vector<GraphNode*> begins, ends;
    for (const auto& node : of.nodes)
      for (GraphNode* const before : node->behind) begins.push_back(before), ends.push_back(node.get());
    if (edges != nullptr && count != nullptr) std::fill(edges, edges + *count, cudaGraphEdgeData{});
    std::size_t again = count == nullptr ? 0 : *count;
    const cudaError_t error = list(begins, from, count);
    return error != cudaSuccess || to == nullptr ? error : list(ends, to, &again);
  });
}
CUDART(cudaGraphNodeGetType)(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return with_node(node, [type](Runtime&, GraphNode& of) { return give(type, type_of(of.work)); });
}
CUDART(cudaGraphNodeGetDependencies)
(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData*, std::size_t* count) {
  return with_node(node, [&](Runtime&, GraphNode& of) { return list(of.behind, nodes, count); });
}
CUDART(cudaGraphNodeGetDependentNodes)
(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData*, std::size_t* count) {
  return with_node(node, [&](Runtime&, GraphNode& of) {
    std::vector<GraphNode*> dependents = all_of(*of.graph);
    std::erase_if(dependents, [&](const GraphNode* one) {
      return std::find(one->behind.begin(), one->behind.end(), &of) == one->behind.end();
    });
    return list(dependents, nodes, count);
  });
}

// ---- what nodes do
CUDART(cudaGraphKernelNodeGetParams)(cudaGraphNode_t node, cudaKernelNodeParams* params) {
  return with_node(node, [params](Runtime&, GraphNode& of) {
    auto* const kernel = std::get_if<KernelWork>(&of.work);
    if (kernel == nullptr || params == nullptr) return cudaErrorInvalidValue;
    of.arguments.clear();
    for (auto& value : kernel->values) of.arguments.push_back(value.data());
    *params = {kernel->function, kernel->grid, kernel->block, kernel->shared_bytes, of.arguments.data(), nullptr};
    return cudaSuccess;
  });
}
CUDART(cudaGraphKernelNodeSetParams)(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  return set(node, params);
}
CUDART(cudaGraphMemcpyNodeSetParams)(cudaGraphNode_t node, const cudaMemcpy3DParms* params) {
  return set(node, params);
}
CUDART(cudaGraphMemcpyNodeGetParams)(cudaGraphNode_t node, cudaMemcpy3DParms* params) {
  return with_node(node, [params](Runtime&, GraphNode& of) {
    const auto* const copy = std::get_if<CopyWork>(&of.work);
    if (copy == nullptr || params == nullptr) return cudaErrorInvalidValue;
    *params = {};
    params->srcPtr = box_at(copy->from, copy->extent);
    params->dstPtr = box_at(copy->to, copy->extent);
    params->extent = {copy->extent.width, copy->extent.height, copy->extent.depth};
    params->kind = copy->kind;
    return cudaSuccess;
  });
}
CUDART(cudaGraphMemcpyNodeSetParams1D)
(cudaGraphNode_t node, void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return set<const CopyWork&>(node, copy_of(to, from, size, kind));
}
CUDART(cudaGraphMemsetNodeSetParams)(cudaGraphNode_t node, const cudaMemsetParams* params) { return set(node, params); }
CUDART(cudaGraphMemsetNodeGetParams)(cudaGraphNode_t node, cudaMemsetParams* params) {
  return with_node(node, [params](Runtime&, GraphNode& of) {
    const auto* const fill = std::get_if<FillWork>(&of.work);
    if (fill == nullptr || params == nullptr) return cudaErrorInvalidValue;
    *params = {reinterpret_cast<void*>(fill->to.address), fill->to.pitch,     fill->value, fill->element_bytes,
               fill->extent.width / fill->element_bytes,  fill->extent.height};
    return cudaSuccess;
  });
}
CUDART(cudaGraphHostNodeSetParams)(cudaGraphNode_t node, const cudaHostNodeParams* params) { return set(node, params); }
CUDART(cudaGraphHostNodeGetParams)(cudaGraphNode_t node, cudaHostNodeParams* params) {
  return with_node(node, [params](Runtime&, GraphNode& of) {
    const auto* const host = std::get_if<HostWork>(&of.work);
    if (host == nullptr || params == nullptr) return cudaErrorInvalidValue;
    *params = {host->function, host->argument};
    return cudaSuccess;
  });
}
CUDART(cudaGraphEventRecordNodeSetEvent)(cudaGraphNode_t node, cudaEvent_t event) {
  return set(node, EventWork{event, true});
}
CUDART(cudaGraphEventWaitNodeSetEvent)(cudaGraphNode_t node, cudaEvent_t event) {
  return set(node, EventWork{event, false});
}
CUDART(cudaGraphEventRecordNodeGetEvent)(cudaGraphNode_t node, cudaEvent_t* event) {
  return event_of(node, event, true);
}
CUDART(cudaGraphEventWaitNodeGetEvent)(cudaGraphNode_t node, cudaEvent_t* event) {
  return event_of(node, event, false);
}
CUDART(cudaGraphNodeSetParams)(cudaGraphNode_t node, cudaGraphNodeParams* params) { return set(node, params); }
CUDART(cudaGraphMemAllocNodeGetParams)(cudaGraphNode_t node, cudaMemAllocNodeParams* params) {
  return with_node(node, [params](Runtime&, GraphNode& of) {
    const auto* const made = std::get_if<AllocateWork>(&of.work);
    if (made == nullptr || params == nullptr) return cudaErrorInvalidValue;
    *params = {};
    params->bytesize = made->size;
    params->dptr = reinterpret_cast<void*>(made->address);
    return cudaSuccess;
  });
}
CUDART(cudaGraphMemFreeNodeGetParams)(cudaGraphNode_t node, void* at) {
  return with_node(node, [at](Runtime&, GraphNode& of) {
    const auto* const free = std::get_if<FreeWork>(&of.work);
    return free == nullptr ? cudaErrorInvalidValue : give(static_cast<std::uint64_t*>(at), free->address);
  });
}

// ---- executable graphs
CUDART(cudaGraphInstantiateWithFlags)(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
  return with_graph(graph, [&](Runtime& runtime, Graph& of) {
    if (const cudaError_t error = runtime.spoil_by_unsafe_call(); error != cudaSuccess) return error;
    const std::vector<GraphNode*> order = of.order();
    if (made == nullptr || (order.empty() && !of.nodes.empty()) || flags > kAllInstantiateFlags)
      return cudaErrorInvalidValue;
    auto exec = std::make_unique<GraphExec>();
    exec->flags = flags & ~kInstantiateUpload;  // it has been done
    for (const GraphNode* const node : order)
      exec->steps.push_back({node, node->work, Graph::places_behind(*node, order)});
    return give(made, runtime.keep(std::move(exec)));
  });
}
CUDART(cudaGraphInstantiate)(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(made, graph, flags);
}
CUDART(cudaGraphInstantiateWithParams)(cudaGraphExec_t* made, cudaGraph_t graph, cudaGraphInstantiateParams* params) {
  if (params == nullptr) return answer([] { return cudaErrorInvalidValue; });
  const cudaError_t error = cudaGraphInstantiateWithFlags(made, graph, params->flags);
  params->errNode_out = nullptr;
  params->result_out = error == cudaSuccess ? 0 : 1;
  return error;
}
CUDART(cudaGraphExecDestroy)(cudaGraphExec_t graph) {
  return with_exec(graph, [](Runtime& runtime, GraphExec& of) { return runtime.drop(of), cudaSuccess; });
}
CUDART(cudaGraphExecGetFlags)(cudaGraphExec_t graph, unsigned long long* flags) {
  return with_exec(graph, [flags](Runtime&, GraphExec& of) { return give(flags, of.flags); });
}
CUDART(cudaGraphLaunch)(cudaGraphExec_t graph, cudaStream_t stream) {
  return with_exec(graph, [stream](Runtime& runtime, GraphExec& of) {
    Stream* const in = runtime.find(stream);
    if (in == nullptr) return cudaErrorInvalidResourceHandle;
    if (in->capture == nullptr) return runtime.launch(of, in);
    auto child = std::make_shared<Graph>();
    for (const GraphExec::Step& step : of.steps)
      if (step.is_enabled)
        child->add(step.work,
                   child->nodes.empty() ? std::vector<GraphNode*>{} : std::vector{child->nodes.back().get()});
    return runtime.submit(stream, GraphWork{std::move(child)});
  });
}
CUDART(cudaGraphUpload)(cudaGraphExec_t graph, cudaStream_t) {
  return with_exec(graph, [](Runtime&, GraphExec&) { return cudaSuccess; });
}
CUDART(cudaGraphNodeSetEnabled)(cudaGraphExec_t graph, cudaGraphNode_t node, unsigned is_enabled) {
  return with_exec(graph, [&](Runtime&, GraphExec& of) {
    GraphExec::Step* const step = of.find(node);
    return step == nullptr ? cudaErrorInvalidValue : (step->is_enabled = is_enabled != 0, cudaSuccess);
  });
}
CUDART(cudaGraphNodeGetEnabled)(cudaGraphExec_t graph, cudaGraphNode_t node, unsigned* is_enabled) {
  return with_exec(graph, [&](Runtime&, GraphExec& of) {
    const GraphExec::Step* const step = of.find(node);
    return step == nullptr ? cudaErrorInvalidValue : give(is_enabled, step->is_enabled ? 1 : 0);
  });
}
CUDART(cudaGraphExecKernelNodeSetParams)
(cudaGraphExec_t graph, cudaGraphNode_t node, const cudaKernelNodeParams* params) { return set(graph, node, params); }
CUDART(cudaGraphExecMemcpyNodeSetParams)(cudaGraphExec_t graph, cudaGraphNode_t node, const cudaMemcpy3DParms* params) {
  return set(graph, node, params);
}
CUDART(cudaGraphExecMemcpyNodeSetParams1D)
(cudaGraphExec_t graph, cudaGraphNode_t node, void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return set<const CopyWork&>(graph, node, copy_of(to, from, size, kind));
}
CUDART(cudaGraphExecMemsetNodeSetParams)(cudaGraphExec_t graph, cudaGraphNode_t node, const cudaMemsetParams* params) {
  return set(graph, node, params);
}
CUDART(cudaGraphExecHostNodeSetParams)(cudaGraphExec_t graph, cudaGraphNode_t node, const cudaHostNodeParams* params) {
  return set(graph, node, params);
}
CUDART(cudaGraphExecEventRecordNodeSetEvent)(cudaGraphExec_t graph, cudaGraphNode_t node, cudaEvent_t event) {
  return set(graph, node, EventWork{event, true});
}
CUDART(cudaGraphExecEventWaitNodeSetEvent)(cudaGraphExec_t graph, cudaGraphNode_t node, cudaEvent_t event) {
  return set(graph, node, EventWork{event, false});
}
CUDART(cudaGraphExecChildGraphNodeSetParams)(cudaGraphExec_t graph, cudaGraphNode_t node, cudaGraph_t child) {
  return set(graph, node, child);
}
CUDART(cudaGraphExecNodeSetParams)(cudaGraphExec_t graph, cudaGraphNode_t node, cudaGraphNodeParams* params) {
  return set(graph, node, params);
}

// The same nodes in the same order, which may do something else.
CUDART(cudaGraphExecUpdate)(cudaGraphExec_t graph, cudaGraph_t from, cudaGraphExecUpdateResultInfo* result) {
  return with_exec(graph, [&](Runtime& runtime, GraphExec& of) {
    if (runtime.find(from) == nullptr) return cudaErrorInvalidValue;
    const std::vector<GraphNode*> order = from->order();
    int why = order.size() == of.steps.size() ? 0 : 2;  // the topology changed
    for (std::size_t k = 0; why == 0 && k < order.size(); ++k)
      if (type_of(order[k]->work) != type_of(of.steps[k].work)) why = 3;  // a node's type changed
    if (result != nullptr) *result = {why, nullptr, nullptr};
    if (why != 0) return cudaErrorGraphExecUpdateFailure;
    for (std::size_t k = 0; k < order.size(); ++k) of.steps[k].work = order[k]->work;
    return cudaSuccess;
  });
}

// ---- memory of graphs: it is the device's
CUDART(cudaDeviceGraphMemTrim)(int device) {
  return call([device](Runtime&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
CUDART(cudaDeviceGetGraphMemAttribute)(int device, int attribute, void* value) {
  return call([&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (attribute < 0 || attribute > kGraphReservedHigh) return cudaErrorInvalidValue;
    return give(static_cast<std::uint64_t*>(value), runtime.graph_bytes());
  });
}
CUDART(cudaDeviceSetGraphMemAttribute)(int device, int attribute, const void* value) {
  return call([&](Runtime&) {
    if (device != 0) return cudaErrorInvalidDevice;
    // What it is now cannot be set, and what it was at most becomes 0 alone.
    const bool is_most = attribute == kGraphUsedHigh || attribute == kGraphReservedHigh;
    std::uint64_t wanted = 1;
    if (value != nullptr) std::memcpy(&wanted, value, sizeof wanted);
    return is_most && wanted == 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}
CUDART(cudaStreamBeginCaptureToGraph)
(cudaStream_t stream, cudaGraph_t graph, Nodes behind, const cudaGraphEdgeData*, std::size_t count, int mode) {
  return with_graph(graph, [&](Runtime& runtime, Graph&) {
    if (!is_capture_mode(mode)) return cudaErrorInvalidValue;
    Stream* const of = runtime.find(stream);
    return of == nullptr ? cudaErrorInvalidResourceHandle
                         : begin_capture(*of, runtime.find(graph), {behind, behind + count}, mode);
  });
}
}

}  // namespace warpsim::cudart
