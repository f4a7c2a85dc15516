// Fronts: mean reward against printed symbols. Pointing tells the rules, choosing shows the policy.
const TICKS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];
const EDGE = { left: 64, right: 16, top: 28, bottom: 44 };
// Runs on one plot differ by their shapes too: the corners of a mark around its centre.
const SHAPES = [
  null, [[-6, -6], [6, -6], [6, 6], [-6, 6]], [[0, -8], [8, 6], [-8, 6]], [[0, -8], [8, 0], [0, 8], [-8, 0]],
  [[0, 8], [8, -6], [-8, -6]], [[-2, -8], [2, -8], [2, -2], [8, -2], [8, 2], [2, 2], [2, 8], [-2, 8], [-2, 2], [-8, 2], [-8, -2], [-2, -2]],
];

// Round numbers between two ends, about five of them.
function roundTicks(low, high) {
  const rough = (high - low) / 5, size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * size).find((wide) => wide >= rough);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, n) => (first + n) * step);
}

// Where symbols (by their logarithm) and rewards stand in a plot of some size.
function scalesOf({ series, oracles }, width, height) {
  const marks = series.flatMap((one) => one.marks), keys = marks.map(({ key }) => key);
  const rewards = [...oracles, ...marks.flatMap(({ ci95, mean }) => [...ci95, mean])];
  const left = Math.log(Math.min(...keys) / 1.25), right = Math.log(Math.max(...keys) * 1.25);
  const lowest = Math.min(...rewards), highest = Math.max(...rewards);
  const room = 0.08 * (highest - lowest) || Math.max(1, Math.abs(highest) * 0.01);
  const low = lowest - room, high = highest + room;
  return {
    x: (key) => EDGE.left + ((Math.log(key) - left) / (right - left)) * (width - EDGE.left - EDGE.right),
    y: (reward) => EDGE.top + ((high - reward) / (high - low)) * (height - EDGE.top - EDGE.bottom),
    across: TICKS.filter((key) => Math.log(key) >= left && Math.log(key) <= right),
    up: roundTicks(low, high),
  };
}

function drawAxes(drawing, { x, y, across, up }, width, height, oracles) {
  const right = width - EDGE.right, bottom = height - EDGE.bottom;
  up.forEach((reward) => drawing.append(
    svg("line", { class: "grid", x1: EDGE.left, x2: right, y1: y(reward), y2: y(reward) }),
    svg("text", { x: EDGE.left - 8, y: y(reward) + 4, "text-anchor": "end" }, grouped(reward))));
  across.forEach((key) => drawing.append(
    svg("line", { class: "grid", x1: x(key), x2: x(key), y1: EDGE.top, y2: bottom }),
    svg("text", { x: x(key), y: bottom + 18, "text-anchor": "middle" }, String(key))));
  drawing.append(svg("text", { x: 4, y: 14 }, "mean reward"),
    svg("text", { x: (EDGE.left + right) / 2, y: height - 6, "text-anchor": "middle" }, "complexity: printed symbols"));
  oracles.forEach((reward) => drawing.append(
    svg("line", { class: "oracle", x1: EDGE.left, x2: right, y1: y(reward), y2: y(reward) }),
    svg("text", { x: EDGE.left + 6, y: y(reward) - 6 }, "oracle")));
}

function drawMark(mark, { x, y }, number, { name, chosen }, choice) {
  const cx = x(mark.key), cy = y(mark.mean), own = mark.key === (choice ? choice.chosen : chosen), corners = SHAPES[number % SHAPES.length];
  const label = `${name ? `${name}: ` : ""}${mark.label}${own ? ", chosen" : ""}`;
  const group = svg("g", {
    class: `mark${own ? " own" : ""}`, "data-key": mark.key, tabindex: -1, role: choice ? "radio" : "img",
    "aria-checked": choice ? "false" : null, "aria-label": label,
  });
  const [low, high] = mark.ci95.map(y);
  group.append(svg("circle", { class: "hit", cx, cy, r: 13 }), svg("path", { class: "interval", d: `M${cx} ${low}V${high}M${cx - 4} ${low}h8M${cx - 4} ${high}h8` }));
  if (own) group.append(svg("circle", { class: "ring", cx, cy, r: 10.5 }));
  if (own && choice) group.append(svg("text", { class: "strong", x: cx, y: cy + 27, "text-anchor": "middle" }, "chosen"));
  group.append(corners ? svg("path", { class: "shape", d: `M${corners.map(([dx, dy]) => `${cx + dx} ${cy + dy}`).join("L")}Z` })
    : svg("circle", { class: "shape", cx, cy, r: 6 }));
  return { group, mark, label };
}

// Arrows walk along the marks; a pointer or the focus tells one, a click, Enter or Space takes it.
function listen(marks, number, tellMark, choice) {
  const { group, mark } = marks[number];
  const moves = { ArrowRight: number + 1, ArrowDown: number + 1, ArrowLeft: number - 1, ArrowUp: number - 1, Home: 0, End: marks.length - 1 };
  group.addEventListener("pointerenter", () => tellMark(number));
  group.addEventListener("focus", () => {
    marks.forEach((other, n) => other.group.setAttribute("tabindex", n === number ? 0 : -1));
    tellMark(number);
  });
  group.addEventListener("click", () => {
    group.focus({ preventScroll: true });
    if (choice) choice.take(mark.key);
  });
  group.addEventListener("keydown", (event) => {
    const takes = event.key === "Enter" || event.key === " ";
    if (!takes && moves[event.key] === undefined) return;
    event.preventDefault();
    if (takes && choice) choice.take(mark.key);
    else if (!takes) marks[Math.min(Math.max(moves[event.key], 0), marks.length - 1)].group.focus({ preventScroll: true });
  });
}

function drawFront(front, width, tellMark, choice) {
  const height = Math.round(Math.min(400, Math.max(260, width * 0.5))), scales = scalesOf(front, width, height);
  const words = `Mean reward against complexity${front.title ? `, ${front.title}` : ""}`;
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: choice ? "radiogroup" : "group", "aria-label": words });
  drawAxes(drawing, scales, width, height, front.oracles);
  const marks = front.series.flatMap((one, number) => {
    const points = one.marks.map(({ key, mean }) => `${scales.x(key)} ${scales.y(mean)}`);
    drawing.append(svg("path", { class: "along", d: `M${points.join("L")}` }));
    return one.marks.map((mark) => drawMark(mark, scales, number, one, choice));
  });
  marks.forEach(({ group }, number) => {
    drawing.append(group);
    listen(marks, number, tellMark, choice);
  });
  return { drawing, marks };
}

// Make the mark of a shown policy filled, checked, and the one that Tab comes to.
function markShown(key) {
  document.querySelectorAll(".mark").forEach((group) => {
    const here = Number(group.dataset.key) === key;
    group.classList.toggle("shown", here);
    group.setAttribute("aria-checked", String(here));
    group.setAttribute("tabindex", here ? 0 : -1);
  });
}

function legendOf(front) {
  return make("div", { class: "legend plot-legend" }, ...front.series.map(({ name }, number) => {
    const corners = SHAPES[number % SHAPES.length];
    const shape = corners ? svg("path", { class: "shape", d: `M${corners.map(([dx, dy]) => `${10 + dx} ${10 + dy}`).join("L")}Z` })
      : svg("circle", { class: "shape", cx: 10, cy: 10, r: 6 });
    return make("span", {}, svg("svg", { width: 20, height: 20, "aria-hidden": "true" }, shape), name);
  }));
}

function startFront(place, front, choice) {
  const told = make("div", { class: "told", "aria-live": "polite" });
  const frame = make("div", { class: "plot-frame" });
  place.append(...(choice ? [] : [legendOf(front)]), frame, told);
  let marks = [], drawn = 0;
  const tellMark = (number) => {
    const { mark, label } = marks[number];
    told.replaceChildren(make("strong", {}, label), make("pre", { tabindex: 0, role: "group", "aria-label": "Its rules" }, mark.text));
  };
  const draw = () => {
    const width = Math.max(260, frame.clientWidth);
    if (width === drawn) return;
    const keys = marks.map(({ group }) => group.getAttribute("tabindex"));
    const shown = document.querySelector(".mark.shown");
    drawn = width;
    const found = drawFront(front, width, tellMark, choice);
    marks = found.marks;
    frame.replaceChildren(found.drawing);
    if (choice) markShown(shown ? Number(shown.dataset.key) : choice.chosen);
    else marks.forEach(({ group }, n) => group.setAttribute("tabindex", keys[n] || (n ? -1 : 0)));
  };
  draw();
  tellMark(Math.max(0, marks.findIndex(({ mark }) => choice && mark.key === choice.chosen)));
  new ResizeObserver(draw).observe(frame);
}

// choice: the key of the chosen policy, and what takes another one; none where nothing can be taken.
function startFronts(choice = null) {
  document.querySelectorAll(".plot").forEach((place, number) => startFront(place, data.fronts[number], choice));
}
