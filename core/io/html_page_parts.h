#pragma once

#include <string_view>

/// The fixed parts of the page, in their order; between them come title, title, summary and data.
namespace stowage::html_page {

inline constexpr std::string_view kHead = R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>)html";

inline constexpr std::string_view kBody = R"html(</title>
<style>
:root{--ink:#1d2330;--paper:#fff;--line:#c9ced8;--soft:#5b6474;--mark:#d6336c}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ef;--paper:#15181e;--line:#3a404c;--soft:#98a1b0;--mark:#ff6b9d}}
*{box-sizing:border-box}
body{margin:0;height:100vh;display:flex;flex-direction:column;font:14px/1.4 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
header{padding:10px 14px;display:flex;gap:12px;align-items:baseline;flex-wrap:wrap;border-bottom:1px solid var(--line)}
h1{font-size:16px;margin:0}
#summary,#count,#hint{color:var(--soft)}
input,select,button{font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:4px;padding:3px 7px}
#chart{flex:1;min-height:0;width:100%;cursor:grab;touch-action:none}
#chart rect.b{stroke:var(--paper);stroke-width:.6;vector-effect:non-scaling-stroke}
#chart rect.off{opacity:.18}
#chart rect.on{stroke:var(--mark);stroke-width:2}
#chart text{fill:var(--soft);font-size:11px}
#chart text.n{fill:#10141c;pointer-events:none}
#chart line{stroke:var(--line)}
#chart rect.now{stroke:var(--mark);stroke-width:2.5}
#chart rect.tried{fill:none;stroke:var(--mark);stroke-width:1.5;stroke-dasharray:5 4;pointer-events:none}
#player{display:flex;gap:8px;align-items:center;padding:8px 14px;border-top:1px solid var(--line)}
#player[hidden]{display:none}
#step{flex:1;min-width:80px;padding:0}
#caption{padding:0 14px 10px;min-height:2.6em}
#tip{position:fixed;pointer-events:none;background:var(--paper);border:1px solid var(--line);border-radius:4px;padding:6px 9px;white-space:pre;display:none;box-shadow:0 2px 10px #0004;max-width:60vw;overflow:hidden}
</style></head><body>
<header><h1>)html";

inline constexpr std::string_view kSummary = R"html(</h1><span id="summary">)html";

inline constexpr std::string_view kChart = R"html(</span>
<select id="space" aria-label="Space"></select>
<input id="find" type="search" placeholder="Find a buffer" aria-label="Find a buffer"><span id="count"></span>
<button id="fit">Fit</button><span id="hint">wheel zooms, Shift+wheel in time only, Alt+wheel in addresses only, drag moves</span></header>
<svg id="chart" role="img" aria-label="Buffers by time and address"></svg>
<div id="player" hidden><button id="first" aria-label="First step">|&lt;</button><button id="back" aria-label="Step back">&lt;</button><button id="play">Play</button><button id="on" aria-label="Step">&gt;</button><button id="last" aria-label="Last step">&gt;|</button>
<input id="step" type="range" min="0" aria-label="Step"><span id="where"></span></div><div id="caption" hidden aria-live="polite"></div><div id="tip"></div>
<script id="data" type="application/json">)html";

inline constexpr std::string_view kScript = R"html(</script>
<script>
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const svg = document.getElementById("chart"), tip = document.getElementById("tip");
const find = document.getElementById("find"), spaces = document.getElementById("space");
const ns = "http://www.w3.org/2000/svg", left = 76, right = 18, bottom = 42;
const colours = ["#6ea8fe", "#ffb86b", "#63c7a7", "#f78c8c", "#b79cf5", "#e3d26f", "#7fd1e8", "#d8a7c8"];
const bytes = n => { let u = 0, v = n; const w = ["B", "KiB", "MiB", "GiB", "TiB"]; while (Math.abs(v) >= 1024 && u < 4) { v /= 1024; ++u; }
  return (u ? +v.toFixed(2) : v) + " " + w[u]; };
let view, shown = [];
// The player: after `position` steps the buffers lie at `offsets`; null: not placed yet. Without steps, the plan.
const steps = data.steps || [], part = id => document.getElementById(id);
let position = steps.length, offsets = data.buffers.map(b => b[3]), playing = 0;
data.buffers.forEach((b, row) => { b.row = row; });
const at = b => offsets[b.row];
const used = new Set(data.buffers.map(b => b[5]));
data.spaces.forEach((name, i) => { if (used.has(i)) spaces.add(new Option(name, i)); });
spaces.hidden = spaces.options.length < 2;
const rows = () => data.buffers.filter(b => b[5] === Number(spaces.value));
function fit() {
  const all = rows();
  view = { t0: Infinity, t1: -Infinity, a0: 0, a1: 1 };
  for (const s of steps) if (s[0] === "place" && s[1] >= 0 && data.buffers[s[1]][5] === Number(spaces.value)) view.a1 = Math.max(view.a1, s[2] + data.buffers[s[1]][4]);
  for (const b of all) { view.t0 = Math.min(view.t0, b[1]); view.t1 = Math.max(view.t1, b[2]); view.a1 = Math.max(view.a1, b[3] + b[4]); }
  if (!(view.t1 > view.t0)) { view.t0 = 0; view.t1 = 1; }
  view.a1 *= 1.03;
  draw();
}
const width = () => Math.max(svg.clientWidth - left - right, 1), height = () => Math.max(svg.clientHeight - bottom, 1);
const px = t => left + (t - view.t0) / (view.t1 - view.t0) * width();
const py = a => height() - (a - view.a0) / (view.a1 - view.a0) * height();
function add(name, attributes, text) {
  const e = document.createElementNS(ns, name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (text !== undefined) e.textContent = text;
  svg.appendChild(e);
  return e;
}
function ticks(low, high, count) {
  const raw = (high - low) / count, power = Math.pow(10, Math.floor(Math.log10(raw)));
  return multiples(low, high, Math.max(1, power * [1, 2, 5, 10].find(m => m * power >= raw)));
}
// Bytes are read in powers of two.
function byteTicks(low, high, count) {
  return multiples(low, high, Math.max(1, Math.pow(2, Math.ceil(Math.log2((high - low) / count)))));
}
function multiples(low, high, step) {
  const list = [];
  for (let v = Math.ceil(low / step) * step; v <= high; v += step) list.push(v);
  return list;
}
function draw() {
  svg.replaceChildren();
  const word = find.value.toLowerCase();
  let hits = 0;
  shown = [];
  const now = position > 0 && position < steps.length ? steps[position - 1] : null;
  for (const b of rows()) {
    const hit = word && (b[0] + " " + data.kinds[b[6]] + " " + b[7] + " " + b[8]).toLowerCase().includes(word);
    if (hit) ++hits;
    if (at(b) === null || b[2] < view.t0 || b[1] > view.t1 || at(b) > view.a1 || at(b) + b[4] < view.a0) continue;
    const x0 = Math.max(px(b[1]), left), x1 = Math.min(px(b[2]), left + width()), y0 = Math.max(py(at(b) + b[4]), 0), y1 = Math.min(py(at(b)), height());
    const e = add("rect", { class: "b" + (word ? hit ? " on" : " off" : "") + (now && now[1] === b.row ? " now" : ""), x: x0, y: y0, width: Math.max(x1 - x0, .7), height: Math.max(y1 - y0, .7), fill: colours[b[6] % colours.length] });
    shown.push(b);
    e.buffer = b;
    if (x1 - x0 > 34 && y1 - y0 > 13) {
      const letters = Math.floor((x1 - x0 - 6) / 6.6);
      add("text", { class: "n", x: x0 + 4, y: (y0 + y1) / 2 + 4 }, b[0].length > letters ? b[0].slice(0, Math.max(letters - 1, 1)) + "\u2026" : b[0]);
    }
  }
  if (now && now[0] === "reject" && now[1] >= 0) {
    const b = data.buffers[now[1]];
    if (b[5] === Number(spaces.value)) add("rect", { class: "tried", x: px(b[1]), y: py(now[2] + b[4]), width: Math.max(px(b[2]) - px(b[1]), 1), height: Math.max(py(now[2]) - py(now[2] + b[4]), 1) });
  }
  document.getElementById("count").textContent = word ? hits + " found" : "";
  add("line", { x1: left, y1: 0, x2: left, y2: height() });
  add("line", { x1: left, y1: height(), x2: left + width(), y2: height() });
  for (const t of ticks(view.t0, view.t1, width() / 90)) add("text", { x: px(t), y: height() + 15, "text-anchor": "middle" }, t);
  for (const a of byteTicks(view.a0, view.a1, height() / 50)) add("text", { x: left - 6, y: Math.max(py(a) + 4, 11), "text-anchor": "end" }, bytes(a));
  add("text", { x: left + width(), y: height() + 33, "text-anchor": "end" }, "time in " + data.unit + "s, addresses upwards");
}
svg.addEventListener("wheel", e => {
  e.preventDefault();
  const f = Math.exp(e.deltaY * .0015), box = svg.getBoundingClientRect();
  const t = view.t0 + (e.clientX - box.left - left) / width() * (view.t1 - view.t0), a = view.a0 + (height() - e.clientY + box.top) / height() * (view.a1 - view.a0);
  if (!e.altKey) { view.t0 = t + (view.t0 - t) * f; view.t1 = t + (view.t1 - t) * f; }
  if (!e.shiftKey) { view.a0 = a + (view.a0 - a) * f; view.a1 = a + (view.a1 - a) * f; }
  draw();
}, { passive: false });
let drag = null;
svg.addEventListener("pointerdown", e => { drag = { x: e.clientX, y: e.clientY, view: { ...view } }; svg.setPointerCapture(e.pointerId); });
svg.addEventListener("pointerup", () => { drag = null; });
svg.addEventListener("pointermove", e => {
  if (drag) {
    const dt = (drag.x - e.clientX) / width() * (drag.view.t1 - drag.view.t0), da = (e.clientY - drag.y) / height() * (drag.view.a1 - drag.view.a0);
    view = { t0: drag.view.t0 + dt, t1: drag.view.t1 + dt, a0: drag.view.a0 + da, a1: drag.view.a1 + da };
    tip.style.display = "none";
    return draw();
  }
  const b = document.elementFromPoint(e.clientX, e.clientY)?.buffer;
  tip.style.display = b ? "block" : "none";
  if (!b) return;
  tip.textContent = b[0] + "\n" + b[4].toLocaleString("en") + " B at " + at(b).toLocaleString("en") + "\nlive in [" + b[1] + ", " + b[2] + ")"
    + (data.kinds[b[6]] ? "\n" + data.kinds[b[6]] : "") + (b[7] ? "\n" + b[7] : "") + (b[8] ? "\n" + b[8] : "");
  tip.style.left = Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 8) + "px";
  tip.style.top = Math.min(e.clientY + 14, innerHeight - tip.offsetHeight - 8) + "px";
});
svg.addEventListener("pointerleave", () => { tip.style.display = "none"; });
function seek(to) {
  to = Math.min(Math.max(to, 0), steps.length);
  if (to < position) { position = 0; offsets = data.buffers.map(() => null); }
  for (; position < to; ++position) {
    const [op, row, offset] = steps[position];
    if (row >= 0 && op === "place") offsets[row] = offset;
    if (row >= 0 && op === "unplace") offsets[row] = null;
  }
  if (position === steps.length) { offsets = data.buffers.map(b => b[3]); play(false); }
  part("step").value = position;
  part("where").textContent = position.toLocaleString("en") + " of " + steps.length.toLocaleString("en");
  part("caption").textContent = position > 0 ? steps[position - 1][3] : "Nothing is placed yet.";
  draw();
}
function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => seek(position + Math.max(1, Math.round(steps.length / 2000))), 120) : 0;
  part("play").textContent = on ? "Pause" : "Play";
}
const toggle = () => { if (!playing && position === steps.length) seek(0); play(!playing); };
if (data.steps) {
  part("player").hidden = part("caption").hidden = false;
  part("step").max = steps.length;
  part("step").addEventListener("input", e => { play(false); seek(Number(e.target.value)); });
  const keys = { first: () => 0, back: () => position - 1, on: () => position + 1, last: () => steps.length };
  for (const id in keys) part(id).addEventListener("click", () => { play(false); seek(keys[id]()); });
  part("play").addEventListener("click", toggle);
  addEventListener("keydown", e => {
    if (e.target !== document.body) return;
    if (e.key === " ") { e.preventDefault(); toggle(); }
    if (e.key === "ArrowRight") { play(false); seek(position + 1); }
    if (e.key === "ArrowLeft") { play(false); seek(position - 1); }
  });
}
find.addEventListener("input", draw);
spaces.addEventListener("change", fit);
document.getElementById("fit").addEventListener("click", fit);
addEventListener("resize", draw);
fit();
if (data.steps) seek(0);
</script></body></html>
)html";

}  // namespace stowage::html_page
