"use strict";
// What every part of the page shares: the data, a way to make elements, and the shown state.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

// Make an element; text always enters as text, never as markup.
function make(tag, attributes = {}, ...children) {
  const drawn = attributes.svg === true;
  const element = drawn ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "svg" || value === null || value === undefined || value === false) continue;
    if (name === "style") element.style.cssText = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

function svg(tag, attributes, ...children) {
  return make(tag, { ...attributes, svg: true }, ...children);
}

function chip(action) {
  const { name, colour, ink } = data.actions[action];
  return make("span", { class: "chip", style: `background:${colour};color:${ink}` }, name);
}

// Formulas are typeset by glasstree, which escapes every name in them.
function typeset(html) {
  const holder = make("span", { class: "rule" });
  holder.innerHTML = html;
  return holder;
}

function units() {
  return document.documentElement.dataset.units;
}

// A number in few digits: four that count, and no needless zeros.
function figure(value, digits = 4) {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return value.toExponential(digits - 2).replace("-", "−");
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

function grouped(value) {
  return value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 1000 ? 2 : 0 }).replace("-", "−");
}

// As many digits as tell the values of a variable apart.
function ofVariable(value, variable) {
  const span = variable.span || Math.max(1, Math.abs(value));
  const places = Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(span))));
  const text = value.toFixed(places);
  return (places ? text.replace(/\.?0+$/, "") : text).replace(/^-0$/, "0").replace("-", "−");
}

function withUnit(value, variable) {
  return ofVariable(value, variable) + (variable.unit ? ` ${variable.unit}` : "");
}

// Listeners of what the page shows: one state, and what was made of it.
const listeners = [];
function whenStateChanges(listener) {
  listeners.push(listener);
}
function announce(state) {
  for (const listener of listeners) listener(state);
}
const unitListeners = [];
document.querySelectorAll("input[name=units]").forEach((input) =>
  input.addEventListener("change", () => {
    document.documentElement.dataset.units = input.value;
    unitListeners.forEach((listener) => listener());
  }));

function style(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
