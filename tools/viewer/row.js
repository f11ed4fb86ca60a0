// One row of the grid as elements: its label, what lanes offer, the arrows between, and its cells.
//
// Shapes: rowElement makes a row as it will always be; markRow says after a step whether it is past, current or to come and
//         what of it is lit. Cells are ARIA grid cells, `stop` says which one is the tab stop.
// Units:  CSS pixels.

import {arrowsOf, gatheringOf} from "./arrows.js";
import {cellsOf, describeCell, offersOf} from "./cells.js";
import {make, makeSvg} from "./dom.js";
import {acrossSize, bandStep, kFrame, laneBegin, lastOf, partsOf, runsDown, textIn} from "./layout.js";
import {word} from "./words.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./layout.js").Row} Row */

/** @param {View} view @param {number} k @param {{row: number, lane: number, band: number}} stop */
export function rowElement(view, k, stop) {
  const {geometry, rows, trace} = view;
  const row = rows[k];
  const event = trace.events[row.event];
  const parts = partsOf(row, geometry);
  const element = make("div", "row");
  element.setAttribute("role", "row");
  element.setAttribute("aria-rowindex", String(k + 2));
  element.dataset.row = String(k);
  element.dataset.event = String(row.event);
  Object.assign(element.style, geometry.transposed
    ? {left: `${kFrame + row.begin}px`, width: `${row.size}px`, height: `${acrossSize(geometry)}px`}
    : {top: `${kFrame + row.begin}px`, height: `${row.size}px`, width: `${acrossSize(geometry)}px`, minWidth: "100%"});
  labelOf(view, element, row, parts);
  if (row.gap !== "none") {
    drawOffers(view, element, row, parts.offers);
    if (!view.hides(row.event)) drawArrows(view, element, row, parts.gap);
  }
  for (let band = 0; band < row.bands; ++band)
    drawResults(view, element, row, band, parts.results + band * bandStep(geometry), stop.row === k && stop.band === band ? stop.lane : -1);
  element.classList.toggle("trapped", view.trapped(row.event) && !view.hides(row.event));
  markRow(view, element, k);
  return element;
}

/** @param {View} view @param {HTMLElement} element @param {Row} row @param {number} band @param {number} at
 * @param {number} stop  a lane, or -1 */
function drawResults(view, element, row, band, at, stop) {
  const {geometry} = view;
  const cells = cellsOf(view, row, band);
  if (cells.shared)
    spanningText(view, element, cells.shared, at).classList.toggle("changed", cells.cells.some((cell) => cell.changed));
  cells.cells.forEach((cell, lane) => {
    const box = cellBox(view, element, lane, at, cell.kind);
    box.setAttribute("role", "gridcell");
    box.setAttribute("aria-colindex", String(lane + 2));
    box.dataset.lane = String(lane);
    box.dataset.band = String(band);
    box.tabIndex = lane === stop ? 0 : -1;
    box.setAttribute("aria-label", describeCell(view, row, lane, cell, band));
    const joined = cells.shared !== null && cell.kind === "value";
    if (joined) box.classList.add("joined");
    if (!joined) fillCell(box, cell, geometry);
    if (box.textContent !== cell.text) box.title = cell.text;
    if (cell.changed) box.classList.add("changed");
    if (cell.differs) {
      box.classList.add("differs");
      box.title = `${cell.differs.here} ≠ ${cell.differs.there}`;
    }
  });
}

/** @param {View} view @param {HTMLElement} element @param {Row} row @param {{offers: number, results: number}} parts */
function labelOf(view, element, row, parts) {
  const {geometry, trace} = view;
  const event = trace.events[row.event];
  const label = make("div", "label", element);
  label.setAttribute("role", "rowheader");
  label.title = view.textOf(row);
  const text = make("div", "labelText", label);
  if (!geometry.transposed) text.style.top = `${parts.results}px`;
  make("b", "", text, event.cycle === null ? `${view.positionOf(row.event) + 1}` : `${event.cycle}`);
  make("span", "op", text, view.opOf(row));
  const names = trace.destinations(lastOf(row)).map((one) => trace.variableOf(one.name, trace.events[lastOf(row)].pc) || one.name);
  make("span", "to", text, geometry.transposed ? names.join(" ") : names[0]);
  if (geometry.transposed) return;
  for (let band = 1; band < row.bands; ++band) {
    const more = make("div", "labelText more", label);
    more.style.top = `${parts.results + band * bandStep(geometry)}px`;
    make("span", "to", more, names[band]);
  }
}

/** What a lane holds out for the others. @param {View} view @param {HTMLElement} element @param {Row} row @param {number} at */
function drawOffers(view, element, row, at) {
  const {geometry} = view;
  const offers = offersOf(view, row);
  offers.cells.forEach((cell, lane) => {
    if (cell.kind === "inactive") return void cellBox(view, element, lane, at, "inactive").setAttribute("aria-hidden", "true");
    const box = cellBox(view, element, lane, at, cell.kind === "value" || cell.kind === "hidden" ? "offer" : `offer ${cell.kind}`);
    box.setAttribute("aria-hidden", "true");
    box.dataset.offer = String(lane);
    if (offers.shared) return;
    fillCell(box, cell, geometry);
    if (box.textContent !== cell.text) box.title = cell.text;
  });
  if (offers.shared) spanningText(view, element, offers.shared, at);
}

/** @param {View} view @param {HTMLElement} element @param {number} lane @param {number} at @param {string} kind */
function cellBox(view, element, lane, at, kind) {
  const {geometry} = view;
  const box = make("div", `cell ${kind}`, element);
  const across = laneBegin(geometry, lane);
  box.style.cssText = geometry.transposed ? `top:${across}px;left:${at}px` : `left:${across}px;top:${at}px`;
  return box;
}

/** As much of a text as a cell holds. @param {HTMLElement} box @param {import("./cells.js").Cell} cell @param {import("./layout.js").Geometry} geometry */
function fillCell(box, {text, forms}, geometry) {
  box.textContent = textIn(geometry, text, forms);
  box.classList.toggle("down", runsDown(geometry, box.textContent));
}

/** One text over all cells, where the same value is too long for each. @param {View} view @param {HTMLElement} element
 * @param {{text: string, from: number, to: number}} shared @param {number} at */
function spanningText(view, element, shared, at) {
  const {geometry} = view;
  const text = make("div", "spanning", element);
  text.setAttribute("aria-hidden", "true");
  make("span", "", text, shared.text);
  const from = laneBegin(geometry, shared.from), to = laneBegin(geometry, shared.to) + geometry.cell;
  Object.assign(text.style, geometry.transposed
    ? {top: `${from}px`, height: `${to - from}px`, left: `${at}px`, width: `${geometry.band}px`}
    : {left: `${from}px`, width: `${to - from}px`, top: `${at}px`, height: `${geometry.band}px`});
  return text;
}

/** @param {View} view @param {HTMLElement} element @param {Row} row @param {number} gap */
function drawArrows(view, element, row, gap) {
  const {geometry, trace} = view;
  const svg = makeSvg("svg", "arrows", element);
  svg.setAttribute("aria-hidden", "true");
  if (row.gap !== "arrows") {
    const flow = view.trace.flow(trace.events[row.event].pc);
    const lines = gatheringOf(row.gap, view.dataflow.groups(row.event), flow?.exclusive ?? false, geometry, gap, row.gapSize);
    makeSvg("path", "line bus stem", svg, lines.own);
    makeSvg("path", `line bus ${row.gap}`, svg, lines.main);
    makeSvg("path", "head bus", svg, lines.head);
    return;
  }
  const exchange = /** @type {import("./trace.js").Exchange} */ (trace.events[row.event].exchange);
  for (const arrow of arrowsOf(exchange, geometry, gap, row.gapSize)) {
    const line = makeSvg("path", `line ${lineKind(view, row, arrow)}`, svg, arrow.d);
    line.dataset.from = String(arrow.from);
    line.dataset.to = String(arrow.to);
    if (arrow.head) makeSvg("path", `head ${arrow.kind}`, svg, arrow.head).dataset.to = String(arrow.to);
  }
}

/** What a line looks like: one that brings something undefined is an alarm only if that is used. @param {View} view @param {Row} row
 * @param {import("./arrows.js").Arrow} arrow */
export const lineKind = (view, row, {kind, to}) => (kind === "lost" && !view.isLossUsed(row.event, to) ? "lost quiet" : kind);

/** A row in words: its phase, its cycle, its instruction. @param {View} view @param {Row} row */
function labelText(view, row) {
  const {cycle} = view.trace.events[row.event];
  return `${view.titleOf(row)} ${cycle ?? view.positionOf(row.event) + 1} ${view.textOf(row)}`.trimStart();
}

/** @param {View} view @param {HTMLElement} element @param {number} k */
export function markRow(view, element, k) {
  const row = view.rows[k];
  const current = k === view.currentRow, future = row.event >= view.n;
  element.classList.toggle("current", current);
  element.classList.toggle("setUp", view.isSetUp(row.event));
  element.classList.toggle("unseen", view.unseen(k));
  if (element.classList.toggle("future", future) !== (element.dataset.future === "1") || !element.hasAttribute("aria-label")) {
    element.dataset.future = future ? "1" : "";
    element.setAttribute("aria-label", labelText(view, row) + (future ? `, ${word(view.language, "notYet")}` : ""));
  }
  if (current) element.setAttribute("aria-current", "step");
  else element.removeAttribute("aria-current");
  const lit = view.lit;
  const had = element.classList.contains("hasLit");
  if (!lit && !had) return;
  element.classList.toggle("hasLit", lit !== null);
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll("[data-lane]")))
    box.classList.toggle("lit", lit?.cells.has(`${view.eventAt(row, Number(box.dataset.lane))}:${box.dataset.lane}:${box.dataset.band}`) ?? false);
  if (row.gap === "none") return;
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll("[data-offer]")))
    box.classList.toggle("lit", lit?.offers.has(`${row.event}:${box.dataset.offer}`) ?? false);
  for (const line of /** @type {NodeListOf<SVGPathElement>} */ (element.querySelectorAll("path[data-to]")))
    line.classList.toggle("lit", lit?.arrows.has(`${row.event}:${line.dataset.to}`) ?? false);
}
