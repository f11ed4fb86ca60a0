// Where a value came from: the backward slice of one lane's register, and which input elements went into it.
//
// Shapes: a node is one write: (event, lane, register). Sources are followed through registers, shuffles (`exchange.from`),
//         collectives (all lanes that take part) and memory (the last store to the element). Guards and addresses choose
//         values, they are not part of them, and are not followed. An interval list [a, b, c, d] stands for the input
//         elements a … b-1 and c … d-1, all buffers laid end to end in the order of the program's parameters.
// Source: traces/replay/dataflow.h says the same in C++; a test holds one against the other.

import {lanesOf, ofLane} from "./trace.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./history.js").History} History */
/** @typedef {{event: number, lane: number, register: number, element?: number}} Node
 *   register -1: what the event left in memory, of a vector the element */
/** @typedef {{name: string, lane: number, event: number}} Read  a register as it is before the event */
/** @typedef {{buffer: string, index: number}} Leaf */
/** @typedef {{nodes: Node[], arrows: {event: number, from: number, to: number}[], leaves: Leaf[]}} Slice */

/** The bytes of an element. @param {import("./trace.js").Memory} memory @returns {number} */
function widthOf(memory) {
  return Number(/[0-9]+/.exec(memory.type)?.[0] ?? 32) / 8 * (memory.type.endsWith("x2") ? 2 : 1);
}

/** Which element of what a copy reads comes to this element of what it writes. @param {import("./trace.js").Event} event
 * @param {number} element @returns {number} */
function copiedElement(event, element) {
  if (!event.memory || !event.source) return 0;
  return Math.floor(element * widthOf(event.memory) / widthOf(event.source));
}

/** @param {number[]} a @param {number[]} b @returns {number[]} */
export function unionOf(a, b) {
  if (a.length === 0) return b;
  if (b.length === 0 || a === b) return a;
  /** @type {number[]} */
  const out = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const first = j >= b.length || (i < a.length && a[i] <= b[j]);
    const from = first ? a[i] : b[j], to = first ? a[i + 1] : b[j + 1];
    if (first) i += 2;
    else j += 2;
    if (out.length > 0 && from <= out[out.length - 1]) out[out.length - 1] = Math.max(out[out.length - 1], to);
    else out.push(from, to);
  }
  return out;
}

/** Instead of a register: what an instruction that trapped was given, which is what people ask about: its addresses and
 * indices, or if it has none all that it reads. */
export const kAddress = -2;

export class Dataflow {
  /** @param {Trace} trace @param {History} history */
  constructor(trace, history) {
    this.trace = trace;
    this.history = history;
    /** @type {{name: string, first: number, length: number}[]} */
    this.buffers = [];
    let first = 0;
    for (const param of trace.params) {
      if (param.length === undefined) continue;
      this.buffers.push({name: param.name, first, length: param.length});
      first += param.length;
    }
    /** @type {(number[][]|undefined)[]}  [event][lane * 8 + slot] */
    this.known = new Array(trace.events.length);
    this.knownTo = 0;
  }

  /** The registers that an instruction which trapped is asked about. @param {number} k @returns {string[]} */
  given(k) {
    const flow = this.trace.flow(this.trace.events[k].pc);
    if (!flow) return [];
    const names = flow.address.length > 0 ? flow.address : [...flow.value, ...flow.exchanged, flow.members];
    return [...new Set(names)].filter((name) => this.trace.registerIndex.has(name));
  }

  /** The how manyeth of what event k leaves a register is: the element of a vector, a shuffle's predicate; of what it
   * leaves in memory 4 more. @param {number} k @param {number} register @param {number} [element] */
  slot(k, register, element = 0) {
    if (register < 0) return 4 + element;
    return Math.max(0, this.trace.flow(this.trace.events[k].pc)?.writes.indexOf(this.trace.registers[register].name) ?? 0);
  }

  /** The registers that a node's value is made of, and the lane that a shuffle's arrow comes from, or -1.
   * @param {Node} node @returns {{reads: Read[], arrow: number}} */
  sources(node) {
    const event = this.trace.events[node.event];
    const flow = this.trace.flow(event.pc);
    /** @type {Read[]} */
    const reads = [];
    if (!flow) return {reads, arrow: -1};
    if (node.register === kAddress) {
      for (const name of this.given(node.event)) reads.push({name, lane: node.lane, event: node.event});
      return {reads, arrow: -1};
    }
    if (node.register < 0) {  // in memory: of a vector one register; of machine code an element of 64 bits is two
      const many = event.memory?.elements ?? 1, each = many > 1 ? flow.value.length / many : flow.value.length;
      const names = flow.value.slice((node.element ?? 0) * each, ((node.element ?? 0) + 1) * each);
      for (const name of names) reads.push({name, lane: node.lane, event: node.event});
      return {reads, arrow: -1};
    }
    if (event.memory || flow.kind === "load" || flow.kind === "atomic") return {reads, arrow: -1};
    if (flow.kind === "block-reduce") return {reads: this.#arrivals(node), arrow: -1};
    // Whether a shuffle's source lay in its range follows from lane numbers alone.
    if (flow.kind === "shuffle" && flow.writes.indexOf(this.trace.registers[node.register].name) === 1) return {reads, arrow: -1};
    for (const name of flow.value) reads.push({name, lane: node.lane, event: node.event});
    if (!event.exchange) {
      for (const lane of flow.exchanged.length > 0 ? this.members(node.event, node.lane) : [])
        for (const name of flow.exchanged) reads.push({name, lane, event: node.event});
      return {reads, arrow: -1};
    }
    const source = ofLane(event.exchange.lanes, event.exchange.from, node.lane);
    if (source === undefined || lanesOf(event.exchange.undefined).rank[node.lane] >= 0) return {reads, arrow: -1};
    for (const name of flow.exchanged) reads.push({name, lane: source, event: node.event});
    return {reads, arrow: source};
  }

  /** The lanes that a collective's result on `lane` is made of: those of its member mask that are active, of a scan the
   * ones before. @param {number} k @param {number} lane */
  members(k, lane) {
    const flow = this.trace.flow(this.trace.events[k].pc);
    const lanes = this.#named(k, lane);
    if (flow?.kind !== "scan") return lanes;
    return lanes.filter((member) => member < lane || (!flow.exclusive && member === lane));
  }

  /** The sets of lanes that a collective brings together. @param {number} k @returns {number[][]} */
  groups(k) {
    /** @type {Map<string, number[]>} */
    const sets = new Map();
    for (const lane of lanesOf(this.trace.events[k].active).lanes) {
      const lanes = this.#named(k, lane);
      if (lanes.length > 0) sets.set(lanes.join(), lanes);
    }
    return [...sets.values()];
  }

  /** The active lanes that the member mask of `lane` names. @param {number} k @param {number} lane */
  #named(k, lane) {
    const event = this.trace.events[k];
    const flow = this.trace.flow(event.pc);
    const lanes = lanesOf(event.active).lanes;
    const mask = flow?.members ?? "";
    const register = this.trace.registerIndex.get(mask);
    let bits = /^(0x[0-9a-f]+|[0-9]+)$/i.test(mask) ? BigInt(mask) : null;
    if (register !== undefined) {
      const value = this.history.value(this.trace.warpOf[k], register, lane, k);
      if (typeof value === "string" || typeof value === "number") bits = BigInt(value);
    }
    if (bits === null) return lanes;
    return lanes.filter((member) => ((/** @type {bigint} */ (bits) >> BigInt(member)) & 1n) === 1n);
  }

  /** bar.red takes the predicates of the whole block: every thread's n-th arrival, if this is this lane's n-th.
   * @param {Node} node @returns {Read[]} */
  #arrivals(node) {
    const {events} = this.trace;
    const at = events[node.event];
    /** @type {Map<string, {event: number, lane: number}[]>} */
    const threads = new Map();
    events.forEach((event, k) => {
      if (event.block !== at.block || event.op !== at.op) return;
      for (const lane of lanesOf(event.active).lanes) {
        const thread = `${event.warp}/${lane}`;
        threads.set(thread, [...(threads.get(thread) ?? []), {event: k, lane}]);
      }
    });
    const turn = (threads.get(`${at.warp}/${node.lane}`) ?? []).findIndex((one) => one.event === node.event);
    return [...threads.values()].flatMap((arrivals) => arrivals.slice(turn, turn + 1)).flatMap((one) =>
      (this.trace.flow(events[one.event].pc)?.exchanged ?? []).map((name) => ({name, lane: one.lane, event: one.event})));
  }

  /** What a load or an atomic found: the stores that put it there, or elements of the inputs. @param {Node} node
   * @returns {{stores: Node[], leaves: Leaf[]}} */
  found(node) {
    const event = this.trace.events[node.event];
    /** @type {{stores: Node[], leaves: Leaf[]}} */
    const out = {stores: [], leaves: []};
    const memory = node.register < 0 && event.source ? event.source : event.memory;
    if (!memory || memory.access === "store" || (node.register < 0 && this.trace.flow(event.pc)?.overwrites)) return out;
    const at = lanesOf(memory.lanes).rank[node.lane];
    const object = at < 0 ? null : this.history.object(node.event, at, memory);
    const first = at < 0 ? null : memory.index[at];
    if (object === null || first === null) return out;
    const copied = memory === event.source ? copiedElement(event, node.element ?? 0) : 0;
    if (memory.read && copied * widthOf(memory) >= memory.read[at]) return out;  // zeros, which come from nowhere
    const registers = this.trace.flow(event.pc)?.writes.length ?? 1;  // of a vector; of machine code two may be an element
    const element = Math.floor(this.slot(node.event, node.register) * (memory.elements ?? 1) / Math.max(1, registers));
    const index = first + (node.register < 0 ? copied : element);
    const stored = this.history.stored(object, index, node.event, node.lane);
    if (stored) out.stores.push({event: stored.event, lane: stored.lane, register: -1, element: stored.element});
    else if (memory.space === "global" && !this.trace.start?.buffers[object]) out.leaves.push({buffer: object, index});
    return out;
  }

  /** The writes that `reads` see just before their events. @param {Read[]} reads */
  #writers(reads) {
    /** @type {Node[]} */
    const nodes = [];
    for (const read of reads) {
      const register = this.trace.registerIndex.get(read.name);
      if (register === undefined) continue;
      const event = this.history.writer(this.trace.warpOf[read.event], register, read.lane, read.event);
      if (event >= 0) nodes.push({event, lane: read.lane, register});
    }
    return nodes;
  }

  /** Everything that the node's value came from, itself first. @param {Node} start @param {number} [limit]
   * @returns {Slice} */
  slice(start, limit = 20000) {
    /** @type {Slice} */
    const slice = {nodes: [], arrows: [], leaves: []};
    const seen = new Set();
    const queue = [start];
    while (queue.length > 0 && slice.nodes.length < limit) {
      const node = /** @type {Node} */ (queue.shift());
      const key = `${node.event}:${node.lane}:${node.register}:${node.element ?? 0}`;
      if (seen.has(key)) continue;
      seen.add(key);
      slice.nodes.push(node);
      const {reads, arrow} = this.sources(node);
      if (arrow >= 0) slice.arrows.push({event: node.event, from: arrow, to: node.lane});
      const {stores, leaves} = this.found(node);
      slice.leaves.push(...leaves);
      queue.push(...this.#writers(reads), ...stores);
    }
    return slice;
  }

  /** The last `count` nodes of the slice, latest first, and whether there are more: what is further back is not walked.
   * @param {Node} start @param {number} count @returns {{nodes: Node[], more: boolean}} */
  latest(start, count) {
    const later = (/** @type {Node} */ a, /** @type {Node} */ b) => b.event - a.event || a.lane - b.lane;
    const seen = new Set();
    /** @type {Node[]} */
    const nodes = [];
    /** @type {Node[]} */
    let waiting = [start];
    while (waiting.length > 0 && nodes.length < count) {
      const node = /** @type {Node} */ (waiting.sort(later).shift());
      nodes.push(node);
      for (const one of [...this.#writers(this.sources(node).reads), ...this.found(node).stores]) {
        const key = `${one.event}:${one.lane}:${one.register}:${one.element ?? 0}`;
        if (!seen.has(key)) waiting.push(one);
        seen.add(key);
      }
    }
    return {nodes: nodes.sort(later), more: waiting.length > 0};
  }

  /** The input elements in a node's value, as an interval list. @param {Node} node @returns {number[]} */
  contributions(node) {
    for (; this.knownTo <= node.event; ++this.knownTo) if (!this.known[this.knownTo]) this.#learn(this.knownTo);
    return this.#known(node);
  }

  /** @param {Node} node @returns {number[]} */
  #known(node) {
    if (node.register === kAddress)
      return this.#writers(this.sources(node).reads).reduce((sum, one) => unionOf(sum, this.#known(one)), /** @type {number[]} */ ([]));
    return this.known[node.event]?.[node.lane * 8 + this.slot(node.event, node.register, node.element)] ?? [];
  }

  /** Adds event k to what is known; events before it are. @param {number} k */
  #learn(k) {
    const event = this.trace.events[k];
    /** @type {number[][]} */
    const known = this.known[k] = [];
    const learn = (/** @type {Node} */ node) => {
      const at = node.lane * 8 + this.slot(k, node.register, node.element);
      if (known[at]) return;
      let sum = /** @type {number[]} */ ([]);
      const {stores, leaves} = this.found(node);
      for (const one of [...this.#writers(this.sources(node).reads), ...stores]) {
        // A lane of an atomic finds what another lane of it left; at a barrier others may come later.
        if (one.event === k) learn(one);
        else if (!this.known[one.event]) this.#learn(one.event);
        sum = unionOf(sum, this.#known(one));
      }
      for (const leaf of leaves) {
        const buffer = this.buffers.find((one) => one.name === leaf.buffer);
        if (buffer) sum = unionOf(sum, [buffer.first + leaf.index, buffer.first + leaf.index + 1]);
      }
      known[at] = sum;
    };
    for (const write of event.writes ?? []) {
      const register = this.trace.registerIndex.get(write.reg) ?? -1;
      for (const lane of lanesOf(write.lanes).lanes) learn({event: k, lane, register});
    }
    if (event.memory && event.memory.access !== "load")
      for (const lane of lanesOf(event.memory.lanes).lanes)
        for (let element = 0; element < (event.memory.elements ?? 1); ++element) learn({event: k, lane, register: -1, element});
  }

  /** An interval list as people write it: "0..7", with the buffer's name where the program reads several: "a[0..7]".
   * @param {number[]} intervals @param {boolean} [always]  name it in any case */
  text(intervals, always = false) {
    const parts = [];
    const readable = this.trace.params.filter((param) => param.kind === "in" || param.kind === "inout").length;
    for (const buffer of this.buffers) {
      const own = [];
      for (let k = 0; k < intervals.length; k += 2) {
        const from = Math.max(intervals[k], buffer.first) - buffer.first;
        const to = Math.min(intervals[k + 1], buffer.first + buffer.length) - buffer.first;
        if (from < to) own.push(to - from === 1 ? `${from}` : `${from}..${to - 1}`);
      }
      const named = always || readable > 1 || this.trace.params.some((param) => param.name === buffer.name && param.kind === "out");
      if (own.length > 0) parts.push(named ? `${buffer.name}[${own.join(", ")}]` : own.join(", "));
    }
    return parts.join(", ");
  }
}
