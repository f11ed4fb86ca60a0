// The rows in sight as a picture: SVG as text, and PNG through the browser's own drawing of it.
//
// Shapes: the same layout as the grid; colours are written out, so the file stands alone. Text is escaped.
// Errors: a browser that cannot draw the picture rejects the promise.

import {arrowsOf, gatheringOf} from "./arrows.js";
import {cellsOf, offersOf} from "./cells.js";
import {acrossSize, bandStep, kFrame, laneBegin, laneCentre, partsOf, runsDown, textIn} from "./layout.js";
import {shortened} from "./trace.js";
import {word} from "./words.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {Record<string, string>} Colours */

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (c) => /** @type {any} */ ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);

const kMono = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
const kName = 26;  // turned, the room for the trace's name above all
const kSans = "system-ui, 'DejaVu Sans', 'Noto Sans CJK KR', sans-serif";

/** The colours of the page as it looks now. @returns {Colours} */
function colours() {
  const style = getComputedStyle(document.documentElement);
  const names = ["paper", "panel", "ink", "soft", "line", "wire", "right", "left", "keep", "lost", "current", "mark", "bus", "hatch", "offer"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim() || "#888888"]));
}

class Picture {
  /** @param {View} view @param {number} begin */
  constructor(view, begin) {
    this.view = view;
    this.begin = begin;
    this.colours = colours();
    /** @type {string[]} */
    this.parts = [];
  }

  /** @param {number} across @param {number} along */
  at(across, along) {
    const shift = along - this.begin + 60;
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
    if (g.transposed) this.fitting(x + 3, y + h / 2 + 4, shared.text, w - 4, {size: 9});
    else this.text(x + w / 2, y + h / 2 + 4, shared.text, {size: 11.5, bold: true});
  }

  /** @param {number} lane @param {number} along @param {import("./cells.js").Cell} cell @param {string} border
   * @param {boolean} future */
  cell(lane, along, cell, border, future) {
    const g = this.view.geometry, c = this.colours;
    const {x, y} = this.at(laneBegin(g, lane), along);
    const w = g.transposed ? g.band : g.cell, h = g.transposed ? g.cell : g.band;
    const lost = cell.kind === "undefined";
    const plain = cell.value === undefined && cell.kind !== "inactive";
    const fill = cell.kind === "inactive" ? "url(#hatch)" : plain ? "none" : c.panel;
    this.parts.push(`<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${w.toFixed(1)}" height="${h}" rx="4" fill="${fill}" stroke="${
      lost ? c.lost : plain ? "none" : border}"${lost ? ' stroke-dasharray="3 2"' : ""}/>`);
    const corner = g.upended ? 5 : 8;
    if (cell.changed) this.parts.push(`<path d="M${x + w - corner},${y}h${corner}v${corner}z" fill="${c.mark}"/>`);
    if (cell.differs) {
      this.parts.push(`<rect x="${x - 2}" y="${y - 2}" width="${w + 4}" height="${h + 4}" rx="6" fill="none" stroke="${c.lost}" stroke-width="2"/>`);
      this.text(x + 6, y + 8, "≠", {size: 9, colour: c.lost});
    }
    const text = textIn(g, cell.text), down = runsDown(g, text), drop = g.font * 0.35;  // from the middle to the base line
    this.text(x + w / 2 - (down ? drop : 0), y + h / 2 + (down ? 0 : drop), text,
      {size: g.font, colour: future ? c.soft : lost ? c.lost : c.ink, bold: cell.changed, down});
  }
}

/** @param {Picture} picture @param {import("./layout.js").Row} row */
function drawRow(picture, row) {
  const {view, colours: c} = picture;
  const g = view.geometry;
  const parts = partsOf(row, g);
  const future = row.event >= view.n;
  const origin = picture.at(0, row.begin);
  const results = picture.at(0, row.begin + parts.results);
  if (view.rows[view.currentRow] === row) {
    const width = g.transposed ? row.size : acrossSize(g), height = g.transposed ? acrossSize(g) : row.size;
    picture.parts.push(`<rect x="${origin.x}" y="${origin.y}" width="${width}" height="${height}" rx="6" fill="${c.current}"/>`);
  }
  picture.parts.push(future ? '<g opacity=".5">' : "<g>");
  drawLabel(picture, row, origin.x, results.y);
  if (row.gap !== "none") drawGap(picture, row, parts);
  for (let band = 0; band < row.bands; ++band)
    drawBand(picture, cellsOf(view, row, band), row.begin + parts.results + band * bandStep(g), c.line, future);
  picture.parts.push("</g>");
}

/** @param {Picture} picture @param {import("./layout.js").Row} row @param {number} x @param {number} y  of the results */
function drawLabel(picture, row, x, y) {
  const {view, colours: c} = picture;
  const g = view.geometry;
  const event = view.trace.events[row.event];
  const cycle = `${event.cycle ?? view.positionOf(row.event) + 1}`;
  const names = view.trace.destinations(row.event).map((one) => one.name);
  if (g.transposed) {
    const top = g.label - kFrame, room = row.size - 6;
    picture.text(x + 4, top + 12, cycle, {size: 11, anchor: "start", bold: true});
    picture.fitting(x + 4, top + 25, event.op, room, {size: 9.5});
    picture.fitting(x + 4, top + 38, names.join(" "), room, {size: 9, colour: c.soft});
    return;
  }
  picture.text(30, y + 18, cycle, {size: 11, anchor: "end", bold: true});
  const room = g.label - 42;
  picture.fitting(38, y + (names.length > 0 ? 12 : 18), event.op, room, {size: 10.5});
  names.forEach((name, band) =>
    picture.fitting(38, y + (band === 0 ? 24 : 17 + band * bandStep(g)), name, room, {size: 9.5, colour: c.soft}));
}

/** The titles of phases, each over its rows. @param {Picture} picture @param {import("./layout.js").Row[]} rows */
function drawTitles(picture, rows) {
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

/** @param {Picture} picture @param {import("./cells.js").Cells} cells @param {number} along @param {string} border @param {boolean} future */
function drawBand(picture, {cells, shared}, along, border, future) {
  cells.forEach((cell, lane) => {
    if (!shared || cell.kind !== "value") picture.cell(lane, along, cell, border, future);
  });
  if (shared) picture.spanning(shared, along, border, cells.some((cell) => cell.changed === true));
}

/** @param {Picture} picture @param {import("./layout.js").Row} row @param {{offers: number, gap: number}} parts */
function drawGap(picture, row, parts) {
  const {view, colours: c} = picture;
  const g = view.geometry;
  drawBand(picture, offersOf(view, row), row.begin + parts.offers, c.offer, row.event >= view.n);
  if (view.hides(row.event)) return;
  const {x, y} = picture.at(0, row.begin);
  const exchange = view.trace.events[row.event].exchange;
  picture.parts.push(`<g transform="translate(${x},${y})" fill="none" stroke-width="1.4">`);
  if (row.gap !== "arrows" || !exchange) {
    const flow = view.trace.flow(view.trace.events[row.event].pc);
    const lines = gatheringOf(row.gap, view.dataflow.groups(row.event), flow?.exclusive ?? false, g, parts.gap, row.gapSize);
    picture.parts.push(`<path d="${lines.own}" stroke="${c.bus}"/><path d="${lines.main}" stroke="${c.bus}" stroke-width="2"/><path d="${
      lines.head}" fill="${c.bus}"/>`);
  } else {
    for (const arrow of arrowsOf(exchange, g, parts.gap, row.gapSize)) {
      const colour = arrow.kind === "own" ? c.keep : c[arrow.kind];
      const dash = arrow.kind === "keep" ? ' stroke-dasharray="1 4"' : arrow.kind === "lost" ? ' stroke-dasharray="5 4"' : "";
      picture.parts.push(`<path d="${arrow.d}" stroke="${colour}"${dash}/>`);
      if (arrow.head) picture.parts.push(`<path d="${arrow.head}" fill="${colour}"/>`);
    }
  }
  picture.parts.push("</g>");
}

/** The rows from..to-1 of the view as an SVG file. @param {View} view @param {number} from @param {number} to
 * @returns {{svg: string, width: number, height: number}} */
export function svgOf(view, from, to) {
  const g = view.geometry;
  const rows = view.rows.slice(from, to);
  const begin = rows[0]?.begin ?? 0, end = rows.length > 0 ? rows[rows.length - 1].begin + rows[rows.length - 1].size : 40;
  const picture = new Picture(view, begin);
  const c = picture.colours;
  const along = end - begin + 70, across = acrossSize(g);
  const [width, height] = g.transposed ? [along, across + kName] : [across, along];
  if (g.transposed) picture.parts.push(`<g transform="translate(0,${kName})">`);
  for (let lane = 0; lane < g.lanes; ++lane) {
    const centre = laneCentre(g, lane);
    const a = picture.at(centre, begin - 8), b = picture.at(centre, end);
    picture.parts.push(`<path d="M${a.x},${a.y}L${b.x},${b.y}" stroke="${c.wire}"/>`);
    const size = Math.min(12, g.pitch * 0.5);
    picture.text(g.transposed ? 24 : centre, g.transposed ? centre + 4 : 44, `${lane}`, {size, bold: true, sans: true});
  }
  picture.text(12, g.transposed ? 18 - kName : 20, `${view.trace.name} · ${word(view.language, "lanes", {count: view.trace.lanes})}`,
    {anchor: "start", bold: true, sans: true, size: 13});
  for (const row of rows) drawRow(picture, row);
  drawTitles(picture, rows);
  if (g.transposed) picture.parts.push("</g>");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escaped(view.trace.name)}</title>
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0,0V6" stroke="${c.hatch}" stroke-width="2"/></pattern></defs>
<rect width="100%" height="100%" fill="${c.paper}"/>
${picture.parts.join("\n")}
</svg>
`;
  return {svg, width, height};
}

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** @param {View} view */
const fileName = (view) => `${view.trace.name.replace(/[^\w.-]+/g, "-")}-${view.n}`;

/** @param {View} view @param {number} from @param {number} to */
export function saveSvg(view, from, to) {
  save(new Blob([svgOf(view, from, to).svg], {type: "image/svg+xml"}), `${fileName(view)}.svg`);
}

/** @param {View} view @param {number} from @param {number} to @returns {Promise<void>} */
export function savePng(view, from, to) {
  const {svg, width, height} = svgOf(view, from, to);
  const url = URL.createObjectURL(new Blob([svg], {type: "image/svg+xml"}));
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onerror = () => reject(new Error(word(view.language, "pictureFailed")));
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = width * 2;
      canvas.height = height * 2;
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      context.scale(2, 2);
      context.drawImage(image, 0, 0);
      URL.revokeObjectURL(url);
      canvas.toBlob((blob) => {
        if (!blob) return reject(new Error(word(view.language, "pictureFailed")));
        save(blob, `${fileName(view)}.png`);
        resolve();
      });
    };
    image.src = url;
  });
}
