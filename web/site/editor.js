// The editor of a program: colours, completion, what an instruction does, and what the assembler says while one types.
//
// Shapes: CodeMirror in a shadow root, where it keeps its style by itself; the page's policy allows no <style>. What it completes and
//         explains is the instruction table, as `warpsim isa` prints it.

import {autocompletion, closeBrackets, completionKeymap} from "@codemirror/autocomplete";
import {defaultKeymap, history, historyKeymap} from "@codemirror/commands";
import {HighlightStyle, StreamLanguage, syntaxHighlighting} from "@codemirror/language";
import {linter, lintGutter, lintKeymap} from "@codemirror/lint";
import {Compartment, EditorState} from "@codemirror/state";
import {drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers} from "@codemirror/view";
import {tags} from "@lezer/highlight";

/** @typedef {{name: string, usage: string, doc: string, types: string[]}} Instruction */
/** A change after which it is right; length 0: nothing goes. @typedef {{line: number, column: number, length: number, text: string}} Fix */
/** Columns and lengths count bytes, from 1.
 * @typedef {{severity: string, code: string, message: string, hint?: string, line?: number, column?: number, length?: number, fixes?: Fix[]}} Fault */
/** @typedef {{instructions: Instruction[], specials: {name: string, doc: string}[]}} Table */

// One line after the other: comments, texts, directives and labels, opcodes, registers, numbers.
const kPieces = /** @type {[RegExp, string][]} */ ([[/^\/\/.*/, "comment"], [/^"(?:[^"\\]|\\.)*"?/, "string"], [/^[!@]*%[\w.]+/, "name"],
  [/^\.\w+/, "keyword"], [/^\w+:/, "keyword"], [/^(?:[a-z]\w*\.)+[\w.]+/, "keyword"], [/^(?:bra|exit|ret|case|expect)\b/, "keyword"],
  [/^(?:0[xX][\da-fA-F]+|\d[\w.]*)/, "number"], [/^\w+/, ""], [/^\s+/, ""], [/^./, ""]]);
const warpLanguage = StreamLanguage.define({
  name: "warp",
  token(stream) {
    for (const [shape, kind] of kPieces) if (stream.match(shape)) return kind || null;
    stream.next();
    return null;
  },
  tokenTable: {comment: tags.comment, string: tags.string, name: tags.variableName, keyword: tags.keyword, number: tags.number},
  languageData: {commentTokens: {line: "//"}, closeBrackets: {brackets: ["[", "(", "\""]}},
});
const colours = HighlightStyle.define([{tag: tags.comment, color: "var(--soft)"}, {tag: tags.string, color: "var(--codeNumber)"},
  {tag: tags.variableName, color: "var(--codeName)"}, {tag: tags.keyword, color: "var(--codeWord)"}, {tag: tags.number, color: "var(--codeNumber)"}]);
const looks = EditorView.theme({
  "&": {height: "100%", fontSize: "12px", backgroundColor: "var(--panel)", color: "var(--ink)"},
  "&.cm-focused": {outline: "none"},
  ".cm-scroller": {fontFamily: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace", lineHeight: "20px"},
  ".cm-content": {caretColor: "var(--ink)"},
  ".cm-cursor": {borderLeftColor: "var(--ink)"},
  ".cm-gutters": {backgroundColor: "var(--panel)", color: "var(--soft)", border: "none"},
  ".cm-activeLine, .cm-activeLineGutter": {backgroundColor: "color-mix(in srgb, var(--current) 55%, transparent)"},
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent) !important"},
  ".cm-tooltip": {backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--edge)", maxWidth: "440px"},
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {backgroundColor: "var(--accent)", color: "var(--accentInk)"},
  ".cm-hover": {padding: "6px 10px", whiteSpace: "pre-wrap", font: "12px/1.4 system-ui, sans-serif"},
  ".cm-diagnostic": {whiteSpace: "pre-wrap", font: "12px/1.4 system-ui, sans-serif"},
  ".cm-diagnosticAction": {backgroundColor: "var(--accent)", color: "var(--accentInk)", borderRadius: "5px", padding: "2px 7px"},
});

/** What the table says of an opcode as it is written, "shfl.bfly.b32". @param {Table} table @param {string} word */
function meaningOf(table, word) {
  if (word.startsWith("%")) return table.specials.filter((one) => one.name === word).map((one) => `${one.name}: ${one.doc}`);
  const rows = table.instructions.filter(({name}) => word === name || word.startsWith(`${name}.`));
  const longest = Math.max(...rows.map(({name}) => name.length));
  return rows.filter(({name}) => name.length === longest).map(({usage, doc}) => `${usage}\n${doc}`);
}

/** @param {Table} table */
function completions(table) {
  const opcodes = table.instructions.flatMap(({name, types, usage, doc}) =>
    (types.length > 0 ? types : [""]).map((type) => ({label: type ? `${name}.${type}` : name, type: "keyword", detail: usage.replace(/^\S+ ?/, ""), info: doc})));
  const known = new Map(opcodes.map((one) => [one.label, one]));
  const specials = table.specials.map(({name, doc}) => ({label: name, type: "variable", info: doc}));
  return (/** @type {import("@codemirror/autocomplete").CompletionContext} */ context) => {
    const register = context.matchBefore(/%[\w.]*/);
    if (register) {
      const own = new Set(context.state.doc.toString().match(/%[A-Za-z_]\w*/g));
      own.delete(register.text);
      const registers = [...own].filter((name) => !specials.some(({label}) => label === name)).map((label) => ({label, type: "variable"}));
      return {from: register.from, options: [...registers, ...specials], validFor: /^%[\w.]*$/};
    }
    const opcode = context.matchBefore(/[a-z][\w.]*/);
    const before = context.state.doc.lineAt(context.pos).text.slice(0, (opcode?.from ?? context.pos) - context.state.doc.lineAt(context.pos).from);
    if (!/^\s*(@!?%\w+\s+)?$/.test(before) || (!opcode && !context.explicit)) return null;
    return {from: opcode?.from ?? context.pos, options: [...known.values()], validFor: /^[\w.]*$/};
  };
}

/** The characters that so many bytes of a line take. @param {string} line @param {number} bytes */
function charactersOf(line, bytes) {
  const utf8 = new TextEncoder().encode(line);
  return new TextDecoder().decode(utf8.subarray(0, Math.max(0, bytes))).length;
}

/** @param {import("@codemirror/state").Text} text @param {{line?: number, column?: number, length?: number}} place */
function rangeOf(text, {line: number = 1, column = 1, length = 1}) {
  const line = text.line(Math.min(Math.max(1, number), text.lines));
  return {from: line.from + charactersOf(line.text, column - 1), to: line.from + charactersOf(line.text, column - 1 + length)};
}

/** A fault of the assembler at its place, with its fixes as something to click.
 * @param {import("@codemirror/state").Text} text @param {Fault} fault @param {(says: string, takesAway: boolean) => string} applies */
function diagnosticOf(text, fault, applies) {
  const {from, to} = rangeOf(text, {...fault, length: Math.max(1, fault.length ?? 1)});
  const actions = (fault.fixes ?? []).map((fix) => {
    const at = rangeOf(text, fix), gone = text.sliceString(at.from, at.to);
    return {name: fix.text === "" ? applies(gone.trim(), true) : applies(fix.text.trim(), false), apply: (/** @type {EditorView} */ view, /** @type {number} */ begin) => {
      const moved = begin - from, range = {from: at.from + moved, to: at.to + moved};  // by what was typed above it meanwhile
      if (view.state.sliceDoc(range.from, range.to) === gone) view.dispatch({changes: {...range, insert: fix.text}});
    }};
  });
  return {
    from, to: Math.max(from, to), actions, severity: /** @type {"error"|"warning"|"info"} */ (fault.severity === "error" ? "error" : fault.severity === "warning" ? "warning" : "info"),
    source: fault.code, message: fault.hint ? `${fault.message}\n${fault.hint}` : fault.message,
  };
}

export class Editor {
  /** @param {HTMLElement} parent @param {{table: Table, faults: (text: string) => Promise<Fault[]>, run: () => void, changed: () => void,
   *   applies: (says: string, takesAway: boolean) => string, label: string}} with_ */
  constructor(parent, {table, faults, run, changed, applies, label}) {
    const root = parent.attachShadow({mode: "open"});
    const box = document.createElement("div");
    box.style.height = "100%";
    root.append(box);
    const hover = hoverTooltip((view, at) => {
      const line = view.state.doc.lineAt(at);
      const found = [...line.text.matchAll(/%?[\w.]+/g)].find((one) => line.from + one.index <= at && at <= line.from + one.index + one[0].length);
      const says = found ? meaningOf(table, found[0]) : [];
      if (!found || says.length === 0) return null;
      return {pos: line.from + found.index, end: line.from + found.index + found[0].length, create: () => {
        const dom = document.createElement("div");
        dom.className = "cm-hover";
        dom.textContent = says.join("\n\n");
        return {dom};
      }};
    });
    this.named = new Compartment();
    this.ready = false;  // whether it holds the program: before, changes are none of the reader's
    this.view = new EditorView({
      root, parent: box,
      state: EditorState.create({extensions: [
        lineNumbers(), history(), drawSelection(), closeBrackets(), highlightActiveLine(), lintGutter(), warpLanguage, syntaxHighlighting(colours), looks, hover,
        autocompletion({override: [completions(table)]}),
        linter(async (view) => (await faults(view.state.doc.toString())).map((fault) => diagnosticOf(view.state.doc, fault, applies)), {delay: 250}),
        keymap.of([{key: "Mod-Enter", run: () => (run(), true)}, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
        this.named.of(EditorView.contentAttributes.of({"aria-label": label})), EditorView.contentAttributes.of({tabindex: "0"}),
        EditorView.updateListener.of((update) => { if (update.docChanged) changed(); }),
      ]}),
    });
  }

  get text() { return this.view.state.doc.toString(); }
  set text(text) {
    if (text !== this.text) this.view.dispatch({changes: {from: 0, to: this.view.state.doc.length, insert: text}});
  }

  /** @param {string} label  what a screen reader calls it */
  name(label) { this.view.dispatch({effects: this.named.reconfigure(EditorView.contentAttributes.of({"aria-label": label}))}); }
  focus() { this.view.focus(); }
}
