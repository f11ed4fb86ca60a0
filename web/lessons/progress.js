// What a reader has solved and written: in this browser alone, and as a file to take along.
//
// Shapes: {v: 1, tasks: {NAME: {solved, text, hints}}}, as JSON; `text` is the program, or the answers joined by commas.
// Errors: a browser that keeps nothing, and what is no progress, are an empty one.

/** @typedef {{solved?: boolean, text?: string, hints?: number}} Done */
/** @typedef {Record<string, Done>} Tasks */

const kKey = "warpsim-lessons", kVersion = 1, kMostText = 1 << 16, kMostTasks = 500;

/** @param {string} json @returns {Tasks|null}  null: it is none */
export function progressIn(json) {
  try {
    const read = JSON.parse(json);
    if (read?.v !== kVersion || typeof read.tasks !== "object" || read.tasks === null) return null;
    /** @type {Tasks} */
    const tasks = {};
    for (const [name, one] of Object.entries(read.tasks).slice(0, kMostTasks)) {
      if (!/^[\w/]{1,80}$/.test(name) || typeof one !== "object" || one === null) continue;
      const {solved, text, hints} = /** @type {Record<string, unknown>} */ (one);
      tasks[name] = {solved: solved === true, ...(typeof text === "string" && text.length <= kMostText ? {text} : {}),
        ...(Number.isInteger(hints) ? {hints: Math.max(0, Math.min(3, Number(hints)))} : {})};
    }
    return tasks;
  } catch {
    return null;
  }
}

export class Progress {
  constructor() {
    /** @type {Tasks} */
    this.tasks = {};
    try {
      this.tasks = progressIn(localStorage.getItem(kKey) ?? "") ?? {};
    } catch { /* this browser keeps nothing */ }
  }

  /** @param {string} name @returns {Done} */
  of(name) { return Object.hasOwn(this.tasks, name) ? this.tasks[name] : {}; }

  /** @param {string} name @param {Done} changed */
  keep(name, changed) {
    this.tasks = {...this.tasks, [name]: {...this.of(name), ...changed}};
    this.#write();
  }

  get json() { return JSON.stringify({v: kVersion, tasks: this.tasks}); }

  /** @param {Tasks} tasks  in the place of what there is */
  replace(tasks) {
    this.tasks = tasks;
    this.#write();
  }

  #write() {
    try {
      localStorage.setItem(kKey, this.json);
    } catch { /* the same */ }
  }
}
