// What is shown of one trace: the warp, the moment, the chosen lane, and what each cell says.
//
// Shapes: `n` is the moment: the first n events have run, of all warps. A step goes to the next row of the warp that is shown,
//         so the others run along. Cells are by lane.

import {Dataflow} from "./dataflow.js";
import {History, lastBelow} from "./history.js";
import {geometryFor, rowsOf} from "./layout.js";
import {lanesOf, sameValue, textOf} from "./trace.js";
import {word} from "./words.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./trace.js").Value} Value */
/** @typedef {import("./layout.js").Row} Row */
/** @typedef {"value"|"undefined"|"inactive"|"taken"|"notTaken"|"exit"|"wait"|"idle"} CellKind */
/** @typedef {{kind: CellKind, text: string, value?: Value, changed?: boolean, differs?: boolean}} Cell */
/** @typedef {{cells: Cell[], shared: {text: string, from: number, to: number}|null}} Cells */
/** @typedef {{cells: Set<string>, offers: Set<string>, arrows: Set<string>}} Lit  "event:lane" */

/** @type {Record<string, string>} */
const kGlyphs = {inactive: "", taken: "↷", notTaken: "↓", exit: "■", wait: "∥", idle: "·"};

export class View {
  /** @param {Trace} trace */
  constructor(trace) {
    this.trace = trace;
    this.history = new History(trace);
    this.dataflow = new Dataflow(trace, this.history);
    this.warp = 0;
    this.n = 0;
    this.lane = 0;
    this.zoom = 1;
    this.folded = false;
    this.transposed = false;
    this.contributions = false;
    this.predicting = false;
    /** @type {import("./words.js").Language} */
    this.language = "en";
    /** @type {Lit|null} */
    this.lit = null;
    /** @type {((event: number) => number)|null}  the other trace's event beside this one, or -1 */
    this.beside = null;
    /** @type {View|null} */
    this.other = null;
    this.currentRow = -1;
    this.longest = this.#longest();
    this.geometry = geometryFor(900, trace.lanes, 1, false, this.longest);
    /** @type {Row[]} */
    this.rows = [];
    /** @type {Map<number, number[]>}  faults by event: 1 a finding, 2 the trap */
    this.faults = new Map();
    for (const fault of this.allFaults()) {
      const k = this.eventOf(fault);
      if (k >= 0) this.faults.set(k, [...(this.faults.get(k) ?? []), 1]);
    }
  }

  /** The usual length of a value: the longest of nine in ten of what is written, so that one long one does not
   * stretch all columns. */
  #longest() {
    const lengths = new Array(24).fill(0);
    let all = 0;
    const every = Math.max(1, Math.floor(this.trace.events.length / 500));
    for (let k = 0; k < this.trace.events.length; k += every) {
      for (const value of this.trace.events[k].writes?.[0]?.values ?? []) {
        ++lengths[Math.min(23, textOf(value).length)];
        ++all;
      }
    }
    let seen = 0;
    for (let length = 0; length < 24; ++length) if ((seen += lengths[length]) >= 0.9 * all) return Math.max(2, length);
    return 4;
  }

  /** @param {number} available  pixels */
  arrange(available) {
    const longest = this.contributions ? 6 : Math.min(this.longest, 5);
    this.geometry = geometryFor(available, this.trace.lanes, this.zoom, this.transposed, longest);
    this.rows = rowsOf(this.trace, this.warp, this.folded, this.geometry, this.language);
    this.#place();
  }

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
    this.n = Math.max(0, Math.min(this.trace.events.length, n));
    this.#place();
  }

  /** The moment at which row k has just run; -1 is the start. @param {number} k */
  momentOf(k) {
    if (k < 0) return 0;
    return k < this.rows.length ? this.rows[k].event + 1 : this.trace.events.length;
  }

  /** The event that the current row stands for, or -1 at the start. */
  get event() { return this.currentRow < 0 ? -1 : this.rows[this.currentRow].event; }

  /** @param {number} k */
  positionOf(k) { return this.trace.positionOf[k]; }

  allFaults() {
    const {findings, trap} = this.trace.outcome;
    return trap ? [...findings, trap] : findings;
  }

  /** The event at which a finding or a trap happened, or -1. @param {import("./trace.js").Finding} fault */
  eventOf(fault) {
    let found = -1;
    this.trace.events.forEach((event, k) => {
      if (event.block === fault.block && event.warp === fault.warp &&
          (fault.pc === null || event.pc === fault.pc) && (fault.cycle === null || event.cycle === fault.cycle)) found = k;
    });
    return found;
  }
  /** @param {number} k */
  trapped(k) { return this.faults.has(k); }

  /** Whether prediction hides what event k did. @param {number} k */
  hides(k) { return this.predicting && k >= this.n; }

  /** @param {number} k */
  lanesOfBus(k) { return lanesOf(this.trace.events[k].active).lanes; }

  /** Where a store goes, for its row's label. @param {number} k */
  destination(k) {
    const memory = this.trace.events[k].memory;
    if (!memory || memory.access === "load") return "";
    const object = Array.isArray(memory.object) ? memory.object[0] : memory.object;
    return `→ ${object ?? "?"}`;
  }

  /** What the cells of a row say: what its event wrote, stored or did. @param {Row} row @returns {Cells} */
  cellsOf(row) {
    const event = this.trace.events[row.event];
    const active = lanesOf(event.active).rank;
    const write = event.writes?.[0];
    const memory = event.memory?.access === "load" ? undefined : event.memory;
    const lanes = write?.lanes ?? memory?.lanes;
    const values = write?.values ?? memory?.values ?? [];
    const rank = lanes ? lanesOf(lanes).rank : null;
    const other = this.#besideValues(row.event);
    /** @type {Cell[]} */
    const cells = [];
    for (let lane = 0; lane < this.trace.lanes; ++lane) {
      if (rank === null || rank[lane] < 0) {
        const kind = this.#kindWithoutValue(event, lane, active[lane] >= 0);
        cells.push({kind, text: kGlyphs[kind]});
        continue;
      }
      const value = values[rank[lane]];
      const text = this.contributions ? this.#contributed(row.event, lane) : textOf(value);
      const seen = other?.(lane);
      cells.push({kind: value === null ? "undefined" : "value", text, value,
        changed: write !== undefined && this.#changed(row.event, write.reg, lane, value),
        differs: seen !== undefined && seen !== null && value !== null && !sameValue(seen, value)});
    }
    return {cells, shared: this.#shared(cells)};
  }

  /** @param {import("./trace.js").Event} event @param {number} lane @param {boolean} active @returns {CellKind} */
  #kindWithoutValue(event, lane, active) {
    for (const change of event.masks ?? []) {
      if (change.kind === "branch" && change.taken && lanesOf(change.taken).rank[lane] >= 0) return "taken";
      if (change.kind === "branch" && change.not_taken && lanesOf(change.not_taken).rank[lane] >= 0) return "notTaken";
      if (change.kind === "exit" && change.lanes && lanesOf(change.lanes).rank[lane] >= 0) return "exit";
    }
    if (!active) return "inactive";
    return event.op.startsWith("bar") ? "wait" : "idle";
  }

  /** @param {number} k @param {string} name @param {number} lane @param {Value} value */
  #changed(k, name, lane, value) {
    const register = this.trace.registerIndex.get(name);
    if (register === undefined) return false;
    const before = this.history.value(this.trace.warpOf[k], register, lane, k);
    return !sameValue(before, value);
  }

  /** @param {number} k @param {number} lane */
  #contributed(k, lane) {
    const node = this.nodeOf(k, lane);
    return (node && this.dataflow.text(this.dataflow.contributions(node)).replaceAll(", ", ",")) || "–";
  }

  /** One text in place of many, if all cells say the same and it is too long for one. @param {Cell[]} cells */
  #shared(cells) {
    const lanes = [];
    for (let lane = 0; lane < cells.length; ++lane) if (cells[lane].value !== undefined) lanes.push(lane);
    if (lanes.length < 2) return null;
    const text = cells[lanes[0]].text;
    if (text.length <= this.geometry.room || lanes.some((lane) => cells[lane].text !== text)) return null;
    for (let k = 1; k < lanes.length; ++k) if (lanes[k] !== lanes[k - 1] + 1) return null;
    return {text, from: lanes[0], to: lanes[lanes.length - 1]};
  }

  /** What the other trace has beside event k, by lane. @param {number} k */
  #besideValues(k) {
    const at = this.other && this.beside ? this.beside(k) : -1;
    const write = at < 0 ? undefined : this.other?.trace.events[at].writes?.[0];
    if (!write) return null;
    return (/** @type {number} */ lane) => write.values[lanesOf(write.lanes).rank[lane]];
  }

  /** What each lane holds out in an exchange. @param {Row} row @returns {Cells} */
  offersOf(row) {
    const event = this.trace.events[row.event];
    const name = this.trace.flow(event.pc)?.exchanged[0];
    const register = name === undefined ? undefined : this.trace.registerIndex.get(name);
    const active = lanesOf(event.active).rank;
    /** @type {Cell[]} */
    const cells = [];
    for (let lane = 0; lane < this.trace.lanes; ++lane) {
      if (active[lane] < 0) cells.push({kind: "inactive", text: ""});
      else if (register === undefined) cells.push({kind: "value", text: ""});
      else cells.push(this.#offer(row.event, register, lane));
    }
    return {cells, shared: this.#shared(cells)};
  }

  /** @param {number} k @param {number} register @param {number} lane @returns {Cell} */
  #offer(k, register, lane) {
    const warp = this.trace.warpOf[k];
    const value = this.history.value(warp, register, lane, k);
    if (!this.contributions) return {kind: value === null ? "undefined" : "value", text: textOf(value), value};
    const writer = this.history.writer(warp, register, lane, k);
    return {kind: "value", text: writer < 0 ? "–" : this.dataflow.text(this.dataflow.contributions({event: writer, lane, register})).replaceAll(", ", ",") || "–", value};
  }

  /** A cell in words. @param {Row} row @param {number} lane @param {Cell} cell @param {boolean} hidden */
  describe(row, lane, cell, hidden) {
    const language = this.language;
    if (hidden && cell.value !== undefined) return word(language, "cellHidden", {lane});
    if (cell.kind === "inactive") return word(language, "cellInactive", {lane});
    if (cell.kind === "undefined") return word(language, "cellUndefined", {lane});
    if (cell.kind === "taken") return word(language, "cellTaken", {lane});
    if (cell.kind === "notTaken") return word(language, "cellNotTaken", {lane});
    if (cell.kind === "exit") return word(language, "cellExit", {lane});
    if (cell.kind === "wait") return word(language, "cellWait", {lane});
    let text = word(language, "cellValue", {lane, value: cell.kind === "idle" ? "·" : textOf(cell.value)});
    const exchange = this.trace.events[row.event].exchange;
    const rank = exchange ? lanesOf(exchange.lanes).rank[lane] : -1;
    if (exchange && rank >= 0) {
      text += lanesOf(exchange.in_range).rank[lane] < 0 ? word(language, "cellKeeps")
        : word(language, "cellFrom", {from: exchange.from[rank]});
    }
    if (cell.changed) text += word(language, "cellChanged");
    if (this.contributions) text += ` (${cell.text})`;
    return text;
  }

  /** The node of the slice that a cell stands for, or null. @param {number} k @param {number} lane
   * @returns {import("./dataflow.js").Node|null} */
  nodeOf(k, lane) {
    const event = this.trace.events[k];
    const write = event.writes?.[0];
    if (write && lanesOf(write.lanes).rank[lane] >= 0)
      return {event: k, lane, register: this.trace.registerIndex.get(write.reg) ?? -1};
    const memory = event.memory;
    return memory && lanesOf(memory.lanes).rank[lane] >= 0 ? {event: k, lane, register: -1} : null;
  }

  /** Lights up where a cell's value came from. @param {import("./dataflow.js").Node|null} node */
  light(node) {
    if (!node) {
      this.lit = null;
      return null;
    }
    const slice = this.dataflow.slice(node);
    const cells = new Set(slice.nodes.map((one) => `${one.event}:${one.lane}`));
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

  /** The next row after (or before) the current one for which `wanted` holds, or -1. @param {1|-1} direction
   * @param {(row: Row) => boolean} wanted */
  findRow(direction, wanted) {
    for (let k = this.currentRow + direction; k >= 0 && k < this.rows.length; k += direction)
      if (wanted(this.rows[k])) return k;
    return -1;
  }

  /** The last event of the shown warp before the moment, or -1. */
  lastEvent() {
    const events = this.trace.warps[this.warp].events;
    const at = lastBelow(events, this.n);
    return at < 0 ? -1 : events[at];
  }
}
