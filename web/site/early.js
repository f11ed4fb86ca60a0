// What begins before the page's own script does: the first run, where the site has it ready, or else the simulator. What that says until
// then is kept for the page (simulator.js).

import {languageAtFirst, nameOf, readyAnswer} from "./ready.js";

const name = nameOf(location.hash || (document.getElementById("lesson")?.dataset.first ?? ""));
/** @type {(MessageEvent|ErrorEvent)[]} */
const said = [];
if (warpsimReady.includes(name)) {
  Object.assign(window, {early: {worker: null, said, ready: {name, answer: readyAnswer(name, languageAtFirst())}}});
} else {
  const worker = new Worker(new URL("worker.js", import.meta.url), {type: "module"});
  worker.onmessage = (/** @type {MessageEvent} */ event) => void said.push(event);
  worker.onerror = (/** @type {ErrorEvent} */ event) => void said.push(event);
  Object.assign(window, {early: {worker, said, ready: null}});
}
