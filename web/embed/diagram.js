// What an element shows: asked of the simulator, which all elements of a page share; or why there is nothing to show.
//
// Shapes: show() asks and draws; `enter` and `leave` say that the element came into the page or left it.

import {make} from "../../tools/viewer/dom.js";
import {fileOf, filesOf, membersFor} from "../site/link.js";
import {kAsCase} from "../site/multiprocessor.js";
import {NotLoaded, Simulator, Stopped} from "../site/simulator.js";
import {missingFromPolicy} from "./policy.js";
import {Run} from "./run.js";
import {embedWord} from "./words.js";

/** @typedef {import("./element.js").Given} Given */
/** @typedef {import("./element.js").Parts} Parts */

const kMostRun_ms = 10_000;

/** @type {Simulator|null} */
let shared = null;

/** @param {URL} wasm */
function simulatorOf(wasm) {
  shared ??= new Simulator(new URL(URL.createObjectURL(new Blob([`self.warpsimWasm = ${JSON.stringify(wasm.href)};\n${warpsimWorkerText}`], {type: "text/javascript"}))));
  return shared;
}

/** @type {CSSStyleSheet|null} */
let sheet = null;

/** A constructed sheet needs nothing of the host page's style-src. */
function styleSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(warpsimStyleText);
  }
  return sheet;
}

/** @param {string} src  an address, from the page's on @param {import("./words.js").Language} language */
async function textAt(src, language) {
  let url = "";
  try {
    url = new URL(src, document.baseURI).href;
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    return await answer.text();
  } catch (error) {
    const said = embedWord(language, "noFile", {url: url || src, text: error instanceof Error ? error.message : String(error)});
    const missing = url ? (await missingFromPolicy(new URL(url))).filter((one) => one.startsWith("connect-src")) : [];
    throw new Error(missing.length > 0 ? `${said} ${embedWord(language, "policy", {list: missing.join("; ")})}` : said);
  }
}

/** What is to be run. A name is of the catalogue, anything else an address. @param {Given} given */
async function programOf({src, text, language}) {
  if (/^\w+\/\w+$/.test(src)) return {name: src, program: src, text: null, files: {}};
  const own = src ? await textAt(src, language) : text;
  if (!own.trim()) throw new Error(embedWord(language, "noText"));
  const name = fileOf(own);
  return {name, program: "", text: own, files: filesOf(own)};
}

/** @param {Given} given */
function checkNumbers({lanes, step, language}) {
  if (lanes && !/^(1|2|4|8|16|32|64)$/.test(lanes)) throw new Error(embedWord(language, "badLanes", {text: lanes}));
  if (step && !/^\d{1,9}$/.test(step)) throw new Error(embedWord(language, "badStep", {text: step}));
}

export class Diagram {
  /** @param {HTMLElement} frame @param {HTMLElement} host @param {Parts} parts */
  constructor(frame, host, parts) {
    this.frame = frame;
    this.host = host;
    this.parts = parts;
    /** @type {ShadowRoot} */ (frame.getRootNode()).adoptedStyleSheets = [styleSheet()];
    /** @type {Given|null} */
    this.given = null;
    /** @type {Run|null} */
    this.run = null;
    this.turn = 0;  // counts what is asked for: an answer to an earlier question is not shown
    this.sized = new ResizeObserver(() => this.run?.fit());
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.themed = () => this.#theme();
    this.hostChanges = new MutationObserver(this.themed);
    this.enter();
  }

  enter() {
    this.sized.observe(this.host);
    this.dark.addEventListener("change", this.themed);
    this.hostChanges.observe(document.documentElement, {attributes: true, attributeFilter: ["class", "style", "data-theme"]});
    this.#theme();
  }

  leave() {
    this.run?.pause();
    this.sized.disconnect();
    this.hostChanges.disconnect();
    this.dark.removeEventListener("change", this.themed);
  }

  /** Dark or light as the host page is there: it says so by color-scheme. */
  #theme() {
    const scheme = this.given?.theme || getComputedStyle(this.host).colorScheme;
    const dark = /dark/.test(scheme) && (!/light/.test(scheme) || this.dark.matches);
    this.frame.dataset.theme = dark ? "dark" : "light";
  }

  /** Runs what is asked for and shows it; whether there is something to see, undefined if another question came.
   * @param {Given} given @returns {Promise<boolean|undefined>} */
  async show(given) {
    const turn = ++this.turn;
    this.given = given;
    this.frame.lang = given.language;
    this.#theme();
    this.run?.pause();
    this.frame.setAttribute("aria-busy", "true");
    try {
      const {data, members} = await this.#asked(given);
      if (turn !== this.turn) return undefined;
      this.run = new Run(this.frame, data, given, members);
      return true;
    } catch (error) {
      if (turn !== this.turn) return undefined;
      this.#fail(error instanceof Error ? error.message : String(error));
      return false;
    } finally {
      if (turn === this.turn) this.frame.removeAttribute("aria-busy");
    }
  }

  /** The page's data of a run (tools/viewer/README.md), and the members of a link to it. @param {Given} given */
  async #asked(given) {
    checkNumbers(given);
    const {language} = given, {name, program, text, files} = await programOf(given);
    /** @type {Record<string, string>} */
    const options = {lang: language};
    if (given.case) options.case = given.case;
    if (given.lanes) options.lanes = given.lanes;
    const chosen = {program, text, inputs: {}, case: given.case === "test" ? "" : given.case, lanes: given.lanes, profile: "", beside: "", ...kAsCase};
    const members = (await membersFor(chosen)).map(([key, value]) => `${key}=${value}`);
    const answer = await this.#ask({verb: "page", names: [name], files, options});
    if (!answer.data) throw new Error((answer.err || answer.out).trim());
    return {data: answer.data, members};
  }

  /** @param {import("../site/machine.js").Request} request */
  async #ask(request) {
    const {wasm} = this.parts, language = this.given?.language ?? "en";
    try {
      return await simulatorOf(wasm).ask(request, kMostRun_ms);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (error instanceof Stopped) throw new Error(embedWord(language, "tooLong", {seconds: kMostRun_ms / 1000}));
      const missing = await missingFromPolicy(wasm);
      if (missing.length > 0) throw new Error(embedWord(language, "policy", {list: missing.join("; ")}));
      throw new Error(embedWord(language, error instanceof NotLoaded ? "notLoaded" : "broken", {text}));
    }
  }

  /** @param {string} text */
  #fail(text) {
    this.run = null;
    const line = make("pre", "bad", null, text);
    line.setAttribute("role", "alert");
    this.frame.replaceChildren(line);
  }
}
