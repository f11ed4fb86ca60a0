// The warps of an SM over cycles, as pixels: a canvas, since a run has more spans than a page can have elements.
//
// Shapes: the canvas is as large as what is in sight; `layout` says where rows stand in what it is a window of.
// Units:  CSS pixels, cycles.

import {kReasons, reasonIndex} from "./schedule.js";
import {word} from "../words.js";

/** @typedef {import("./schedule.js").Schedule} Schedule */
/** @typedef {import("./schedule.js").Span} Span */
/** @typedef {{y: number, warp: number, subCore: number, warps: number[]}} RowPlace  warp -1: the head of a sub-core */
/** @typedef {{rows: RowPlace[], height: number}} SmLayout */
/** @typedef {{left: number, top: number, width: number, height: number, scale: number}} Sight  scrolled to; pixels a cycle */

export const kGutter = 78, kAxis = 20, kRowHeight = 18;
const kHeadHeight = 20, kLetterRoom = 11, kInset = 2;

/** @param {Schedule} schedule @param {number} sm @returns {SmLayout} */
export function layoutOf(schedule, sm) {
  /** @type {RowPlace[]} */
  const rows = [];
  let y = kAxis;
  for (const {subCore, warps} of schedule.rowsOf(sm)) {
    rows.push({y, warp: -1, subCore, warps});
    y += kHeadHeight;
    for (const warp of warps) {
      rows.push({y, warp, subCore, warps});
      y += kRowHeight;
    }
  }
  return {rows, height: y + 4};
}

/** The colours of issue and of each reason, and how its bars are hatched. @type {[string, (c: CanvasRenderingContext2D) => void][]} */
const kLooks = [
  ["--ink", () => {}],
  ["--keep", (c) => { c.rect(1, 1, 1.5, 1.5); c.rect(5, 5, 1.5, 1.5); }],  // issue slots: dots
  ["--mark", (c) => { for (const x of [1, 5]) { c.rect(x, 0, 1.2, 8); } }],  // branch: upright
  ["--left", (c) => { for (const x of [-8, 0, 8]) { c.moveTo(x, 8); c.lineTo(x + 8, 0); c.lineTo(x + 9.6, 0); c.lineTo(x + 1.6, 8); } }],  // dependency: rising
  ["--right", (c) => { for (const y of [1, 5]) { c.rect(0, y, 8, 1.6); } }],  // memory: level
  ["--barrier", (c) => { c.rect(0, 1, 8, 1.2); c.rect(0, 5, 8, 1.2); c.rect(1, 0, 1.2, 8); c.rect(5, 0, 1.2, 8); }],  // barrier: a grid
  ["--bus", (c) => { for (const x of [-8, 0, 8]) { c.moveTo(x, 0); c.lineTo(x + 8, 8); c.lineTo(x + 9.6, 8); c.lineTo(x + 1.6, 0); } }],  // unit: falling
  ["--line", (c) => { c.rect(3, 3, 2.4, 2.4); }],  // another's turn: squares
];

/** A tile of 8 pixels: a tint of the colour, and the hatch in it. @param {CanvasRenderingContext2D} context @param {string} colour
 * @param {(c: CanvasRenderingContext2D) => void} hatch @returns {CanvasPattern|string} */
function patternOf(context, colour, hatch) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const inside = tile.getContext("2d");
  if (!inside) return colour;
  inside.fillStyle = colour;
  inside.globalAlpha = 0.28;
  inside.fillRect(0, 0, 8, 8);
  inside.globalAlpha = 1;
  inside.beginPath();
  hatch(inside);
  inside.fill();
  return context.createPattern(tile, "repeat") ?? colour;
}

/** @typedef {{colours: string[], fills: (CanvasPattern|string)[], ink: string, soft: string, edge: string, paper: string, current: string, focus: string}} Looks */

/** @param {CanvasRenderingContext2D} context @returns {Looks} */
function looksOf(context) {
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const colours = kLooks.map(([name]) => colour(name));
  const [ink, soft, edge, paper, current, focus] = ["--ink", "--soft", "--edge", "--paper", "--mark", "--focus"].map(colour);
  return {colours, fills: colours.map((one, k) => (k === 0 ? one : patternOf(context, one, kLooks[k][1]))), ink, soft, edge, paper, current, focus};
}

/** Makes a canvas as large as its place, for sharp pixels. @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
function sized(canvas, width, height) {
  const density = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context?.scale(density, density);
  return context;
}

/** A sample for the legend: 0 is the issue, then the reasons. @param {HTMLCanvasElement} canvas @param {number} kind */
export function paintSample(canvas, kind) {
  const context = sized(canvas, 22, 13);
  if (!context) return;
  const looks = looksOf(context);
  context.fillStyle = looks.fills[kind];
  context.fillRect(0, 0, 22, 13);
  if (kind > 0) letter(context, looks, kind, 11, 7);
}

/** @param {CanvasRenderingContext2D} context @param {Looks} looks @param {number} kind @param {number} x @param {number} y */
function letter(context, looks, kind, x, y) {
  context.font = "700 10px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 3;
  context.strokeStyle = looks.paper;
  context.strokeText(kReasons[kind - 1][1], x, y);
  context.fillStyle = looks.ink;
  context.fillText(kReasons[kind - 1][1], x, y);
}

/** Whether a column of pixels holds several cycles. @param {Sight} sight */
export const isCoarse = (sight) => sight.scale < 1;

/** @typedef {{schedule: Schedule, layout: SmLayout, sight: Sight, language: import("../words.js").Language, now: number, cursor: Span|null}} Scene
 *   now: the event of the current step, or -1 */

/** @param {HTMLCanvasElement} canvas @param {Scene} scene */
export function paintSm(canvas, scene) {
  const {sight, layout} = scene, context = sized(canvas, sight.width, sight.height);
  if (!context) return;
  const looks = looksOf(context);
  context.save();
  context.beginPath();
  context.rect(kGutter, kAxis, sight.width, sight.height);
  context.clip();
  for (const row of layout.rows) {
    const y = row.y - sight.top;
    if (y > sight.height || y + kHeadHeight < kAxis) continue;
    if (row.warp < 0) paintIssues(context, looks, scene, row, y);
    else if (isCoarse(sight)) paintShares(context, looks, scene, row.warp, y);
    else paintSpans(context, looks, scene, row.warp, y);
  }
  paintMarks(context, looks, scene);
  context.restore();
  paintFrame(context, looks, scene);
}

/** @param {Sight} sight @param {number} cycle */
const xOf = (sight, cycle) => kGutter + (cycle - 1) * sight.scale - sight.left;
/** The cycle that stands at a place of the canvas. @param {Sight} sight @param {number} x */
export const cycleAt = (sight, x) => Math.floor((x - kGutter + sight.left) / sight.scale) + 1;

/** @param {CanvasRenderingContext2D} context @param {Looks} looks @param {Scene} scene @param {number} warp @param {number} y */
function paintSpans(context, looks, {schedule, sight}, warp, y) {
  const last = cycleAt(sight, sight.width), {events} = schedule.trace.warps[warp];
  for (let at = schedule.placeAt(warp, cycleAt(sight, kGutter)); at < events.length; ++at) {
    const spans = schedule.spansAt(warp, at);
    if (!spans[0] || spans[0].begin > last) break;
    for (const span of spans) {
      const kind = span.stall < 0 ? 0 : 1 + reasonIndex(schedule.stallOf(span)?.reason ?? "");
      const x = xOf(sight, span.begin), width = (span.end - span.begin) * sight.scale;
      const inset = kind === 0 ? 1 : kInset + 1;
      context.fillStyle = looks.fills[kind];
      context.fillRect(x, y + inset, Math.max(1, width - (kind === 0 && sight.scale > 3 ? 1 : 0)), kRowHeight - 2 * inset);
      const from = Math.max(x, kGutter), to = Math.min(x + width, sight.width);
      if (kind > 0 && to - from >= kLetterRoom) letter(context, looks, kind, (from + to) / 2, y + kRowHeight / 2);
    }
  }
}

/** Columns of several cycles: issues below, the waits above, by their shares. @param {CanvasRenderingContext2D} context @param {Looks} looks
 * @param {Scene} scene @param {number} warp @param {number} y */
function paintShares(context, looks, {schedule, sight}, warp, y) {
  const perColumn = 1 / sight.scale, columns = Math.max(0, Math.ceil(sight.width - kGutter));
  const shares = schedule.shares(warp, 1 + sight.left * perColumn, perColumn, columns), kinds = looks.fills.length;
  const height = kRowHeight - 2 * kInset;
  for (let column = 0; column < columns; ++column) {
    let bottom = y + kRowHeight - kInset;
    for (let kind = 0; kind < kinds; ++kind) {
      const part = (shares[column * kinds + kind] / perColumn) * height;
      if (part <= 0) continue;
      context.fillStyle = looks.fills[kind];
      context.fillRect(kGutter + column, bottom - part, 1, part);
      bottom -= part;
    }
  }
  paintLetters(context, looks, {schedule, sight}, warp, y);
}

/** The letters of waits that are long all the same. @param {CanvasRenderingContext2D} context @param {Looks} looks
 * @param {{schedule: Schedule, sight: Sight}} scene @param {number} warp @param {number} y */
function paintLetters(context, looks, {schedule, sight}, warp, y) {
  const {events} = schedule.trace.warps[warp], last = cycleAt(sight, sight.width);
  for (let at = schedule.placeAt(warp, cycleAt(sight, kGutter)); at < events.length; ++at) {
    const spans = schedule.spansAt(warp, at);
    if (!spans[0] || spans[0].begin > last) return;
    for (const span of spans) {
      const from = Math.max(xOf(sight, span.begin), kGutter), to = Math.min(xOf(sight, span.end), sight.width);
      if (span.stall >= 0 && to - from >= kLetterRoom) letter(context, looks, 1 + reasonIndex(schedule.stallOf(span)?.reason ?? ""), (from + to) / 2, y + kRowHeight / 2);
    }
  }
}

/** The head of a sub-core: the cycles in which any of its warps issued. @param {CanvasRenderingContext2D} context @param {Looks} looks
 * @param {Scene} scene @param {RowPlace} row @param {number} y */
function paintIssues(context, looks, {schedule, sight}, row, y) {
  context.fillStyle = looks.edge;
  context.globalAlpha = 0.5;
  context.fillRect(0, y, sight.width, kHeadHeight - 1);
  context.globalAlpha = isCoarse(sight) ? Math.max(0.25, sight.scale) : 1;
  context.fillStyle = looks.ink;
  const last = cycleAt(sight, sight.width);
  for (const warp of row.warps) {
    const {events} = schedule.trace.warps[warp];
    for (let at = schedule.placeAt(warp, cycleAt(sight, kGutter)); at < events.length; ++at) {
      const cycle = schedule.trace.events[events[at]].cycle ?? 0;
      if (cycle > last || events[at] >= schedule.until) break;
      context.fillRect(xOf(sight, cycle), y + 6, Math.max(1, sight.scale - (sight.scale > 3 ? 1 : 0)), kHeadHeight - 13);
    }
  }
  context.globalAlpha = 1;
}

/** The current step, and what the cursor is on. @param {CanvasRenderingContext2D} context @param {Looks} looks @param {Scene} scene */
function paintMarks(context, looks, {schedule, layout, sight, now, cursor}) {
  const rowOf = (/** @type {number} */ warp) => layout.rows.find((row) => row.warp === warp);
  if (now >= 0) {
    const {cycle} = schedule.trace.events[now], row = rowOf(schedule.trace.warpOf[now]);
    const x = xOf(sight, cycle ?? 1), width = Math.max(3, sight.scale);
    context.fillStyle = looks.current;
    context.globalAlpha = 0.35;
    context.fillRect(x + width / 2 - 0.75, kAxis, 1.5, sight.height);
    context.globalAlpha = 1;
    if (row) {
      context.strokeStyle = looks.current;
      context.lineWidth = 2.5;
      context.strokeRect(x - 1.5, row.y - sight.top, width + 3, kRowHeight);
    }
  }
  const row = cursor && rowOf(cursor.warp);
  if (!cursor || !row) return;
  context.strokeStyle = looks.focus;
  context.lineWidth = 2;
  context.strokeRect(xOf(sight, cursor.begin) - 1, row.y - sight.top + 1, Math.max(2, (cursor.end - cursor.begin) * sight.scale) + 2, kRowHeight - 2);
}

/** A round number of cycles that has room for its digits. @param {number} scale */
function tickOf(scale) {
  for (let step = 1; ; step *= 10) for (const times of [1, 2, 5]) if (step * times * scale >= 62) return step * times;
}

/** The axis and the names of the rows. @param {CanvasRenderingContext2D} context @param {Looks} looks @param {Scene} scene */
function paintFrame(context, looks, {schedule, layout, sight, language}) {
  context.fillStyle = looks.paper;
  context.fillRect(0, 0, kGutter - 2, sight.height);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const row of layout.rows) {
    const y = row.y - sight.top, {block, warp} = schedule.trace.warps[Math.max(row.warp, 0)];
    if (y > sight.height || y < 0) continue;
    context.fillStyle = row.warp < 0 ? looks.ink : looks.soft;
    context.fillText(row.warp < 0 ? word(language, "subCore", {number: row.subCore}) : word(language, "warpRow", {block, warp}), row.warp < 0 ? 6 : 16, y + (row.warp < 0 ? kHeadHeight : kRowHeight) / 2);
  }
  context.fillStyle = looks.paper;
  context.fillRect(0, 0, sight.width, kAxis - 1);
  context.fillStyle = looks.soft;
  const step = tickOf(sight.scale), first = Math.max(step, Math.ceil(cycleAt(sight, kGutter) / step) * step);
  context.textAlign = "center";
  for (let cycle = first; cycle <= schedule.cycles && xOf(sight, cycle) < sight.width; cycle += step) {
    const x = xOf(sight, cycle) + Math.min(sight.scale, 20) / 2;
    context.fillText(String(cycle), x, kAxis / 2 - 1);
    context.fillRect(x - 0.5, kAxis - 5, 1, 4);
  }
  context.textAlign = "left";
  context.fillText(word(language, "cyclesWord"), 6, kAxis / 2);
}
