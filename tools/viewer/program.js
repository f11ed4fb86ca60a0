// The program beside the grid: its text, the current line, breakpoints.
//
// Shapes: a line of the text is one item of a list; lines with instructions have a button, which sets a breakpoint, as does a click
//         on their text.

import {byId, make} from "./dom.js";
import {word} from "./words.js";

/** @typedef {import("./view.js").View} View */

/** The program's text, a line an item; lines with instructions can have breakpoints. @param {View} view
 * @param {(line: number) => void} toggle */
export function fillProgram(view, toggle) {
  const list = byId("code");
  list.replaceChildren();
  const lines = new Set(view.trace.code.map((insn) => insn.line));
  const texts = view.trace.text.length > 0 ? view.trace.text : view.trace.code.map((insn) => insn.text);
  // What is no instruction stays aside until the whole text is asked for: the head, drawings, cases.
  const kernel = Math.max(0, texts.findIndex((text) => /^\s*\.kernel\b/.test(text)));
  const cases = Math.max(kernel, ...lines);  // after the last instruction
  texts.forEach((text, k) => {
    const line = k + 1;
    const item = make("li", "", list);
    item.dataset.line = String(line);
    item.classList.toggle("runs", lines.has(line));
    if (lines.has(line)) {
      const button = make("button", "number", item, `${line}`);
      button.setAttribute("aria-label", word(view.language, "cellBreak", {line}));
      button.setAttribute("aria-pressed", String(view.breakpoints.has(line)));
      button.addEventListener("click", () => toggle(line));
    } else {
      make("span", "number", item, `${line}`).setAttribute("aria-hidden", "true");
    }
    const code = make("code", "", item);
    if (lines.has(line)) {
      code.addEventListener("click", () => { if (document.getSelection()?.isCollapsed !== false) toggle(line); });  // not while text is selected
    }
    const label = /^(\s*\w+:\s*)(\.phase.*)$/.exec(text);
    if (label) {
      code.append(label[1]);
      make("i", "drawing", code, label[2]);
      return;
    }
    const shown = text.replace(/^ {8}/, "  ").replace(/(\S) {2,}/g, "$1 ");
    const comment = shown.indexOf("//");
    code.append(comment < 0 ? shown : shown.slice(0, comment));
    if (comment >= 0) make("i", "", code, shown.slice(comment));
    if (k < kernel || k >= cases || /^\s*\.(draw|picture|phase)\b/.test(text)) item.classList.add("aside");
  });
}

/** Marks the line that the current step ran. @param {View} view */
export function markProgram(view) {
  const event = view.event;
  const line = event < 0 ? 0 : view.lineOf(event);
  const trouble = view.troubleLines();
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#code li"))) {
    const own = Number(item.dataset.line);
    item.classList.toggle("current", own === line);
    if (own === line) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
    const button = item.querySelector("button");
    if (!button) continue;
    button.setAttribute("aria-pressed", String(view.breakpoints.has(own)));
    if (item.classList.toggle("trouble", trouble.has(own)) || button.dataset.trouble) {
      const label = word(view.language, "cellBreak", {line: own});
      button.setAttribute("aria-label", trouble.has(own) ? word(view.language, "troubleAt", {label}) : label);
      button.dataset.trouble = trouble.has(own) ? "1" : "";
    }
  }
}

/** Scrolls the program, if needed, until the current line can be seen. */
export function keepLineInSight() {
  const item = document.querySelector("#code .current"), box = byId("program");
  if (!item || box.clientHeight === 0) return;
  const a = item.getBoundingClientRect(), b = box.getBoundingClientRect();
  if (a.top < b.top + 40) box.scrollTop -= b.top + 60 - a.top;
  else if (a.bottom > b.bottom - 20) box.scrollTop += a.bottom - b.bottom + 60;
}
