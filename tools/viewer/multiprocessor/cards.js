// The numbers of a timed run: what its warps waited for, how full the SM was, and its roofline. Each is from `warpsim stats --json`,
// which the page has as `view.timing.statistics`.

import {make, makeSvg} from "../dom.js";
import {word} from "../words.js";
import {kReasons} from "./schedule.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../words.js").Language} Language */

const kPlacesShown = 8, kSubCoresShown = 16;

/** As `warpsim stats` rounds it. @param {number} of @param {number} whole */
function percentOf(of, whole) {
  const share = whole === 0 ? 0 : Math.round((of / whole) * 100);
  return of > 0 && share === 0 ? "<1 %" : `${share} %`;
}

/** @param {HTMLElement} table @param {string[]} cells  the first is the row's name */
function tableRow(table, cells) {
  const row = make("tr", "", table);
  cells.forEach((text, k) => {
    if (k === 0) make("th", "", row, text).scope = "row";
    else make("td", "", row, text);
  });
  return row;
}

/** @param {HTMLElement} box @param {View} view @param {(event: number) => void} go */
export function fillWaits(box, view, go) {
  const {language, timing, trace} = view;
  box.replaceChildren();
  if (!timing) return;
  const {stalls, issue_cycles, stall_cycles, sub_cores, places} = timing.statistics, whole = issue_cycles + stall_cycles;
  const waits = make("table", "waitShares", box);
  make("caption", "", waits, word(language, "waitsOf"));
  const body = make("tbody", "", waits);
  /** @param {string} name @param {number} cycles */
  const share = (name, cycles) => {
    const row = tableRow(body, [name, String(cycles), percentOf(cycles, whole)]);
    make("i", "", make("td", "share", row)).style.width = `${whole === 0 ? 0 : (cycles / whole) * 100}%`;
  };
  share(word(language, "issued"), issue_cycles);
  for (const [reason, letter] of kReasons) if (stalls[reason] > 0) share(`${letter} ${word(language, `stall_${reason}`)}`, stalls[reason]);
  const cores = make("table", "coreShares", box);
  make("caption", "", cores, word(language, "subCores"));
  const head = make("tr", "", make("thead", "", cores));
  for (const name of ["", "issued", "noneEligible", "empty", "warpCount"]) {
    const cell = make(name ? "th" : "td", "", head, name ? word(language, name) : "");
    if (cell instanceof HTMLTableCellElement && name) cell.scope = "col";
  }
  const rows = make("tbody", "", cores);
  for (const one of sub_cores.slice(0, kSubCoresShown))
    tableRow(rows, [`${word(language, "sm", {sm: one.sm})} · ${word(language, "subCoreShort", {number: one.sub_core})}`, one.issued, one.none_eligible, one.empty, one.warps].map(String));
  if (sub_cores.length > kSubCoresShown) make("p", "type", box, word(language, "andMore", {count: sub_cores.length - kSubCoresShown}).trim());
  if (view.tellsUntil >= trace.events.length) fillWaitPlaces(box, places, trace, language, go);
}

/** @param {HTMLElement} box @param {import("../view.js").WaitPlace[]} places @param {import("../trace.js").Trace} trace @param {Language} language
 * @param {(event: number) => void} go */
function fillWaitPlaces(box, places, trace, language, go) {
  if (places.length === 0) return;
  make("p", "type", box, word(language, "waitsPlaces"));
  const list = make("ol", "chain", box);
  for (const one of places.slice(0, kPlacesShown)) {
    const button = make("button", "", make("li", "", list));
    make("b", "", button, String(one.cycles));
    const writer = one.writer_pc === null ? "" : ` ← ${trace.lineName(one.writer_pc)} ${trace.code[one.writer_pc].op}`;
    make("span", "", button, `${trace.lineName(one.pc)} ${trace.code[one.pc].op} · ${word(language, `stall_${one.reason}`)} ${one.register ?? one.pipe ?? ""}${writer}`);
    button.title = word(language, one.times === 1 ? "cyclesOnce" : "cyclesTimes", {cycles: one.cycles, times: one.times});
    button.addEventListener("click", () => go(trace.events.findIndex((event) => event.pc === one.pc &&
      event.stalls?.some((stall) => stall.reason === one.reason && (stall.register ?? null) === one.register))));
  }
}

/** @param {HTMLElement} box @param {View} view */
export function fillOccupancy(box, view) {
  const {language, timing} = view;
  box.replaceChildren();
  if (!timing) return;
  const {occupancy, warps_at_once} = timing.statistics, table = make("tbody", "", make("table", "", box));
  tableRow(table, [word(language, "occupancyHad"), warps_at_once.toFixed(2)]);
  if (!occupancy) return void make("p", "type", box, word(language, "occupancyUnknown"));
  const {warps, max_warps, blocks, max_blocks, block_warps, block_shared_bytes, limited_by} = occupancy;
  tableRow(table, [word(language, "occupancyFit"), word(language, "occupancyOf", {warps, most: max_warps})]);
  tableRow(table, [word(language, "occupancyBlocks"), word(language, "occupancyOf", {warps: blocks, most: max_blocks})]);
  tableRow(table, [word(language, "occupancyLimit"), word(language, `limit_${limited_by}`)]).className = "limit";
  tableRow(table, [word(language, "occupancyBlock"), word(language, block_warps === 1 ? "occupancyTakesOne" : "occupancyTakes", {warps: block_warps, bytes: block_shared_bytes})]);
  make("p", "type", box, word(language, "occupancyNote"));
}

/** @param {HTMLElement} box @param {View} view */
export function fillRoofline(box, view) {
  const {language, timing} = view;
  box.replaceChildren();
  const roofline = timing?.statistics.roofline;
  if (!roofline) return void make("p", "type", box, word(language, "occupancyUnknown"));
  const {instructions_a_line: x, instructions_a_cycle: y, most_issued_a_cycle: issue, most_lines_a_cycle: lines} = roofline;
  const byLines = lines !== null && x !== null ? lines * x : null;
  if ((issue !== null || byLines !== null) && y !== null) drawRoofs(box, language, x, y, issue, lines);
  const table = make("tbody", "", make("table", "", box));
  if (y !== null) tableRow(table, [`${word(language, "rooflineHere")}: ${word(language, "rooflineY")}`, y.toFixed(3)]);
  if (x !== null) tableRow(table, [`${word(language, "rooflineHere")}: ${word(language, "rooflineX")}`, x.toFixed(3)]);
  if (issue !== null) tableRow(table, [word(language, "rooflineIssue"), issue.toFixed(3)]);
  if (byLines !== null) tableRow(table, [word(language, "rooflineLines"), byLines.toFixed(3)]);
  if (issue === null && lines === null) return void make("p", "type", box, word(language, "rooflineNone"));
  if (byLines === null) make("p", "type", box, word(language, "rooflineNoLines"));
  make("p", "type", box, word(language, "rooflineNote"));
}

/** Both axes logarithmic, so that a roof of memory is a slope. @param {HTMLElement} box @param {Language} language @param {number|null} x
 * @param {number} y @param {number|null} issue @param {number|null} lines */
function drawRoofs(box, language, x, y, issue, lines) {
  const width = 280, height = 150, left = 40, bottom = 30, at = x ?? 1;
  const ridge = issue !== null && lines !== null ? issue / lines : at;
  const low = {x: Math.min(at, ridge) / 4, y: Math.min(y, issue ?? y, lines !== null ? lines * at : y) / 4};
  const high = {x: Math.max(at, ridge) * 4, y: Math.max(y, issue ?? 0, lines !== null && issue === null ? lines * at : 0) * 2};
  const px = (/** @type {number} */ v) => left + (Math.log(v / low.x) / Math.log(high.x / low.x)) * (width - left - 8);
  const py = (/** @type {number} */ v) => height - bottom - (Math.log(v / low.y) / Math.log(high.y / low.y)) * (height - bottom - 8);
  const svg = makeSvg("svg", "roofs", box);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", word(language, "rooflinePicture", {x: x === null ? "–" : x.toFixed(3), y: y.toFixed(3)}));
  makeSvg("path", "axis", svg, `M${left} 6V${height - bottom}H${width - 4}`);
  if (lines !== null && x !== null) {
    const end = issue !== null ? ridge : high.x, begin = Math.max(low.x, low.y / lines);
    makeSvg("path", "roof slope", svg, `M${px(begin)} ${py(lines * begin)}L${px(end)} ${py(lines * end)}`);
  }
  if (issue !== null) makeSvg("path", "roof", svg, `M${px(lines !== null && x !== null ? ridge : low.x)} ${py(issue)}H${width - 4}`);
  makeSvg("path", "drop", svg, `M${px(at)} ${py(y)}V${height - bottom}M${px(at)} ${py(y)}H${left}`);
  makeSvg("path", "here", svg, `M${px(at)} ${py(y) - 5}l5 5l-5 5l-5 -5z`);
  /** @param {number} tx @param {number} ty @param {string} text @param {string} anchor */
  const text = (tx, ty, text, anchor) => {
    const element = makeSvg("text", "", svg);
    element.setAttribute("x", String(tx));
    element.setAttribute("y", String(ty));
    element.setAttribute("text-anchor", anchor);
    element.textContent = text;
  };
  text(left - 4, py(y) + 4, y.toFixed(y < 0.1 ? 3 : 2), "end");
  if (issue !== null) text(left - 4, py(issue) + 4, String(issue), "end");
  text(px(at), height - bottom + 12, x === null ? "–" : x.toFixed(1), "middle");
  text((left + width) / 2, height - 4, word(language, "rooflineX"), "middle");
}
