// A field for every column; cells become variables, and the exported policy(state) answers.
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const DAY = 86400000;
const cells = new Map();

function field(column, place) {
  const id = `cell-${place}`, label = make("label", { for: id }, column.name);
  let input;
  if (column.kind === "category") {
    input = make("select", { id }, ...column.levels.map((level) => make("option", { value: level }, level)), make("option", { value: "" }, "unknown"));
  } else {
    const type = column.kind === "date" ? "date" : "number";
    input = make("input", { id, type, step: "any", value: column.start, placeholder: "unknown" });
  }
  input.addEventListener("input", refresh);
  cells.set(column.name, input);
  return make("div", { class: "slider" }, label, input);
}

// A part of a date, as the rules read it.
function partOf(text, part) {
  const moment = new Date(`${text.length === 10 ? `${text}T00:00` : text}Z`);
  if (part === "year") return moment.getUTCFullYear();
  if (part === "hour") return moment.getUTCHours();
  if (part === "month") return MONTHS[moment.getUTCMonth()];
  if (part === "weekday") return WEEKDAYS[(moment.getUTCDay() + 6) % 7];
  return moment.getTime() / DAY;
}

function variable(source) {
  const text = cells.get(source.column).value, isDate = source.part || source.kind === "date";
  if (text === "") return source.unknown;
  const value = isDate ? partOf(text, source.part) : text;
  return source.kind === "set" ? Number(source.levels.includes(value)) : Number(value);
}

function refresh() {
  const state = data.sources.map(variable), action = policy(state), { name, colour, ink } = data.actions[action];
  const told = byId("decision");
  told.textContent = name;
  told.dataset.action = action;
  told.style.cssText = `background:${colour};color:${ink}`;
  const { steps, leaf } = walk(current.nodes, state), counts = current.nodes[leaf].counts;
  const total = counts.reduce((sum, count) => sum + count, 0);
  byId("share").textContent = total ? `${figure((100 * counts[action]) / total, 3)} % of the training rows that came to its leaf` : "";
  byId("path").replaceChildren(...steps.map(({ node, left }) => make("div", { class: "step" }, typeset(current.nodes[node].html.original), make("small", {}, left ? "it holds" : "it does not hold"))));
  announce(state);
}

// A wrong row of the page, put into the fields.
function takeRow(row) {
  row.querySelectorAll("td[data-column]").forEach((cell) => {
    cells.get(cell.dataset.column).value = cell.dataset.cell === "unknown" ? "" : cell.dataset.cell;
  });
  refresh();
  byId("try").scrollIntoView();
}

startTree();
byId("cells").append(...data.columns.map(field));
document.querySelectorAll("#wrong button").forEach((button) => button.addEventListener("click", () => takeRow(button.closest("tr"))));
showPolicy(chosen);
refresh();
