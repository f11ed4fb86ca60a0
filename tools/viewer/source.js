// The source that a program was compiled from, beside the program: CUDA C++, its current line, breakpoints, steps by its lines.
//
// Shapes: a line is known by its key, "0:17": the number of the file in the trace, and the line in it. Lines of files whose text the
//         trace does not have are not listed; events still have their keys.

import {byId, make} from "./dom.js";
import {appendCode} from "./syntax.js";
import {word} from "./words.js";

/** @typedef {import("./view.js").View} View */

const kAround = 3;  // lines that are shown before and after those that run

/** The files' lines; those far from any that runs stay aside until the whole text is asked for. @param {View} view
 * @param {(line: string) => void} toggle */
export function fillSource(view, toggle) {
  const {trace} = view, list = byId("source");
  list.replaceChildren();
  const runs = new Set(trace.code.map(({pc}) => trace.sourceKey(pc)));
  byId("sourceBlock").hidden = !trace.sources.some(({text}) => text !== undefined);
  document.body.classList.toggle("sourced", !byId("sourceBlock").hidden);
  trace.sources.forEach(({file, text}, source) => {
    if (text === undefined) return;
    const own = trace.places.filter((place) => place.source === source).map(({line}) => line);
    const first = Math.min(...own) - kAround, last = Math.max(...own) + kAround;
    make("li", "file", list, file);
    text.forEach((shown, k) => {
      const line = k + 1, key = `${source}:${line}`;
      const item = make("li", "", list);
      item.dataset.line = key;
      item.classList.toggle("runs", runs.has(key));
      item.classList.toggle("aside", line < first || line > last);
      if (runs.has(key)) {
        const button = make("button", "number", item, `${line}`);
        button.setAttribute("aria-label", word(view.language, "cellBreak", {line: `${file}:${line}`}));
        button.addEventListener("click", () => toggle(key));
      } else {
        make("span", "number", item, `${line}`).setAttribute("aria-hidden", "true");
      }
      const code = make("code", "", item);
      if (runs.has(key)) code.addEventListener("click", () => { if (document.getSelection()?.isCollapsed !== false) toggle(key); });
      appendCode(code, shown, "cuda");
    });
  });
}

/** Marks the line that the current step is of, and those that it was inlined at. @param {View} view */
export function markSource(view) {
  const {trace} = view, row = view.rows[view.currentRow];
  const frames = row ? trace.frames(trace.events[row.event].pc) : [];
  const current = row ? trace.sourceKey(trace.events[row.event].pc) : "";
  const around = new Set(frames.map(({source, line}) => `${source}:${line}`));
  const trouble = view.troubleSources();
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#source li[data-line]"))) {
    const own = item.dataset.line ?? "";
    item.classList.toggle("current", own === current);
    item.classList.toggle("caller", own !== current && around.has(own));
    item.classList.toggle("trouble", trouble.has(own));
    if (own === current) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
    item.querySelector("button")?.setAttribute("aria-pressed", String(view.breakpoints.has(own)));
  }
}

/** The row at which a line of the source ends, after the current one or before it; -1: none. @param {View} view @param {1|-1} direction */
export function rowOfLine(view, direction) {
  const {rows, trace} = view;
  const keyOf = (/** @type {number} */ k) => (rows[k] ? trace.lineChain(trace.events[rows[k].event].pc) : "");
  for (let k = view.currentRow + direction; k >= 0 && k < rows.length; k += direction)
    if (keyOf(k) !== keyOf(k + 1)) return k;
  return -1;
}
