// What the grids show as a picture: SVG as text, and PNG through the browser's own drawing of it.
//
// Shapes: one trace, or both, side by side or, turned, one above the other, each with its title and as it is scrolled. The rows in
//         sight, with all their lanes.
// Units:  CSS pixels.
// Errors: a browser that cannot draw the picture rejects the promise.

import {paneText} from "./frame.js";
import {acrossSize} from "./layout.js";
import {coloursNow, drawLanes, drawRow, drawTitles, escaped, kBefore, Picture} from "./picture.js";
import {laneCount, word} from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./grid.js").Grid} Grid */
/** @typedef {{parts: string[], width: number, height: number}} Drawn */

const kName = 26;  // turned, the room for the trace's name above all
const kLine = 18, kBeside = 28;

/** Words in lines of so many pixels. @param {string} text @param {number} width @returns {string[]} */
function wrapped(text, width) {
  /** @type {string[]} */
  const lines = [];
  const size = (/** @type {string} */ line) => [...line].reduce((sum, c) => sum + (c > "\u1100" ? 12 : 7.6), 0);
  for (const one of text.split(" ")) {
    const last = lines.length - 1;
    if (last >= 0 && size(`${lines[last]} ${one}`) <= width) lines[last] += ` ${one}`;
    else lines.push(one);
  }
  return lines;
}

/** Where the run stopped without an event of its own: a line after the last row, and what stands where.
 * @param {Picture} picture @param {number} end  of the last row @param {number} across @returns {number}  what it needs more */
function drawHalt(picture, end, across) {
  const {view, colours: c} = picture, text = view.haltText();
  if (!text || view.hidesHalt()) return 0;
  const how = {size: 12, bold: true, sans: true, colour: c.lost, anchor: "start"};
  const {transposed} = view.geometry;
  const a = picture.at(0, end + 4), b = picture.at(across, end + 4);
  picture.parts.push(`<path d="M${a.x},${a.y}L${b.x},${b.y}" stroke="${c.lost}" stroke-width="2"/>`);
  if (transposed) picture.text(a.x + 4, 60, "⚠", how);
  const lines = wrapped(text, (transposed ? a.x + 20 : across) - 24);
  const from = transposed ? across + 12 : a.y + 18;
  lines.forEach((line, k) => picture.text(14, from + k * kLine, line, how));
  return lines.length * kLine + 10;
}

/** One trace's rows in sight, from `begin` to `end` along time. @param {Grid} grid @param {string} title
 * @param {number} begin @param {number} end @returns {Drawn} */
function paneOf({view, drawn: {from, to}}, title, begin, end) {
  const {geometry: {transposed}, rows} = view;
  const picture = new Picture(view, begin);
  const across = acrossSize(view.geometry), last = rows[to - 1];
  drawLanes(picture, last ? last.begin + last.size : begin);
  const seen = rows.slice(from, to).filter((_, k) => !view.unseen(from + k));
  for (const row of seen) drawRow(picture, row);
  drawTitles(picture, seen);
  const more = last && to === rows.length ? drawHalt(picture, last.begin + last.size, across) : 0;
  const along = Math.max(end, last && !transposed ? last.begin + last.size + more : 0) - begin + kBefore + 10;
  const parts = transposed ? [`<g transform="translate(0,${kName})">`, ...picture.parts, "</g>"] : picture.parts;
  const head = new Picture(view, begin);
  const [width, height] = transposed ? [along + (more ? 24 : 0), across + kName + more] : [across, along];
  head.fitting(12, 18, title, width - 20, {bold: true, sans: true, size: 13});
  return {parts: [...head.parts, ...parts], width, height};
}

/** All that the page's grids show. @param {App} app @returns {{svg: string, width: number, height: number}} */
export function pictureOf(app) {
  const {grids, views, language} = app;
  const {transposed} = app.view.geometry;
  const places = grids.map(({sight, drawn, view: {rows}}) => {
    const at = transposed ? sight.left : sight.top, first = rows[drawn.from], last = rows[drawn.to - 1];
    return {at, from: first ? first.begin - at : Infinity, to: last ? last.begin + last.size - at : -Infinity};
  });
  // Panes are cut at the same distance from what is scrolled to, so that rows beside each other stay so.
  const from = Math.min(...places.map((one) => one.from)), to = Math.max(...places.map((one) => one.to));
  const panes = grids.map((grid, k) => {
    const {trace, warp} = views[k], {block, warp: number} = trace.warps[warp];
    const title = [grids.length > 1 ? paneText(app, k) : trace.name, laneCount(language, trace.lanes),
      ...(trace.warps.length > 1 ? [word(language, "block", {block}), word(language, "warp", {warp: number})] : [])].join(" · ");
    return from <= to ? paneOf(grid, title, places[k].at + from, places[k].at + to) : paneOf(grid, title, 0, 40);
  });
  let x = 0, y = 0;
  const placed = panes.map((pane) => {
    const text = `<g transform="translate(${x},${y})">\n${pane.parts.join("\n")}\n</g>`;
    if (transposed) y += pane.height + kBeside;
    else x += pane.width + kBeside;
    return text;
  });
  const sizes = (/** @type {"width"|"height"} */ key) => panes.map((pane) => pane[key]);
  const width = transposed ? Math.max(...sizes("width")) : x - kBeside, height = transposed ? y - kBeside : Math.max(...sizes("height"));
  return {svg: fileOf(placed, width, height, views.map((view) => view.trace.name).join(" · ")), width, height};
}

/** @param {string[]} parts @param {number} width @param {number} height @param {string} title */
function fileOf(parts, width, height, title) {
  const c = coloursNow();
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escaped(title)}</title>
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path d="M1,0V6" stroke="${c.hatch}" stroke-width="2"/></pattern></defs>
<rect width="100%" height="100%" fill="${c.paper}"/>
${parts.join("\n")}
</svg>
`;
}

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The names of all traces, what tells them apart if that is one name, and the moments. @param {App} app */
function fileName(app) {
  const {views} = app, [a, b] = views;
  const names = !b ? [a.trace.name] : a.trace.name !== b.trace.name ? [a.trace.name, "and", b.trace.name]
    : [a.trace.name, paneText(app, 0, false), "and", paneText(app, 1, false)];
  const moments = new Set(views.map((view) => view.n));
  return [...names, ...moments].join("-").replace(/[^\w.-]+/g, "-").replace(/--+/g, "-");
}

/** @param {App} app */
export function saveSvg(app) {
  save(new Blob([pictureOf(app).svg], {type: "image/svg+xml"}), `${fileName(app)}.svg`);
}

/** @param {App} app @returns {Promise<void>} */
export function savePng(app) {
  const {svg, width, height} = pictureOf(app);
  const failed = word(app.language, "pictureFailed");
  const url = URL.createObjectURL(new Blob([svg], {type: "image/svg+xml"}));
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onerror = () => reject(new Error(failed));
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = width * 2;
      canvas.height = height * 2;
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      context.scale(2, 2);
      context.drawImage(image, 0, 0);
      URL.revokeObjectURL(url);
      canvas.toBlob((blob) => {
        if (!blob) return reject(new Error(failed));
        save(blob, `${fileName(app)}.png`);
        resolve();
      });
    };
    image.src = url;
  });
}
