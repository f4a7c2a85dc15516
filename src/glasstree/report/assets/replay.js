// Recorded episodes side by side: play, pause, step, scrub.
const frames = { at: 0, playing: false, last: 0, start: 0 };
let films = [];
let views = [];

function decode(film) {
  if (film.rows) return film;
  const bytes = Uint8Array.from(atob(film.states), (letter) => letter.charCodeAt(0));
  const values = film.single ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
  const width = data.states.length;
  film.rows = film.actions.map((_, n) => Array.from(values.subarray(n * width, (n + 1) * width)));
  film.first = film.rows.map((row) => row[0]);
  return film;
}

function view(film) {
  const canvas = make("canvas", { role: "img", "aria-label": `${film.policy}: the scene` });
  const strip = make("canvas", { class: "strip", role: "img", "aria-label": `${film.policy}: the action at every step` });
  const trace = make("canvas", { class: "trace", role: "img", "aria-label": `${film.policy}: ${data.states[data.trace].name} at every step` });
  const now = make("div", { class: "now" });
  const ended = film.success === null ? "" : film.success ? ", success" : ", no success";
  const head = make("h3", {}, film.policy, make("small", {}, `reward ${grouped(film.reward)}, ${film.steps.toLocaleString("en")} steps${ended}`));
  strip.addEventListener("pointerdown", (event) => {
    seek(Math.floor((event.offsetX / strip.clientWidth) * longest()));
  });
  return { film, canvas, strip, trace, now, element: make("div", { class: "card" }, head, canvas, strip, trace, now) };
}

const longest = () => Math.max(...films.map((film) => film.steps));

function sized(canvas, height) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth || 320;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return [context, width, height];
}

// Which of a film's kept frames is shown now; thinned films have fewer than steps.
const frameOf = (film) => Math.min(Math.floor(frames.at / film.stride), film.rows.length - 1);

function heightOf(canvas) {
  const tall = { arm: 0.85, acrobot: 0.85, lander: 0.75, hill: 0.6, cartpole: 0.6, cars: 0.5 }[data.scene.kind];
  return Math.round(Math.min(380, (canvas.clientWidth || 320) * (tall || 0.6)));
}

function drawView({ film, canvas, strip, trace, now }) {
  const frame = frameOf(film), row = film.rows[frame], action = film.actions[frame];
  const draw = scenes[data.scene.kind] || scenes.generic;
  draw(...sized(canvas, heightOf(canvas)), row, action, film, frame);
  drawStrip(film, strip);
  drawTrace(film, trace);
  const shownStates = data.states.map((variable, j) => [variable, j]).slice(0, 12);
  const parts = shownStates.map(([variable, j]) => make("span", {}, `${variable.name} ${withUnit(row[j], variable)}`));
  const done = frames.at >= film.steps ? [make("span", {}, "ended")] : [];
  now.replaceChildren(chip(action), ...pathOf(film, row), ...done, ...parts);
}

// The rules that a tree's state met, as numbers.
function pathOf(film, row) {
  if (film.policy !== current.name) return [];
  const { steps } = walk(current.nodes, row);
  return steps.length ? [make("span", {}, steps.map(({ node, left }) => `rule ${node} ${left ? "yes" : "no"}`).join(" › "))] : [];
}

function drawStrip(film, strip) {
  const [context, width, height] = sized(strip, 34), step = (width * film.stride) / longest();
  film.actions.forEach((action, n) => {
    context.fillStyle = data.actions[action].colour;
    context.fillRect(n * step, 4, Math.max(step, 0.6), height - 8);
  });
  drawNow(context, film, width, height);
}

function drawNow(context, film, width, height) {
  context.fillStyle = style("--ink");
  context.fillRect(Math.min(width - 2, (Math.min(frames.at, film.steps - 1) * width) / longest()), 0, 2, height);
}

// The most telling variable over time, on one scale for all films.
function drawTrace(film, trace) {
  const [context, width, height] = sized(trace, 90), variable = data.states[data.trace];
  const values = films.flatMap(({ rows }) => rows.map((row) => row[data.trace]));
  const low = values.reduce((a, b) => Math.min(a, b)), span = values.reduce((a, b) => Math.max(a, b)) - low || 1;
  const points = film.rows.map((row, n) => [((n * film.stride) * width) / longest(), height - 22 - ((row[data.trace] - low) / span) * (height - 44)]);
  line(context, points, style("--accent"), 2);
  words(context, `${variable.name}: ${withUnit(low + span, variable)}`, 6, 14);
  words(context, withUnit(low, variable), 6, height - 6);
  drawNow(context, film, width, height);
}

function show() {
  views.forEach(drawView);
  byId("scrub").value = frames.at;
  byId("clock").textContent = `step ${frames.at + 1} of ${longest()}`;
}

function seek(step) {
  frames.at = Math.min(Math.max(0, step), longest() - 1);
  show();
}

function setPlaying(playing) {
  frames.playing = playing;
  byId("play").textContent = playing ? "Pause" : "Play";
  byId("play").setAttribute("aria-pressed", String(playing));
  if (!playing) return;
  if (frames.at >= longest() - 1) frames.at = 0;
  frames.last = performance.now();
  frames.part = 0;
  requestAnimationFrame(tick);
}

function tick(now) {
  if (!frames.playing) return;
  const rate = Math.max(data.scene.rate || 30, 10 * Math.max(...films.map((film) => film.stride)));
  frames.part += ((now - frames.last) / 1000) * rate * Number(byId("speed").value);
  frames.last = now;
  const whole = Math.floor(frames.part);
  if (whole > 0) {
    frames.part -= whole;
    seek(frames.at + whole);
    if (frames.at >= longest() - 1) return setPlaying(false);
  }
  requestAnimationFrame(tick);
}

function choose(number) {
  films = data.starts[number].filter(({ policy }) => policy === "oracle" || policy === current.name).map(decode);
  const stride = Math.max(...films.map((film) => film.stride));
  views = films.map(view);
  byId("stages").replaceChildren(...views.map(({ element }) => element));
  byId("scrub").max = longest() - 1;
  byId("thinned").hidden = stride === 1;
  byId("thinned").textContent = `Long episodes are thinned: one step in ${stride} is kept.`;
  seek(0);
}

function startReplay() {
  if (!data.starts.length) return;
  const select = byId("start");
  data.starts.forEach((_, number) => select.append(make("option", { value: number }, String(number + 1))));
  select.addEventListener("change", () => { setPlaying(false); choose(Number(select.value)); });
  byId("play").addEventListener("click", () => setPlaying(!frames.playing));
  byId("back").addEventListener("click", () => { setPlaying(false); seek(frames.at - 1); });
  byId("forward").addEventListener("click", () => { setPlaying(false); seek(frames.at + 1); });
  byId("scrub").addEventListener("input", () => { setPlaying(false); seek(Number(byId("scrub").value)); });
  byId("send").addEventListener("click", () => {
    const film = films[films.length - 1];
    setState(film.rows[frameOf(film)]);
    byId("try").scrollIntoView();
  });
  whenPolicyChanges(() => { setPlaying(false); choose(Number(select.value)); });
  new ResizeObserver(show).observe(byId("stages"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
}
