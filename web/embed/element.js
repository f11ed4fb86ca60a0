// The element `<warp-sim src="p26/butterfly_parallel_max" lanes="8">`: a live diagram in any page. It is small: the diagram itself,
// and the simulator, are loaded once an element comes near to what is in sight.
//
// Shapes: the shadow root keeps the page's styles and the element's apart. What the element holds is shown until the diagram is
//         there, and beside an error: a still diagram for readers without scripts. The program is `src`, or the text of a
//         `<script type="text/warp">` inside, or all the text inside.
// Errors: shown in the element, as text.

import {embedWord} from "./words.js";

/** @typedef {import("./words.js").Language} Language */
/** What the page asks for. text: the program, where it is not named by src
 * @typedef {{src: string, text: string, lanes: string, case: string, step: string, height: string, theme: string, site: string, language: Language}} Given */
/** diagram: loads what draws; wasm: where the simulator is; site: the site with the playground, "" if none is known
 * @typedef {{diagram: () => Promise<typeof import("./diagram.js")>, wasm: URL, site: string}} Parts */

const kNear = "400px";
const kAttributes = ["src", "lanes", "case", "step", "height", "lang", "theme", "site"];

/** @type {Parts} */
let parts;

/** @type {IntersectionObserver|null} */
let observer = null;

/** Whoever comes near begins. @param {WarpSim} element */
function watch(element) {
  observer ??= new IntersectionObserver((seen) => {
    for (const {isIntersecting, target} of seen) if (isIntersecting) void /** @type {WarpSim} */ (target).begin();
  }, {rootMargin: kNear});
  observer.observe(element);
}

const parsed = () => document.readyState !== "loading" ? Promise.resolve()
  : new Promise((done) => document.addEventListener("DOMContentLoaded", () => done(undefined), {once: true}));

// Where pages are made on a server there are no elements: then only the name is there.
const Element = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

export class WarpSim extends Element {
  static observedAttributes = kAttributes;
  /** @type {import("./diagram.js").Diagram|null} */
  #diagram = null;
  /** @type {HTMLElement|null} */
  #frame = null;
  #begun = false;
  #waits = false;

  connectedCallback() {
    if (!this.#frame) {
      const root = this.attachShadow({mode: "open"}), slot = document.createElement("slot");
      this.#frame = document.createElement("div");
      this.#frame.className = "frame";
      slot.addEventListener("slotchange", () => this.#changed());
      root.append(this.#frame, slot);
    }
    if (this.#diagram) this.#diagram.enter();
    else watch(this);
  }

  disconnectedCallback() {
    observer?.unobserve(this);
    this.#diagram?.leave();
  }

  attributeChangedCallback() { this.#changed(); }

  /** Several changes at once are one. */
  #changed() {
    if (!this.#diagram || this.#waits) return;
    this.#waits = true;
    queueMicrotask(() => {
      this.#waits = false;
      void this.#show();
    });
  }

  /** Loads what draws, and draws. */
  async begin() {
    observer?.unobserve(this);
    if (this.#begun) return;
    this.#begun = true;
    await parsed();
    const {language} = this.#given;
    if (!this.firstChild) this.#say(embedWord(language, "loading"), false);
    let forbidden = false;
    const hears = (/** @type {SecurityPolicyViolationEvent} */ event) => { forbidden ||= event.effectiveDirective.startsWith("script-src"); };
    document.addEventListener("securitypolicyviolation", hears);
    try {
      const {Diagram} = await parts.diagram();
      this.#diagram = new Diagram(/** @type {HTMLElement} */ (this.#frame), this, parts);
    } catch (error) {
      await new Promise((done) => setTimeout(done, 0));  // what is forbidden is said a moment later
      this.#begun = false;
      const list = `script-src ${parts.wasm.origin}`, text = error instanceof Error ? error.message : String(error);
      return this.#say(`${embedWord(language, "notLoaded", {text})}${forbidden ? ` ${embedWord(language, "policy", {list})}` : ""}`, true);
    } finally {
      document.removeEventListener("securitypolicyviolation", hears);
    }
    await this.#show();
  }

  async #show() {
    const slot = /** @type {ShadowRoot} */ (this.shadowRoot).querySelector("slot");
    const shown = await this.#diagram?.show(this.#given);
    if (slot && shown !== undefined) slot.hidden = shown;
  }

  /** @param {string} text @param {boolean} bad */
  #say(text, bad) {
    const line = document.createElement("p");
    line.textContent = text;
    line.setAttribute("role", bad ? "alert" : "status");
    this.#frame?.replaceChildren(line);
  }

  /** @returns {Given} */
  get #given() {
    const of = (/** @type {string} */ name) => this.getAttribute(name)?.trim() ?? "";
    const inside = this.querySelector("script[type='text/warp']"), near = this.closest("[lang]")?.getAttribute("lang") ?? "";
    return {src: of("src"), text: of("src") ? "" : (inside ?? this).textContent ?? "", lanes: of("lanes"), case: of("case"), step: of("step"),
      height: of("height"), theme: of("theme"), site: of("site") || parts.site, language: /^ko\b/i.test(near) ? "ko" : "en"};
  }
}

/** Makes `<warp-sim>` known to the page. @param {Parts} given */
export function define(given) {
  parts = given;
  if (globalThis.customElements && !customElements.get("warp-sim")) customElements.define("warp-sim", WarpSim);
}
