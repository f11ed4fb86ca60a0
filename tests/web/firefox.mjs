// Firefox by WebDriver BiDi: as much of it as the tests use.
//
// Shapes: firefox() starts one; a tab has goto(), evaluate() and press(), and `faults`: errors in its console, and requests to hosts
//         that it does not expect.
// Source: https://www.w3.org/TR/webdriver-bidi/
import {execFileSync, spawn} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import WebSocket from "ws";

const kStart_ms = 60_000, kAnswer_ms = 60_000;

/** What Debian's Firefox is called here, or "". */
export function firefoxCommand() {
  for (const name of ["firefox-esr", "firefox"]) {
    try {
      execFileSync(name, ["--version"], {stdio: "ignore"});
      return name;
    } catch { /* the next one */ }
  }
  return "";
}

/** The address that a Firefox says it listens on. */
const listens = (child) => new Promise((done, fail) => {
  let said = "";
  const timer = setTimeout(() => fail(new Error(`Firefox did not begin: ${said}`)), kStart_ms);
  child.stderr.on("data", (text) => {
    const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said += text);
    if (!found) return;
    clearTimeout(timer);
    done(found[1]);
  });
  child.on("exit", (code) => fail(new Error(`Firefox ended with ${code}: ${said}`)));
});

/** The messages of one session. */
class Session {
  constructor(socket) {
    this.socket = socket;
    this.count = 0;
    this.asked = new Map();
    this.heard = [];  // what hears events
    socket.on("message", (text) => {
      const message = JSON.parse(text);
      if (message.type === "event") return this.heard.forEach((hears) => hears(message));
      const one = this.asked.get(message.id);
      this.asked.delete(message.id);
      if (message.type === "error") one?.fail(new Error(`${message.error}: ${message.message}`));
      else one?.done(message.result);
    });
  }

  send(method, params = {}) {
    const id = ++this.count;
    return new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`no answer to ${method}`)), kAnswer_ms);
      this.asked.set(id, {done: (result) => (clearTimeout(timer), done(result)), fail: (error) => (clearTimeout(timer), fail(error))});
      this.socket.send(JSON.stringify({id, method, params}));
    });
  }
}

class Tab {
  constructor(session, context, hosts) {
    this.session = session;
    this.context = context;
    this.faults = [];
    const expected = new RegExp(`^(${hosts.join("/|")}/|blob:|data:|about:)`);
    session.heard.push(({method, params}) => {
      if ((params.context ?? params.source?.context) !== context) return;
      if (method === "log.entryAdded" && params.level === "error") this.faults.push(params.text ?? JSON.stringify(params.args));
      if (method === "network.beforeRequestSent" && !expected.test(params.request.url)) this.faults.push(`asked for ${params.request.url}`);
    });
  }

  goto(url) { return this.session.send("browsingContext.navigate", {context: this.context, url, wait: "complete"}); }

  /** What a function in the page returns, by way of JSON. */
  async evaluate(code, ...given) {
    const expression = `(async () => JSON.stringify(await (${code})(...${JSON.stringify(given)})) ?? "null")()`;
    const {result, exceptionDetails} = await this.session.send("script.evaluate", {expression, awaitPromise: true, target: {context: this.context}});
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return JSON.parse(result.value);
  }

  async until(condition, ...given) {
    for (const begun = Date.now(); Date.now() - begun < kAnswer_ms; await new Promise((resolve) => setTimeout(resolve, 50)))
      if (await this.evaluate(condition, ...given)) return;
    throw new Error(`never came: ${condition}`);
  }

  /** @param {string} key  as WebDriver calls it: \uE014 is the right arrow */
  press(key) {
    const actions = [{type: "keyDown", value: key}, {type: "keyUp", value: key}];
    return this.session.send("input.performActions", {context: this.context, actions: [{type: "key", id: "keyboard", actions}]});
  }

  close() { return this.session.send("browsingContext.close", {context: this.context}); }
}

export async function firefox(command) {
  const profile = mkdtempSync(join(tmpdir(), "warpsim-firefox-"));
  writeFileSync(join(profile, "user.js"), `user_pref("remote.active-protocols", 1);\nuser_pref("browser.shell.checkDefaultBrowser", false);\nuser_pref("intl.accept_languages", "en-US");\n`);
  const child = spawn(command, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], {stdio: ["ignore", "ignore", "pipe"]});
  const end = () => {
    child.kill("SIGKILL");
    rmSync(profile, {recursive: true, force: true, maxRetries: 5});
  };
  process.on("exit", end);
  const socket = new WebSocket(`${await listens(child)}/session`);
  await new Promise((done, fail) => socket.on("open", done).on("error", fail));
  const session = new Session(socket);
  await session.send("session.new", {capabilities: {}});
  await session.send("session.subscribe", {events: ["log.entryAdded", "network.beforeRequestSent"]});
  return {
    /** A tab that may ask these hosts. */
    open: async (url, hosts) => {
      const {context} = await session.send("browsingContext.create", {type: "tab"}), tab = new Tab(session, context, hosts);
      await tab.goto(url);
      return tab;
    },
    close: async () => {
      await session.send("browser.close").catch(() => {});
      process.off("exit", end);
      await new Promise((done) => (child.exitCode === null ? child.on("exit", done) : done()));
      end();
    },
  };
}
