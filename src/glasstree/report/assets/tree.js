// The tree as SVG: rules, distributions, traffic; hovering explains, clicking folds.
const LETTER = 7.3, LINE = 16, PAD = 9, GAP = 16, RISE = 54, COMPACT_ABOVE = 7, MOST = 64;
const folded = new Map();
let shown = data.trees.length;
let lit = new Set();

// The tree that is drawn: a stage's, or the shown policy.
const drawnTree = () => data.trees[shown] || current;
const foldedOf = (name) => folded.get(name) || folded.set(name, new Set()).get(name);
const visits = (node) => node.counts.reduce((sum, count) => sum + count, 0);
const isSplit = (node) => node.left !== undefined;

function ruleCount(nodes) {
  return nodes.filter(isSplit).length;
}

function visitWords(node, number) {
  return node.counts.length ? `${visits(node).toLocaleString("en")} visits` : `node ${number}`;
}

function boxLines(nodes, number, compact) {
  const node = nodes[number];
  if (!isSplit(node)) return [data.actions[node.action].name];
  if (compact) return [`rule ${number}`];
  return node.lines[units()];
}

// Lay a subtree out; returns its box with children, each knowing its own width.
function layout(nodes, number, closed, compact) {
  const node = nodes[number];
  const lines = boxLines(nodes, number, compact).map((line) => (line.length > MOST ? `${line.slice(0, MOST - 1)}…` : line));
  const isClosed = isSplit(node) && closed.has(number);
  const below = compact ? 0 : visitWords(node, number).length;
  const longest = Math.max(...lines.map((line) => line.length), below, compact ? 4 : 7);
  const box = {
    number, node, lines, isClosed,
    width: Math.max(longest * LETTER + 2 * PAD, compact ? 50 : 84),
    height: (lines.length + (compact ? 0 : 1)) * LINE + 2 * PAD + 10,
    children: isSplit(node) && !isClosed
      ? [node.left, node.right].map((child) => layout(nodes, child, closed, compact)) : [],
  };
  const inner = box.children.reduce((sum, child) => sum + child.span, 0) + GAP * Math.max(0, box.children.length - 1);
  box.span = Math.max(box.width, inner);
  box.inner = inner;
  return box;
}

function tallest(box, depth = 0, found = []) {
  found[depth] = Math.max(found[depth] || 0, box.height);
  box.children.forEach((child) => tallest(child, depth + 1, found));
  return found;
}

function drawTree() {
  const { name, nodes } = drawnTree();
  const compact = ruleCount(nodes) > COMPACT_ABOVE;
  const root = layout(nodes, 0, foldedOf(name), compact);
  const heights = tallest(root);
  const tops = [12];
  heights.forEach((height, depth) => tops.push(tops[depth] + height + (compact ? RISE * 0.8 : RISE)));
  const width = Math.ceil(root.span + 24), height = Math.ceil(tops[heights.length - 1] + heights[heights.length - 1] + 12);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": `Tree of ${ruleCount(nodes)} rules` });
  const branches = svg("g", {}), boxes = svg("g", {});
  drawing.append(branches, boxes);
  drawSubtree(root, 12, 0, tops, visits(nodes[0]), branches, boxes);
  byId("tree-frame").replaceChildren(drawing);
  light();
}

function drawSubtree(box, left, depth, tops, total, branches, boxes) {
  const centre = left + box.span / 2, top = tops[depth];
  let edge = left + (box.span - box.inner) / 2;
  boxes.append(drawBox(box, centre, top));
  box.children.forEach((child, side) => {
    const middle = edge + child.span / 2, from = top + box.height, to = tops[depth + 1];
    const share = total > 0 ? visits(child.node) / total : 0.1;
    const bend = (from + to) / 2;
    branches.append(svg("path", {
      class: "branch", "data-to": child.number, "stroke-width": (1.5 + 16 * share).toFixed(1),
      d: `M${centre} ${from}C${centre} ${bend} ${middle} ${bend} ${middle} ${to}`,
    }));
    const word = svg("text", { class: "side", x: middle + (side ? 12 : -12), y: to - 8, "text-anchor": side ? "start" : "end" }, side ? "no" : "yes");
    branches.append(word);
    drawSubtree(child, edge, depth + 1, tops, total, branches, boxes);
    edge += child.span + GAP;
  });
}

function drawBox(box, centre, top) {
  const { node, number } = box, split = isSplit(node), x = centre - box.width / 2;
  const group = svg("g", {
    class: `node ${split ? "split" : "leaf"}`, "data-node": number, tabindex: 0, role: split ? "button" : "img",
    "aria-label": split ? null : spoken(node, number), "aria-expanded": split ? String(!box.isClosed) : null,
  });
  const fill = split ? null : `fill:${data.actions[node.action].colour}`;
  group.append(svg("rect", { class: "box", x, y: top, width: box.width, height: box.height, rx: 7, style: fill }));
  const ink = split ? null : `fill:${data.actions[node.action].ink}`;
  box.lines.forEach((line, n) => group.append(svg("text", { x: centre, y: top + PAD + LINE * (n + 0.8), "text-anchor": "middle", style: ink, "font-weight": split ? null : 700 }, line)));
  if (box.height > box.lines.length * LINE + 2 * PAD + 10) {
    group.append(svg("text", { class: split ? "dim" : "", style: ink, x: centre, y: top + PAD + LINE * (box.lines.length + 0.75), "text-anchor": "middle", "font-size": 11 }, visitWords(node, number)));
  }
  drawCounts(group, node, x + PAD, top + box.height - 12, box.width - 2 * PAD);
  if (box.isClosed) group.append(svg("text", { class: "folded", x: centre, y: top + box.height + 14, "text-anchor": "middle" }, "▾ folded"));
  group.addEventListener("pointerenter", () => tell(number));
  group.addEventListener("focus", () => tell(number));
  if (split) {
    group.addEventListener("click", () => toggle(number));
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle(number);
    });
  }
  return group;
}

function drawCounts(group, node, x, y, width) {
  const total = visits(node);
  if (total === 0) return;
  let at = x;
  node.counts.forEach((count, action) => {
    if (count === 0) return;
    const part = (width * count) / total;
    group.append(svg("rect", { x: at, y, width: part, height: 6, fill: data.actions[action].colour, stroke: "#333", "stroke-width": 0.6 }));
    at += part;
  });
}

function toggle(number) {
  const closed = foldedOf(drawnTree().name);
  if (!closed.delete(number)) closed.add(number);
  drawTree();
  const again = document.querySelector(`.node[data-node="${number}"]`);
  if (again) again.focus({ preventScroll: true });
}

function spoken(node, number) {
  const traffic = node.counts.length ? `, ${visits(node).toLocaleString("en")} visits` : "";
  return `Node ${number}: ${data.actions[node.action].name}${traffic}`;
}

// Say what a node means, below the drawing.
function tell(number) {
  const { nodes } = drawnTree(), node = nodes[number], panel = byId("explain");
  document.querySelectorAll(".node").forEach((group) => group.classList.toggle("told", Number(group.dataset.node) === number));
  const lines = [];
  if (isSplit(node)) {
    lines.push(make("p", {}, make("strong", {}, `Rule ${number}: `), typeset(node.html[units()])));
    lines.push(make("p", {}, "if it holds: ", target(nodes, node.left), "; otherwise: ", target(nodes, node.right)));
    if (node.directions.length) lines.push(make("p", { class: "note" }, `Growth of a variable: ${node.directions.join("; ")}.`));
    if (node.always) lines.push(make("p", { class: "note" }, `Over the range that was seen it always goes ${node.always}.`));
  } else {
    lines.push(make("p", {}, make("strong", {}, `Node ${number}: `), chip(node.action)));
  }
  if (node.counts.length) lines.push(make("p", { class: "note" }, traffic(nodes, node)));
  panel.replaceChildren(...lines);
}

function traffic(nodes, node) {
  const total = visits(node), all = visits(nodes[0]);
  const parts = node.counts.map((count, action) => [count, data.actions[action].name]).filter(([count]) => count > 0);
  const words = parts.map(([count, name]) => `${name} ${count.toLocaleString("en")}`).join(", ");
  return `${total.toLocaleString("en")} of ${all.toLocaleString("en")} states came here${words ? `: ${words}` : ""}.`;
}

function target(nodes, number) {
  return isSplit(nodes[number]) ? `rule ${number}` : chip(nodes[number].action);
}

function light() {
  const own = drawnTree() === current;
  document.querySelectorAll(".node").forEach((group) => group.classList.toggle("lit", own && lit.has(Number(group.dataset.node))));
  document.querySelectorAll(".branch").forEach((path) => path.classList.toggle("lit", own && lit.has(Number(path.dataset.to))));
  document.querySelectorAll("[data-rule]").forEach((rule) => rule.classList.toggle("lit", lit.has(Number(rule.dataset.rule))));
}

function lightPath(state) {
  const { steps, leaf } = walk(current.nodes, state);
  lit = new Set([...steps.map((step) => step.node), leaf]);
  light();
}

// Close the topmost nodes that few states come to.
function foldRare(share) {
  const { name, nodes } = drawnTree(), all = visits(nodes[0]);
  const rare = nodes.map((node, number) => number).filter((number) => number > 0 && isSplit(nodes[number]) && visits(nodes[number]) < share * all);
  folded.set(name, new Set(rare));
  drawTree();
}

function startTree() {
  const select = byId("tree-stage");
  select.addEventListener("change", () => {
    shown = Number(select.value);
    drawTree();
    tell(0);
  });
  byId("unfold").addEventListener("click", () => {
    foldedOf(drawnTree().name).clear();
    drawTree();
  });
  byId("fold-rare").addEventListener("click", () => foldRare(0.02));
  byId("tree-legend").append(...data.actions.map((_, action) => chip(action)));
  unitListeners.push(() => { drawTree(); tell(0); });
  whenPolicyChanges(showTree);
  whenStateChanges(lightPath);
}

// Turn to the tree of the shown policy, rare branches of a large one folded.
function showTree() {
  shown = data.trees.length;
  byId("tree-stage").replaceChildren(...[...data.trees, current].map(({ name }, number) => make("option", { value: number, selected: number === shown }, name)));
  if (ruleCount(current.nodes) > 15 && !folded.has(current.name)) foldRare(0.01);
  else drawTree();
  const frame = byId("tree-frame");
  frame.scrollLeft = (frame.scrollWidth - frame.clientWidth) / 2;
  tell(0);
}
