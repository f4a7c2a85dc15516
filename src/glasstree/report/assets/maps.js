// Maps: the action over two variables, of the oracle and of the shown policy.
const MAP = { left: 56, right: 8, top: 6, bottom: 36 };

const spread = ([low, high], size) => Array.from({ length: size }, (_, i) => low + (i * (high - low)) / (size - 1));

// The leaf that each square's state comes to, row by row from below.
function leavesOver(map) {
  const across = spread(map.ends[0], map.size), state = map.state.slice();
  return spread(map.ends[1], map.size).flatMap((up) => across.map((value) => {
    state[map.across] = value;
    state[map.up] = up;
    return walk(current.nodes, state).leaf;
  }));
}

function unrolled(runs) {
  const values = [];
  for (let i = 0; i < runs.length; i += 2) values.push(...Array(runs[i + 1]).fill(runs[i]));
  return values;
}

// One pixel a square, to be stretched without smoothing.
function pixels(actions, size) {
  const small = make("canvas", { width: size, height: size }), context = small.getContext("2d");
  actions.forEach((action, n) => {
    context.fillStyle = data.actions[action].colour;
    context.fillRect(n % size, size - 1 - Math.floor(n / size), 1, 1);
  });
  return small;
}

// Lines between squares whose states come to different leaves.
function drawBoundaries(context, leaves, size, width, height) {
  context.strokeStyle = "#000000";
  context.lineWidth = 1.6;
  context.beginPath();
  const wide = width / size, high = height / size;
  for (let n = 0; n < leaves.length; n += 1) {
    const column = n % size, row = Math.floor(n / size), x = MAP.left + column * wide, y = MAP.top + height - row * high;
    if (column && leaves[n] !== leaves[n - 1]) { context.moveTo(x, y); context.lineTo(x, y - high); }
    if (row && leaves[n] !== leaves[n - size]) { context.moveTo(x, y); context.lineTo(x + wide, y); }
  }
  context.stroke();
}

function paintMap({ canvas, map, leaves, actions }) {
  const [context, w, h] = sized(canvas, Math.round(Math.min(340, (canvas.clientWidth || 320) * 0.75)));
  const width = w - MAP.left - MAP.right, height = h - MAP.top - MAP.bottom, [x, y] = [map.across, map.up].map((j) => data.states[j]);
  context.imageSmoothingEnabled = false;
  context.drawImage(pixels(actions, map.size), MAP.left, MAP.top, width, height);
  drawBoundaries(context, leaves, map.size, width, height);
  const below = h - MAP.bottom + 14, named = ({ name, unit }) => (unit ? `${name} [${unit}]` : name);
  words(context, ofVariable(map.ends[0][0], x), MAP.left, below);
  words(context, ofVariable(map.ends[0][1], x), w - MAP.right, below, "right");
  words(context, named(x), MAP.left + width / 2, h - 6, "center");
  words(context, ofVariable(map.ends[1][1], y), MAP.left - 5, MAP.top + 10, "right");
  words(context, ofVariable(map.ends[1][0], y), MAP.left - 5, MAP.top + height, "right");
  context.save();
  context.translate(14, MAP.top + height / 2);
  context.rotate(-Math.PI / 2);
  words(context, named(y), 0, 0, "center");
  context.restore();
}

let paintedMaps = [];
function showMaps() {
  paintedMaps = [];
  const cards = data.maps.map((map) => {
    const leaves = leavesOver(map), own = leaves.map((leaf) => current.nodes[leaf].action);
    const all = [...(map.oracle ? [["oracle", unrolled(map.oracle)]] : []), [current.name, own]];
    const figures = all.map(([name, actions]) => {
      const canvas = make("canvas", { class: "map", role: "img", "aria-label": `${name}: the action over ${map.words}` });
      paintedMaps.push({ canvas, map, leaves, actions });
      return make("div", {}, make("h3", {}, name), canvas);
    });
    return make("div", { class: "card" }, make("p", { class: "note" }, `The action over ${map.words}.`), make("div", { class: "stages" }, ...figures));
  });
  byId("all-maps").replaceChildren(...cards);
  paintedMaps.forEach(paintMap);
}

function startMaps() {
  if (!data.maps.length) return;
  byId("map-legend").append(...data.actions.map((_, action) => chip(action)));
  whenPolicyChanges(showMaps);
  new ResizeObserver(() => paintedMaps.forEach(paintMap)).observe(byId("all-maps"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => paintedMaps.forEach(paintMap));
}
