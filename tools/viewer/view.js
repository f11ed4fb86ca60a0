// What is shown of one trace: the warp, the moment, the chosen lane, what is lit.
//
// Shapes: `n` is the moment: the first n events have run, of all warps. A step goes to the next row of the warp that is shown,
//         so the others run along.

import {Dataflow, kAddress} from "./dataflow.js";
import {History, lastBelow} from "./history.js";
import {geometryFor, lastOf, rowsOf} from "./layout.js";
import {questionsOf} from "./questions.js";
import {setUpOf} from "./setup.js";
import {lanesOf, lanesText, textOf} from "./trace.js";
import {Uses} from "./uses.js";
import {word} from "./words.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./layout.js").Row} Row */
/** @typedef {{cells: Set<string>, offers: Set<string>, arrows: Set<string>}} Lit  "event:lane"; of cells "event:lane:band" */

/** @typedef {{ways?: number, conflicts?: number, sectors?: number, least_sectors?: number, lines?: number, least_lines?: number}} Access */
/** @typedef {{reason: string, cycles: number, times: number, pc: number, register: string|null, writer_pc: number|null, pipe: string|null}} WaitPlace */
/** @typedef {{cycles: number, instructions: number, sms: number, issue_cycles: number, stall_cycles: number, stalls: Record<string, number>, places: WaitPlace[],
 *   sub_cores: {sm: number, sub_core: number, warps: number, issued: number, none_eligible: number, empty: number}[], warps_at_once: number,
 *   occupancy: null|{block_warps: number, block_shared_bytes: number, blocks: number, warps: number, max_blocks: number, max_warps: number, limited_by: string},
 *   roofline: null|{instructions_a_line: number|null, instructions_a_cycle: number|null, most_issued_a_cycle: number|null, most_lines_a_cycle: number|null}}} Statistics
 *   of `warpsim stats --json` */
/** @typedef {{statistics: Statistics, accesses: Record<number, Access>}} Timing  accesses by event */

export class View {
  /** @param {Trace} trace @param {Timing|null} [timing]  of a timed run */
  constructor(trace, timing = null) {
    this.trace = trace;
    this.timing = timing;
    this.history = new History(trace);
    this.dataflow = new Dataflow(trace, this.history);
    this.given = "";  // what it was asked for by: a program, a file
    this.warp = 0;
    this.n = 0;
    this.lane = 0;
    this.zoom = 1;
    this.folded = false;
    /** Whether the set-up, what stands before the first phase, is unfolded. */
    this.setUpShown = false;
    /** Whether arithmetic of addresses is unfolded. */
    this.addressesShown = false;
    this.transposed = false;
    this.contributions = false;
    this.predicting = false;
    /** @type {import("./words.js").Language} */
    this.language = "en";
    /** @type {Lit|null} */
    this.lit = null;
    /** @type {Map<number, import("./differences.js").Difference[]>}  from the other trace, by event */
    this.differences = new Map();
    /** @type {number[]}  by event */
    this.phases = [];
    this.currentRow = -1;
    /** @type {Set<number|string>}  lines of the program, and keys of its source's */
    this.breakpoints = new Set();
    this.longest = this.#longest();
    this.titled = trace.events.some((event) => event.phase);
    /** The number of the last step. */
    this.steps = trace.events[trace.events.length - 1]?.cycle ?? trace.events.length;
    this.geometry = geometryFor(900, trace.lanes, 1, false, this.longest, false, this.steps);
    /** @type {Row[]} */
    this.rows = [];
    /** @type {number[]}  the rows that prediction asks about */
    this.questions = [];
    /** The events at which there is a finding or the trap. */
    this.faults = new Set(this.allFaults().map((fault) => this.eventOf(fault)).filter((k) => k >= 0));
    const {trap, instructions} = trace.outcome;
    /** How many events of each warp are its set-up. */
    this.setUps = trace.warps.map((_, w) => setUpOf(trace, w));
    this.setUpShown = [...this.faults].some((k) => this.isSetUp(k));
    /** The event that trapped, or -1: it has no effects. */
    this.trapEvent = trap ? this.eventOf(trap) : -1;
    /** The trap that no event stands for (a deadlock), if the run is shown to its end: it stands there. */
    this.halt = trap && this.trapEvent < 0 && (trace.start?.events ?? 0) + trace.events.length >= instructions ? trap : null;
    /** The events at which lanes wait for ever. */
    this.standing = new Set((this.halt?.places ?? []).map((place) => this.#lastAt(place)));
  }

  /** The usual length of a value: the longest of nine in ten of what is written, so that one long one does not
   * stretch all columns. */
  #longest() {
    const lengths = new Array(24).fill(0);
    let all = 0;
    const every = Math.max(1, Math.floor(this.trace.events.length / 500));
    for (let k = 0; k < this.trace.events.length; k += every) {
      for (const value of this.trace.events[k].writes?.[0]?.values ?? []) {
        ++lengths[typeof value === "boolean" ? 1 : Math.min(23, textOf(value).length)];  // T and F will do
        ++all;
      }
    }
    let seen = 0;
    for (let length = 0; length < 24; ++length) if ((seen += lengths[length]) >= 0.9 * all) return Math.max(2, length);
    return 4;
  }

  /** @param {number} available  pixels */
  arrange(available) {
    const longest = this.contributions ? 7 : Math.min(this.longest, 5);  // 0..14/2
    this.geometry = geometryFor(available, this.trace.lanes, this.zoom, this.transposed, longest, this.titled, this.steps);
    const setUp = this.setUps[this.warp];
    this.rows = rowsOf(this.trace, this.warp, {arithmetic: this.folded, addresses: !this.addressesShown, setUp, setUpShown: this.setUpShown},
      this.geometry, this.language, (k) => this.breaksAt(k) || (this.faults.has(k) && this.trace.code[this.trace.events[k].pc].address === true));
    this.n = Math.max(this.n, this.begin);
    this.#place();
    this.questions = questionsOf(this);
  }

  /** Whether event k stands before the first phase. @param {number} k */
  isSetUp(k) { return this.trace.positionOf[k] < this.setUps[this.trace.warpOf[k]]; }

  /** The first moment that is shown: of a folded set-up, after it. */
  get begin() {
    const first = this.rows[0];
    return first && this.setUps[this.warp] > 0 && !this.setUpShown && !this.isSetUp(first.event) ? first.event : 0;
  }

  /** The row after which the next question is asked, or the last one. */
  beforeQuestion() { return (this.questions.find((k) => k > this.currentRow) ?? this.rows.length) - 1; }

  /** Whether prediction hides a row as a whole: there may be none. @param {number} k */
  unseen(k) { return this.predicting && k > this.currentRow + 1; }

  #place() {
    let low = 0, high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle].event < this.n) low = middle + 1;
      else high = middle;
    }
    this.currentRow = low - 1;
  }

  /** @param {number} n  a moment */
  seek(n) {
    this.n = Math.max(this.begin, Math.min(this.trace.events.length, n));
    this.#place();
    const row = this.rows[this.currentRow];
    if (row && this.n <= lastOf(row)) this.n = lastOf(row) + 1;  // what is one step on the page runs as one
  }

  /** The moment at which row k has just run; -1 is the start. @param {number} k */
  momentOf(k) {
    if (k < 0) return this.begin;
    return k < this.rows.length ? lastOf(this.rows[k]) + 1 : this.trace.events.length;
  }

  /** The event that the current row stands for, or -1 at the start. */
  get event() { return this.currentRow < 0 ? -1 : this.rows[this.currentRow].event; }

  /** The event that left what a lane's cell of a row shows. @param {Row} row @param {number} lane */
  eventAt(row, lane) {
    if (row.fused.length === 0) return row.event;
    for (let at = row.fused.length - 1; at >= 0; --at)
      if (lanesOf(this.trace.events[row.fused[at]].writes?.[0]?.lanes ?? "0x0").rank[lane] >= 0) return row.fused[at];
    return lastOf(row);
  }

  /** What a row does: "shfl.bfly", and with the operation that takes what it brought "shfl+max". @param {Row} row */
  opOf(row) {
    const ops = [row.event, ...row.fused].map((k) => this.trace.events[k].op);
    return ops.length === 1 ? ops[0] : ops.map((op) => op.split(".")[0]).join("+");
  }
  /** @param {Row} row */
  textOf(row) { return [row.event, ...row.fused].map((k) => this.trace.code[this.trace.events[k].pc].text).join(" · "); }

  /** @param {number} k */
  positionOf(k) { return this.trace.positionOf[k]; }

  /** The line of the program's text that event k ran. @param {number} k */
  lineOf(k) { return this.trace.code[this.trace.events[k].pc].line; }

  /** Whether event k is on a line that has a breakpoint; arithmetic of addresses belongs to no line of the source. @param {number} k */
  breaksAt(k) {
    const {pc} = this.trace.events[k];
    return this.breakpoints.has(this.lineOf(k)) || (!this.trace.code[pc].address && this.breakpoints.has(this.trace.sourceKey(pc)));
  }

  /** Whether a row is where its line of the source begins. @param {number} k  a row */
  beginsLine(k) {
    const chain = (/** @type {number} */ row) => (this.rows[row] ? this.trace.lineChain(this.trace.events[this.rows[row].event].pc) : "");
    return chain(k) !== chain(k - 1);
  }

  allFaults() {
    const {findings, trap} = this.trace.outcome;
    return trap ? [...findings, trap] : findings;
  }

  /** The event at which a finding, a step that led to it, or a trap happened, or -1.
   * @param {import("./trace.js").Finding|import("./trace.js").Step} fault */
  eventOf(fault) {
    const known = this.#eventOf.get(fault);
    if (known !== undefined) return known;
    let found = -1;
    this.trace.events.forEach((event, k) => {
      if (event.block === fault.block && event.warp === fault.warp &&
          (fault.pc === null || event.pc === fault.pc) && (fault.cycle === null || event.cycle === fault.cycle)) found = k;
    });
    this.#eventOf.set(fault, found);
    return found;
  }
  /** What eventOf() has found. @type {WeakMap<object, number>} */
  #eventOf = new WeakMap();

  /** The last event of a place's warp, if that is where its lanes stand; or -1. @param {import("./trace.js").Place} place */
  #lastAt(place) {
    const {events, warps} = this.trace;
    const own = warps.find((warp) => warp.block === place.block && warp.warp === place.warp)?.events ?? [];
    for (let at = own.length - 1; at >= 0; --at)
      if ((BigInt(events[own[at]].active) & BigInt(place.lanes)) !== 0n) return events[own[at]].pc === place.pc ? own[at] : -1;
    return -1;
  }

  /** Where the run trapped without an event of its own: which lanes of the warp in sight stand where; or "". */
  haltText() {
    const {halt, trace, language} = this;
    const {block, warp} = trace.warps[this.warp];
    const stands = (halt?.places ?? []).flatMap((place) => {
      if (place.block !== block || place.warp !== warp || place.pc === null) return [];
      const line = word(language, "placeLine", {line: trace.lineName(place.pc)});
      return [`${lanesText(lanesOf(place.lanes).lanes, language)}, ${line}`];
    });
    return halt && stands.length > 0 ? `⚠ ${halt.kind}: ${stands.join(" · ")}` : "";
  }
  hidesHalt() { return this.predicting && this.n < this.trace.events.length; }

  /** Which undefined values are used; found out once it is asked. */
  get uses() { return this.#uses ??= new Uses(this.trace); }
  /** @type {Uses|null} */
  #uses = null;

  /** Whether what event `writer` (-1: nobody) left undefined in a lane's register is used; as far as prediction may tell.
   * @param {string} name @param {number} lane @param {number} writer @param {number} k  an event of that warp */
  isUsed(name, lane, writer, k) {
    return this.uses.used(this.trace.warpOf[k], name, lane, writer, this.predicting ? this.n : Infinity);
  }
  /** Whether what a shuffle could not bring to a lane is used. @param {number} k @param {number} lane */
  isLossUsed(k, lane) { return this.isUsed(this.trace.events[k].writes?.[0]?.reg ?? "", lane, k, k); }

  /** @param {number} k */
  trapped(k) { return this.faults.has(k) || this.standing.has(k); }

  /** The lines of the program at which something went wrong, or lanes wait for ever. @returns {Set<number>} */
  troubleLines() {
    const {code} = this.trace;
    if (this.predicting && this.n < this.trace.events.length) return new Set();
    const all = [...this.allFaults(), ...(this.halt?.places ?? [])];
    return new Set(all.flatMap(({pc}) => (pc === null || !code[pc] ? [] : [code[pc].line])));
  }

  /** The same of its source, by key. @returns {Set<string>} */
  troubleSources() {
    const {trace} = this;
    if (this.predicting && this.n < trace.events.length) return new Set();
    return new Set([...this.allFaults(), ...(this.halt?.places ?? [])].flatMap(({pc}) => (pc === null ? [] : [trace.sourceKey(pc)])));
  }

  /** Prediction hides what events from this one on did. */
  get tellsUntil() { return this.predicting ? this.n : Infinity; }
  /** Whether prediction hides what event k did. @param {number} k */
  hides(k) { return k >= this.tellsUntil; }
  /** A phase's title may tell what its rows come to. @param {Row} row */
  titleOf(row) { return row.title && this.hides(row.event) ? "…" : row.title; }

  /** The node of the slice that a cell stands for, or null. @param {number} k @param {number} lane @param {number} [band]
   * @returns {import("./dataflow.js").Node|null} */
  nodeOf(k, lane, band = 0) {
    const destination = this.trace.destinations(k)[band];
    if (!destination && k === this.trapEvent && lanesOf(this.trace.events[k].active).rank[lane] >= 0)
      return {event: k, lane, register: kAddress};
    if (!destination || lanesOf(destination.lanes).rank[lane] < 0) return null;
    if (destination.element >= 0) return {event: k, lane, register: -1, element: destination.element};
    return {event: k, lane, register: this.trace.registerIndex.get(destination.name) ?? -1};
  }

  /** The band that shows a node. @param {import("./dataflow.js").Node} node */
  bandOf(node) {
    if (node.register === kAddress) return 0;
    const name = node.register < 0 ? "" : this.trace.registers[node.register].name;
    return this.trace.destinations(node.event).findIndex((one) =>
      (node.register < 0 ? one.element === (node.element ?? 0) : one.name === name));
  }

  /** Lights up where a cell's value came from. @param {import("./dataflow.js").Node|null} node */
  light(node) {
    if (!node) {
      this.lit = null;
      return null;
    }
    const slice = this.dataflow.slice(node);
    const cells = new Set(slice.nodes.map((one) => `${one.event}:${one.lane}:${this.bandOf(one)}`));
    const arrows = new Set(slice.arrows.map((one) => `${one.event}:${one.to}`));
    const offers = new Set(slice.arrows.map((one) => `${one.event}:${one.from}`));
    for (const one of slice.nodes) {
      const flow = this.trace.flow(this.trace.events[one.event].pc);
      if (flow && flow.exchanged.length > 0 && !this.trace.events[one.event].exchange)
        for (const lane of this.dataflow.members(one.event, one.lane)) offers.add(`${one.event}:${lane}`);
    }
    this.lit = {cells, arrows, offers};
    return slice;
  }

  /** The number of the phase in which event k runs: 0 before the first. @param {number} k */
  phaseOf(k) {
    if (this.phases.length === 0) {
      for (const warp of this.trace.warps) {
        let number = 0;
        for (const event of warp.events) this.phases[event] = number = this.trace.events[event].phase?.number ?? number;
      }
    }
    return this.phases[k];
  }

  /** The next row after (or before) the current one for which `wanted` holds, or -1. @param {1|-1} direction
   * @param {(row: Row, k: number) => boolean} wanted */
  findRow(direction, wanted) {
    for (let k = this.currentRow + direction; k >= 0 && k < this.rows.length; k += direction)
      if (wanted(this.rows[k], k)) return k;
    return -1;
  }

  /** The last event of the shown warp before the moment, or -1. */
  lastEvent() {
    const events = this.trace.warps[this.warp].events;
    const at = lastBelow(events, this.n);
    return at < 0 ? -1 : events[at];
  }
}
