// Scenes of landers, arms, and of anything else.
scenes.lander = (context, w, h, [x, y, , , angle, , left, right], action) => {
  const scale = Math.min(w / 2.6, (h - 60) / 1.6), ground = h - 26, cx = w / 2 + x * scale, cy = ground - 20 - y * scale;
  context.fillStyle = style("--ground");
  context.fillRect(0, ground, w, h - ground);
  for (const flag of [-0.2, 0.2]) {
    const fx = w / 2 + flag * scale;
    line(context, [[fx, ground], [fx, ground - 28]], style("--ink"), 2);
    polygon(context, [[fx, ground - 28], [fx + 14, ground - 23], [fx, ground - 18]], "#009e73");
  }
  context.save();
  context.translate(cx, Math.max(14, cy));
  if (cy < 14) words(context, `${(y).toFixed(1)} up`, 24, 4);
  context.rotate(-angle);
  const flame = data.actions[action].colour;
  if (action === 2) polygon(context, [[-8, 12], [8, 12], [0, 40]], flame);
  if (action === 1) polygon(context, [[-17, -6], [-17, 4], [-38, -1]], flame);
  if (action === 3) polygon(context, [[17, -6], [17, 4], [38, -1]], flame);
  polygon(context, [[-14, -14], [14, -14], [18, 0], [18, 10], [-18, 10], [-18, 0]], style("--accent"));
  line(context, [[-14, 8], [-23, 20]], left ? style("--lit") : style("--ink"), 4);
  line(context, [[14, 8], [23, 20]], right ? style("--lit") : style("--ink"), 4);
  context.restore();
};

// Joints from angles that add up, hanging down at zero; side says where a positive angle goes.
function chain(context, w, h, angles, height, motors, action, side) {
  const n = angles.length, scale = Math.min(w, h - 10) / (2 * n + 0.8), cx = w / 2, cy = h / 2;
  const goal = cy - height * scale, points = [[cx, cy]];
  let total = 0;
  angles.forEach((angle) => {
    total += angle;
    const [x, y] = points[points.length - 1];
    points.push([x + side * Math.sin(total) * scale, y + Math.cos(total) * scale]);
  });
  context.setLineDash([7, 5]);
  line(context, [[12, goal], [w - 12, goal]], "#009e73", 2);
  context.setLineDash([]);
  words(context, "to reach", w - 14, goal - 6, "right");
  line(context, points, style("--accent"), Math.max(5, 10 - n / 2));
  const colour = data.actions[action].colour;
  points.slice(0, -1).forEach(([x, y], joint) => {
    if (motors.includes(joint)) dot(context, x, y, 9, style("--ink"));
    dot(context, x, y, motors.includes(joint) ? 7 : 4, motors.includes(joint) ? colour : style("--ink"));
  });
  const [x, y] = points[n];
  dot(context, x, y, 6, y <= goal ? "#009e73" : "#d55e00");
}

scenes.arm = (context, w, h, state, action) => {
  const { links, height, motors } = data.scene;
  chain(context, w, h, state.slice(0, links), height, motors, action, -1);
};

scenes.acrobot = (context, w, h, [cos1, sin1, cos2, sin2], action) => {
  chain(context, w, h, [Math.atan2(sin1, cos1), Math.atan2(sin2, cos2)], 1, [1], action, 1);
};

// Any task: each variable as a needle over the range that was seen.
scenes.generic = (context, w, h, state) => {
  const count = Math.min(state.length, 12), rise = (h - 16) / count, left = Math.min(130, w * 0.34);
  for (let j = 0; j < count; j += 1) {
    const variable = data.states[j], y = 8 + rise * (j + 0.5), width = w - left - 20;
    const name = variable.name.length > 16 ? `${variable.name.slice(0, 15)}…` : variable.name;
    words(context, name, left - 10, y + 4, "right");
    line(context, [[left, y], [left + width, y]], style("--ground"), 5);
    const share = variable.span ? (state[j] - variable.minimum) / variable.span : 0.5;
    dot(context, left + width * Math.min(Math.max(share, 0), 1), y, 6, style("--lit"));
  }
};
