// The page's beginning: reads the data, makes the App.

import {App} from "./app.js";
import {listen} from "./listen.js";
import {goTo, membersOf} from "./place.js";
import {Trace} from "./trace.js";
import {View} from "./view.js";

/** @param {string} id */
const dataOf = (id) => {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent ?? "null") : null;
};

const begun = performance.now();
/** @type {View[]} */
const views = [];
for (let k = 0; document.getElementById(`trace-${k}`); ++k)
  views.push(new View(new Trace(dataOf(`trace-${k}`), dataOf(`notes-${k}`)), dataOf(`timing-${k}`)));
const options = dataOf("options");
views.forEach((view, k) => {
  view.given = options?.names?.[k] ?? "";
  view.trace.cuda = dataOf(`cuda-${k}`) ?? "";
});
const oneStep = dataOf("one-step");
const app = new App(views, options?.lang === "ko" ? "ko" : "en");
if (oneStep) app.haveOneStep(new View(new Trace(oneStep, dataOf("one-step-notes")), dataOf("one-step-timing")), views[0].trace.cuda);
listen(app);
if (membersOf(location.hash).size > 0) goTo(app, location.hash);
app.address.begun = true;
document.documentElement.dataset.ready = (performance.now() - begun).toFixed(1);
// For the tests, which drive the page from outside.
Object.defineProperty(window, "warpsim", {value: app});
