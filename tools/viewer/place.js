// Where one is in the run, in the page's address: `#v=1&step=12&lane=3`, so that a reload, or whoever gets the address, is there too.
//
// Shapes: members are joined by &, in any order. `v` is the version of the format: of another one nothing is read. Members:
//         step   how many events have run, of all warps      warp    its number in the trace, from 0
//         lane   the chosen one                              trace   0 or 1: of two, the one that keys are about
//         fold   1: arithmetic is folded                     setup   1: what stands before the first phase is unfolded, 0: folded
//         addresses 1: arithmetic of addresses is unfolded
//         form   step: collectives are one step each
//         turn   1: lanes are rows, 0: columns               inputs  1: which inputs are in each value
//         lang   en or ko                                    watch   1: the multiprocessor is shown, 0: it is not
//         On the site also the program and how it runs, in members of other names: those of web/site/link.js.
//         What is as the page opens is left out. Unknown members, and values that a member cannot have, are ignored.

/** @typedef {import("./app.js").App} App */

const kVersion = "1";
const kWait = 150;  // ms: browsers allow so many changes of the address

/** What the members of an address say; of another version nothing. @param {string} address  with its # @returns {Map<string, string>} */
export function membersOf(address) {
  const members = new Map(address.replace(/^#/, "").split("&").map((one) => /** @type {[string, string]} */ (one.split("=", 2))));
  return members.get("v") === kVersion ? members : new Map();
}

/** @param {App} app @returns {string} */
export function addressOf(app) {
  const {view} = app;
  /** @type {[string, string|number, boolean][]}  each with whether it is worth saying */
  const members = [["step", view.n, view.n !== view.begin], ["warp", view.warp, view.warp > 0], ["lane", view.lane, view.lane > 0],
    ["trace", app.active, app.active > 0], ["fold", 1, view.folded], ["setup", Number(view.setUpShown), view.setUpShown !== app.opened.setUpShown],
    ["addresses", 1, view.addressesShown], ["turn", Number(app.turned), app.turned !== null], ["inputs", 1, view.contributions],
    ["watch", Number(app.watch.wanted), app.watch.wanted !== null], ["form", "step", app.otherForm !== null && view.trace.notes.collectives === "step"], ["lang", app.language, app.language !== app.opened.language]];
  const said = members.filter(([, , worth]) => worth).map(([name, value]) => `${name}=${value}`);
  const all = [...app.address.members, ...said];
  return all.length > 0 ? `#${[`v=${kVersion}`, ...all].join("&")}` : "";
}

/** @param {Map<string, string>} members @param {string} name @param {number} below @returns {number|null} */
function numberOf(members, name, below) {
  const text = members.get(name) ?? "";
  return /^\d{1,9}$/.test(text) && Number(text) < below ? Number(text) : null;
}

/** All of an address that changes more than a step does. @param {App} app */
const settingsOf = (app) => JSON.stringify([app.active, app.language, app.turned, app.watch.wanted,
  app.views.map((one) => [one.folded, one.contributions, one.addressesShown, one.setUpShown, one.lane, one.warp])]);

/** Goes where an address says. @param {App} app @param {string} address */
export function goTo(app, address) {
  const members = membersOf(address), before = settingsOf(app);
  const flag = (/** @type {string} */ name) => numberOf(members, name, 2);
  if (app.otherForm && (members.get("form") === "step") !== (app.view.trace.notes.collectives === "step")) app.changeForm();
  app.active = numberOf(members, "trace", app.views.length) ?? 0;
  const {view} = app, language = members.get("lang"), turn = flag("turn"), shown = flag("setup");
  app.language = language === "en" || language === "ko" ? language : app.opened.language;
  app.turned = turn === null ? null : turn === 1;
  const watch = flag("watch");
  app.watch.wanted = watch === null ? null : watch === 1;
  for (const one of app.views) {
    one.folded = flag("fold") === 1;
    one.contributions = flag("inputs") === 1;
    one.addressesShown = flag("addresses") === 1;
    one.setUpShown = shown === null ? app.opened.setUpShown : shown === 1;
  }
  view.lane = numberOf(members, "lane", view.trace.lanes) ?? 0;
  view.warp = numberOf(members, "warp", view.trace.warps.length) ?? 0;
  if (app.views.length > 1) app.views[1 - app.active].warp = Math.min(view.warp, app.views[1 - app.active].trace.warps.length - 1);
  if (settingsOf(app) !== before) app.layOut();
  view.seek(numberOf(members, "step", view.trace.events.length + 1) ?? view.begin);
  app.refresh(true);
}

/** Writes the place into the address, once it has been the same for a moment. */
export class Address {
  constructor() {
    this.timer = 0;
    /** Whether the page has gone where its address says: before, that is not overwritten. */
    this.begun = false;
    /** @type {string[]}  what else the address keeps: `name=value` */
    this.members = [];
  }

  /** @param {App} app */
  keep(app) {
    clearTimeout(this.timer);
    if (this.begun) this.timer = window.setTimeout(() => this.write(app), kWait);
  }

  /** @param {App} app */
  write(app) {
    const place = addressOf(app);
    if (place === location.hash) return;
    try {
      history.replaceState(null, "", place || location.pathname + location.search);
    } catch { /* a frame that may not: then the place is not kept */ }
  }
}
