// One drawing a task: scene(context, width, height, state, action, film, frame).
const scenes = {};

function line(context, points, colour, width = 2) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineCap = context.lineJoin = "round";
  context.beginPath();
  points.forEach(([x, y], n) => (n ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.stroke();
}

function polygon(context, points, colour) {
  context.fillStyle = colour;
  context.beginPath();
  points.forEach(([x, y], n) => (n ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  context.fill();
}

function dot(context, x, y, radius, colour) {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function words(context, text, x, y, align = "left") {
  context.fillStyle = style("--soft");
  context.font = "12px system-ui, sans-serif";
  context.textAlign = align;
  context.fillText(text, x, y);
}

function arrow(context, x, y, dx, colour) {
  const tip = x + dx, head = Math.sign(dx) * 9;
  line(context, [[x, y], [tip - head / 2, y]], colour, 5);
  polygon(context, [[tip, y], [tip - head, y - 7], [tip - head, y + 7]], colour);
}

scenes.cartpole = (context, w, h, [x, , theta], action) => {
  const scale = w / 5.4, ground = h * 0.78, cx = w / 2 + x * scale, pole = h * 0.52;
  line(context, [[w / 2 - 2.4 * scale, ground + 17], [w / 2 + 2.4 * scale, ground + 17]], style("--ground"), 4);
  for (const end of [-2.4, 2.4]) line(context, [[w / 2 + end * scale, ground + 4], [w / 2 + end * scale, ground + 30]], style("--ground"), 3);
  polygon(context, [[cx - 30, ground - 12], [cx + 30, ground - 12], [cx + 30, ground + 8], [cx - 30, ground + 8]], style("--ink"));
  for (const wheel of [-18, 18]) dot(context, cx + wheel, ground + 11, 6, style("--soft"));
  line(context, [[cx, ground - 12], [cx + Math.sin(theta) * pole, ground - 12 - Math.cos(theta) * pole]], style("--lit"), 9);
  dot(context, cx, ground - 12, 5, style("--accent"));
  arrow(context, cx + (action ? 36 : -36), ground - 2, action ? 34 : -34, data.actions[action].colour);
};

// Positions on the road follow from the actions: the rear car starts at rest.
function drive(film) {
  if (film.road) return film.road;
  let speed = 0, place = 0;
  film.road = film.actions.map((action) => {
    const now = { place, speed };
    for (let i = 0; i < film.stride; i += 1) {
      place += 0.25 * speed;
      speed = Math.min(Math.max(speed + (action === 1 ? 0.25 : -0.25), 0), 32);
    }
    return now;
  });
  return film.road;
}

function car(context, nose, ground, colour) {
  polygon(context, [[nose - 46, ground - 8], [nose - 46, ground - 20], [nose, ground - 20], [nose, ground - 8]], colour);
  polygon(context, [[nose - 40, ground - 20], [nose - 33, ground - 31], [nose - 15, ground - 31], [nose - 8, ground - 20]], colour);
  for (const wheel of [-36, -10]) dot(context, nose + wheel, ground - 6, 6, style("--ink"));
}

scenes.cars = (context, w, h, [gap, relative], action, film, frame) => {
  const ground = h * 0.72, nose = 70, safe = data.scene.safe, furthest = Math.max(60, Math.ceil(Math.max(...film.first) / 15) * 15);
  const scale = (w - nose - 56) / furthest, { place, speed } = drive(film)[frame];
  context.fillStyle = style("--ground");
  context.fillRect(0, ground, w, 22);
  const shift = (place * scale) % 44;
  for (let x = -shift; x < w; x += 44) line(context, [[x, ground + 11], [x + 20, ground + 11]], style("--card"), 3);
  const wanted = nose + safe * scale;
  line(context, [[wanted, ground - 60], [wanted, ground]], "#009e73", 2);
  words(context, `${safe} m`, wanted, ground - 66, "center");
  car(context, nose, ground, style("--accent"));
  car(context, nose + gap * scale + 46, ground, style("--soft"));
  line(context, [[nose + 3, ground + 32], [nose + gap * scale, ground + 32]], style("--lit"), 3);
  words(context, `gap ${gap.toFixed(1)} m`, nose + 3, ground + 49);
  words(context, `${speed.toFixed(1)} m/s, the car ahead ${(speed + relative).toFixed(1)} m/s`, 10, 18);
  arrow(context, nose - 23, ground - 44, action ? 30 : -30, data.actions[action].colour);
};

scenes.hill = (context, w, h, [x], action) => {
  const across = (place) => ((place + 1.2) / 1.8) * (w - 24) + 12, up = (place) => h * 0.86 - (Math.sin(3 * place) * 0.45 + 0.45) * h * 0.62;
  const ridge = [];
  for (let i = 0; i <= 90; i += 1) ridge.push([across(-1.2 + (1.8 * i) / 90), up(-1.2 + (1.8 * i) / 90)]);
  polygon(context, [...ridge, [w - 12, h], [12, h]], style("--ground"));
  line(context, [[across(0.5), up(0.5)], [across(0.5), up(0.5) - 34]], style("--ink"), 2);
  polygon(context, [[across(0.5), up(0.5) - 34], [across(0.5) + 18, up(0.5) - 28], [across(0.5), up(0.5) - 22]], "#009e73");
  const cx = across(x), slope = Math.atan2(up(x + 0.01) - up(x - 0.01), across(x + 0.01) - across(x - 0.01));
  context.save();
  context.translate(cx, up(x));
  context.rotate(slope);
  car(context, 23, 0, style("--accent"));
  if (action !== 1) arrow(context, action ? 26 : -26, -16, action ? 30 : -30, data.actions[action].colour);
  else dot(context, 0, -42, 6, data.actions[1].colour);
  context.restore();
};
