// Prediction: the rows to come are hidden, and one says what a lane will hold before it is shown.
//
// Shapes: fills one panel; `done` steps forward once the answer stands. A typed number is right if it is the same number, a
//         word if it is the same text; T and true, F and false are the same.

import {cellsOf} from "./cells.js";
import {make} from "./dom.js";
import {textOf} from "./trace.js";
import {word} from "./words.js";

/** @typedef {import("./view.js").View} View */

/** Whether a guess means the value. @param {string} guess @param {import("./trace.js").Value} value */
export function isRight(guess, value) {
  const typed = guess.trim().toLowerCase();
  if (typed === "") return false;
  if (typeof value === "boolean") return [String(value), value ? "t" : "f", value ? "1" : "0"].includes(typed);
  if (value === null) return ["?", "⟂", "undefined", "null"].includes(typed);
  if (typeof value === "number") return Number(typed) === value;
  if (typeof value === "string" && /^(0x[0-9a-f]+|-?\d+)$/i.test(value) && /^(0x[0-9a-f]+|\d+)$/.test(typed))
    return value.startsWith("-") ? false : BigInt(typed) === BigInt(value);
  return typed === textOf(value).toLowerCase();
}

export class Prediction {
  /** @param {HTMLElement} box @param {() => void} done */
  constructor(box, done) {
    this.box = box;
    this.done = done;
    this.right = 0;
    this.all = 0;
    this.said = "";
  }

  /** Asks about the next row of the view. @param {View} view */
  ask(view) {
    this.box.hidden = !view.predicting;
    if (!view.predicting) return;
    const focused = this.box.contains(document.activeElement);
    this.box.replaceChildren();
    const language = view.language;
    make("h2", "", this.box, word(language, "predictTitle"));
    if (this.said) make("p", "said", this.box, this.said).setAttribute("role", "status");
    const row = view.rows[view.currentRow + 1];
    const cells = row ? cellsOf(view, row).cells : [];
    const lanes = cells.flatMap((cell, lane) => (cell.value === undefined ? [] : [lane]));
    if (lanes.length === 0) {
      make("p", "", this.box, word(language, "predictNothing"));
    } else {
      const lane = lanes.includes(view.lane) ? view.lane : lanes[0];
      this.#form(view, row, lane, cells[lane].value ?? null, focused);
    }
    if (this.all > 0) make("p", "type", this.box, word(language, "predictScore", {right: this.right, all: this.all}));
  }

  /** @param {View} view @param {import("./layout.js").Row} row @param {number} lane
   * @param {import("./trace.js").Value} value @param {boolean} focused */
  #form(view, row, lane, value, focused) {
    const language = view.language;
    const event = view.trace.events[row.event];
    const text = view.trace.code[event.pc].text;
    const register = event.writes?.[0]?.reg;
    make("p", "", this.box, register ? word(language, "predictAsk", {lane, text, register})
      : word(language, "predictStore", {lane, text}));
    const form = make("form", "", this.box);
    const input = make("input", "", form);
    input.autocomplete = "off";
    input.setAttribute("aria-label", word(language, "predictAnswer"));
    input.id = "guess";
    const check = make("button", "text", form, word(language, "predictCheck"));
    check.type = "submit";
    const skip = make("button", "text", form, word(language, "predictSkip"));
    skip.type = "button";
    const shown = textOf(value);
    form.addEventListener("submit", (submit) => {
      submit.preventDefault();
      if (input.value.trim() === "") return;
      const right = isRight(input.value, value);
      ++this.all;
      if (right) ++this.right;
      this.said = right ? `✓ ${word(language, "predictRight", {lane, value: shown})}`
        : `✗ ${word(language, "predictWrong", {guess: input.value.trim(), lane, value: shown})}`;
      this.done();
    });
    skip.addEventListener("click", () => {
      this.said = word(language, "predictTold", {lane, value: shown});
      this.done();
    });
    if (focused) input.focus();
  }
}
