// The front page's picture: the lanes of a warp pass their values on, over and over. It stands still for those who want no motion.

const kSvg = "http://www.w3.org/2000/svg";
const kStep_ms = 1700, kTop = 60, kBottom = 190, kHeight = 40;
/** The picture's width and that of a box, in its own units: on a phone there are fewer of them, so that numbers can be read. */
const kWide = {width: 800, box: 74}, kNarrow = {width: 400, box: 46};
const kNarrowBelow = 560;  // pixels

/** @typedef {{width: number, box: number}} Size */

/** @typedef {{title: string, from: number[]|null, values: number[]}} Step */

/** @param {string} tag @param {Element} parent @param {Record<string, string|number>} attributes @param {string} [text] */
function draw(tag, parent, attributes, text) {
  const element = document.createElementNS(kSvg, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

/** @param {Element} svg @param {Size} size @param {number} lanes @param {number} y @param {number[]} values @param {boolean[]} changed */
function drawBoxes(svg, {width, box}, lanes, y, values, changed) {
  for (let lane = 0; lane < lanes; ++lane) {
    const x = (lane + 0.5) * (width / lanes);
    draw("rect", svg, {x: x - box / 2, y, width: box, height: kHeight, rx: 8, class: changed[lane] ? "box changed" : "box"});
    draw("text", svg, {x, y: y + kHeight / 2 + 6, class: "value"}, String(values[lane]));
  }
}

/** The k-th step: above what each lane has, below what it has then, between them who sends to whom. @param {Element} svg @param {Step[]} steps @param {number} k */
function drawStep(svg, steps, k) {
  const size = (svg.parentElement?.clientWidth ?? kNarrowBelow) < kNarrowBelow ? kNarrow : kWide, {width} = size;
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${width} 240`);
  svg.classList.toggle("narrow", size === kNarrow);
  const {title, from, values} = steps[k], lanes = values.length, before = steps[Math.max(0, k - 1)].values;
  draw("text", svg, {x: width / 2, y: 24, class: "title"}, title);
  for (let lane = 0; lane < lanes; ++lane) draw("text", svg, {x: (lane + 0.5) * (width / lanes), y: 48, class: "lane"}, String(lane));
  drawBoxes(svg, size, lanes, kTop, k === 0 ? values : before, []);
  if (!from) return;
  from.forEach((source, lane) => {
    const a = (source + 0.5) * (width / lanes), b = (lane + 0.5) * (width / lanes), top = kTop + kHeight + 2, end = kBottom - 4, middle = (top + end) / 2;
    draw("path", svg, {d: `M${a} ${top}C${a} ${middle} ${b} ${middle} ${b} ${end}`, class: source < lane ? "wire right" : "wire left", pathLength: 1});
  });
  drawBoxes(svg, size, lanes, kBottom, values, values.map((value, lane) => value !== before[lane]));
}

function begin() {
  const {steps, pause, play} = JSON.parse(document.getElementById("story")?.textContent ?? "{}");
  const box = document.getElementById("hero");
  if (!box || !steps) return;
  const svg = document.createElementNS(kSvg, "svg");
  box.append(svg);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let k = still ? steps.length - 1 : 0, timer = 0;
  const next = () => {
    k = (k + 1) % steps.length;
    drawStep(svg, steps, k);
  };
  const button = document.createElement("button");
  const turn = (/** @type {boolean} */ on) => {
    clearInterval(timer);
    timer = on ? window.setInterval(next, kStep_ms) : 0;
    button.textContent = on ? pause : play;
  };
  button.addEventListener("click", () => turn(timer === 0));
  box.parentElement?.append(button);
  drawStep(svg, steps, k);
  window.addEventListener("resize", () => drawStep(svg, steps, k));
  turn(!still);
  document.documentElement.dataset.ready = performance.now().toFixed(1);
}

begin();
