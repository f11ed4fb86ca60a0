// The rows in sight as a picture: SVG as text, and PNG through the browser's own drawing of it.
//
// Shapes: the same layout as the grid; colours are written out, so the file stands alone. Text is escaped.
// Errors: a browser that cannot draw the picture rejects the promise.

import {arrowsOf, gatheringOf} from "./arrows.js";
import {cellsOf, offersOf} from "./cells.js";
import {acrossSize, bandStep, laneBegin, laneCentre, partsOf} from "./layout.js";
import {shortened} from "./trace.js";
import {word} from "./words.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {Record<string, string>} Colours */

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (c) => /** @type {any} */ ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);

const kMono = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
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
   *   bold?: boolean, sans?: boolean}} [how] */
  text(x, y, text, how = {}) {
    if (!text) return;
    const {size = 12, colour = this.colours.ink, anchor = "middle", bold = false, sans = false} = how;
    this.parts.push(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-family="${sans ? kSans : kMono}" font-size="${
      size}" fill="${colour}" text-anchor="${anchor}"${bold ? ' font-weight="700"' : ""}>${escaped(text)}</text>`);
  }

  /** @param {number} lane @param {number} along @param {import("./cells.js").Cell} cell @param {string} border
   * @param {boolean} blank @param {boolean} future */
  cell(lane, along, cell, border, blank, future) {
    const g = this.view.geometry, c = this.colours;
    const {x, y} = this.at(laneBegin(g, lane), along);
    const w = g.transposed ? g.band : g.cell, h = g.transposed ? g.cell : g.band;
    const lost = cell.kind === "undefined";
    const plain = cell.value === undefined && cell.kind !== "inactive";
    const fill = cell.kind === "inactive" ? "url(#hatch)" : plain ? "none" : c.panel;
    this.parts.push(`<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${w.toFixed(1)}" height="${h}" rx="4" fill="${fill}" stroke="${
      lost ? c.lost : plain ? "none" : border}"${lost ? ' stroke-dasharray="3 2"' : ""}/>`);
    if (cell.changed) this.parts.push(`<path d="M${x + w - 8},${y}h8v8z" fill="${c.mark}"/>`);
    if (!blank) this.text(x + w / 2, y + h / 2 + g.font * 0.35, shortened(cell.text, g.room),
      {size: g.font, colour: future ? c.soft : lost ? c.lost : c.ink, bold: cell.changed});
  }
}

/** @param {Picture} picture @param {import("./layout.js").Row} row */
function drawRow(picture, row) {
  const {view, colours: c} = picture;
  const g = view.geometry;
  const event = view.trace.events[row.event];
  const parts = partsOf(row, g);
  const future = row.event >= view.n;
  const origin = picture.at(0, row.begin);
  const results = picture.at(0, row.begin + parts.results);
  if (view.rows[view.currentRow] === row) {
    const width = g.transposed ? row.size : acrossSize(g), height = g.transposed ? acrossSize(g) : row.size;
    picture.parts.push(`<rect x="${origin.x}" y="${origin.y}" width="${width}" height="${height}" rx="6" fill="${c.current}"/>`);
  }
  const cycle = `${event.cycle ?? view.positionOf(row.event) + 1}`;
  if (g.transposed) {
    picture.text(origin.x + 4, 16, cycle, {size: 11, anchor: "start", bold: true});
    picture.text(origin.x + 4, 32, shortened(event.op, 9), {size: 9.5, anchor: "start", colour: c.soft});
  } else {
    picture.text(30, results.y + 18, cycle, {size: 11, anchor: "end", bold: true});
    picture.text(38, results.y + 12, event.op, {size: 10.5, anchor: "start"});
    view.trace.destinations(row.event).forEach((one, band) =>
      picture.text(38, results.y + (band === 0 ? 24 : 17 + band * bandStep(g)), one.name, {size: 9.5, anchor: "start", colour: c.soft}));
    picture.text(g.label + 4, origin.y + 19, view.titleOf(row), {size: 12, anchor: "start", bold: true, sans: true, colour: future ? c.soft : c.ink});
  }
  if (row.gap !== "none") drawGap(picture, row, parts);
  for (let band = 0; band < row.bands; ++band) drawBand(picture, cellsOf(view, row, band), row.begin + parts.results + band * bandStep(g), future);
}

/** @param {Picture} picture @param {import("./cells.js").Cells} cells @param {number} along @param {boolean} future */
function drawBand(picture, {cells, shared}, along, future) {
  const g = picture.view.geometry;
  cells.forEach((cell, lane) => picture.cell(lane, along, cell, picture.colours.line, shared !== null && cell.kind === "value", future));
  if (!shared) return;
  const {x, y} = picture.at((laneCentre(g, shared.from) + laneCentre(g, shared.to)) / 2, along);
  picture.text(g.transposed ? x + g.band / 2 : x, g.transposed ? y : y + g.band / 2 + 4, shared.text, {size: 11});
}

/** @param {Picture} picture @param {import("./layout.js").Row} row @param {{offers: number, gap: number}} parts */
function drawGap(picture, row, parts) {
  const {view, colours: c} = picture;
  const g = view.geometry;
  const offers = offersOf(view, row);
  offers.cells.forEach((cell, lane) => picture.cell(lane, row.begin + parts.offers, cell, c.offer,
    offers.shared !== null, row.event >= view.n));
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
  const [width, height] = g.transposed ? [along, across] : [across, along];
  for (let lane = 0; lane < g.lanes; ++lane) {
    const centre = laneCentre(g, lane);
    const a = picture.at(centre, begin - 8), b = picture.at(centre, end);
    picture.parts.push(`<path d="M${a.x},${a.y}L${b.x},${b.y}" stroke="${c.wire}"/>`);
    const size = Math.min(12, g.pitch * 0.5);
    picture.text(g.transposed ? 24 : centre, g.transposed ? centre + 4 : 44, `${lane}`, {size, bold: true, sans: true});
  }
  if (!g.transposed) picture.text(12, 20, `${view.trace.name} · ${word(view.language, "lanes", {count: view.trace.lanes})}`, {anchor: "start", bold: true, sans: true, size: 13});
  for (const row of rows) drawRow(picture, row);
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
