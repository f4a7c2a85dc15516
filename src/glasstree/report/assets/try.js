// Sliders for every variable; the exported policy(state) answers.
const state = data.states.map((variable) => variable.start);
const rows = [];

function slider(variable, j) {
  const common = { min: variable.from, max: variable.to, step: "any" };
  const range = make("input", { type: "range", id: `slider-${j}`, ...common, "aria-label": variable.name + (variable.unit ? ` in ${variable.unit}` : "") });
  const number = make("input", { type: "number", step: "any", id: `number-${j}`, "aria-label": `${variable.name}, as a number` });
  const seen = make("div", { class: "seen", "aria-hidden": "true" });
  const label = make("label", { for: `slider-${j}` }, variable.name, " ", make("span", { class: "unit" }, variable.unit));
  const ends = make("div", { class: "ends" }, make("span", {}, variable.ends[0]), make("span", {}, "seen"), make("span", {}, variable.ends[1]));
  const row = make("div", { class: "slider", "data-variable": j }, label, number, make("div", { class: "bar-row" }, range, seen, ends));
  range.addEventListener("input", () => setVariable(j, Number(range.value)));
  number.addEventListener("change", () => {
    if (number.value !== "" && Number.isFinite(Number(number.value))) setVariable(j, Number(number.value));
  });
  rows[j] = { row, range, number, seen };
  return row;
}

function setVariable(j, value) {
  state[j] = value;
  refresh();
}

function setState(values) {
  values.forEach((value, j) => { state[j] = value; });
  refresh();
}

let waiting = false;
function refresh() {
  decide();
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    showPath();
    announce(state);
    showFlips();
    paintTracks();
  });
}

// The part that never lags behind the sliders: their values and the action.
function decide() {
  rows.forEach(({ row, range, number }, j) => {
    const { minimum, maximum } = data.states[j];
    if (Number(range.value) !== state[j]) range.value = state[j];
    if (document.activeElement !== number) number.value = ofVariable(state[j], data.states[j]).replace("−", "-");
    range.setAttribute("aria-valuetext", withUnit(state[j], data.states[j]));
    row.classList.toggle("unseen", state[j] < minimum || state[j] > maximum);
  });
  const action = policy(state), told = byId("decision"), { name, colour, ink } = data.actions[action];
  told.textContent = name;
  told.dataset.action = action;
  told.style.cssText = `background:${colour};color:${ink}`;
}

function showPath() {
  const { steps } = walk(current.nodes, state);
  const shownSteps = steps.map(({ node, value, left }) => {
    const reached = Math.min(1, Math.abs(value) / reach(current.nodes[node])), half = 50 * reached;
    const fill = make("i", { style: left ? `right:50%;width:${half}%` : `left:50%;width:${half}%` });
    const words = `f = ${figure(value, 3)}: ${left ? "it holds" : "it does not hold"}; margin ${figure(Math.abs(value), 3)}`;
    return make("div", { class: "step" }, typeset(current.nodes[node].html[units()]),
      make("div", { class: "meter", "aria-hidden": "true" }, fill, make("b")), make("small", {}, words));
  });
  if (!shownSteps.length) shownSteps.push(make("p", { class: "note" }, "There is no rule: every state has this action."));
  byId("path").replaceChildren(...shownSteps);
}

function showFlips() {
  const found = flips(state).slice(0, 5);
  const lines = found.map((flip, n) => {
    const variable = data.states[flip.variable];
    const outside = flip.value < variable.minimum || flip.value > variable.maximum ? ", beyond what was seen" : "";
    const go = make("button", { type: "button", "aria-label": `go there: set ${variable.name} to ${withUnit(flip.value, variable)}` }, "go there");
    go.addEventListener("click", () => setVariable(flip.variable, flip.value));
    return make("div", { class: n ? "flip" : "flip first", "data-flip": flip.variable, "data-value": flip.value, "data-action": flip.action },
      make("span", {}, `${variable.name} at ${withUnit(flip.value, variable)}`), chip(flip.action),
      make("small", {}, `${figure(100 * flip.share, 2)} % of its range away${outside}`), go);
  });
  if (!lines.length) lines.push(make("p", { class: "note" }, "No single variable can change this action."));
  byId("flips").replaceChildren(...lines);
}

// Under each slider: the action along its whole length, all else as it is.
function paintTracks() {
  rows.forEach(({ seen }, j) => {
    const variable = data.states[j], parts = [], count = 120, tried = state.slice();
    if (!current.used[j]) return;
    let first = 0, before = null;
    for (let i = 0; i <= count; i += 1) {
      tried[j] = variable.from + ((variable.to - variable.from) * (i + 0.5)) / count;
      const action = i === count ? -1 : policy(tried);
      if (before !== null && action !== before) {
        parts.push(make("i", { style: `left:${(100 * first) / count}%;width:${(100 * (i - first)) / count}%;background:${data.actions[before].colour}` }));
        first = i;
      }
      before = action;
    }
    seen.replaceChildren(...parts);
  });
}

// The sliders of the shown policy, those of variables that it does not use folded away.
function showSliders() {
  const all = data.states.map(slider), place = byId("sliders");
  const used = all.filter((_, j) => current.used[j]), unused = all.filter((_, j) => !current.used[j]);
  place.replaceChildren(...used);
  if (unused.length) {
    const words = unused.length === 1 ? "1 variable that no rule uses" : `${unused.length} variables that no rule uses`;
    place.append(make("details", {}, make("summary", {}, words), ...unused));
  }
  refresh();
}

function startTrying() {
  byId("try-start").addEventListener("click", () => setState(data.states.map((variable) => variable.start)));
  byId("try-middle").addEventListener("click", () => setState(data.states.map(({ minimum, maximum }) => (minimum + maximum) / 2)));
  byId("try-random").addEventListener("click", () => setState(data.states.map(({ minimum, span }) => minimum + Math.random() * span)));
  unitListeners.push(showPath);
  whenPolicyChanges(showSliders);
}
