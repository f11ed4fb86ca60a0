// The titles of phases over the grid: each spans its rows, and its text stays in sight while they are.
//
// Shapes: one element for each phase in sight, from its first row to the next phase; the style sheet holds the text at the edge.
// Units:  CSS pixels.

import {make} from "./dom.js";
import {kFrame} from "./layout.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {{row: number, begin: number, end: number}} Phase */

export class Phases {
  /** @param {View} view @param {HTMLElement} canvas */
  constructor(view, canvas) {
    this.view = view;
    this.box = make("div", "phases", canvas);
    this.box.setAttribute("aria-hidden", "true");  // rows have the title in their labels
    /** @type {Phase[]} */
    this.all = [];
    /** @type {Map<number, HTMLElement>}  by number in `all` */
    this.live = new Map();
  }

  /** Anew, for other rows. @param {number} end  of the last row */
  rebuild(end) {
    this.all = [];
    this.live.clear();
    this.box.replaceChildren();
    this.view.rows.forEach((row, k) => {
      if (!row.title) return;
      const last = this.all[this.all.length - 1];
      if (last) last.end = row.begin;
      this.all.push({row: k, begin: row.begin, end});
    });
  }

  /** Has those in the page that overlap [low, high]. @param {number} low @param {number} high */
  fill(low, high) {
    for (const [k, element] of this.live) {
      if (this.all[k].end >= low && this.all[k].begin <= high) continue;
      element.remove();
      this.live.delete(k);
    }
    let from = 0, end = this.all.length;
    while (from < end) {
      const middle = (from + end) >> 1;
      if (this.all[middle].end < low) from = middle + 1;
      else end = middle;
    }
    for (let k = from; k < this.all.length && this.all[k].begin <= high; ++k) if (!this.live.has(k)) this.#draw(k);
    if (this.view.geometry.transposed) this.#shorten(low);
    this.refresh();
  }

  /** Turned, a title is cut to what of its phase is in sight, so that it is not pushed out. @param {number} low */
  #shorten(low) {
    for (const [k, element] of this.live) {
      const {begin, end} = this.all[k];
      /** @type {HTMLElement} */ (element.firstChild).style.maxWidth = `${Math.max(0, end - Math.max(begin, low) - 10)}px`;
    }
  }

  /** @param {number} k */
  #draw(k) {
    const {transposed} = this.view.geometry;
    const {begin, end} = this.all[k];
    const element = make("div", "phase", this.box);
    Object.assign(element.style, transposed ? {left: `${kFrame + begin}px`, width: `${end - begin - 6}px`}
      : {top: `${kFrame + begin}px`, height: `${end - begin}px`});
    make("span", "", element);
    this.live.set(k, element);
  }

  /** After a step: which is to come, which begins with this step. */
  refresh() {
    const {view} = this;
    for (const [k, element] of this.live) {
      const {row} = this.all[k];
      element.classList.toggle("future", view.rows[row].event >= view.n);
      element.classList.toggle("current", row === view.currentRow);
      element.classList.toggle("unseen", view.unseen(row));
      const text = /** @type {HTMLElement} */ (element.firstChild);
      text.textContent = text.title = view.titleOf(view.rows[row]);
    }
  }
}
