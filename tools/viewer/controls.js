// Keys: which of them does what. The help page is made from the same table.
//
// Shapes: one row a command: the keys, the actions that they stand for (actions.js), the key of its words.

import {make} from "./dom.js";
import {word} from "./words.js";

/** @type {{keys: string[], shown: string, action: string[], words: string}[]} */
export const kKeys = [
  {keys: ["j", "k"], shown: "J K  → ←", action: ["forward", "back"], words: "key_step"},
  {keys: ["J", "K"], shown: "⇧J ⇧K", action: ["nextLine", "previousLine"], words: "key_line"},
  {keys: [" "], shown: "Space", action: ["play"], words: "key_play"},
  {keys: ["h", "l"], shown: "H L  Home End", action: ["first", "last"], words: "key_ends"},
  {keys: ["s", "S"], shown: "S ⇧S", action: ["nextShuffle", "previousShuffle"], words: "key_shuffle"},
  {keys: ["r", "R"], shown: "R ⇧R", action: ["run", "runBack"], words: "key_run"},
  {keys: ["b"], shown: "B", action: ["breakpoint"], words: "key_break"},
  {keys: ["n"], shown: "N", action: ["nextFinding"], words: "key_finding"},
  {keys: ["f"], shown: "F", action: ["fold"], words: "key_fold"},
  {keys: ["q"], shown: "Q", action: ["cuda"], words: "key_cuda"},
  {keys: ["m"], shown: "M", action: ["collectives"], words: "key_collectives"},
  {keys: ["z"], shown: "Z", action: ["setUp"], words: "key_setUp"},
  {keys: ["y"], shown: "Y", action: ["addresses"], words: "key_addresses"},
  {keys: ["c"], shown: "C", action: ["contributions"], words: "key_contributions"},
  {keys: ["p"], shown: "P", action: ["predict"], words: "key_predict"},
  {keys: ["a"], shown: "A", action: ["registers"], words: "key_registers"},
  {keys: ["w"], shown: "W", action: ["panels"], words: "key_panels"},
  {keys: ["i", "u"], shown: "I U", action: ["showProgram", "showState"], words: "key_sides"},
  {keys: ["o"], shown: "O", action: ["otherTrace"], words: "key_other"},
  {keys: ["x", "X"], shown: "X ⇧X", action: ["nextDifference", "previousDifference"], words: "key_difference"},
  {keys: ["t"], shown: "T", action: ["transpose"], words: "key_turn"},
  {keys: ["+", "-", "0"], shown: "+ − 0", action: ["zoomIn", "zoomOut", "zoomFit"], words: "key_zoom"},
  {keys: ["]", "["], shown: "] [", action: ["nextWarp", "previousWarp"], words: "key_warp"},
  {keys: ["T"], shown: "⇧T", action: ["watch"], words: "key_watch"},
  {keys: ["g"], shown: "G", action: ["toGrid"], words: "key_grid"},
  {keys: ["d"], shown: "D", action: ["theme"], words: "key_theme"},
  {keys: ["e"], shown: "E", action: ["language"], words: "key_language"},
  {keys: ["v", "V"], shown: "V ⇧V", action: ["exportSvg", "exportPng"], words: "key_save"},
  {keys: ["?"], shown: "?", action: ["help"], words: "key_help"},
];

const kActions = new Map(kKeys.flatMap((row) => row.keys.map((key, k) => /** @type {[string, string]} */ ([key, row.action[k]]))));

/** The action that a key stands for, or "". Keys that a focused element uses itself are left to it.
 * @param {KeyboardEvent} event @returns {string} */
export function actionOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return "";
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("[data-types]")) return "";  // an editor
  const types = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  // Where one types an answer, the arrow keys move through the run until there is text to move in.
  const typing = target instanceof HTMLInputElement && target.type !== "range";
  if (typing && (target.value !== "" || !/^Arrow(Left|Right)$/.test(event.key))) return "";
  if (types && !typing && (target instanceof HTMLSelectElement || event.key.length > 1)) return "";
  if (event.key === " " && (target instanceof HTMLButtonElement || target.closest("[role=grid]"))) return "";
  if (event.key === "ArrowRight") return "forward";
  if (event.key === "ArrowLeft") return "back";
  if (event.key === "Home") return "first";
  if (event.key === "End") return "last";
  return kActions.get(event.key) ?? "";
}

/** What an action's key is called: "S", "⇧S", "→". @type {Record<string, string>} */
const kShown = {forward: "→", back: "←", first: "Home", last: "End", play: "Space", closeHelp: "Esc"};

/** The key of an action, as people read it, or "". @param {string} action */
export function keyOf(action) {
  const row = kKeys.find((one) => one.action.includes(action));
  const key = row?.keys[row.action.indexOf(action)] ?? "";
  return kShown[action] ?? (key !== key.toLowerCase() ? `⇧${key}` : key.toUpperCase());
}

/** The signs: class, words, how it looks. @type {[string, string, string][]} */
const kSigns = [["changed", "signChanged", "12"], ["offer", "signOffer", "12"], ["undefined", "signUndefined", "⟂"],
  ["unused", "signUnused", "⟂"], ["unwritten", "signUnwritten", "–"],
  ["inactive", "signInactive", ""], ["future", "signFuture", "12"], ["current", "signCurrent", "12"], ["lit", "signLit", "12"],
  ["hidden", "signHidden", "?"], ["differs", "signDiffers", "12"], ["right", "signRight", "→"], ["left", "signLeft", "←"],
  ["keep", "signKeeps", "┊"], ["lost", "signLost", "╌╌"], ["bus", "signBus", "┴┬"], ["bus", "signStairs", "▔╲▁"],
  ["bus", "signThrough", "┴◆┬"], ["taken", "signTaken", "↷ ↓"],
  ["exit", "signExit", "■"], ["wait", "signWait", "∥"], ["idle", "signIdle", "·"], ["trouble", "signFault", "⚠"], ["trouble", "signAtFault", "✕"],
  ["trouble", "signBreak", "●"], ["marks", "signMarks", "╷ ▾"]];

/** @param {HTMLElement} box @param {import("./words.js").Language} language */
export function fillHelp(box, language) {
  box.replaceChildren();
  const keys = make("dl", "keys", box);
  const rows = [...kKeys.map((row) => [row.shown, row.words]), ["← ↑ → ↓", "key_move"], ["Enter", "key_go"]];
  for (const [shown, words] of rows) {
    make("dt", "", keys, shown);
    make("dd", "", keys, word(language, words));
  }
  make("h2", "", box, word(language, "signs"));
  const signs = make("dl", "signs", box);
  for (const [name, words, look] of kSigns) {
    const sign = make("span", `cell sign ${name}`, make("dt", "", signs), look);
    sign.setAttribute("aria-hidden", "true");
    make("dd", "", signs, word(language, words));
  }
}
