// The list of lessons: what is solved of each, and the progress as a file.

import {byId} from "../../tools/viewer/dom.js";
import {Progress, progressIn} from "./progress.js";
import {lessonWord} from "./words.js";

const language = document.documentElement.lang, progress = new Progress();
const word = (/** @type {string} */ key, /** @type {Record<string, string|number>} */ values = {}) => lessonWord(language, key, values);

function show() {
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-tasks]"))) {
    const names = (line.dataset.tasks ?? "").split(" "), solved = names.filter((name) => progress.of(name).solved).length;
    line.textContent = word("progress", {solved, all: names.length});
    line.classList.toggle("all", solved === names.length);
  }
}

byId("saveProgress").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([progress.json], {type: "application/json"}));
  link.download = "warpsim-lessons.json";
  link.click();
  URL.revokeObjectURL(link.href);
});
byId("clearProgress").addEventListener("click", () => (progress.replace({}), show()));
byId("loadProgress").addEventListener("change", async (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target), file = input.files?.[0], tasks = file ? progressIn(await file.text()) : null;
  byId("progressSaid").textContent = tasks ? "" : word("badFile");
  if (tasks) progress.replace(tasks);
  input.value = "";
  show();
});
show();
