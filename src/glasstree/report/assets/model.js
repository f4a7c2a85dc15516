// The path of a state through a tree, and the nearest change of mind.
// The action itself always comes from the exported policy(state).

function normalised(state) {
  return state.map((value, j) => {
    if (current.span[j] === 0) return 1;
    const inner = 1 + (value - current.minimum[j]) / current.span[j];
    return Math.min(Math.max(inner, data.clip[0]), data.clip[1]);
  });
}

function power(base, exponent) {
  let product = 1;
  for (let i = 0; i < Math.abs(exponent); i += 1) product *= base;
  return exponent < 0 ? 1 / product : product;
}

// The value of a rule, added up in the order of every export.
function ruleValue(node, variables) {
  let total = 0;
  node.exponents.forEach((row, term) => {
    let product = 1;
    row.forEach((exponent, j) => {
      if (exponent !== 0) product *= power(variables[j], exponent);
    });
    total += node.weights[term] * product;
  });
  total += node.bias;
  return node.width === null ? total : Math.abs(total) - node.width;
}

// [{node, value, left}] for each rule on the way, then {leaf}.
function walk(nodes, state) {
  const scaled = normalised(state);
  const steps = [];
  let at = 0;
  while (nodes[at].left !== undefined) {
    const value = ruleValue(nodes[at], nodes[at].raw ? state : scaled);
    const left = value <= 0;
    steps.push({ node: at, value, left });
    at = left ? nodes[at].left : nodes[at].right;
  }
  return { steps, leaf: at };
}

// What a power of one variable can be over the range that was seen, as a rule reads it.
function powerEnds(node, j, exponent) {
  const [low, high] = ["minimum", "maximum"].map((end) => {
    const seen = data.states.map((variable) => variable[end]);
    return (node.raw ? seen : normalised(seen))[j];
  });
  const ends = [power(low, exponent), power(high, exponent)];
  return exponent % 2 === 0 && low < 0 && high > 0 ? [...ends, 0] : ends;
}

// How far a rule's value can go over the range that was seen, from its corners' bounds.
function reach(node) {
  let low = 0, high = 0;
  node.exponents.forEach((row, term) => {
    let ends = [node.weights[term]];
    row.forEach((exponent, j) => {
      if (exponent === 0) return;
      const reached = powerEnds(node, j, exponent).flatMap((end) => ends.map((other) => end * other));
      ends = [Math.min(...reached), Math.max(...reached)];
    });
    low += Math.min(...ends);
    high += Math.max(...ends);
  });
  return Math.max(Math.abs(low + node.bias), Math.abs(high + node.bias), 1e-9);
}

const GRID = 600;

// The nearest value of one variable at which policy(state) answers otherwise, or null.
function nearestFlip(state, j) {
  const { minimum, span } = data.states[j];
  if (span === 0) return null;
  const action = policy(state);
  const low = Math.min(minimum + (data.clip[0] - 1) * span, state[j]);
  const high = Math.max(minimum + (data.clip[1] - 1) * span, state[j]);
  const tried = state.slice();
  const acts = (value) => {
    tried[j] = value;
    return policy(tried);
  };
  let best = null;
  for (const sign of [1, -1]) {
    let same = state[j];
    for (let i = 1; i <= GRID; i += 1) {
      const value = Math.min(Math.max(state[j] + (sign * i * (high - low)) / GRID, low), high);
      if (value === same) break;
      if (acts(value) !== action) {
        const found = bisect(acts, action, same, value);
        const change = Math.abs(found - state[j]);
        if (best === null || change < best.change) {
          best = { variable: j, value: found, change, share: change / span, action: acts(found) };
        }
        break;
      }
      same = value;
    }
  }
  return best;
}

function bisect(acts, action, same, other) {
  for (let i = 0; i < 100; i += 1) {
    const middle = same / 2 + other / 2;
    if (middle === same || middle === other) break;
    if (acts(middle) === action) same = middle;
    else other = middle;
  }
  return other;
}

function flips(state) {
  const found = data.states.map((_, j) => (current.used[j] ? nearestFlip(state, j) : null));
  return found.filter((flip) => flip !== null).sort((a, b) => a.share - b.share);
}
