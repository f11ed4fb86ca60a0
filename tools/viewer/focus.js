// The focus, when what it is on is drawn anew: it stays at the same place, or goes to the button that hid it.
//
// Shapes: a place is an element with an id that stays, and a number among the controls in it. The grids (grid.js) and prediction
//         (predict.js) keep theirs themselves.

import {byId} from "./dom.js";

/** @typedef {{area: HTMLElement, at: number, chosen: boolean}} Place */

const kAreas = "#tabs, #code, #cuda, #why, #diagnostics, #shared, #program, #inspector";

/** @param {HTMLElement} area @returns {HTMLElement[]} */
const controlsOf = (area) => [...area.querySelectorAll("button, select, [tabindex]")].flatMap((one) => (one instanceof HTMLElement ? [one] : []));

/** Where the focus is now, or null where nothing is drawn anew. @returns {Place|null} */
export function focusPlace() {
  const {activeElement: element} = document;
  const area = element?.closest(kAreas);
  if (!(element instanceof HTMLElement) || !(area instanceof HTMLElement)) return null;
  return {area, at: controlsOf(area).indexOf(element), chosen: area.id === "tabs" && element.getAttribute("aria-pressed") === "true"};
}

/** Puts it back there, if it was lost. @param {Place|null} place */
export function focusAgain(place) {
  const {activeElement} = document;
  const lost = !activeElement || activeElement === document.body || (activeElement instanceof HTMLElement && activeElement.offsetParent === null);
  if (!place || !lost) return;
  const {area, at, chosen} = place, all = controlsOf(area);
  const target = chosen ? all.find((one) => one.getAttribute("aria-pressed") === "true") : all[Math.min(at, all.length - 1)] ?? area;
  target?.focus({preventScroll: !chosen});
  if (document.activeElement === target) return;
  const hider = document.querySelector(`#sides [data-do=${byId("program").contains(area) ? "showProgram" : "showState"}]`);
  if (hider instanceof HTMLElement) hider.focus();
}
