// The drawn tree: hovering explains, clicking folds.
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

// Below which other node each node stands, and whether one of those is closed.
function parents(nodes) {
  const above = [];
  nodes.forEach((node, number) => {
    if (isSplit(node)) above[node.left] = above[node.right] = number;
  });
  return above;
}

function isHidden(number, above, closed) {
  const parent = above[number];
  return parent !== undefined && (closed.has(parent) || isHidden(parent, above, closed));
}

// The drawing comes from glasstree, which escapes every name in it; what is folded away is left out.
function drawTree() {
  const { name, nodes, drawings } = drawnTree(), closed = foldedOf(name), above = parents(nodes);
  const frame = byId("tree-frame");
  frame.innerHTML = drawings[units()];
  const drawing = frame.firstElementChild;
  drawing.setAttribute("role", "group");
  drawing.querySelectorAll("[data-to], [data-node]").forEach((part) => {
    if (isHidden(Number(part.dataset.to || part.dataset.node), above, closed)) part.remove();
  });
  drawing.querySelectorAll(".node").forEach((group) => prepare(group, nodes, closed));
  if (closed.size) crop(drawing);
  light();
}

// Make a node that can be asked and folded.
function prepare(group, nodes, closed) {
  const number = Number(group.dataset.node), node = nodes[number];
  group.setAttribute("tabindex", 0);
  group.setAttribute("role", isSplit(node) ? "button" : "img");
  group.addEventListener("pointerenter", () => tell(number));
  group.addEventListener("focus", () => tell(number));
  if (!isSplit(node)) {
    group.setAttribute("aria-label", spoken(node, number));
    return;
  }
  group.setAttribute("aria-expanded", String(!closed.has(number)));
  if (closed.has(number)) {
    const { x, y, width, height } = group.querySelector(".box").getBBox();
    group.append(svg("text", { class: "folded", x: x + width / 2, y: y + height + 14, "text-anchor": "middle" }, "▾ folded"));
  }
  group.addEventListener("click", () => toggle(number));
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle(number);
  });
}

// Cut away the room of what is folded at the sides and below.
function crop(drawing) {
  const { x, y, width, height } = drawing.getBBox(), margin = 12;
  drawing.setAttribute("viewBox", [x - margin, y - margin, width + 2 * margin, height + 2 * margin].join(" "));
  drawing.setAttribute("width", width + 2 * margin);
  drawing.setAttribute("height", height + 2 * margin);
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
