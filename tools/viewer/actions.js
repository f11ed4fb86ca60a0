// What the page can do, by name: keys (controls.js) and buttons (`data-do`) name these.

import {byId} from "./dom.js";
import {savePng, saveSvg} from "./export.js";
import {drawMarks, fillWords, openMenu} from "./frame.js";
import {markProgram} from "./program.js";

/** @typedef {import("./app.js").App} App */

const helpDialog = () => /** @type {HTMLDialogElement} */ (byId("help"));

/** @type {Record<string, (app: App) => void>} */
export const kDeeds = {
  forward: (app) => app.motion.forward(),
  back: (app) => app.motion.back(),
  first: (app) => app.motion.toRow(-1),
  last: (app) => app.motion.toEnd(),
  play: (app) => app.motion.play(),
  nextShuffle: (app) => app.motion.toShuffle(1),
  previousShuffle: (app) => app.motion.toShuffle(-1),
  run: (app) => app.motion.toBreakpoint(1),
  runBack: (app) => app.motion.toBreakpoint(-1),
  nextLine: (app) => app.motion.toLine(1),
  previousLine: (app) => app.motion.toLine(-1),
  breakpoint: (app) => {
    const {event, trace} = app.view;
    if (event >= 0) app.toggleBreakpoint(trace.sourceKey(trace.events[event].pc) || app.view.lineOf(event));
  },
  nextFinding: (app) => app.motion.toFinding(),
  nextDifference: (app) => app.motion.toDifference(1),
  previousDifference: (app) => app.motion.toDifference(-1),
  fold: (app) => app.each((view) => { view.folded = !view.folded; }),
  cuda: (app) => app.changeText(),
  collectives: (app) => app.changeForm(),
  setUp: (app) => app.toggleSetUp(),
  addresses: (app) => app.toggleAddresses(),
  contributions: (app) => app.each((view) => { view.contributions = !view.contributions; }),
  predict: (app) => app.predict(),
  registers: (app) => {
    app.allRegisters = !app.allRegisters;
    fillWords(app);
    app.fillState();
  },
  wholeText: (app) => {
    const on = byId("code").classList.toggle("whole");
    byId("source").classList.toggle("whole", on);
    byId("wholeText").setAttribute("aria-pressed", String(on));
    markProgram(app.view);
  },
  panels: (app) => {
    const any = app.shows("program") || app.shows("state");
    app.wanted = {program: !any, state: !any};
    app.layOut();
  },
  showProgram: (app) => app.toggleSide("program"),
  showState: (app) => app.toggleSide("state"),
  otherTrace: (app) => app.choose((app.active + 1) % app.views.length),
  transpose: (app) => {
    app.turned = !app.view.transposed;
    app.layOut();
  },
  zoomIn: (app) => app.each((view) => { view.zoom = Math.min(4, view.zoom * 1.2); }),
  zoomOut: (app) => app.each((view) => { view.zoom = Math.max(0.3, view.zoom / 1.2); }),
  zoomFit: (app) => app.each((view, k) => { view.zoom = app.grids[k].fittingZoom(); }),
  watch: (app) => app.watch.toggle(),
  watchZoomIn: (app) => app.watch.zoomIn(),
  watchZoomOut: (app) => app.watch.zoomOut(),
  watchZoomFit: (app) => app.watch.zoomFit(),
  nextWarp: (app) => app.toWarp(app.view.warp + 1),
  previousWarp: (app) => app.toWarp(app.view.warp - 1),
  toGrid: ({grid, view}) => {
    if (grid.visited) grid.moveStop(grid.stop.row, grid.stop.lane, true, grid.stop.band);
    else grid.moveStop(Math.max(0, view.currentRow), view.lane, true);
  },
  theme: (app) => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    drawMarks(app);
    app.watch.fill();
  },
  language: (app) => {
    app.language = app.language === "en" ? "ko" : "en";
    app.layOut();
  },
  exportSvg: (app) => saveSvg(app),
  exportPng: (app) => {
    savePng(app)
      .catch((error) => { byId("sentence").textContent = String(error.message); });
  },
  menu: () => openMenu(byId("menu").hidden),
  help: () => helpDialog().showModal(),
  closeHelp: () => helpDialog().close(),
};
