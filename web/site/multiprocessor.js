// How a timed run is launched, to be changed beside the multiprocessor's view: each change runs it again.
//
// Shapes: a choice is a string as the command's option takes it, "" as the case or the profile has it; they stand in the link (link.js).

import {make} from "../../tools/viewer/dom.js";

/** @typedef {{scheduler: string, sms: string, grid: string, block: string, resident: string}} Launch */
/** @typedef {(key: string, values?: Record<string, string|number>) => string} Word */

/** As cases have it. @type {Launch} */
export const kAsCase = {scheduler: "", sms: "", grid: "", block: "", resident: ""};
const kMostThreads = 1024, kMostWarps = 32, kMostBlocks = 64, kSchedulers = ["gto", "lrr", "oldest"], kSms = ["1", "2", "4"];

/** @param {number[]} dims */
const product = (dims) => dims.reduce((all, one) => all * one, 1);

/** The options of the command. @param {Launch} launch @param {boolean} timed @returns {Record<string, string>} */
export function launchOptions({scheduler, sms, grid, block, resident}, timed) {
  const all = {grid, block, "resident-blocks": resident, ...(timed ? {scheduler, sms} : {})};
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}

/** The controls. @param {HTMLElement} box @param {{launch: Launch, lanes: number, run: {grid: number[], block: number[]}, hasSize: boolean, word: Word,
 *   change: (launch: Partial<Launch>, size: string) => void}} how  run: the launch that is shown; size: how many threads, where the kernel has such a parameter */
export function fillLaunch(box, {launch, lanes, run, hasSize, word, change}) {
  const focused = document.activeElement?.closest("#watchChoices") ? document.activeElement.id : "";
  const threads = product(run.block), warps = Math.ceil(threads / lanes), blocks = product(run.grid);
  box.replaceChildren();
  box.hidden = false;
  /** @param {string} key @param {string} id */
  const labelled = (key, id) => {
    const label = make("label", "", box);
    label.htmlFor = id;
    make("span", "", label, word(key));
    return label;
  };
  /** @param {string} key @param {string[]} values @param {string} value @param {(value: string) => void} does */
  const list = (key, values, value, does) => {
    const select = make("select", "", labelled(key, `launch-${key}`));
    select.id = `launch-${key}`;
    for (const one of ["", ...values, ...(value && !values.includes(value) ? [value] : [])]) make("option", "", select, one || word("launchOwn")).value = one;
    select.value = value;
    select.addEventListener("change", () => does(select.value));
  };
  /** @param {string} key @param {number} most @param {number} value @param {(value: number) => void} does */
  const slider = (key, most, value, does) => {
    const label = labelled(key, `launch-${key}`), range = make("input", "", label), said = make("output", "", label, String(value));
    Object.assign(range, {id: `launch-${key}`, type: "range", min: "1", max: String(Math.max(most, value)), step: "1", value: String(value)});
    said.setAttribute("for", range.id);
    range.addEventListener("input", () => { said.textContent = range.value; });
    range.addEventListener("change", () => does(Number(range.value)));
  };
  const size = (/** @type {number} */ count) => (hasSize ? String(count) : "");
  slider("launchWarps", Math.min(kMostWarps, Math.floor(kMostThreads / lanes)), warps, (count) => change({block: String(count * lanes)}, size(count * lanes * blocks)));
  slider("launchBlocks", kMostBlocks, blocks, (count) => change({grid: String(count), resident: ""}, size(count * threads)));
  if (blocks > 1) slider("launchResident", blocks, Math.min(blocks, Number(launch.resident) || blocks), (count) => change({resident: count === blocks ? "" : String(count)}, ""));
  list("launchSms", kSms, launch.sms, (sms) => change({sms}, ""));
  list("launchScheduler", kSchedulers, launch.scheduler, (scheduler) => change({scheduler}, ""));
  if (/** @type {(keyof Launch)[]} */ (Object.keys(kAsCase)).some((name) => launch[name] !== "")) {
    const button = make("button", "text", box, word("asCase"));
    button.id = "launchAsCase";
    button.addEventListener("click", () => change(kAsCase, ""));
  }
  if (hasSize) make("span", "type", box, word("launchSize"));
  document.getElementById(focused)?.focus();
}
