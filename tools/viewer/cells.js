// What the cells of a row say: what its event wrote, stored or did, and what its lanes hold out in an exchange.
//
// Shapes: cells are by lane. Where all say the same and it is too long for one of them, `shared` says it once over all.

import {lastOf} from "./layout.js";
import {kUnwritten, lanesOf, sameValue, shortened, textOf} from "./trace.js";
import {word} from "./words.js";

/** @typedef {import("./trace.js").Value} Value */
/** @typedef {import("./layout.js").Row} Row */
/** @typedef {"value"|"undefined"|"unused"|"unwritten"|"hidden"|"inactive"|"taken"|"notTaken"|"exit"|"wait"|"idle"|"fault"} CellKind */
/** undefined: and used; unused: undefined, and nobody looks at it; unwritten: never written, and nobody looks at it
 * @typedef {{kind: CellKind, text: string, forms?: string[], value?: Value, changed?: boolean,
 *   differs?: import("./differences.js").Difference}} Cell  forms: shorter ones, where the text has some */
/** @typedef {{cells: Cell[], shared: {text: string, from: number, to: number}|null}} Cells */
/** @typedef {import("./trace.js").Destination} Destination */

/** @type {Record<string, string>} */
const kGlyphs = {inactive: "", taken: "↷", notTaken: "↓", exit: "■", wait: "∥", idle: "·", fault: "✕"};

/** The cells of one of the row's destinations, or of a row that has none. @param {import("./view.js").View} view @param {Row} row
 * @param {number} [band] @returns {Cells} */
export function cellsOf(view, row, band = 0) {
  if (!view.hides(row.event)) return resultsOf(view, row, band);
  return {cells: Array.from({length: view.trace.lanes}, () => ({kind: "hidden", text: "?"})), shared: null};
}

/** The same, also of what prediction hides. @param {import("./view.js").View} view @param {Row} row @param {number} [band]
 * @returns {Cells} */
export function resultsOf(view, row, band = 0) {
  const cells = Array.from({length: view.trace.lanes}, (_, lane) => resultOf(view, row, band, lane));
  return {cells, shared: sharedText(view, cells)};
}

/** @param {import("./view.js").View} view @param {Row} row @param {number} band @param {number} lane @returns {Cell} */
function resultOf(view, row, band, lane) {
  const k = view.eventAt(row, lane), event = view.trace.events[k];
  const destination = view.trace.destinations(k)[band];
  const rank = destination ? lanesOf(destination.lanes).rank[lane] : -1;
  if (rank < 0) {
    const atFault = k === view.trapEvent && !event.masks && lanesOf(view.trace.outcome.trap?.lanes ?? "0x0").rank[lane] >= 0;
    const kind = atFault ? "fault" : kindWithoutValue(event, view.trace.flow(event.pc)?.kind, lane, lanesOf(event.active).rank[lane] >= 0);
    return {kind, text: row.fused.length > 0 && kind === "inactive" ? heldText(view, k, destination?.name, lane) : kGlyphs[kind]};
  }
  const value = destination.values[rank];
  const said = view.contributions ? contributed(view, view.nodeOf(k, lane, band)) : {text: textOf(value)};
  const used = value === null && (destination.element >= 0 || view.uses.uses(k, lane) || view.isUsed(destination.name, lane, k, k));
  return {kind: value !== null ? "value" : used ? "undefined" : "unused", ...said, value,
    changed: destination.element < 0 && changedIn(view, row.event, destination.name, lane, value),
    differs: differenceAt(view, k, lane, destination.element < 0 ? destination.name : "memory")};
}

/** What a register goes on holding on a lane that an operation leaves out. @param {import("./view.js").View} view @param {number} k
 * @param {string|undefined} name @param {number} lane */
function heldText(view, k, name, lane) {
  const register = view.trace.registerIndex.get(name ?? "");
  const value = register === undefined ? null : view.history.value(view.trace.warpOf[k], register, lane, k);
  return value === null || view.contributions ? "" : textOf(value);
}

/** @param {import("./trace.js").Event} event @param {string|undefined} flow  its kind @param {number} lane
 * @param {boolean} active @returns {CellKind} */
function kindWithoutValue(event, flow, lane, active) {
  for (const change of event.masks ?? []) {
    if (change.kind === "branch" && change.taken && lanesOf(change.taken).rank[lane] >= 0) return "taken";
    if (change.kind === "branch" && change.not_taken && lanesOf(change.not_taken).rank[lane] >= 0) return "notTaken";
    if (change.kind === "exit" && change.lanes && lanesOf(change.lanes).rank[lane] >= 0) return "exit";
  }
  if (!active) return "inactive";
  return flow === "barrier" ? "wait" : "idle";
}

/** @param {import("./view.js").View} view @param {number} k @param {string} name @param {number} lane @param {Value} value */
function changedIn(view, k, name, lane, value) {
  const register = view.trace.registerIndex.get(name);
  if (register === undefined) return false;
  return !sameValue(view.history.value(view.trace.warpOf[k], register, lane, k), value);
}

/** The inputs in a value, whole and shorter. @param {import("./view.js").View} view @param {import("./dataflow.js").Node|null} node
 * @returns {{text: string, forms?: string[]}} */
function contributed(view, node) {
  const intervals = node ? view.dataflow.contributions(node) : [];
  const text = view.dataflow.text(intervals);
  return text ? {text: text.replaceAll(", ", ","), forms: shorterForms(view, intervals, text)} : {text: "–"};
}

/** Shorter ways to say which inputs: "0..14/2", if that is all of them; then how many of how many. @param {import("./view.js").View} view
 * @param {number[]} intervals @param {string} text  the whole */
function shorterForms(view, intervals, text) {
  let count = 0;
  for (let k = 0; k < intervals.length; k += 2) count += intervals[k + 1] - intervals[k];
  const all = view.trace.params.reduce((sum, {kind, length}) => sum + (kind === "out" ? 0 : length ?? 0), 0);
  const numbers = /^[\d, ]+$/.test(text) ? text.split(", ").map(Number) : [];
  const step = numbers[1] - numbers[0];
  const even = numbers.length > 2 && numbers.every((one, k) => one === numbers[0] + k * step);
  return [...(even ? [`${numbers[0]}..${numbers[numbers.length - 1]}/${step}`] : []),
    word(view.language, "inputsCount", {count, all}), `${count}/${all}`];
}

/** One text in place of many, if all cells say the same and it is too long for one. @param {import("./view.js").View} view
 * @param {Cell[]} cells */
function sharedText(view, cells) {
  const lanes = [];
  for (let lane = 0; lane < cells.length; ++lane) if (cells[lane].value !== undefined) lanes.push(lane);
  if (lanes.length < 2) return null;
  const text = cells[lanes[0]].text;
  if (shortened(text, view.geometry.room) === text || text === "true" || text === "false") return null;
  if (lanes.some((lane) => cells[lane].text !== text)) return null;
  for (let k = 1; k < lanes.length; ++k) if (lanes[k] !== lanes[k - 1] + 1) return null;
  return {text, from: lanes[0], to: lanes[lanes.length - 1]};
}

/** How a cell differs from the other trace's: of a register by its name, of a store "memory". @param {import("./view.js").View} view
 * @param {number} k @param {number} lane @param {string} name */
function differenceAt(view, k, lane, name) {
  return view.differences.get(k)?.find((one) => one.lane === lane && (one.name === name || one.name === "from"));
}

/** What each lane holds out in an exchange. @param {import("./view.js").View} view @param {Row} row @returns {Cells} */
export function offersOf(view, row) {
  const event = view.trace.events[row.event];
  const name = view.trace.flow(event.pc)?.exchanged[0];
  const register = name === undefined ? undefined : view.trace.registerIndex.get(name);
  const active = lanesOf(event.active).rank;
  const hidden = view.hides(row.event);  // then who takes part is hidden too, and of rows further on everything
  const next = view.rows[view.currentRow + 1] === row;
  /** @type {Cell[]} */
  const cells = [];
  for (let lane = 0; lane < view.trace.lanes; ++lane) {
    if (hidden && !next) cells.push({kind: "hidden", text: ""});
    else if (!hidden && active[lane] < 0) cells.push({kind: "inactive", text: ""});
    else if (register === undefined) cells.push({kind: "value", text: ""});
    else cells.push(offerOf(view, row.event, register, lane));
  }
  return {cells, shared: sharedText(view, cells)};
}

/** @param {import("./view.js").View} view @param {number} k @param {number} register @param {number} lane @returns {Cell} */
function offerOf(view, k, register, lane) {
  const warp = view.trace.warpOf[k];
  const value = view.history.value(warp, register, lane, k);
  const writer = view.history.writer(warp, register, lane, k);
  if (value === null && !view.contributions) {
    if (view.isUsed(view.trace.registers[register].name, lane, writer, k)) return {kind: "undefined", text: textOf(value), value};
    return view.history.isWritten(warp, register, lane, k) ? {kind: "unused", text: textOf(value), value} : {kind: "unwritten", text: kUnwritten, value};
  }
  if (!view.contributions) return {kind: "value", text: textOf(value), value};
  return {kind: "value", ...contributed(view, writer < 0 ? null : {event: writer, lane, register}), value};
}

/** A cell in words; of several destinations with its name. @param {import("./view.js").View} view @param {Row} row
 * @param {number} lane @param {Cell} cell @param {number} band */
export function describeCell(view, row, lane, cell, band) {
  const name = row.bands > 1 ? ` ${view.trace.destinations(lastOf(row))[band]?.name ?? ""}` : "";
  return wordsOf(view, row, lane, cell) + name;
}

/** @param {import("./view.js").View} view @param {Row} row @param {number} lane @param {Cell} cell */
function wordsOf(view, row, lane, cell) {
  const {language} = view;
  if (cell.kind === "hidden") return word(language, "cellHidden", {lane});
  if (cell.kind === "inactive") return word(language, "cellInactive", {lane});
  if (cell.kind === "undefined") return word(language, "cellUndefined", {lane});
  if (cell.kind === "unused" || cell.kind === "unwritten") return word(language, "cellUnused", {lane});
  if (cell.kind === "taken") return word(language, "cellTaken", {lane});
  if (cell.kind === "notTaken") return word(language, "cellNotTaken", {lane});
  if (cell.kind === "exit") return word(language, "cellExit", {lane});
  if (cell.kind === "fault") return word(language, "cellFault", {lane});
  if (cell.kind === "wait") return word(language, "cellWait", {lane});
  let text = word(language, "cellValue", {lane, value: cell.kind === "idle" ? "·" : textOf(cell.value)});
  const exchange = view.trace.events[row.event].exchange;
  const rank = exchange ? lanesOf(exchange.lanes).rank[lane] : -1;
  if (exchange && rank >= 0) {
    text += lanesOf(exchange.in_range).rank[lane] < 0 ? word(language, "cellKeeps")
      : word(language, "cellFrom", {from: exchange.from[rank]});
  }
  if (cell.changed) text += word(language, "cellChanged");
  if (cell.differs) text += word(language, "cellDiffers", cell.differs);
  if (view.contributions) text += ` (${cell.text})`;
  return text;
}
