// Where everything stands: pure arithmetic, no drawing. The grid and the exported picture share it.
//
// Shapes: a row is one event of the warp that is shown (or, folded, one that moves data, with the operation that takes what a
//         shuffle brought). Along the time axis it has a band for its phase's title, for an exchange one band of cells with what
//         each lane offers and a gap for the arrows, and a band of results for each destination. Lanes stand along the other
//         axis. Transposed, for narrow screens and many lanes, time runs to the right and lanes downwards; nothing else changes.
// Units:  CSS pixels.

import {lanesOf, shortened} from "./trace.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {"none"|"arrows"|"bar"|"stairs"|"all"} Gap  arrows: a shuffle; stairs: a scan, in which a lane gets from those before
 *   it; all: a reduction, in which all get from all; bar: votes and matches, in which all lanes meet */
/** @typedef {{event: number, fused: number[], title: string, gap: Gap, gapSize: number, bands: number, head: number, begin: number,
 *   size: number}} Row
 *   fused: events that take what this one, a shuffle, brought, and are shown with it; bands: of results; head: the room for the title; of two traces, rows that belong together have the same head, begin and
 *   size */
/** @typedef {{transposed: boolean, upended: boolean, pitch: number, cell: number, label: number, band: number, font: number,
 *   room: number, lanes: number, count: number}} Geometry
 *   upended: values run downwards, since columns are too narrow for them;
 *   pitch: from lane to lane; cell: a cell's size along the lanes; label: in front of lane 0; band: a cell's size along
 *   time; room: characters that a cell holds; count: what numbers of steps with more than three digits need more */

const kTitle = 30, kPadding = 8, kBetween = 3;
/** Turned, titles have a line of their own above the rows' labels. */
const kTitleAcross = 20;
/** Turned, what is free below the last lane. */
export const kAfter = 6;
/** Turned, from this pitch down cells have no lines between them: those would take the numbers' room. */
export const kDense = 15;
/** The smallest size of text that can be read, where numbers run downwards or lanes are zoomed to fit; elsewhere. */
const kSmallest = 8, kUsual = 10;
/** From so many lanes on lanes are rows, and arrows straight: curves over long distances cannot be told apart. */
export const kManyLanes = 32;
/** Turned, the narrowest column: the room for the name of an operation. */
const kNarrowest = 62;
/** The size along time of what stays in sight: the lanes' numbers. */
export const kFrame = 46;

/** @param {number} available  pixels for the lanes @param {number} lanes @param {number} zoom  1 is the usual size
 * @param {boolean} transposed @param {number} longest  characters of the longest value
 * @param {boolean} titled  whether phases have titles @param {number} steps  the last one's number @returns {Geometry} */
export function geometryFor(available, lanes, zoom, transposed, longest, titled, steps) {
  const count = Math.max(0, `${steps}`.length - 3) * 7;
  if (transposed) {
    const label = kFrame + (titled ? kTitleAcross : 0);
    const fit = Math.max(kUsual + 1, Math.min(64, (available - label - kAfter) / lanes));
    const pitch = Math.floor(Math.max(kSmallest + 1, fit * zoom) * 4) / 4;
    const cell = Math.min(44, pitch - (pitch >= 24 ? 4 : pitch >= kDense ? 2 : 1));
    const font = Math.min(15, pitch >= kDense ? cell - 3 : cell, Math.max(12, pitch * 0.36));
    const band = Math.round(Math.max(38, Math.min(76, longest * font * 0.61 + 10)));
    return {transposed, upended: false, pitch, cell, label, band, font, room: Math.floor((band - 5) / (font * 0.605)), lanes, count};
  }
  const label = (lanes > 16 ? 102 : 132) + count;
  const fit = (available - label - 10) / lanes;
  const wanted = Math.min(Math.max(longest, 3), 7) * 5.2 + (longest > 6 ? 8.5 : 5.5);  // the smallest at which values can be read
  const pitch = Math.max(9, (fit >= wanted ? Math.min(fit, lanes <= 4 ? 170 : 110) : wanted) * zoom);
  const cell = pitch - (pitch > 48 ? 8 : pitch > 30 ? 3 : 2);
  const font = Math.max(8.5, Math.min(13, (cell - 3) / (Math.min(Math.max(longest, 4), 7) * 0.605)));
  const roomAt = (/** @type {number} */ size) => Math.floor((cell - 2.5) / (size * 0.605));
  if (roomAt(font) >= longest) return {transposed, upended: false, pitch, cell, label, band: 28, font, room: roomAt(font), lanes, count};
  if (roomAt(kSmallest) >= longest || cell >= 30)
    return {transposed, upended: false, pitch, cell, label, band: 28, font: kSmallest, room: roomAt(kSmallest), lanes, count};
  const down = Math.max(kSmallest, Math.min(10, cell - 2));
  const band = Math.round(Math.max(28, (Math.max(longest, 4) + 1) * down * 0.605 + 6));  // room for a sign
  return {transposed, upended: true, pitch, cell, label, band, font: down, room: Math.floor((band - 4) / (down * 0.605)), lanes, count};
}

/** As much of a text as a cell holds, or the first of its shorter forms that it holds whole; where numbers run downwards, true
 * and false are T and F. @param {Geometry} geometry @param {string} text @param {string[]} [forms] */
export function textIn({upended, room}, text, forms = []) {
  const form = text.length <= room ? undefined : forms.find((one) => one.length <= room);
  return form ?? shortened(text, upended && (text === "true" || text === "false") ? 1 : room);
}

/** Whether a text of a cell runs downwards: numbers do, single signs stay upright. @param {Geometry} geometry @param {string} text */
export const runsDown = (geometry, text) => geometry.upended && /\d|../u.test(text);

/** Where the first row begins, and what it leaves free before it where a set-up is folded or can be. */
const kFirst = 6;
export const kLead = 30;

/** @param {Trace} trace @param {number} k @returns {Gap} */
function gapOf(trace, k) {
  if (trace.events[k].exchange) return "arrows";
  const flow = trace.flow(trace.events[k].pc);
  if (!flow || flow.exchanged.length === 0) return "none";
  return flow.kind === "scan" ? "stairs" : flow.kind === "reduce" ? "all" : "bar";
}

/** @param {Trace} trace @param {number} k @param {Gap} gap @param {number} pitch */
function gapRoom(trace, k, gap, pitch) {
  if (gap === "arrows") return arrowRoom(trace, k, pitch);
  if (gap === "stairs") return Math.round(Math.max(44, Math.min(88, trace.lanes * 5)));
  return gap === "all" ? 48 : gap === "bar" ? 26 : 0;
}

/** The room for arrows: more where they run far. @param {Trace} trace @param {number} k @param {number} pitch */
function arrowRoom(trace, k, pitch) {
  const exchange = /** @type {import("./trace.js").Exchange} */ (trace.events[k].exchange);
  let farthest = 0;
  lanesOf(exchange.lanes).lanes.forEach((lane, at) => {
    farthest = Math.max(farthest, Math.abs(lane - exchange.from[at]));
  });
  return Math.round(Math.min(96, 34 + Math.sqrt(farthest * pitch) * 2.4));
}

/** The last event that a row stands for. @param {Row} row */
export const lastOf = (row) => row.fused[row.fused.length - 1] ?? row.event;

/** The lanes that go through the program together, of which a guard may switch some off. @param {import("./trace.js").Event} event */
const groupOf = (event) => event.group ?? event.active;

/** The operations that follow a shuffle and take what it brought, as far as all of them leave it in one register: a maximum; or for
 * some lanes an addition and for the others a move. @param {Trace} trace @param {number[]} events  of the warp
 * @param {number} at  the shuffle's position among them @param {(k: number) => boolean} stays  events that are never folded away @returns {number[]} */
function fusedWith(trace, events, at, stays) {
  const shuffle = trace.events[events[at]], brought = shuffle.writes?.[0]?.reg;
  /** @type {number[]} */
  const fused = [];
  let into = "";
  for (const k of events.slice(at + 1, at + 4)) {
    const event = trace.events[k], flow = trace.flow(event.pc), writes = event.writes ?? [];
    const takes = flow !== undefined && !trace.moves(k) && !event.masks && !event.phase && groupOf(event) === groupOf(shuffle) &&
        writes.length === 1 && brought !== undefined && flow.value.includes(brought);
    if (!takes || stays(k) || (into !== "" && writes[0].reg !== into)) break;
    fused.push(k);
    into = writes[0].reg;
    if (into === brought) break;  // what was brought is gone
  }
  return fused;
}

/** What is folded away: arithmetic; arithmetic of addresses; the set-up, the first events of the warp, unless that is shown: then all of it is.
 * @typedef {{arithmetic: boolean, addresses: boolean, setUp: number, setUpShown: boolean}} Fold */

/** The rows of one warp, from the first on. @param {Trace} trace @param {number} warp @param {Fold} fold
 * @param {Geometry} geometry @param {import("./words.js").Language} language @param {(k: number) => boolean} stays  events that are never folded away
 * @returns {Row[]} */
export function rowsOf(trace, warp, fold, geometry, language, stays) {
  /** @type {Row[]} */
  const rows = [];
  const {events} = trace.warps[warp];
  let begin = kFirst + (fold.setUp > 0 ? kLead : 0), title = "", shown = -1;
  events.forEach((k, at) => {
    title = trace.phaseTitle(k, language) || title;
    const away = at < fold.setUp ? !fold.setUpShown
      : (fold.arithmetic && !trace.moves(k)) || (fold.addresses && trace.code[trace.events[k].pc].address === true);
    if (k <= shown || (away && !stays(k))) return;
    const gap = gapOf(trace, k);
    const gapSize = gapRoom(trace, k, gap, geometry.pitch);
    const fused = fold.arithmetic && gap === "arrows" ? fusedWith(trace, events, at, stays) : [];
    shown = fused[fused.length - 1] ?? k;
    const bands = Math.max(1, trace.destinations(shown).length);
    const head = title && !geometry.transposed ? kTitle : 0;
    const size = head + (gap === "none" ? 0 : geometry.band + gapSize) + bands * geometry.band + (bands - 1) * kBetween + kPadding;
    rows.push({event: k, fused, title, gap, gapSize, bands, head, begin, size: geometry.transposed ? Math.max(kNarrowest, size) : size});
    begin += rows[rows.length - 1].size;
    title = "";
  });
  return rows;
}

/** Puts rows of two traces that belong together at the same place, with the same size; others follow what is before them.
 * @param {Row[]} a @param {Row[]} b @param {[number, number][]} pairs  events that belong together */
export function alignRows(a, b, pairs) {
  const rowOf = (/** @type {Row[]} */ rows) => new Map(rows.map((row, k) => [row.event, k]));
  const inA = rowOf(a), inB = rowOf(b);
  let i = 0, j = 0, end = Math.max(a[0]?.begin ?? kFirst, b[0]?.begin ?? kFirst);
  /** @param {Row[]} rows @param {number} from @param {number} to */
  const follow = (rows, from, to) => {
    let begin = end;
    for (let k = from; k < to; begin += rows[k++].size) rows[k].begin = begin;
    return begin;
  };
  for (const [eventA, eventB] of pairs) {
    const p = inA.get(eventA) ?? -1, q = inB.get(eventB) ?? -1;
    if (p < i || q < j) continue;  // folded away, or in another order
    end = Math.max(follow(a, i, p), follow(b, j, q));
    const head = Math.max(a[p].head, b[q].head);
    for (const row of [a[p], b[q]]) Object.assign(row, {begin: end, size: row.size - row.head + head, head});
    a[p].size = b[q].size = Math.max(a[p].size, b[q].size);
    end += a[p].size;
    [i, j] = [p + 1, q + 1];
  }
  follow(a, i, a.length);
  follow(b, j, b.length);
}

/** From one band of results to the next. @param {Geometry} geometry */
export const bandStep = (geometry) => geometry.band + kBetween;

/** Where a row's parts begin, from its own beginning. @param {Row} row @param {Geometry} geometry */
export function partsOf(row, geometry) {
  const offers = row.head, gap = offers + geometry.band;
  return row.gap === "none" ? {offers, gap, results: offers} : {offers, gap, results: gap + row.gapSize};
}

/** The rows from..to-1 that overlap [low, high] along the time axis. @param {Row[]} rows @param {number} low
 * @param {number} high */
export function rowsBetween(rows, low, high) {
  let from = 0, end = rows.length;
  while (from < end) {
    const middle = (from + end) >> 1;
    if (rows[middle].begin + rows[middle].size < low) from = middle + 1;
    else end = middle;
  }
  let to = from;
  while (to < rows.length && rows[to].begin <= high) ++to;
  return {from, to};
}

/** Where a lane's cell begins along the lanes. @param {Geometry} g @param {number} lane */
export const laneBegin = (g, lane) => g.label + lane * g.pitch + (g.pitch - g.cell) / 2;
/** @param {Geometry} g @param {number} lane */
export const laneCentre = (g, lane) => g.label + (lane + 0.5) * g.pitch;
/** @param {Geometry} g */
export const acrossSize = (g) => g.label + g.lanes * g.pitch + (g.transposed ? kAfter : 10);

/** What stands above a lane's column: its number, of narrow columns of every fourth, and where there is room its bits.
 * @param {Geometry} g @param {number} lane */
export function laneNames(g, lane) {
  const every = g.pitch < (g.transposed ? 10 : 14) ? 4 : 1, room = g.lanes > 32 ? 40 : g.lanes > 16 ? 34 : 27;
  const bits = !g.transposed && g.lanes > 1 && g.pitch >= room;
  return {number: lane % every === 0 ? `${lane}` : "", bits: bits ? lane.toString(2).padStart(Math.ceil(Math.log2(g.lanes)), "0") : ""};
}
