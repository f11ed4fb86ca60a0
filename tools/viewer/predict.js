// Prediction: the rows to come are hidden, and one says what a lane will hold before it is shown.
//
// Shapes: fills one panel; `go` runs on to a row: the one that was asked about, or the one before the next question. A typed number is right if it is the same number in
//         any spelling that people have for it, a pair if both of its numbers are, a word if it is the same text.

import {resultsOf} from "./cells.js";
import {make} from "./dom.js";
import {lastOf} from "./layout.js";
import {askedLane} from "./questions.js";
import {textOf} from "./trace.js";
import {word} from "./words.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./trace.js").Value} Value */

/** "infinity", "-infinity" or "nan", however spelled, or "". @param {string} typed */
function specialOf(typed) {
  const [, sign, name] = /^([+-]?)(inf|infinity|∞|nan)$/.exec(typed) ?? [];
  if (!name) return "";
  return name === "nan" ? "nan" : `${sign === "-" ? "-" : ""}infinity`;
}

/** Whether a guess means the value. @param {string} guess @param {Value} value @returns {boolean} */
export function isRight(guess, value) {
  const typed = guess.trim().toLowerCase();
  if (typed === "") return false;
  if (Array.isArray(value)) {
    const parts = typed.replace(/^[[({]|[\])}]$/g, "").trim().split(/\s*[,;|]\s*|\s+/);
    return parts.length === value.length && value.every((one, k) => isRight(parts[k], one));
  }
  if (typeof value === "boolean") return [String(value), value ? "t" : "f", value ? "1" : "0"].includes(typed);
  if (value === null) return ["?", "⟂", "undefined", "null", "정의되지 않음"].includes(typed);
  const special = specialOf(typed);
  if (special) return special === (typeof value === "object" ? "nan" : String(value).toLowerCase());
  if (typeof value === "number") return isNumber(typed, value);
  if (typeof value === "string" && /^(0x[0-9a-f]+|-?\d+)$/i.test(value)) return isInteger(typed, value);
  return typed === textOf(value).toLowerCase();
}

/** @param {string} typed @param {number} value */
function isNumber(typed, value) {
  const [, sign, hex] = /^([+-]?)(0[xb][0-9a-f]+)$/.exec(typed) ?? [];
  const number = hex ? Number(hex) * (sign === "-" ? -1 : 1) : Number(typed);
  if (number === value) return true;
  if (Number.isInteger(value)) return hex !== undefined && value < 0 && number === value + 2 ** 32;  // its bits
  return Math.fround(number) === Math.fround(value);
}

/** Integers of 64 bits, and masks, which the trace writes as text. @param {string} typed @param {string} value */
function isInteger(typed, value) {
  const [, sign, digits] = /^([+-]?)(0x[0-9a-f]+|0b[01]+|\d+)$/.exec(typed) ?? [];
  if (!digits) return false;
  const number = BigInt(digits) * (sign === "-" ? -1n : 1n);
  return number === BigInt(value) || (digits.startsWith("0x") && BigInt(value) < 0n && number === BigInt(value) + (1n << 64n));
}

/** Whether a guess can be read as a value like this one. What is undefined may be guessed to be anything. @param {string} guess
 * @param {Value} value @returns {boolean} */
export function isReadable(guess, value) {
  const typed = guess.trim().toLowerCase();
  if (["?", "⟂", "undefined", "null", "정의되지 않음"].includes(typed)) return true;
  const flag = /^(true|false|t|f|0|1)$/.test(typed);
  const number = specialOf(typed) !== "" || /^[+-]?(0x[0-9a-f]+|0b[01]+)$/.test(typed) || (typed !== "" && !Number.isNaN(Number(typed)));
  const parts = typed.replace(/^[[({]|[\])}]$/g, "").trim().split(/\s*[,;|]\s*|\s+/);
  if (Array.isArray(value)) return parts.length === value.length && parts.every((part, k) => isReadable(part, value[k]));
  if (typeof value === "boolean") return flag;
  if (value === null) return flag || number || (parts.length > 1 && parts.every((part) => isReadable(part, null)));
  return number || typed === textOf(value).toLowerCase();
}

export class Prediction {
  /** @param {HTMLElement} box @param {(row: number) => void} go */
  constructor(box, go) {
    this.box = box;
    this.go = go;
    this.right = 0;
    this.all = 0;
    /** Whether a question has been asked. */
    this.waiting = false;
    /** What was said of the last answer, and at which moment. */
    this.said = {text: "", mark: "", at: -1};
  }

  /** @param {string} guess @param {Value} value */
  accepts(guess, value) { return isRight(guess, value); }

  /** To where one answers, or to what stands there instead. */
  focus() {
    const target = this.box.querySelector("input") ?? this.box.querySelector("button") ?? this.box.querySelector("h2");
    if (target instanceof HTMLElement) target.focus();
  }

  /** Asks about the next row of the view, or says when the next question comes. @param {View} view */
  ask(view) {
    this.box.hidden = !view.predicting;
    this.waiting = false;
    if (!view.predicting) return;
    const focused = this.box.contains(document.activeElement);
    this.box.replaceChildren();
    const {language} = view;
    make("h2", "", this.box, word(language, "predictTitle")).tabIndex = -1;
    if (this.said.at === view.n) make("p", `said ${this.said.mark}`, this.box, this.said.text).setAttribute("role", "status");
    const k = view.currentRow + 1, before = view.beforeQuestion();
    const cells = view.questions.includes(k) ? resultsOf(view, view.rows[k]).cells : [];
    const lanes = cells.flatMap((cell, lane) => (cell.value === undefined ? [] : [lane]));
    if (k >= view.rows.length) {
      make("p", "", this.box, word(language, "predictEnd"));
    } else if (lanes.length === 0) {
      const to = Math.max(k, before), key = view.questions.some((one) => one > k) ? "predictNext" : "predictNoMore";
      make("p", "", this.box, word(language, key));
      make("button", "text", this.box, word(language, "predictGoOn")).addEventListener("click", () => this.go(to));
    } else {
      const lane = askedLane(view, k, lanes);
      this.waiting = true;
      this.#form(view, k, lane, cells[lane].value ?? null);
    }
    if (this.all > 0) make("p", "type", this.box, word(language, "predictScore", {right: this.right, all: this.all}));
    if (focused) this.focus();
  }

  /** @param {View} view @param {number} k  the row @param {number} lane @param {Value} value */
  #form(view, k, lane, value) {
    const {language, trace} = view, row = view.rows[k];
    const text = view.textOf(row);
    const register = trace.events[lastOf(row)].writes?.[0]?.reg;
    make("p", "", this.box, register ? word(language, "predictAsk", {lane, text, register})
      : word(language, "predictStore", {lane, text}));
    const form = make("form", "", this.box);
    const input = make("input", "", form);
    input.autocomplete = "off";
    input.setAttribute("aria-label", word(language, "predictAnswer"));
    input.id = "guess";
    make("button", "text", form, word(language, "predictCheck")).type = "submit";
    const skip = make("button", "text", form, word(language, "predictSkip"));
    skip.type = "button";
    const note = make("p", "said unreadable", form);
    note.setAttribute("role", "status");
    make("p", "type", form, word(language, "predictHow"));
    const shown = textOf(value);
    form.addEventListener("submit", (submit) => {
      submit.preventDefault();
      if (input.value.trim() === "") return;
      if (!isReadable(input.value, value)) {
        note.textContent = word(language, "predictUnreadable", {guess: input.value.trim()});
        return input.select();
      }
      const right = this.accepts(input.value, value);
      ++this.all;
      if (right) ++this.right;
      this.#say(k, view, right ? "right" : "wrong", right ? `✓ ${word(language, "predictRight", {lane, value: shown})}`
        : `✗ ${word(language, "predictWrong", {guess: input.value.trim(), lane, value: shown})}`);
    });
    skip.addEventListener("click", () => this.#say(k, view, "told", word(language, "predictTold", {lane, value: shown})));
  }

  /** @param {number} k  the row @param {View} view @param {string} mark @param {string} text */
  #say(k, view, mark, text) {
    this.said = {text, mark, at: lastOf(view.rows[k]) + 1};
    this.go(k);
  }
}
