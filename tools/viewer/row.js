// One row of the grid as elements: its label, what lanes offer, the arrows between, and its cells.
//
// Shapes: rowElement makes a row as it will always be; markRow says after a step whether it is past, current or to come and
//         what of it is lit. Cells are ARIA grid cells, `stop` says which one is the tab stop.
// Units:  CSS pixels.

import {arrowsOf, busOf} from "./arrows.js";
import {cellsOf, describeCell, offersOf} from "./cells.js";
import {make, makeSvg} from "./dom.js";
import {acrossSize, kFrame, laneBegin, partsOf} from "./layout.js";
import {shortened} from "./trace.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./layout.js").Row} Row */

/** @param {View} view @param {number} k @param {{row: number, lane: number}} stop */
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
    : {top: `${kFrame + row.begin}px`, height: `${row.size}px`, width: `${acrossSize(geometry)}px`});
  labelOf(view, element, row, parts);
  if (row.gap !== "none") {
    drawOffers(view, element, row, parts.offers);
    drawArrows(view, element, row, parts.gap);
  }
  drawResults(view, element, row, parts.results, stop.row === k ? stop.lane : -1);
  element.classList.toggle("trapped", view.trapped(row.event));
  element.setAttribute("aria-label", `${row.title} ${event.cycle ?? row.event + 1} ${trace.code[event.pc].text}`.trimStart());
  markRow(view, element, k);
  return element;
}

/** @param {View} view @param {HTMLElement} element @param {Row} row @param {number} at @param {number} stop  a lane, or -1 */
function drawResults(view, element, row, at, stop) {
  const {geometry} = view;
  const cells = cellsOf(view, row);
  const hidden = view.hides(row.event);
  if (cells.shared && !hidden)
    spanningText(view, element, cells.shared, at).classList.toggle("changed", cells.cells.some((cell) => cell.changed));
  cells.cells.forEach((cell, lane) => {
    const box = cellBox(view, element, lane, at, hidden && cell.value !== undefined ? "hidden" : cell.kind);
    box.setAttribute("role", "gridcell");
    box.setAttribute("aria-colindex", String(lane + 2));
    box.dataset.lane = String(lane);
    box.tabIndex = lane === stop ? 0 : -1;
    box.setAttribute("aria-label", describeCell(view, row, lane, cell, hidden));
    if (cells.shared && !hidden && cell.kind === "value") box.classList.add("joined");
    const text = hidden && cell.value !== undefined ? "?" : cells.shared && cell.kind === "value" ? "" : cell.text;
    box.textContent = shortened(text, geometry.room);
    if (cell.changed && !hidden) box.classList.add("changed");
    if (cell.differs && !hidden) {
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
  label.title = trace.code[event.pc].text;
  const text = make("div", "labelText", label);
  if (!geometry.transposed) text.style.top = `${parts.results}px`;
  make("b", "", text, event.cycle === null ? `${view.positionOf(row.event) + 1}` : `${event.cycle}`);
  make("span", "op", text, event.op);
  make("span", "to", text, event.writes?.[0]?.reg ?? view.destination(row.event));
}

/** What a lane holds out for the others. @param {View} view @param {HTMLElement} element @param {Row} row @param {number} at */
function drawOffers(view, element, row, at) {
  const {geometry} = view;
  const hidden = view.hides(row.event - 1) && view.n < row.event;
  const offers = offersOf(view, row);
  offers.cells.forEach((cell, lane) => {
    if (cell.kind === "inactive") return void cellBox(view, element, lane, at, "inactive").setAttribute("aria-hidden", "true");
    const box = cellBox(view, element, lane, at, cell.kind === "undefined" ? "offer undefined" : "offer");
    box.setAttribute("aria-hidden", "true");
    box.dataset.offer = String(lane);
    box.textContent = hidden ? "" : shortened(offers.shared ? "" : cell.text, geometry.room);
  });
  if (offers.shared && !hidden) spanningText(view, element, offers.shared, at);
}

/** @param {View} view @param {HTMLElement} element @param {number} lane @param {number} at @param {string} kind */
function cellBox(view, element, lane, at, kind) {
  const {geometry} = view;
  const box = make("div", `cell ${kind}`, element);
  const across = laneBegin(geometry, lane);
  box.style.cssText = geometry.transposed ? `top:${across}px;left:${at}px` : `left:${across}px;top:${at}px`;
  return box;
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
  if (row.gap === "bus") {
    const bus = busOf(view.lanesOfBus(row.event), geometry, gap, row.gapSize);
    makeSvg("path", "line bus", svg, bus.d);
    makeSvg("path", "head bus", svg, bus.head);
    return;
  }
  const exchange = /** @type {import("./trace.js").Exchange} */ (trace.events[row.event].exchange);
  for (const arrow of arrowsOf(exchange, geometry, gap, row.gapSize)) {
    const line = makeSvg("path", `line ${arrow.kind}`, svg, arrow.d);
    line.dataset.from = String(arrow.from);
    line.dataset.to = String(arrow.to);
    if (arrow.head) makeSvg("path", `head ${arrow.kind}`, svg, arrow.head).dataset.to = String(arrow.to);
  }
}

/** @param {View} view @param {HTMLElement} element @param {number} k */
export function markRow(view, element, k) {
  const row = view.rows[k];
  const current = k === view.currentRow;
  element.classList.toggle("current", current);
  element.classList.toggle("future", row.event >= view.n);
  if (current) element.setAttribute("aria-current", "step");
  else element.removeAttribute("aria-current");
  const lit = view.lit;
  const had = element.classList.contains("hasLit");
  if (!lit && !had) return;
  element.classList.toggle("hasLit", lit !== null);
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll("[data-lane]")))
    box.classList.toggle("lit", lit?.cells.has(`${row.event}:${box.dataset.lane}`) ?? false);
  if (row.gap === "none") return;
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll("[data-offer]")))
    box.classList.toggle("lit", lit?.offers.has(`${row.event}:${box.dataset.offer}`) ?? false);
  for (const line of /** @type {NodeListOf<SVGPathElement>} */ (element.querySelectorAll("path[data-to]")))
    line.classList.toggle("lit", lit?.arrows.has(`${row.event}:${line.dataset.to}`) ?? false);
}
