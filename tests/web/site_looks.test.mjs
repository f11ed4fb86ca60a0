// The site at four widths, from a phone to a wide screen, in both languages: nothing sticks out of the window, no text is cut off, too small
// to read, or lies on another. The grid has its own tests (looks.test.mjs).
import {close, equal} from "./pages.mjs";
import {kKinds, languagesOf, openKind} from "./site_kinds.mjs";
import {serve} from "./site_server.mjs";

export const kWidths = [360, 768, 1280, 1920];

/** What is wrong with the texts of a page, in the page. */
function textFaults() {
  const found = [], texts = [], {innerWidth} = window;
  const {scrollWidth} = document.documentElement;
  if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} wide`);
  const range = document.createRange(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const said = (text) => text.trim().replace(/\s+/g, " ").slice(0, 40);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("script, style, .skip, .scroll, option, optgroup, .cm-editor") || !element.checkVisibility({visibilityProperty: true})) continue;
    if (getComputedStyle(element).clipPath !== "none") continue;  // for screen readers alone
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const rect = {left: box.left, right: box.right, top: box.top, bottom: box.bottom};
      let cut = false, scrolls = false;
      for (let around = element; around && around !== document.documentElement; around = around.parentElement) {
        const style = getComputedStyle(around);
        if (style.overflowX === "visible" && style.overflowY === "visible") continue;
        const edge = around.getBoundingClientRect();
        const keeps = style.overflowX === "auto" || style.overflowX === "scroll" || style.textOverflow === "ellipsis";
        if (!keeps && (rect.left < edge.left - 1 || rect.right > edge.right + 1)) cut = true;
        scrolls ||= keeps;
        Object.assign(rect, {left: Math.max(rect.left, edge.left), right: Math.min(rect.right, edge.right), top: Math.max(rect.top, edge.top), bottom: Math.min(rect.bottom, edge.bottom)});
      }
      if (cut) found.push(`cut: ${said(node.data)}`);
      if (rect.right - rect.left < 1 || rect.bottom - rect.top < 1) continue;
      if (rect.bottom - rect.top >= box.height - 1 && box.height < 9) found.push(`too small to read: ${said(node.data)}`);
      if (rect.left < -0.5 || rect.right > innerWidth + 0.5) found.push(`out of the window: ${said(node.data)}`);
      texts.push({node, rect});
    }
  }
  /** Whether a text lies on a panel of its own above the other, which is then not seen. */
  const covers = (a, b) => {
    for (let around = a.node.parentElement; around && !around.contains(b.node); around = around.parentElement) {
      const {position, backgroundColor} = getComputedStyle(around);
      if (position !== "static" && !/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor)) return true;
    }
    return false;
  };
  texts.sort((a, b) => a.rect.top - b.rect.top);
  texts.forEach((a, k) => {
    for (let j = k + 1; j < texts.length && texts[j].rect.top < a.rect.bottom; ++j) {
      const b = texts[j];
      if (a.node === b.node) continue;
      const across = Math.min(a.rect.right, b.rect.right) - Math.max(a.rect.left, b.rect.left), down = Math.min(a.rect.bottom, b.rect.bottom) - b.rect.top;
      const least = Math.min(a.rect.bottom - a.rect.top, b.rect.bottom - b.rect.top);
      if (across > 2 && down > 0.4 * least && !covers(a, b) && !covers(b, a)) found.push(`on each other: ${said(a.node.data)} / ${said(b.node.data)}`);
    }
  });
  return [...new Set(found)];
}

const kLayOut_ms = 300;
const heightOf = (width) => (width < 500 ? 740 : 900);
const still = kKinds.filter((kind) => kind.still), live = kKinds.filter((kind) => !kind.still);
const look = async (page, what) => (await page.evaluate(textFaults)).map((fault) => `${what}: ${fault}`);

/** What lays itself out has a moment to do so. A test a language: they run side by side. */
const opened = (language) => async (browser) => {
  const server = await serve(), found = [];
  for (const kind of live.filter((one) => languagesOf(one).includes(language))) {
    const page = await openKind(browser, server, kind, language, {width: kWidths[0], height: heightOf(kWidths[0])});
    for (const width of kWidths) {
      await page.setViewportSize({width, height: heightOf(width)});
      await page.waitForTimeout(kLayOut_ms);
      found.push(...await look(page, `${kind.name} ${language} ${width}`));
    }
    found.push(...page.faults);
    await close(page);
  }
  server.close();
  equal(found, [], language);
};

export const tests = {
  ...Object.fromEntries(["en", "ko"].map((language) => [`at every width the front page, a lesson and the playground fit, no text is cut off or on another: ${language}`, opened(language)])),

  "at every width the pages that stand still fit, no text is cut off or on another": async (browser) => {
    const server = await serve(), found = [];
    for (const kind of still)
      for (const language of languagesOf(kind)) {
        const page = await openKind(browser, server, kind, language);
        for (const width of kWidths) {
          await page.setViewportSize({width, height: heightOf(width)});
          found.push(...await look(page, `${kind.name} ${language} ${width}`));
        }
        found.push(...page.faults);
        await close(page);
      }
    server.close();
    equal(found, [], "faults");
  },

  "what sticks out, is cut off, or lies on another is found": async (browser) => {
    const context = await browser.newContext({viewport: {width: 360, height: 700}}), page = await context.newPage();
    await page.setContent(`<!DOCTYPE html><meta name="viewport" content="width=device-width"><style>body { margin: 0; } p { position: absolute; margin: 0; white-space: nowrap; }</style><p style="left: 300px; width: 140px">sticks out of it</p>
      <p style="top: 50px; width: 40px; overflow: hidden">this is cut off</p><p style="top: 100px">below</p><p style="top: 104px">above</p>
      <p style="top: 200px">hidden</p><p style="top: 204px; background: white">covers it</p><p style="top: 300px; width: 40px; overflow: auto">this one scrolls</p>
      <svg viewBox="0 0 800 100" width="200" style="position: absolute; top: 400px"><text y="50" font-size="17">tiny</text></svg>`);
    equal(await page.evaluate(textFaults), ["the page is 440 wide", "out of the window: sticks out of it", "cut: this is cut off", "too small to read: tiny", "on each other: below / above"], "faults");
    await close(page);
  },
};
