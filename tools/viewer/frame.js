// What stands around the grid: the title, every word that is not in a panel, the warps' tabs, the marks above the slider, the
// sentence.
//
// Shapes: each function fills its element from the App as it is now.

import {fillHelp} from "./controls.js";
import {byId, make} from "./dom.js";
import {word} from "./words.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app */
export function fillWords(app) {
  const {language} = app;
  document.documentElement.lang = language;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-word]")))
    element.textContent = word(language, element.dataset.word ?? "");
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-label]"))) {
    const text = word(language, element.dataset.label ?? "");
    element.setAttribute("aria-label", text);
    element.title = element.tagName === "SECTION" ? "" : text;
  }
  const names = app.views.map((view) => view.trace.title || view.trace.name);
  byId("title").textContent = names.join(" · ");
  document.title = `${names.join(" · ")} – warpsim`;
  const {trace} = app.view;
  byId("subtitle").textContent = app.views.length > 1
    ? `${word(language, "comparison")}: ${word(language, `comparison${app.alignment}`)}`
    : `${trace.name} · ${word(language, "lanes", {count: trace.lanes})} · ${trace.backend}`;
  byId("registersSwitch").textContent = word(language, app.allRegisters ? "oneLane" : "allLanes");
  namePanes(app);
  fillHelp(byId("helpText"), language);
}

/** A button above each of two traces: the one that keys and panels are about. @param {App} app */
export function namePanes(app) {
  if (app.views.length < 2) return;
  app.views.forEach((view, k) => {
    const {box} = app.grids[k];
    let name = /** @type {HTMLButtonElement|null} */ (box.querySelector(".paneName"));
    if (!name) {
      name = make("button", "paneName");
      name.addEventListener("click", () => app.choose(k));
      box.prepend(name);
    }
    name.textContent = `${view.trace.name} · ${view.trace.backend}`;
    name.setAttribute("aria-pressed", String(k === app.active));
    box.classList.toggle("active", k === app.active);
  });
}

/** @param {App} app */
export function fillTabs(app) {
  const tabs = byId("tabs"), {view} = app;
  tabs.hidden = view.trace.warps.length < 2;
  tabs.replaceChildren();
  tabs.setAttribute("aria-label", word(app.language, "warps"));
  const blocks = view.trace.launch.grid.reduce((all, size) => all * size, 1) > 1;
  view.trace.warps.forEach((warp, k) => {
    const name = word(app.language, "warp", {warp: warp.warp});
    const tab = make("button", "text", tabs, blocks ? `${word(app.language, "block", {block: warp.block})} · ${name}` : name);
    tab.setAttribute("aria-pressed", String(k === view.warp));
    tab.addEventListener("click", () => app.toWarp(k));
  });
}

/** Small marks above the slider: where lanes exchange, where something went wrong. @param {App} app */
export function drawMarks(app) {
  const canvas = /** @type {HTMLCanvasElement} */ (byId("marks"));
  const scale = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d");
  const {view} = app, {rows, trace} = view;
  if (!context || rows.length === 0) return;
  context.scale(scale, scale);
  const style = getComputedStyle(document.documentElement);
  rows.forEach((row, k) => {
    const x = 8 + ((width - 16) * (k + 1)) / rows.length;
    const fault = view.trapped(row.event);
    if (!fault && row.gap === "none") return;
    context.fillStyle = style.getPropertyValue(fault ? "--lost" : trace.events[row.event].exchange ? "--right" : "--bus");
    context.fillRect(x - 1, fault ? 0 : 2, 2, height - (fault ? 0 : 2));
  });
}

/** The slider and what stands beside it. @param {App} app */
export function fillPosition(app) {
  const {view, language} = app;
  const slider = /** @type {HTMLInputElement} */ (byId("slider"));
  slider.max = String(view.rows.length);
  slider.value = String(view.currentRow + 1);
  const cycle = view.event < 0 ? null : view.trace.events[view.event].cycle;
  const at = word(language, "of", {at: view.currentRow + 1, all: view.rows.length});
  byId("position").textContent = cycle === null ? at : `${at} · ${word(language, "cycle", {cycle})}`;
  slider.setAttribute("aria-valuetext", byId("position").textContent ?? "");
}

/** The sentence of this step, of each trace. @param {App} app */
export function say(app) {
  const box = byId("sentence");
  box.setAttribute("aria-live", app.motion.playing ? "off" : "polite");
  box.replaceChildren();
  app.views.forEach((view, k) => {
    const {event, trace} = view;
    const text = event < 0 ? word(app.language, "start") : trace.sentence(event, app.language);
    const title = event < 0 ? "" : trace.phaseTitle(event, app.language);
    if (k > 0) make("br", "", box);
    if (title) make("b", "", box, `${title.replace(/:$/, "")} `);
    make("span", "", box, app.view.hides(event) ? "" : text);
  });
}

/** @param {boolean} open */
export function openMenu(open) {
  byId("menu").hidden = !open;
  byId("menuButton").setAttribute("aria-expanded", String(open));
}
