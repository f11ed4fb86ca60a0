// What people do: buttons, keys, the slider, the pointer over the grid and the arrow keys in it.

import {actionOf} from "./controls.js";
import {byId, focusedNear} from "./dom.js";
import {drawMarks, openMenu} from "./frame.js";
import {goTo, membersOf} from "./place.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./grid.js").Grid} Grid */
/** What the grids are listened to for. @typedef {Pick<App, "grids"|"views"|"point"|"unpoint"|"choose"|"chooseLane"> & {motion: {toRow: (row: number) => void}}} GridUser */

/** @param {App} app */
export function listen(app) {
  document.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const button = /** @type {HTMLElement|null} */ (target.closest("[data-do]"));
    if (button) app.do(button.dataset.do ?? "");
    if (!target.closest("#menu, #menuButton")) openMenu(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return openMenu(false);
    const help = /** @type {HTMLDialogElement} */ (byId("help")).open;
    const action = help ? (event.key === "?" ? "closeHelp" : "") : actionOf(event);
    if (!action) return;
    event.preventDefault();
    app.do(action);
  });
  byId("slider").addEventListener("input", (event) =>
    app.motion.toRow(Number(/** @type {HTMLInputElement} */ (event.target).value) - 1));
  byId("inspector").addEventListener("focusout", (event) => {
    if (event.relatedTarget && !inInspector(event.relatedTarget) && app.pointed) app.unpoint();
  });
  let resizing = 0;
  window.addEventListener("resize", () => {
    clearTimeout(resizing);
    resizing = window.setTimeout(() => app.layOut(), 80);
  });
  window.addEventListener("hashchange", () => { if (membersOf(location.hash).size > 0) goTo(app, location.hash); });  // not #panes
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { drawMarks(app); app.watch.fill(); });
  listenToGrids(app);
}

/** What people do in the grids, also in those that came later. @param {GridUser} app */
export function listenToGrids(app) {
  app.grids.forEach((grid, k) => listenTo(app, grid, k));
}

/** The row, lane and band at which something happened; lane -1 beside the cells. @param {globalThis.Event} event */
function placeOf(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const cell = /** @type {HTMLElement|null} */ (target.closest("[data-lane]"));
  const row = /** @type {HTMLElement|null} */ (target.closest(".row"));
  return row ? {row: Number(row.dataset.row), lane: cell ? Number(cell.dataset.lane) : -1, band: Number(cell?.dataset.band ?? 0)} : null;
}

/** @param {EventTarget|null} target */
const inInspector = (target) => target instanceof Element && target.closest("#inspector") !== null;

/** @param {GridUser} app @param {Grid} grid @param {number} k */
function listenTo(app, grid, k) {
  grid.canvas.addEventListener("pointerover", (event) => {
    const at = placeOf(event);
    if (at && at.lane >= 0 && event.pointerType === "mouse") app.point(k, at.row, at.lane, at.band);
  });
  grid.canvas.addEventListener("pointerleave", () => {
    const {row, lane, band} = grid.stop;  // the cell that has the focus counts again
    if (grid.canvas.contains(focusedNear(grid.canvas))) app.point(k, row, lane, band);
    else app.unpoint();
  });
  grid.canvas.addEventListener("focusin", (event) => {
    const at = placeOf(event);
    if (at && at.lane >= 0) app.point(k, at.row, at.lane, at.band);
  });
  grid.canvas.addEventListener("focusout", (event) => {
    if (!inInspector(event.relatedTarget)) app.unpoint();  // there one may read on
  });
  grid.canvas.addEventListener("click", (event) => {
    const at = placeOf(event);
    if (!at) return;
    app.choose(k);
    if (at.lane < 0) return app.motion.toRow(at.row);
    app.chooseLane(at.lane);
    grid.moveStop(at.row, at.lane, true, at.band);
  });
  grid.canvas.addEventListener("dblclick", (event) => {
    const at = placeOf(event);
    if (at) app.motion.toRow(at.row);
  });
  grid.scroll.addEventListener("keydown", (event) => gridKey(app, event, grid, k));
}

/** The arrow keys in the grid, and Enter. @param {GridUser} app @param {KeyboardEvent} event @param {Grid} grid @param {number} k */
function gridKey(app, event, grid, k) {
  const view = app.views[k];
  if (event.ctrlKey && !["Home", "End"].includes(event.key)) return;
  const turned = view.transposed;
  /** @type {Record<string, [number, number]>} */
  const moves = {ArrowLeft: turned ? [-1, 0] : [0, -1], ArrowRight: turned ? [1, 0] : [0, 1],
    ArrowUp: turned ? [0, -1] : [-1, 0], ArrowDown: turned ? [0, 1] : [1, 0], PageUp: [-10, 0], PageDown: [10, 0]};
  let {row, lane, band} = grid.stop;
  if (moves[event.key]) {
    const [along, across] = moves[event.key];
    const within = band + along;
    if (within >= 0 && within < (view.rows[row]?.bands ?? 1)) band = within;  // another destination of this row
    else {
      row += along;
      band = along < 0 ? Infinity : 0;
    }
    lane += across;
  } else if (event.key === "Home") [row, lane] = [event.ctrlKey ? 0 : row, 0];
  else if (event.key === "End") [row, lane] = [event.ctrlKey ? view.rows.length - 1 : row, view.trace.lanes - 1];
  else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    app.choose(k);
    return app.motion.toRow(row);
  } else return;
  event.preventDefault();
  event.stopPropagation();
  row = Math.max(0, Math.min(view.predicting ? view.currentRow + 1 : Infinity, view.rows.length - 1, row));
  lane = Math.max(0, Math.min(view.trace.lanes - 1, lane));
  band = Math.min(band, (view.rows[row]?.bands ?? 1) - 1);
  app.choose(k);
  app.chooseLane(lane);
  grid.moveStop(row, lane, true, band);
}
