// The bar above the playground: the lists of what there is, with what is chosen in them, and the buttons' words.

import {byId, make} from "../../tools/viewer/dom.js";

/** @typedef {{name: string, title: string, cases: string[], twin_of: string, twins?: string[]}} Listed */

const kLanes = ["", "1", "2", "4", "8", "16", "32", "64"], kProfiles = ["", "h200", "documents:low", "documents:high"];

/** In the language and with what is chosen. @param {{chosen: import("./link.js").Chosen, listed: Listed[], word: (key: string, values?: Record<string, string|number>) => string,
 *   hide: (id: string, next: string) => void}} bar  hide: an element; a focus that it has goes to the next one */
export function fillBar({chosen, listed, word, hide}) {
  const one = listed.find(({name}) => name === chosen.program);
  const fill = (/** @type {string} */ id, /** @type {[string, string][]} */ options, /** @type {string} */ value) => {
    const list = /** @type {HTMLSelectElement} */ (byId(id));
    list.replaceChildren();
    const all = options.some(([key]) => key === value) ? options : [...options, /** @type {[string, string]} */ ([value, value])];
    for (const [key, text] of all) make("option", "", list, text).value = key;
    list.value = value;
    list.setAttribute("aria-label", word(list.dataset.name ?? ""));
    list.title = word(list.dataset.name ?? "");
  };
  fill("cases", (one?.cases ?? []).map((name) => [name === "test" ? "" : name, name]), chosen.case);
  fill("laneCounts", kLanes.map((count) => [count, count || word("lanes")]), chosen.lanes);
  const twins = (one?.twins ?? []).map((name) => /** @type {[string, string]} */ ([name, word("beside", {name})]));
  const {program, text} = chosen;
  const original = /** @type {[string, string][]} */ (text === null || !program ? [] : [[program, word("besideOriginal")]]);
  fill("besides", [["", word("alone")], ...original, ...twins], chosen.beside);
  byId("besides").hidden = original.length + twins.length === 0;
  if (chosen.beside) byId("compareButton").hidden = false;
  else hide("compareButton", "besides");
  fill("profiles", kProfiles.map((name) => [name, name || word("noProfile")]), chosen.profile);
  fillPrograms(listed, chosen.program, word("programs"));
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-site]")))
    element.textContent = word(element.dataset.site ?? "");
  byId("runButton").title = word("runHint");
  byId("ptxButton").title = word("ptxHint");
  if (chosen.text === null) hide("revert", "editSwitch");
  else byId("revert").hidden = false;
}

/** @param {Listed[]} listed @param {string} program @param {string} label */
function fillPrograms(listed, program, label) {
  const list = /** @type {HTMLSelectElement} */ (byId("programs"));
  list.replaceChildren();
  let group = "", part = /** @type {HTMLElement} */ (list);
  for (const {name, title} of listed) {
    const [own] = name.split("/");
    if (own !== group) {
      part = document.createElement("optgroup");
      /** @type {HTMLOptGroupElement} */ (part).label = group = own;
      list.append(part);
    }
    make("option", "", part, `${name.slice(own.length + 1)} – ${title}`).value = name;
  }
  list.value = program;
  list.setAttribute("aria-label", label);
}
