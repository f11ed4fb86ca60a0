// The inputs of a run as a table, to change: an element a field of a buffer, a number of a parameter.
//
// Shapes: what was changed is `--input NAME=LIST` and `--param NAME=VALUE` of the next run, texts by name. Of a buffer with more than
//         kMostFields elements there is one field, for a rule or a list.

import {make} from "../../tools/viewer/dom.js";

/** @typedef {{name: string, kind: string, type: string, length?: number, value?: number|string|boolean}} Param */
/** @typedef {Record<string, string>} Changes */

const kMostFields = 64;

/** A value of a trace as an input's rule has it. @param {unknown} value */
const asRule = (value) => ({NaN: "nan", Infinity: "inf", "-Infinity": "-inf"}[String(value)] ?? String(value));

/** @param {HTMLElement} box @param {{params: Param[], inputs: Record<string, unknown[]>, changed: Changes, change: (name: string, text: string) => void,
 *   word: (key: string, values?: Record<string, string|number>) => string}} of */
export function fillInputs(box, {params, inputs, changed, change, word}) {
  const made = document.createElement("div");
  for (const {name, kind, type, value} of params) {
    const values = inputs[name];
    if (kind === "param" ? value === undefined : !values) continue;
    const row = make("fieldset", "", made);
    make("legend", "", row, `${name}  ${type}${values ? `[${values.length}]` : ""}`);
    const field = (/** @type {string} */ text, /** @type {string} */ label, /** @type {boolean} */ wide) => {
      const input = make("input", wide ? "wide" : "", row);
      Object.assign(input, {defaultValue: text, value: text, autocomplete: "off", spellcheck: false});
      input.setAttribute("aria-label", label);
      return input;
    };
    if (!values) {
      const input = field(changed[name] ?? asRule(value), name, false);
      input.addEventListener("change", () => change(name, input.value.trim()));
    } else if (values.length > kMostFields) {
      const input = field(changed[name] ?? "", word("rule", {name}), true);
      input.placeholder = `${values.slice(0, 8).map(asRule).join(", ")}, …`;
      input.addEventListener("change", () => change(name, input.value.trim()));
    } else {
      const fields = values.map((one, k) => field(asRule(one), `${name}[${k}]`, false));
      for (const input of fields) input.addEventListener("change", () => change(name, fields.map((one) => one.value.trim() || "0").join(",")));
    }
  }
  if (made.childElementCount === 0) make("p", "", made, word("noInputs"));
  if (!bringUpToDate(box, made)) box.replaceChildren(...made.childNodes);
}

/** Gives the fields that stand in `box` the texts of those in `made`, if they are the same fields: somebody may be typing in one,
 * whose text stays. @param {HTMLElement} box @param {HTMLElement} made @returns {boolean}  whether they are the same */
function bringUpToDate(box, made) {
  const named = (/** @type {HTMLElement} */ of) =>
    [...of.querySelectorAll("legend, input")].map((one) => one.getAttribute("aria-label") ?? one.textContent).join("\n");
  if (box.childElementCount === 0 || named(box) !== named(made)) return false;
  const fresh = made.querySelectorAll("input");
  box.querySelectorAll("input").forEach((field, k) => {
    if (field !== document.activeElement || field.value === field.defaultValue) field.value = fresh[k].value;
    field.defaultValue = fresh[k].value;
    field.placeholder = fresh[k].placeholder;
  });
  return true;
}
