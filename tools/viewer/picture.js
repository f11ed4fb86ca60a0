// Rows of the grid as SVG text, for pictures.
//
// Shapes: the same layout and the same signs as the grid; colours are written out, so the picture stands alone. Text is escaped.
//         A Picture draws one View from a place along time on; export.js puts one or two of them into a file.
// Units:  CSS pixels.

import {arrowsOf, gatheringOf} from "./arrows.js";
import {cellsOf, offersOf} from "./cells.js";
import {acrossSize, bandStep, kFrame, laneBegin, laneCentre, laneNames, lastOf, partsOf, runsDown, textIn} from "./layout.js";
import {lineKind} from "./row.js";
import {shortened} from "./trace.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {Record<string, string>} Colours */
/** @typedef {{offer: boolean, future: boolean, lit?: boolean}} Look  offer: what a lane holds out to the others */

/** @param {string} text */
export const escaped = (text) => text.replace(/[&<>"]/g, (c) => /** @type {any} */ ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);

const kMono = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
/** The room for the lanes' numbers, before the first row. */
export const kBefore = 60;
const kSans = "system-ui, 'DejaVu Sans', 'Noto Sans CJK KR', sans-serif";

/** The colours of the page as it looks now. @returns {Colours} */
export function coloursNow() {
  const style = getComputedStyle(document.documentElement);
  const names = ["paper", "panel", "ink", "soft", "line", "wire", "right", "left", "keep", "lost", "current", "mark", "bus", "hatch", "offer", "lit", "litInk"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim() || "#888888"]));
}

export class Picture {
  /** @param {View} view @param {number} begin */
  constructor(view, begin) {
    this.view = view;
    this.begin = begin;
    this.colours = coloursNow();
    /** @type {string[]} */
    this.parts = [];
  }

  /** @param {number} across @param {number} along */
  at(across, along) {
    const shift = along - this.begin + kBefore;
    return this.view.geometry.transposed ? {x: shift, y: across} : {x: across, y: shift};
  }

  /** @param {number} x @param {number} y @param {string} text @param {{size?: number, colour?: string, anchor?: string,
   *   bold?: boolean, sans?: boolean, down?: boolean}} [how]  down: turned by a quarter */
  text(x, y, text, how = {}) {
    if (!text) return;
    const {size = 12, colour = this.colours.ink, anchor = "middle", bold = false, sans = false, down = false} = how;
    this.parts.push(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-family="${sans ? kSans : kMono}" font-size="${
      size}" fill="${colour}" text-anchor="${anchor}"${bold ? ' font-weight="700"' : ""}${
      down ? ` transform="rotate(90 ${x.toFixed(1)} ${y.toFixed(1)})"` : ""}>${escaped(text)}</text>`);
  }

  /** Text cut to a width. @param {number} x @param {number} y @param {string} text @param {number} width
   * @param {{size: number, colour?: string, anchor?: string, bold?: boolean, sans?: boolean}} how */
  fitting(x, y, text, width, how) {
    this.text(x, y, shortened(text, Math.floor(width / (how.size * 0.605))), {anchor: "start", ...how});
  }

  /** One cell for all that say the same. @param {{text: string, from: number, to: number}} shared @param {number} along
   * @param {string} border @param {boolean} changed */
  spanning(shared, along, border, changed) {
    const g = this.view.geometry, c = this.colours;
    const {x, y} = this.at(laneBegin(g, shared.from), along);
    const size = laneBegin(g, shared.to) + g.cell - laneBegin(g, shared.from);
    const [w, h] = g.transposed ? [g.band, size] : [size, g.band];
    this.parts.push(`<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${w.toFixed(1)}" height="${h.toFixed(1)}" rx="4" fill="${c.panel}" stroke="${border}"/>`);
    if (changed) this.parts.push(`<path d="M${x + w - 8},${y}h8v8z" fill="${c.mark}"/>`);
    if (g.transposed) this.text(x + w / 2 - 4, y + Math.min(h / 2, 70), shared.text, {size: 11.5, bold: true, down: true});
    else this.text(x + w / 2, y + h / 2 + 4, shared.text, {size: 11.5, bold: true});
  }

  /** How the page draws a cell. @param {import("./cells.js").Cell} cell @param {Look} look */
  #paintOf(cell, {offer, future, lit}) {
    const c = this.colours, soft = future || offer;
    if (lit) return {fill: c.lit, stroke: c.litInk, ink: c.litInk, width: 2};
    if (cell.kind === "inactive") return {fill: "url(#hatch)", stroke: c.hatch, ink: c.soft, width: 1};
    if (cell.kind === "fault") return {fill: c.panel, stroke: c.lost, ink: c.lost, width: 1.5};
    if (cell.kind === "unused" || cell.kind === "unwritten") return {fill: c.panel, stroke: c.line, ink: c.soft, width: 1};
    if (cell.kind === "undefined") return {fill: c.panel, stroke: c.lost, ink: soft ? c.soft : c.lost, width: 1.5};
    if (cell.kind === "hidden") return {fill: "none", stroke: c.line, ink: c.soft, width: 1};
    if (cell.value === undefined && !offer) return {fill: "none", stroke: "none", ink: cell.kind === "taken" ? c.right : c.soft, width: 1};
    return {fill: offer ? c.paper : c.panel, stroke: offer ? c.offer : c.line, ink: soft ? c.soft : c.ink, width: 1};
  }

  /** @param {number} lane @param {number} along @param {import("./cells.js").Cell} cell @param {Look} look */
  cell(lane, along, cell, look) {
    const g = this.view.geometry, c = this.colours;
    const {x, y} = this.at(laneBegin(g, lane), along);
    const w = g.transposed ? g.band : g.cell, h = g.transposed ? g.cell : g.band;
    const {fill, stroke, ink, width} = this.#paintOf(cell, look);
    const dash = {undefined: "3 2", unused: "3 2", hidden: "1 2"}[/** @type {string} */ (cell.kind)];
    this.parts.push(`<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${w.toFixed(1)}" height="${h}" rx="4" fill="${fill}" stroke="${
      stroke}" stroke-width="${width}"${dash ? ` stroke-dasharray="${dash}"` : ""}/>`);
    const corner = g.upended ? 5 : 8;
    if (cell.changed) this.parts.push(`<path d="M${x + w - corner},${y}h${corner}v${corner}z" fill="${c.mark}"/>`);
    if (cell.differs) {
      this.parts.push(`<rect x="${x - 2}" y="${y - 2}" width="${w + 4}" height="${h + 4}" rx="6" fill="none" stroke="${c.lost}" stroke-width="2"/>`);
      this.text(x + 6, y + 8, "≠", {size: 9, colour: c.lost});
    }
    const sign = ["fault", "taken", "notTaken", "wait"].includes(cell.kind);
    const size = sign ? Math.max(14, g.font) : g.font, drop = size * 0.35;  // from the middle to the base line
    const text = textIn(g, cell.text, cell.forms), down = runsDown(g, text);
    this.text(x + w / 2 - (down ? drop : 0), y + h / 2 + (down ? 0 : drop), text,
      {size, colour: ink, bold: (cell.changed && !look.future) || look.lit || cell.kind === "fault" || cell.kind === "taken", down});
  }
}

/** @param {Picture} picture @param {import("./layout.js").Row} row */
export function drawRow(picture, row) {
  const {view, colours: c} = picture;
  const g = view.geometry;
  const parts = partsOf(row, g);
  const future = row.event >= view.n;
  const origin = picture.at(0, row.begin);
  const results = picture.at(0, row.begin + parts.results);
  if (view.rows[view.currentRow] === row) {
    const width = g.transposed ? row.size : acrossSize(g), height = g.transposed ? acrossSize(g) : row.size;
    const up = picture.at(0, row.begin - 4);  // half of what is between rows
    picture.parts.push(`<rect x="${up.x}" y="${up.y}" width="${width}" height="${height}" rx="6" fill="${c.current}"/>`);
  }
  picture.parts.push(future ? '<g opacity=".5">' : "<g>");
  drawLabel(picture, row, origin.x, results.y);
  if (row.gap !== "none") drawGap(picture, row, parts);
  for (let band = 0; band < row.bands; ++band)
    drawBand(picture, cellsOf(view, row, band), row.begin + parts.results + band * bandStep(g),
      {offer: false, future}, (lane) => view.lit?.cells.has(`${view.eventAt(row, lane)}:${lane}:${band}`) ?? false);
  picture.parts.push("</g>");
}

/** @param {Picture} picture @param {import("./layout.js").Row} row @param {number} x @param {number} y  of the results */
function drawLabel(picture, row, x, y) {
  const {view, colours: c} = picture;
  const g = view.geometry;
  const event = view.trace.events[row.event];
  const cycle = `${event.cycle ?? view.positionOf(row.event) + 1}`;
  const names = view.trace.destinations(lastOf(row)).map((one) => one.name), op = view.opOf(row);
  const trapped = view.trapped(row.event) && !view.hides(row.event), ink = trapped ? c.lost : c.ink;
  if (g.transposed) {
    const top = g.label - kFrame, room = row.size - 6;
    picture.text(x + 4, top + 12, trapped ? `${cycle}⚠` : cycle, {size: 11, anchor: "start", bold: true, colour: ink});
    picture.fitting(x + 4, top + 25, op, room, {size: 10.5});
    picture.fitting(x + 4, top + 38, names.join(" "), room, {size: 10, colour: c.soft});
    return;
  }
  picture.text(30 + g.count, y + (trapped ? 12 : 18), cycle, {size: 11, anchor: "end", bold: true, colour: ink});
  if (trapped) picture.text(30 + g.count, y + 25, "⚠", {size: 12, anchor: "end", bold: true, colour: ink});
  const room = g.label - 42 - g.count, from = 38 + g.count;
  picture.fitting(from, y + (names.length > 0 ? 12 : 18), op, room, {size: 10.5});
  names.forEach((name, band) =>
    picture.fitting(from, y + (band === 0 ? 24 : 17 + band * bandStep(g)), name, room, {size: 10, colour: c.soft}));
}

/** The titles of phases, each over its rows. @param {Picture} picture @param {import("./layout.js").Row[]} rows */
export function drawTitles(picture, rows) {
  const {view, colours: c} = picture;
  const g = view.geometry;
  const titled = rows.filter((row) => row.title);
  titled.forEach((row, k) => {
    const next = titled[k + 1] ?? rows[rows.length - 1];
    const end = k + 1 < titled.length ? next.begin : next.begin + next.size;
    const {x, y} = picture.at(0, row.begin);
    const how = {size: 12, bold: true, sans: true, colour: row.event >= view.n ? c.soft : c.ink};
    if (g.transposed) picture.fitting(x + 4, 14, view.titleOf(row), end - row.begin - 8, how);
    else picture.text(14, y + 19, view.titleOf(row), {...how, anchor: "start"});
  });
}

/** @param {Picture} picture @param {import("./cells.js").Cells} cells @param {number} along @param {Look} look
 * @param {(lane: number) => boolean} lit */
function drawBand(picture, {cells, shared}, along, look, lit) {
  cells.forEach((cell, lane) => {
    if (!shared || cell.value === undefined) picture.cell(lane, along, cell, {...look, lit: lit(lane)});
  });
  if (shared) picture.spanning(shared, along, look.offer ? picture.colours.offer : picture.colours.line, cells.some((cell) => cell.changed === true));
}

/** @param {Picture} picture @param {import("./layout.js").Row} row @param {{offers: number, gap: number}} parts */
function drawGap(picture, row, parts) {
  const {view} = picture;
  drawBand(picture, offersOf(view, row), row.begin + parts.offers, {offer: true, future: row.event >= view.n},
    (lane) => view.lit?.offers.has(`${row.event}:${lane}`) ?? false);
  if (view.hides(row.event)) return;
  const {x, y} = picture.at(0, row.begin);
  picture.parts.push(`<g transform="translate(${x},${y})" fill="none" stroke-width="1.4">`);
  drawLines(picture, row, parts.gap);
  picture.parts.push("</g>");
}

/** @param {Picture} picture @param {import("./layout.js").Row} row @param {number} gap */
function drawLines({view, colours: c, parts}, row, gap) {
  const g = view.geometry, {exchange, pc} = view.trace.events[row.event];
  if (row.gap !== "arrows" || !exchange) {
    const lines = gatheringOf(row.gap, view.dataflow.groups(row.event), view.trace.flow(pc)?.exclusive ?? false, g, gap, row.gapSize);
    parts.push(`<path d="${lines.own}" stroke="${c.bus}"/><path d="${lines.main}" stroke="${c.bus}" stroke-width="2"/><path d="${
      lines.head}" fill="${c.bus}"/>`);
    return;
  }
  for (const arrow of arrowsOf(exchange, g, gap, row.gapSize)) {
    const quiet = lineKind(view, row, arrow).endsWith("quiet");
    const colour = arrow.kind === "own" || quiet ? c.keep : c[arrow.kind];
    const dash = arrow.kind === "keep" ? ' stroke-dasharray="1 4"' : arrow.kind === "lost" ? ' stroke-dasharray="5 4"' : "";
    const lit = view.lit?.arrows.has(`${row.event}:${arrow.to}`);
    const how = !view.lit ? "" : lit ? ' stroke-width="3.2"' : ' opacity=".22"';
    parts.push(`<path d="${arrow.d}" stroke="${colour}"${dash}${how}/>`);
    if (arrow.head) parts.push(`<path d="${arrow.head}" fill="${colour}"${lit ? "" : how}/>`);
  }
}

/** The lanes' numbers and lines, down to a place along time. @param {Picture} picture @param {number} end */
export function drawLanes(picture, end) {
  const {view, begin, colours: c} = picture, g = view.geometry;
  for (let lane = 0; lane < g.lanes; ++lane) {
    const centre = laneCentre(g, lane), {number, bits} = laneNames(g, lane);
    const a = picture.at(centre, begin - 8), b = picture.at(centre, end);
    picture.parts.push(`<path d="M${a.x},${a.y}L${b.x},${b.y}" stroke="${c.wire}"/>`);
    const x = g.transposed ? 24 : centre, y = g.transposed ? centre + 4 : bits ? 38 : 44, chosen = lane === view.lane && number !== "";
    const size = Math.max(9.5, Math.min(12, g.pitch * 0.4));
    if (chosen) picture.parts.push(`<rect x="${x - 9}" y="${y - 12}" width="18" height="16" rx="8" fill="${c.ink}"/>`);
    picture.text(x, y, number, {size, bold: true, colour: chosen ? c.paper : c.ink});
    picture.text(x, y + 12, bits, {size: 9, colour: c.soft});
  }
}
