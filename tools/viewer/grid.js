// The grid: lanes are columns, instructions are rows. Only the rows in sight are in the page.
//
// Shapes: a Grid draws one View (view.js). A row's place depends on the layout alone, so nothing moves when one steps: past,
//         current and future rows differ in their classes. One roving tab stop.
// Units:  CSS pixels.

import {focusedNear, make} from "./dom.js";
import {acrossSize, kAfter, kDense, kFrame, laneBegin, laneCentre, laneNames, rowsBetween} from "./layout.js";
import {Phases} from "./phases.js";
import {markRow, rowElement} from "./row.js";
import {word} from "./words.js";

/** @typedef {import("./view.js").View} View */

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
    this.phases = new Phases(view, this.canvas);
    this.head = make("div", "lanes", this.canvas);
    this.head.setAttribute("role", "row");
    /** @type {Map<number, HTMLElement>} */
    this.live = new Map();
    /** @type {{row: number, lane: number, band: number}}  the roving tab stop */
    this.stop = {row: 0, lane: 0, band: 0};
    /** @type {HTMLElement|null} */
    this.stopped = null;
    /** Whether the focus has been in the grid. */
    this.visited = false;
    this.drawn = {from: 0, to: 0};
    this.waiting = false;
    /** @type {Grid|null}  the other trace's grid, which scrolls along */
    this.along = null;
    /** How much further on the other one stands, where two current rows are too far apart to be seen at one place. */
    this.ahead = 0;
    /** Where this one was put, so that its own scrolling that follows moves nothing. */
    this.put = -1;
    /** What is in sight, as last measured: reading it anew after each change would have the browser lay out each time. */
    this.sight = {width: 0, height: 0, left: 0, top: 0};
    this.scroll.addEventListener("scroll", () => this.#scrolled(), {passive: true});
  }

  /** Another view of the same run. @param {View} view */
  change(view) {
    this.view = this.phases.view = view;
  }

  measure() {
    const {clientWidth: width, clientHeight: height, scrollLeft: left, scrollTop: top} = this.scroll;
    this.sight = {width, height, left, top};
  }

  /** Draws what came into sight, once a frame. */
  #scrolled() {
    this.measure();
    this.#takeAlong();
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.fill(); });
  }

  /** Scrolls the other trace's grid along. */
  #takeAlong() {
    const {along} = this, {transposed} = this.view.geometry;
    if (!along) return;
    const time = transposed ? "scrollLeft" : "scrollTop", across = transposed ? "scrollTop" : "scrollLeft";
    if (this.scroll[time] !== this.put) along.place(this.scroll[time] + this.ahead);
    this.put = -1;
    if (this.view.trace.lanes === along.view.trace.lanes && along.scroll[across] !== this.scroll[across])
      along.scroll[across] = this.scroll[across];
  }

  /** Scrolls to a place of time and leaves the other grid alone. @param {number} to */
  place(to) {
    const time = this.view.geometry.transposed ? "scrollLeft" : "scrollTop";
    if (this.scroll[time] === Math.max(0, Math.round(to))) return;
    this.scroll[time] = Math.max(0, to);
    this.measure();
    this.put = this.scroll[time];
  }

  /** Where the last row ends. */
  get end() {
    const last = this.view.rows[this.view.rows.length - 1];
    return last ? last.begin + last.size : 0;
  }

  /** Before all is measured: without rows, and with the scroll bars that there will be. @param {boolean} turned */
  clear(turned) {
    for (const row of this.live.values()) row.remove();
    this.live.clear();
    this.box.classList.toggle("transposed", turned);
  }

  /** Where the tab stop is, in terms that another layout has too, and whether the focus is there. */
  marker() {
    const {row, lane, band} = this.stop;
    return {event: this.view.rows[row]?.event ?? -1, lane, band, focused: this.canvas.contains(focusedNear(this.canvas))};
  }

  /** Puts the tab stop, and the focus, at that event and lane; where it has no row, at the row before.
   * @param {{event: number, lane: number, band: number, focused: boolean}} at */
  toMarker({event, lane, band, focused}) {
    const {rows} = this.view;
    let row = rows.length - 1;
    while (row > 0 && rows[row].event > event) --row;
    if (row < 0) return;
    this.moveStop(row, lane, focused, rows[row].event === event ? Math.min(band, rows[row].bands - 1) : 0);
  }

  /** Everything anew: another warp, language, size; after clear and measure. */
  rebuild() {
    const {geometry, rows} = this.view;
    const end = Math.max(this.end, this.along?.end ?? 0);
    const along = kFrame + end + (geometry.transposed ? 40 : 60), across = acrossSize(geometry);
    this.canvas.style.width = `${geometry.transposed ? along : across}px`;
    this.canvas.style.height = `${geometry.transposed ? across : along}px`;
    this.phases.rebuild(end);
    this.box.classList.toggle("upended", geometry.upended);
    this.box.classList.toggle("dense", geometry.transposed && geometry.pitch < kDense);
    const sizes = {sight: this.sight.width, font: geometry.font, label: geometry.label - (geometry.transposed ? 0 : 4), count: geometry.count,
      cellWidth: geometry.transposed ? geometry.band : geometry.cell, cellHeight: geometry.transposed ? geometry.cell : geometry.band};
    for (const [name, size] of Object.entries(sizes)) this.scroll.style.setProperty(`--${name}`, `${size}px`);
    this.scroll.setAttribute("aria-label", `${word(this.view.language, "grid")}: ${this.view.trace.name}`);
    this.scroll.setAttribute("aria-rowcount", String(rows.length + 1));
    this.scroll.setAttribute("aria-colcount", String(geometry.lanes + 1));
    this.stop.row = Math.max(0, Math.min(this.stop.row, rows.length - 1));
    this.stop.band = Math.min(this.stop.band, (rows[this.stop.row]?.bands ?? 1) - 1);
    this.#header();
    this.#setUp();
    this.#halt();
    this.fill();
  }

  /** Before the first row, what folds the set-up or unfolds it. */
  #setUp() {
    const {view} = this, count = view.setUps[view.warp];
    this.canvas.querySelector(".setUpFold")?.remove();
    if (count === 0) return;
    const line = make("div", "setUpFold");
    line.setAttribute("role", "row");
    const cell = make("div", "", line);
    cell.setAttribute("role", "rowheader");
    const text = word(view.language, count === 1 ? "setUpOne" : "setUpSteps", {count});
    const button = make("button", "", cell, `${view.setUpShown ? "▾" : "▸"} ${text}`);
    button.dataset.do = "setUp";
    button.title = word(view.language, "setUpWhat");
    button.setAttribute("aria-expanded", String(view.setUpShown));
    this.head.after(line);
  }

  /** After the last row, where the run trapped without an event of its own: which lanes stand where. */
  #halt() {
    const {geometry} = this.view;
    this.stopped?.remove();
    this.stopped = null;
    const text = this.view.haltText();
    if (!text) return;
    this.stopped = make("div", "halt", this.canvas);
    this.stopped.setAttribute("aria-hidden", "true");  // the sentence and the diagnostics say it
    this.stopped.style[geometry.transposed ? "left" : "top"] = `${kFrame + this.end + 4}px`;
    make("span", "", this.stopped, geometry.transposed ? "⚠" : text).title = text;
  }

  #header() {
    const {geometry, language} = this.view;
    this.head.replaceChildren();
    this.wires.replaceChildren();
    const corner = make("div", "corner", this.head, word(language, "laneShort"));
    corner.setAttribute("role", "columnheader");
    for (let lane = 0; lane < geometry.lanes; ++lane) {
      const cell = make("div", "lane", this.head);
      cell.setAttribute("role", "columnheader");
      cell.setAttribute("aria-label", word(language, "lane", {lane}));
      const {number, bits} = laneNames(geometry, lane);
      make("b", "", cell, number);
      if (bits) make("span", "", cell, bits);
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
    const {width, height, left, top} = this.sight;
    const [begin, size] = geometry.transposed ? [left, width] : [top, height];
    const sight = rowsBetween(rows, begin - 200, begin + size + 200);
    for (const [k, row] of this.live) {
      if ((k < sight.from || k >= sight.to) && k !== this.stop.row) {
        row.remove();
        this.live.delete(k);
      }
    }
    for (let k = sight.from; k < sight.to; ++k) if (!this.live.has(k)) this.#draw(k);
    if (rows.length > 0 && !this.live.has(this.stop.row)) this.#draw(this.stop.row);
    this.phases.fill(begin, begin + size);
    this.drawn = sight;
  }

  /** The state of the rows in sight, after a step or when something else lights up. */
  refresh() {
    for (const [k, element] of this.live) markRow(this.view, element, k);
    this.phases.refresh();
    const {view} = this;
    if (this.stopped) this.stopped.hidden = view.hidesHalt();
  }

  /** Draws one row anew. @param {number} k */
  redraw(k) {
    this.live.get(k)?.remove();
    if (this.live.delete(k)) this.#draw(k);
  }
  redrawAll() {
    const focused = this.canvas.contains(focusedNear(this.canvas));
    for (const k of [...this.live.keys()]) this.redraw(k);
    if (focused) this.#cellAt(this.stop)?.focus({preventScroll: true});
  }

  /** @param {number} k */
  #draw(k) {
    const element = rowElement(this.view, k, this.stop);
    this.canvas.append(element);
    this.live.set(k, element);
  }

  /** The cell of a place, if it is in the page. @param {{row: number, lane: number, band: number}} at */
  #cellAt(at) {
    const cell = this.live.get(at.row)?.querySelector(`[data-lane="${at.lane}"][data-band="${at.band}"]`);
    return cell instanceof HTMLElement ? cell : null;
  }

  /** Moves the roving tab stop; with `focus` the focus too. @param {number} row @param {number} lane
   * @param {boolean} focus @param {number} [band] */
  moveStop(row, lane, focus, band = 0) {
    const before = this.#cellAt(this.stop);
    if (before) before.tabIndex = -1;
    this.stop = {row, lane, band};
    this.visited ||= focus;
    if (focus) this.show(row, lane);
    this.fill();
    const cell = this.#cellAt(this.stop);
    if (!cell) return;
    cell.tabIndex = 0;
    if (focus) cell.focus({preventScroll: true});
  }

  /** Where to scroll so that rows from `first` to `last` can be seen, with some of what follows.
   * @param {import("./layout.js").Row} first @param {import("./layout.js").Row} last @param {number} begin  as it is now */
  #placeFor(first, last, begin) {
    const {geometry} = this.view;
    const title = this.phases.all.length > 0 && !geometry.transposed ? 28 : 0;
    const seen = this.#seen;
    if (first.begin + first.head < begin + title) return Math.max(0, first.begin - Math.min(120, seen / 3));
    if (last.begin + last.size + 44 <= begin + seen) return begin;
    return Math.max(0, Math.min(first.begin - title, Math.max(first.begin - Math.min(120, seen / 4), last.begin + last.size + 44 - seen)));
  }

  get #seen() { return (this.view.geometry.transposed ? this.sight.width : this.sight.height) - kFrame; }
  get #begin() { return this.view.geometry.transposed ? this.sight.left : this.sight.top; }

  /** Brings the current row into sight; of two traces both, at one place if that has room for them. */
  showCurrent() {
    const {along, view} = this;
    const row = view.rows[view.currentRow], other = along?.view.rows[along.view.currentRow];
    if (!along || !row || !other) {
      if (along) this.ahead = along.ahead = 0;
      this.show(view.currentRow);
      return along?.place(this.#begin);
    }
    const [first, last] = row.begin <= other.begin ? [row, other] : [other, row];
    const room = Math.min(this.#seen, along.#seen);
    if (last.begin + last.size - first.begin + 80 <= room) {
      const to = (this.#seen <= along.#seen ? this : along).#placeFor(first, last, this.#begin);
      this.place(to);
      along.place(to);
    } else {
      for (const [grid, own] of /** @type {[Grid, import("./layout.js").Row][]} */ ([[this, row], [along, other]]))
        grid.place(grid.#placeFor(own, own, grid.#begin));
    }
    this.ahead = along.#begin - this.#begin;
    along.ahead = -this.ahead;
  }

  /** Scrolls, if needed, until the row (and the lane) can be seen, with some of what follows. @param {number} k
   * @param {number} [lane] */
  show(k, lane) {
    const {geometry, rows} = this.view;
    const box = this.scroll, row = rows[k], begin = this.#begin;
    const to = row ? this.#placeFor(row, row, begin) : 0;
    if (to !== begin) {
      box[geometry.transposed ? "scrollLeft" : "scrollTop"] = to;
      this.measure();
      if (this.along) this.#scrolled();
    }
    if (lane === undefined) return;
    const across = laneBegin(geometry, lane) - geometry.label;
    const key = geometry.transposed ? "scrollTop" : "scrollLeft";
    const wide = (geometry.transposed ? box.clientHeight : box.clientWidth) - geometry.label;
    if (across < box[key]) box[key] = across - 8;
    else if (across + geometry.pitch > box[key] + wide) box[key] = across + geometry.pitch - wide + 8;
  }

  /** The zoom at which all lanes are in sight. */
  fittingZoom() {
    const {geometry, zoom} = this.view;
    const room = geometry.transposed ? this.sight.height - geometry.label - kAfter : this.sight.width - geometry.label - 22;
    return Math.min(4, Math.max(0.1, (zoom * room) / (geometry.pitch * geometry.lanes)));
  }
}
