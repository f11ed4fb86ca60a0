// The state of the machine at any moment of the trace, forwards and backwards.
//
// Shapes: a moment n is after the first n events. Each register of a warp has the list of events that wrote it, and every
//         kEvery entries a keyframe: the last entry that wrote each lane. So a value is found by bisection and a short
//         walk, wherever one jumps to. Memory has such a list for each element that was stored to.
// Units:  event numbers, lanes, elements.

/** @typedef {import("./trace.js").Value} Value */
/** @typedef {import("./trace.js").Trace} Trace */
import {lanesOf} from "./trace.js";

const kEvery = 32;

/** Position of the last entry below n in a rising list, or -1. @param {number[]} list @param {number} n */
export function lastBelow(list, n) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < n) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Who wrote one register of one warp. */
class Writers {
  constructor() {
    /** @type {number[]} */
    this.events = [];
    /** @type {number[]}  which of the event's writes */
    this.which = [];
    /** @type {Int32Array[]}  before entry kEvery * i: the last entry that wrote each lane */
    this.keyframes = [];
    this.latest = new Int32Array(64).fill(-1);
  }

  /** @param {number} event @param {number} which @param {number[]} lanes */
  add(event, which, lanes) {
    if (this.events.length % kEvery === 0) this.keyframes.push(this.latest.slice());
    for (const lane of lanes) this.latest[lane] = this.events.length;
    this.events.push(event);
    this.which.push(which);
  }
}

/** @typedef {{event: number, lane: number, element: number, value: Value}} Stored */

export class History {
  /** @param {Trace} trace */
  constructor(trace) {
    this.trace = trace;
    /** @type {Writers[][]}  [warp][register] */
    this.writers = trace.warps.map(() => trace.registers.map(() => new Writers()));
    /** @type {Map<string, Map<number, {events: number[], stored: Stored[]}>>}  by object, by element */
    this.memory = new Map();
    /** @type {Map<string, import("./trace.js").Write>}  what a window's first event finds: "warp/register" */
    this.found = new Map();
    /** @type {Map<string, Value[]>}  by object */
    this.foundMemory = new Map(Object.entries(trace.start?.buffers ?? {}));
    /** @type {{warp: number, event: number, lanes: number[]}[]} */
    this.exits = [];
    this.#start();
    trace.events.forEach((event, k) => {
      for (const change of event.masks ?? [])
        if (change.kind === "exit" && change.lanes)
          this.exits.push({warp: trace.warpOf[k], event: k, lanes: lanesOf(change.lanes).lanes});
      (event.writes ?? []).forEach((write, which) => {
        const register = trace.registerIndex.get(write.reg);
        if (register !== undefined) this.writers[trace.warpOf[k]][register].add(k, which, lanesOf(write.lanes).lanes);
      });
      if (event.memory && event.memory.access !== "load") this.#store(k);
    });
  }

  #start() {
    for (const array of this.trace.start?.shared ?? []) this.foundMemory.set(`${array.block}:${array.object}`, array.values);
    for (const place of this.trace.start?.warps ?? []) {
      const warp = this.trace.warps.findIndex((one) => one.block === place.block && one.warp === place.warp);
      if (warp < 0) continue;
      this.exits.push({warp, event: -1, lanes: lanesOf(place.exited).lanes});
      for (const write of place.registers) this.found.set(`${warp}/${this.trace.registerIndex.get(write.reg)}`, write);
    }
  }

  /** @param {number} k */
  #store(k) {
    const memory = /** @type {import("./trace.js").Memory} */ (this.trace.events[k].memory);
    const elements = memory.elements ?? 1;
    const lanes = lanesOf(memory.lanes);
    (memory.order ?? lanes.lanes).forEach(lane => {
      const at = lanes.rank[lane];
      const index = memory.index[at];
      const name = this.object(k, at);
      if (name === null || index === null) return;
      for (let e = 0; e < elements; ++e) {
        const left = memory.access === "atomic" ? memory.stored?.[at] : memory.values[at];
        const value = elements > 1 ? /** @type {Value[]} */ (left)[e] : left;
        let cells = this.memory.get(name);
        if (!cells) this.memory.set(name, cells = new Map());
        let cell = cells.get(index + e);
        if (!cell) cells.set(index + e, cell = {events: [], stored: []});
        cell.events.push(k);  // of several lanes in one event the last stays
        cell.stored.push({event: k, lane, element: e, value: value ?? null});
      }
    });
  }

  /** The object that the at-th lane of event k's access touches; shared arrays are a block's. @param {number} k
   * @param {number} at @param {import("./trace.js").Memory} [memory] what a copy reads: its source @returns {string|null} */
  object(k, at, memory = this.trace.events[k].memory) {
    const event = this.trace.events[k];
    if (!memory) return null;
    const name = Array.isArray(memory.object) ? memory.object[at] : memory.object;
    return name === null ? null : memory.space === "shared" ? `${event.block}:${name}` : name;
  }

  /** The last event before moment n that wrote the lane's register, or -1. @param {number} warp
   * @param {number} register @param {number} lane @param {number} n */
  writer(warp, register, lane, n) {
    const found = this.#entry(warp, register, lane, n);
    return found < 0 ? -1 : this.writers[warp][register].events[found];
  }

  /** @param {number} warp @param {number} register @param {number} lane @param {number} n */
  #entry(warp, register, lane, n) {
    const writers = this.writers[warp][register];
    for (let k = lastBelow(writers.events, n); k >= 0; --k) {
      const write = /** @type {import("./trace.js").Write[]} */ (this.trace.events[writers.events[k]].writes);
      if (lanesOf(write[writers.which[k]].lanes).rank[lane] >= 0) return k;
      if (k % kEvery === 0) return writers.keyframes[k / kEvery][lane];
    }
    return -1;
  }

  /** Whether anything has been written to the lane's register before moment n, be it undefined. @param {number} warp
   * @param {number} register @param {number} lane @param {number} n */
  isWritten(warp, register, lane, n) {
    if (this.#entry(warp, register, lane, n) >= 0) return true;
    const before = this.found.get(`${warp}/${register}`);
    return before !== undefined && lanesOf(before.lanes).rank[lane] >= 0;
  }

  /** What the lane's register holds at moment n; null if nothing defined. @param {number} warp
   * @param {number} register @param {number} lane @param {number} n @returns {Value} */
  value(warp, register, lane, n) {
    const found = this.#entry(warp, register, lane, n);
    if (found < 0) {
      const before = this.found.get(`${warp}/${register}`);
      const rank = before ? lanesOf(before.lanes).rank[lane] : -1;
      return before && rank >= 0 ? before.values[rank] : null;
    }
    const writers = this.writers[warp][register];
    const writes = /** @type {import("./trace.js").Write[]} */ (this.trace.events[writers.events[found]].writes);
    const write = writes[writers.which[found]];
    return write.values[lanesOf(write.lanes).rank[lane]];
  }

  /** The last store to an element before moment n; with `lane`, also those of event n that act before it does.
   * @param {string} object @param {number} index @param {number} n @param {number} [lane] @returns {Stored|undefined} */
  stored(object, index, n, lane) {
    const cell = this.memory.get(object)?.get(index);
    if (!cell) return undefined;
    let at = lastBelow(cell.events, n);
    if (lane !== undefined) {
      const order = this.trace.events[n].memory?.order;
      /** @param {number} one */
      const turn = one => order ? order.indexOf(one) : one;
      while (cell.events[at + 1] === n && turn(cell.stored[at + 1].lane) < turn(lane)) ++at;
    }
    return cell.stored[at];
  }

  /** An element of a buffer at moment n. @param {string} buffer @param {number} index @param {number} n @returns {Value} */
  element(buffer, index, n) {
    const stored = this.stored(buffer, index, n);
    if (stored) return stored.value;
    const input = this.foundMemory.get(buffer) ?? this.trace.inputs[buffer];
    return input ? input[index] : 0;
  }

  /** An element of a block's shared array; null before anybody has stored there. @param {number} block
   * @param {string} array @param {number} index @param {number} n @returns {Value} */
  sharedElement(block, array, index, n) {
    const object = `${block}:${array}`;
    const stored = this.stored(object, index, n);
    return stored ? stored.value : this.foundMemory.get(object)?.[index] ?? null;
  }

  /** Whether anybody has stored to an element of a block's shared array before moment n. @param {number} block @param {string} array
   * @param {number} index @param {number} n */
  isStored(block, array, index, n) {
    const object = `${block}:${array}`;
    return this.stored(object, index, n) !== undefined || (this.foundMemory.get(object)?.[index] ?? null) !== null;
  }

  /** The lanes of a warp that have exited at moment n. @param {number} warp @param {number} n @returns {Set<number>} */
  exited(warp, n) {
    const exited = new Set();
    for (const exit of this.exits)
      if (exit.warp === warp && exit.event < n) for (const lane of exit.lanes) exited.add(lane);
    return exited;
  }
}
