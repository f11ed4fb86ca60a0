// The program beside the grid: its text, the current line, breakpoints.
//
// Shapes: a line of the text is one item of a list; lines with instructions have a button, which sets a breakpoint, as does a click
//         on their text.

import {byId, make} from "./dom.js";
import {appendCode} from "./syntax.js";
import {word} from "./words.js";

/** @typedef {import("./view.js").View} View */

/** The program's text, a line an item; lines with instructions can have breakpoints. @param {View} view
 * @param {(line: number) => void} toggle */
export function fillProgram(view, toggle) {
  const list = byId("code");
  list.replaceChildren();
  const lines = new Set(view.trace.code.map((insn) => insn.line));
  const setUp = new Set(view.trace.warps[view.warp].events.flatMap((k) => (view.isSetUp(k) ? [view.lineOf(k)] : [])));
  const addresses = new Set(view.trace.code.filter((insn) => insn.address).map((insn) => insn.line));
  document.body.classList.toggle("addressed", view.trace.hasAddresses);
  const texts = view.trace.text.length > 0 ? view.trace.text : view.trace.code.map((insn) => insn.text);
  // What is no instruction stays aside until the whole text is asked for: the head, drawings, cases.
  const head = texts.findIndex((text) => /^\s*\.kernel\b/.test(text)), entry = /\.(entry|func)\b/;
  let kernel = Math.max(0, head >= 0 ? head : Math.min(...lines) - 1);
  if (head < 0) while (kernel > 0 && !entry.test(texts[kernel])) --kernel;  // of PTX, its entry
  const cases = Math.max(kernel, ...lines);  // after the last instruction
  texts.forEach((text, k) => {
    const line = k + 1;
    const item = make("li", "", list);
    item.dataset.line = String(line);
    item.classList.toggle("runs", lines.has(line));
    item.classList.toggle("setUp", setUp.has(line));
    item.classList.toggle("address", addresses.has(line));
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
      appendCode(code, label[1], "warp");
      make("i", "drawing", code, label[2]);
      return;
    }
    const shown = text.replace(/^(?: {8}|\t)/, "  ").replace(/(\S)(?:\s{2,}|\t)/g, "$1 ");
    appendCode(code, shown, "warp");
    if (k < kernel || k >= cases || /^\s*(\.(draw|picture|phase|loc|reg)\b|\$L__tmp\d+:|$)/.test(text)) item.classList.add("aside");
  });
}

/** The program's twin in CUDA C++, if it has one; and where the program comes from. @param {View} view @param {boolean} wanted */
export function fillTwin(view, wanted) {
  const {cuda, notes, section} = view.trace, shown = wanted && cuda !== "";
  byId("cudaSwitch").hidden = cuda === "";
  byId("cudaSwitch").setAttribute("aria-pressed", String(shown));
  byId("wholeText").hidden = shown;
  byId("code").hidden = shown;
  const list = byId("cuda"), sources = byId("sources");
  list.hidden = !shown;
  list.replaceChildren();
  cuda.trimEnd().split("\n").forEach((text, k) => {
    const item = make("li", "", list);
    make("span", "number", item, `${k + 1}`).setAttribute("aria-hidden", "true");
    appendCode(make("code", "", item), text, "cuda");
  });
  sources.replaceChildren();
  if (notes.sources.length === 0) return;
  make("h2", "", sources, word(view.language, "comesFrom"));
  if (section) make("p", "type", sources, section).lang = "en";
  for (const {text, address} of notes.sources) {
    const line = make("p", "", sources);
    line.lang = "en";
    if (!address.startsWith("https://")) {
      line.textContent = text;
      continue;
    }
    const link = make("a", "", line, text);
    link.lang = "en";
    Object.assign(link, {href: address, target: "_blank", rel: "noopener noreferrer", title: address});
  }
}

/** Marks the lines that the current step ran. @param {View} view */
export function markProgram(view) {
  const row = view.rows[view.currentRow];
  const lines = new Set(row ? [row.event, ...row.fused].map((k) => view.lineOf(k)) : []);
  const trouble = view.troubleLines();
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#code li"))) {
    const own = Number(item.dataset.line);
    item.classList.toggle("current", lines.has(own));
    if (lines.has(own)) item.setAttribute("aria-current", "step");
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
  if (!document.body.classList.contains("sourced")) return keepInSight(document.querySelector("#code .current"), byId("program"));
  keepInSight(document.querySelector("#code .current"), byId("code"));
  keepInSight(document.querySelector("#source .current"), byId("sourceBlock"));
}

/** Between what stands still at the box's top and its end. @param {Element|null} item @param {HTMLElement} box */
function keepInSight(item, box) {
  if (!item || box.clientHeight === 0) return;
  const a = item.getBoundingClientRect(), b = box.getBoundingClientRect();
  if (a.top < b.top + 40) box.scrollTop -= b.top + 60 - a.top;
  else if (a.bottom > b.bottom - 20) box.scrollTop += a.bottom - b.bottom + 60;
}
