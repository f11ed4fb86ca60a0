// The grid: lanes are columns, instructions are rows. Only the rows in sight are in the page.
//
// Shapes: a Grid draws one View (view.js). A row's place depends on the layout alone, so nothing moves when one steps: past,
//         current and future rows differ in their classes. Cells are ARIA grid cells with one roving tab stop.
// Units:  CSS pixels.

import {arrowsOf, busOf} from "./arrows.js";
import {acrossSize, laneBegin, laneCentre, partsOf, rowsBetween} from "./layout.js";
import {shortened} from "./trace.js";
import {word} from "./words.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Cell} Cell */
/** @typedef {import("./layout.js").Row} Row */

const kSvg = "http://www.w3.org/2000/svg";

/** An element with a class, in a parent. @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {string} name
 * @param {HTMLElement|DocumentFragment|null} [parent] @param {string} [text] @returns {HTMLElementTagNameMap[K]} */
export function make(tag, name, parent, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  parent?.append(element);
  return element;
}

/** @param {SVGElement} parent @param {string} d @param {string} name */
function path(parent, d, name) {
  const element = document.createElementNS(kSvg, "path");
  element.setAttribute("d", d);
  element.setAttribute("class", name);
  parent.append(element);
  return element;
}

export class Grid {
  /** @param {View} view @param {HTMLElement} parent */
  constructor(view, parent) {
    this.view = view;
    this.box = make("div", "pane", parent);
    this.scroll = make("div", "scroll", this.box);
    this.scroll.setAttribute("role", "grid");
    this.canvas = make("div", "canvas", this.scroll);
    this.canvas.setAttribute("role", "rowgroup");
    this.wires = make("div", "wires", this.canvas);  // each lane's line through all rows
    this.wires.setAttribute("aria-hidden", "true");
    this.head = make("div", "lanes", this.canvas);
    this.head.setAttribute("role", "row");
    /** @type {Map<number, HTMLElement>} */
    this.live = new Map();
    /** @type {{row: number, lane: number}}  the roving tab stop */
    this.stop = {row: 0, lane: 0};
    this.drawn = {from: 0, to: 0};
    this.waiting = false;
    this.scroll.addEventListener("scroll", () => this.later(), {passive: true});
  }

  /** Draws what came into sight, once a frame. */
  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.fill(); });
  }

  /** Everything anew: another warp, language, size. */
  rebuild() {
    const {geometry, rows} = this.view;
    for (const row of this.live.values()) row.remove();
    this.live.clear();
    const last = rows[rows.length - 1];
    const along = (last ? last.begin + last.size : 0) + (geometry.transposed ? 40 : 60);
    const across = acrossSize(geometry);
    this.canvas.style.width = `${geometry.transposed ? along + geometry.label : across}px`;
    this.canvas.style.height = `${geometry.transposed ? across : along + 46}px`;
    this.box.classList.toggle("transposed", geometry.transposed);
    this.scroll.style.setProperty("--font", `${geometry.font}px`);
    this.scroll.style.setProperty("--label", `${geometry.label - 4}px`);
    this.scroll.setAttribute("aria-label", `${word(this.view.language, "grid")}: ${this.view.trace.name}`);
    this.scroll.setAttribute("aria-rowcount", String(rows.length + 1));
    this.scroll.setAttribute("aria-colcount", String(geometry.lanes + 1));
    this.stop.row = Math.max(0, Math.min(this.stop.row, rows.length - 1));
    this.#header();
    this.fill();
  }

  #header() {
    const {geometry, trace, language} = this.view;
    this.head.replaceChildren();
    this.wires.replaceChildren();
    const corner = make("div", "corner", this.head, word(language, "laneShort"));
    corner.setAttribute("role", "columnheader");
    const binary = geometry.pitch >= (trace.lanes > 32 ? 40 : trace.lanes > 16 ? 34 : 24) && trace.lanes > 1;
    for (let lane = 0; lane < geometry.lanes; ++lane) {
      const cell = make("div", "lane", this.head);
      cell.setAttribute("role", "columnheader");
      cell.setAttribute("aria-label", word(language, "lane", {lane}));
      const every = geometry.pitch < 14 ? 4 : 1;
      make("b", "", cell, lane % every === 0 ? `${lane}` : "");
      if (binary && !geometry.transposed) make("span", "", cell, lane.toString(2).padStart(Math.log2(trace.lanes), "0"));
      const at = laneCentre(geometry, lane) - geometry.pitch / 2;
      if (geometry.transposed) Object.assign(cell.style, {top: `${at}px`, height: `${geometry.pitch}px`});
      else Object.assign(cell.style, {left: `${at}px`, width: `${geometry.pitch}px`});
      cell.classList.toggle("chosen", lane === this.view.lane);
      make("i", "", this.wires).style[geometry.transposed ? "top" : "left"] = `${laneCentre(geometry, lane)}px`;
    }
  }

  /** Brings the rows in sight into the page and takes the others out. */
  fill() {
    const {geometry, rows} = this.view;
    const begin = geometry.transposed ? this.scroll.scrollLeft : this.scroll.scrollTop;
    const size = geometry.transposed ? this.scroll.clientWidth : this.scroll.clientHeight;
    const sight = rowsBetween(rows, begin - 200, begin + size + 200);
    for (const [k, row] of this.live) {
      if ((k < sight.from || k >= sight.to) && k !== this.stop.row) {
        row.remove();
        this.live.delete(k);
      }
    }
    for (let k = sight.from; k < sight.to; ++k) if (!this.live.has(k)) this.#draw(k);
    if (rows.length > 0 && !this.live.has(this.stop.row)) this.#draw(this.stop.row);
    this.drawn = sight;
  }

  /** The state of the rows in sight, after a step or when something else lights up. */
  refresh() {
    for (const [k, element] of this.live) this.#classes(element, k);
  }

  /** Draws one row anew. @param {number} k */
  redraw(k) {
    this.live.get(k)?.remove();
    if (this.live.delete(k)) this.#draw(k);
  }
  redrawAll() {
    for (const k of [...this.live.keys()]) this.redraw(k);
  }

  /** @param {number} k */
  #draw(k) {
    const {geometry, rows, trace} = this.view;
    const row = rows[k];
    const event = trace.events[row.event];
    const parts = partsOf(row, geometry);
    const element = make("div", "row");
    element.setAttribute("role", "row");
    element.setAttribute("aria-rowindex", String(k + 2));
    element.dataset.row = String(k);
    element.dataset.event = String(row.event);
    Object.assign(element.style, geometry.transposed
      ? {left: `${geometry.label + row.begin}px`, width: `${row.size}px`, height: `${acrossSize(geometry)}px`}
      : {top: `${46 + row.begin}px`, height: `${row.size}px`, width: `${acrossSize(geometry)}px`});
    this.#label(element, row, parts);
    if (row.title && !geometry.transposed) make("div", "title", element).append(make("span", "", null, row.title));
    if (row.gap !== "none") {
      this.#offers(element, row, parts.offers);
      this.#arrows(element, row, parts.gap);
    }
    const cells = this.view.cellsOf(row);
    const hidden = this.view.hides(row.event);
    if (cells.shared && !hidden)
      this.#spanning(element, cells.shared, parts.results).classList.toggle("changed", cells.cells.some((cell) => cell.changed));
    cells.cells.forEach((cell, lane) => {
      const box = this.#cell(element, lane, parts.results, hidden && cell.value !== undefined ? "hidden" : cell.kind);
      box.setAttribute("role", "gridcell");
      box.setAttribute("aria-colindex", String(lane + 2));
      box.dataset.lane = String(lane);
      box.tabIndex = k === this.stop.row && lane === this.stop.lane ? 0 : -1;
      box.setAttribute("aria-label", this.view.describe(row, lane, cell, hidden));
      if (cells.shared && !hidden && cell.kind === "value") box.classList.add("joined");
      const text = hidden && cell.value !== undefined ? "?" : cells.shared && cell.kind === "value" ? "" : cell.text;
      box.textContent = shortened(text, geometry.room);
      if (cell.changed && !hidden) box.classList.add("changed");
      if (cell.differs && !hidden) box.classList.add("differs");
    });
    element.classList.toggle("trapped", this.view.trapped(row.event));
    element.setAttribute("aria-label", `${event.cycle ?? row.event + 1} ${trace.code[event.pc].text}`);
    this.#classes(element, k);
    this.canvas.append(element);
    this.live.set(k, element);
  }

  /** @param {HTMLElement} element @param {Row} row @param {{offers: number, results: number}} parts */
  #label(element, row, parts) {
    const {geometry, trace} = this.view;
    const event = trace.events[row.event];
    const label = make("div", "label", element);
    label.setAttribute("role", "rowheader");
    label.title = trace.code[event.pc].text;
    const at = geometry.transposed ? 0 : parts.results;
    const text = make("div", "labelText", label);
    if (!geometry.transposed) text.style.top = `${at}px`;
    make("b", "", text, event.cycle === null ? `${this.view.positionOf(row.event) + 1}` : `${event.cycle}`);
    make("span", "op", text, event.op);
    make("span", "to", text, event.writes?.[0]?.reg ?? this.view.destination(row.event));
  }

  /** What a lane holds out for the others. @param {HTMLElement} element @param {Row} row @param {number} at */
  #offers(element, row, at) {
    const {geometry} = this.view;
    const hidden = this.view.hides(row.event - 1) && this.view.n < row.event;
    const offers = this.view.offersOf(row);
    offers.cells.forEach((cell, lane) => {
      if (cell.kind === "inactive") return void this.#cell(element, lane, at, "inactive").setAttribute("aria-hidden", "true");
      const box = this.#cell(element, lane, at, cell.kind === "undefined" ? "offer undefined" : "offer");
      box.setAttribute("aria-hidden", "true");
      box.dataset.offer = String(lane);
      box.textContent = hidden ? "" : shortened(offers.shared ? "" : cell.text, geometry.room);
    });
    if (offers.shared && !hidden) this.#spanning(element, offers.shared, at);
  }

  /** @param {HTMLElement} element @param {number} lane @param {number} at @param {string} kind */
  #cell(element, lane, at, kind) {
    const {geometry} = this.view;
    const box = make("div", `cell ${kind}`, element);
    const across = `${laneBegin(geometry, lane)}px`, along = `${at}px`;
    Object.assign(box.style, geometry.transposed
      ? {top: across, left: along, height: `${geometry.cell}px`, width: `${geometry.band}px`}
      : {left: across, top: along, width: `${geometry.cell}px`, height: `${geometry.band}px`});
    return box;
  }

  /** One text over all cells, where the same value is too long for each. @param {HTMLElement} element
   * @param {{text: string, from: number, to: number}} shared @param {number} at */
  #spanning(element, shared, at) {
    const {geometry} = this.view;
    const text = make("div", "spanning", element);
    text.setAttribute("aria-hidden", "true");
    make("span", "", text, shared.text);
    const from = laneBegin(geometry, shared.from), to = laneBegin(geometry, shared.to) + geometry.cell;
    Object.assign(text.style, geometry.transposed
      ? {top: `${from}px`, height: `${to - from}px`, left: `${at}px`, width: `${geometry.band}px`}
      : {left: `${from}px`, width: `${to - from}px`, top: `${at}px`, height: `${geometry.band}px`});
    return text;
  }

  /** @param {HTMLElement} element @param {Row} row @param {number} gap */
  #arrows(element, row, gap) {
    const {geometry, trace} = this.view;
    const event = trace.events[row.event];
    const svg = document.createElementNS(kSvg, "svg");
    svg.setAttribute("class", "arrows");
    svg.setAttribute("aria-hidden", "true");
    element.append(svg);
    if (row.gap === "bus") {
      const bus = busOf(this.view.lanesOfBus(row.event), geometry, gap, row.gapSize);
      path(svg, bus.d, "line bus");
      path(svg, bus.head, "head bus");
      return;
    }
    for (const arrow of arrowsOf(/** @type {any} */ (event.exchange), geometry, gap, row.gapSize)) {
      const line = path(svg, arrow.d, `line ${arrow.kind}`);
      line.dataset.from = String(arrow.from);
      line.dataset.to = String(arrow.to);
      if (arrow.head) path(svg, arrow.head, `head ${arrow.kind}`).dataset.to = String(arrow.to);
    }
  }

  /** @param {HTMLElement} element @param {number} k */
  #classes(element, k) {
    const view = this.view;
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

  /** Moves the roving tab stop; with `focus` the focus too. @param {number} row @param {number} lane
   * @param {boolean} focus */
  moveStop(row, lane, focus) {
    const before = this.live.get(this.stop.row)?.querySelector(`[data-lane="${this.stop.lane}"]`);
    if (before instanceof HTMLElement) before.tabIndex = -1;
    this.stop = {row, lane};
    if (focus) this.show(row, lane);
    this.fill();
    const cell = this.live.get(row)?.querySelector(`[data-lane="${lane}"]`);
    if (!(cell instanceof HTMLElement)) return;
    cell.tabIndex = 0;
    if (focus) cell.focus({preventScroll: true});
  }

  /** Scrolls, if needed, until the row (and the lane) can be seen, with some of what follows. @param {number} k
   * @param {number} [lane] */
  show(k, lane) {
    const {geometry, rows} = this.view;
    const row = rows[k];
    const box = this.scroll;
    const frame = geometry.transposed ? geometry.label : 46;
    const seen = (geometry.transposed ? box.clientWidth : box.clientHeight) - frame;
    const begin = geometry.transposed ? box.scrollLeft : box.scrollTop;
    let to = begin;
    if (!row) to = 0;
    else if (row.begin < begin) to = row.begin - Math.min(120, seen / 3);
    else if (row.begin + row.size + 44 > begin + seen) to = row.begin - Math.min(120, seen / 4);
    if (to !== begin) box[geometry.transposed ? "scrollLeft" : "scrollTop"] = Math.max(0, to);
    if (lane === undefined) return;
    const across = laneBegin(geometry, lane) - geometry.label;
    const key = geometry.transposed ? "scrollTop" : "scrollLeft";
    const wide = (geometry.transposed ? box.clientHeight : box.clientWidth) - geometry.label;
    if (across < box[key]) box[key] = across - 8;
    else if (across + geometry.pitch > box[key] + wide) box[key] = across + geometry.pitch - wide + 8;
  }
}
