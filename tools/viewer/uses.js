// Which undefined values are used. A register that nobody has written yet is not wrong, nor is a value that the hardware leaves
// open and nobody looks at; wrong is an instruction that computes with one, stores it, or decides by it.
//
// Shapes: one walk over the trace, when first asked. A value is that of a register of a lane, by the event that left it; -1 for
//         never written. A shuffle only moves: what it takes is used once what it brought is.
// Units:  event numbers, lanes.

import {lanesOf} from "./trace.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./trace.js").Event} Event */

const kDefined = -2, kNever = -1;

export class Uses {
  /** @param {Trace} trace */
  constructor(trace) {
    this.trace = trace;
    /** @type {Map<string, number>}  a value: the event that first uses it */
    this.first = new Map();
    /** @type {Map<string, string>}  what a shuffle brought: what it took */
    this.moved = new Map();
    /** @type {Set<string>}  "event/lane" */
    this.using = new Set();
    /** @type {Int32Array[][]}  [warp][register][lane]: the event that left something undefined */
    this.open = trace.warps.map(() => trace.registers.map(() => new Int32Array(64).fill(kNever)));
    this.#start();
    trace.events.forEach((event, k) => {
      this.#read(event, k);
      this.#write(event, k);
    });
  }

  /** What a window's first event finds. */
  #start() {
    for (const place of this.trace.start?.warps ?? []) {
      const warp = this.trace.warps.findIndex((one) => one.block === place.block && one.warp === place.warp);
      for (const {reg, lanes, values} of warp < 0 ? [] : place.registers)
        lanesOf(lanes).lanes.forEach((lane, at) => { if (values[at] !== null) this.#opened(warp, reg)[lane] = kDefined; });
    }
  }

  /** @param {number} warp @param {string} name */
  #opened(warp, name) { return this.open[warp][this.trace.registerIndex.get(name) ?? 0]; }

  /** @param {Event} event @param {number} k */
  #read(event, k) {
    const flow = this.trace.flow(event.pc), warp = this.trace.warpOf[k];
    if (!flow) return;
    const together = flow.exchanged.length > 0 && !event.exchange ? flow.exchanged : [];  // a vote, a scan: no lane's alone
    for (const name of [...flow.value, ...flow.address, ...together]) this.#readBy(event.active, warp, name, k);
    if (flow.guard !== null) this.#readBy(event.group ?? event.active, warp, flow.guard, k);
  }

  /** @param {string} lanes @param {number} warp @param {string} name @param {number} k */
  #readBy(lanes, warp, name, k) {
    if (!this.trace.registerIndex.has(name)) return;
    const open = this.#opened(warp, name);
    for (const lane of lanesOf(lanes).lanes) {
      if (open[lane] === kDefined) continue;
      this.using.add(`${k}/${lane}`);
      for (let value = this.#key(warp, name, lane, open[lane]); value && !this.first.has(value); value = this.moved.get(value) ?? "")
        this.first.set(value, k);
    }
  }

  /** @param {number} warp @param {string} name @param {number} lane @param {number} writer */
  #key(warp, name, lane, writer) { return `${warp}/${name}/${lane}/${writer}`; }

  /** @param {Event} event @param {number} k */
  #write(event, k) {
    const warp = this.trace.warpOf[k], source = event.exchange ? this.trace.flow(event.pc)?.exchanged[0] : undefined;
    const before = source !== undefined && this.trace.registerIndex.has(source) ? this.#opened(warp, source).slice() : null;
    for (const {reg, lanes, values} of event.writes ?? []) {
      if (!this.trace.registerIndex.has(reg)) continue;
      const open = this.#opened(warp, reg);
      lanesOf(lanes).lanes.forEach((lane, at) => {
        open[lane] = values[at] === null ? k : kDefined;
        if (values[at] !== null || !before || source === undefined || !event.exchange) return;
        const from = event.exchange.from[lanesOf(event.exchange.lanes).rank[lane]] ?? lane;
        if (before[from] !== kDefined) this.moved.set(this.#key(warp, reg, lane, k), this.#key(warp, source, from, before[from]));
      });
    }
  }

  /** Whether what event `writer` left in a lane's register is used before event n. @param {number} warp @param {string} name
   * @param {number} lane @param {number} writer  -1: nobody wrote it @param {number} n */
  used(warp, name, lane, writer, n) { return (this.first.get(this.#key(warp, name, lane, writer)) ?? Infinity) < n; }

  /** Whether event k computes with something undefined on a lane. @param {number} k @param {number} lane */
  uses(k, lane) { return this.using.has(`${k}/${lane}`); }
}
