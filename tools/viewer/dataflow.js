// Where a value came from: the backward slice of one lane's register, and which input elements went into it.
//
// Shapes: a node is one write: (event, lane, register). Sources are followed through registers, shuffles (`exchange.from`),
//         collectives (all lanes that take part) and memory (the last store to the element). Guards and addresses choose
//         values, they are not part of them, and are not followed. An interval list [a, b, c, d] stands for the input
//         elements a … b-1 and c … d-1, all buffers laid end to end in the order of the program's parameters.
// Source: traces/dataflow.h says the same in C++; a test holds one against the other.

import {lanesOf, ofLane} from "./trace.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./history.js").History} History */
/** @typedef {{event: number, lane: number, register: number}} Node  register -1: what a store takes along */
/** @typedef {{buffer: string, index: number}} Leaf */
/** @typedef {{nodes: Node[], arrows: {event: number, from: number, to: number}[], leaves: Leaf[]}} Slice */

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
    /** @type {(number[][]|undefined)[]}  [event][lane] */
    this.known = new Array(trace.events.length);
    this.knownTo = 0;
  }

  /** The registers and lanes that event k's result on `lane` is made of, and the arrows on the way.
   * @param {number} k @param {number} lane @param {number} register
   * @returns {{reads: {name: string, lane: number}[], arrow: number}}  arrow: the source lane of a shuffle, or -1 */
  sources(k, lane, register) {
    const event = this.trace.events[k];
    const flow = this.trace.flow(event.pc);
    /** @type {{name: string, lane: number}[]} */
    const reads = [];
    let arrow = -1;
    if (!flow) return {reads, arrow};
    const inRangeBit = event.exchange !== undefined && register >= 0 &&
        flow.writes.length > 1 && this.trace.registers[register].name === flow.writes[1];
    if (inRangeBit) return {reads, arrow};
    for (const name of flow.value) reads.push({name, lane});
    if (event.exchange) {
      const source = ofLane(event.exchange.lanes, event.exchange.from, lane);
      const undefinedHere = lanesOf(event.exchange.undefined).rank[lane] >= 0;
      const own = lanesOf(event.exchange.in_range).rank[lane] < 0;
      if (source !== undefined && !undefinedHere) {
        arrow = own ? lane : source;
        for (const name of flow.exchanged) reads.push({name, lane: arrow});
      }
    } else {
      for (const member of this.members(k, lane)) for (const name of flow.exchanged) reads.push({name, lane: member});
    }
    return {reads, arrow};
  }

  /** The lanes that a collective's result on `lane` is made of. @param {number} k @param {number} lane */
  members(k, lane) {
    const event = this.trace.events[k];
    const lanes = lanesOf(event.active).lanes;
    if (!event.op.startsWith("scan.")) return lanes;
    const exclusive = this.trace.code[event.pc].text.includes(".exclusive");
    return lanes.filter((member) => member < lane || (!exclusive && member === lane));
  }

  /** What a load or an atomic found on `lane`: the store that put it there, or an element of the inputs.
   * @param {number} k @param {number} lane @returns {{stores: Node[], leaves: Leaf[]}} */
  found(k, lane) {
    const event = this.trace.events[k];
    /** @type {{stores: Node[], leaves: Leaf[]}} */
    const out = {stores: [], leaves: []};
    if (!event.memory || event.memory.access === "store") return out;
    const at = lanesOf(event.memory.lanes).rank[lane];
    const object = at < 0 ? null : this.history.object(k, at);
    const index = at < 0 ? null : event.memory.index[at];
    if (object === null || index === null) return out;
    for (let e = 0; e < (event.memory.elements ?? 1); ++e) {
      const stored = this.history.stored(object, index + e, k);
      if (stored) out.stores.push({event: stored.event, lane: stored.lane, register: -1});
      else if (event.memory.space === "global") out.leaves.push({buffer: object, index: index + e});
    }
    return out;
  }

  /** The writes that `reads` see just before event k. @param {number} k @param {{name: string, lane: number}[]} reads */
  #writers(k, reads) {
    /** @type {Node[]} */
    const nodes = [];
    for (const read of reads) {
      const register = this.trace.registerIndex.get(read.name);
      if (register === undefined) continue;
      const event = this.history.writer(this.trace.warpOf[k], register, read.lane, k);
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
      const key = `${node.event}:${node.lane}:${node.register}`;
      if (seen.has(key)) continue;
      seen.add(key);
      slice.nodes.push(node);
      const {reads, arrow} = this.sources(node.event, node.lane, node.register);
      if (arrow >= 0) slice.arrows.push({event: node.event, from: arrow, to: node.lane});
      const {stores, leaves} = this.found(node.event, node.lane);
      slice.leaves.push(...leaves);
      queue.push(...this.#writers(node.event, reads), ...stores);
    }
    return slice;
  }

  /** The input elements in what event k leaves on `lane`, as an interval list. @param {number} k @param {number} lane
   * @returns {number[]} */
  contributions(k, lane) {
    for (; this.knownTo <= k; ++this.knownTo) this.known[this.knownTo] = this.#contributionsOf(this.knownTo);
    return this.known[k]?.[lane] ?? [];
  }

  /** @param {number} k @returns {number[][]} */
  #contributionsOf(k) {
    const event = this.trace.events[k];
    /** @type {number[][]} */
    const lanes = [];
    const written = new Set((event.writes ?? []).flatMap((write) => lanesOf(write.lanes).lanes));
    if (event.memory && event.memory.access !== "load") lanesOf(event.memory.lanes).lanes.forEach((l) => written.add(l));
    for (const lane of written) {
      /** @type {number[]} */
      let sum = [];
      for (const node of this.#writers(k, this.sources(k, lane, -1).reads))
        sum = unionOf(sum, this.known[node.event]?.[node.lane] ?? []);
      const {stores, leaves} = this.found(k, lane);
      for (const node of stores) sum = unionOf(sum, this.known[node.event]?.[node.lane] ?? []);
      for (const leaf of leaves) {
        const buffer = this.buffers.find((one) => one.name === leaf.buffer);
        if (buffer) sum = unionOf(sum, [buffer.first + leaf.index, buffer.first + leaf.index + 1]);
      }
      lanes[lane] = sum;
    }
    return lanes;
  }

  /** An interval list as people write it: "0..7", with the buffer's name where the program reads several.
   * @param {number[]} intervals @param {string} [separator] */
  text(intervals, separator = " ") {
    const parts = [];
    const readable = this.trace.params.filter((param) => param.kind === "in" || param.kind === "inout").length;
    for (const buffer of this.buffers) {
      const own = [];
      for (let k = 0; k < intervals.length; k += 2) {
        const from = Math.max(intervals[k], buffer.first) - buffer.first;
        const to = Math.min(intervals[k + 1], buffer.first + buffer.length) - buffer.first;
        if (from < to) own.push(to - from === 1 ? `${from}` : `${from}..${to - 1}`);
      }
      if (own.length > 0) parts.push((readable > 1 ? `${buffer.name}:` : "") + own.join(","));
    }
    return parts.join(separator);
  }
}
