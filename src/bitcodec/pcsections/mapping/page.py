"""The page around the rows of an instruction map: style and script."""

from __future__ import annotations

__all__ = ["FOOT", "HEAD"]

HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>TITLE: instruction map</title>
<style>
:root {
  color-scheme: light dark;
  --back: #fbfbfa; --raised: #ffffff; --text: #1d2129; --quiet: #6b7280; --line: #e4e4e0;
  --chip: #e7eefb; --chip-text: #1e4fa3; --mark: #ffe9a8; --mark-text: #5c4300; --bar: #b9d4f7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14161a; --raised: #1b1e24; --text: #dfe3ea; --quiet: #8b93a1; --line: #2c313a;
    --chip: #1f3150; --chip-text: #a9c8ff; --mark: #5b4a12; --mark-text: #ffe9a8; --bar: #2b4a78;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header { position: sticky; top: 0; z-index: 1; padding: .8rem 1.5rem; background: var(--raised);
  border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.15rem; overflow-wrap: anywhere; }
h2 { margin: 0; padding: .7rem 1rem; font-size: 1rem; overflow-wrap: anywhere; border-bottom: 1px solid var(--line); }
header p { margin: .1rem 0 .6rem; color: var(--quiet); }
small, output { color: var(--quiet); font-weight: normal; }
.tools { display: flex; flex-wrap: wrap; gap: .8rem; align-items: center; }
.tools input[type=search] { flex: 1 1 16rem; max-width: 32rem; padding: .4rem .7rem; color: inherit; font: inherit;
  background: var(--back); border: 1px solid var(--line); border-radius: .5rem; }
main { max-width: 100rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
section, .opcodes { margin: 0 0 1rem; background: var(--raised); border: 1px solid var(--line);
  border-radius: .6rem; overflow-x: auto; }
section { content-visibility: auto; contain-intrinsic-size: auto 30rem; }
summary { padding: .6rem 1rem; font-weight: 600; cursor: pointer; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .15rem 1rem; text-align: left; vertical-align: top; font-weight: normal; }
thead th { color: var(--quiet); font-size: .85rem; }
.opcodes td, .opcodes th { border-top: 1px solid var(--line); }
.opcodes tr:last-child { font-weight: 600; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
.bar { width: 16%; min-width: 6rem; }
.bar div { position: relative; }
.bar span { position: absolute; inset: .15rem auto .15rem 0; border-radius: .2rem; background: var(--bar); }
.bar b { position: relative; padding-left: .3rem; font-weight: inherit; font-size: .85rem; }
.opcodes a { color: inherit; }
code, .pc, .opcodes th a { font: 13px/1.6 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.ir td:first-child { width: 60%; padding-left: 2.2rem; }
.ir td:first-child code { white-space: pre-wrap; overflow-wrap: anywhere; }
.ir tbody tr:not(.block):hover { background: color-mix(in srgb, var(--chip) 40%, transparent); }
.block th { padding-top: .5rem; color: var(--quiet); font: 12px ui-monospace, monospace; }
.lost code { opacity: .45; }
.pc { display: inline-block; margin: 0 .3rem .1rem 0; padding: 0 .4rem; border-radius: .3rem; cursor: pointer;
  background: var(--chip); color: var(--chip-text); }
.pc.same, .pc.held { background: var(--mark); color: var(--mark-text); }
.pc.held { outline: 2px solid currentColor; }
tr.marked { background: color-mix(in srgb, var(--mark) 35%, transparent); }
[hidden] { display: none; }
</style>
</head>
<body>
"""

FOOT = """</main>
<script>
(() => {
  const byPC = new Map();
  for (const chip of document.querySelectorAll(".pc")) {
    const key = chip.dataset.pc;
    if (byPC.has(key)) byPC.get(key).push(chip); else byPC.set(key, [chip]);
  }
  const mark = (key, name, on) => {
    for (const chip of byPC.get(key) || []) {
      chip.classList.toggle(name, on);
      chip.closest("tr").classList.toggle("marked", chip.closest("tr").querySelector(".same, .held") !== null);
    }
  };
  const chipOf = (event) => event.target.closest && event.target.closest(".pc");
  const over = (on) => (event) => { const chip = chipOf(event); if (chip) mark(chip.dataset.pc, "same", on); };
  for (const name of ["mouseover", "focusin"]) document.addEventListener(name, over(true));
  for (const name of ["mouseout", "focusout"]) document.addEventListener(name, over(false));
  let held = null;
  const hold = (chip) => {
    const key = chip && chip.dataset.pc !== held ? chip.dataset.pc : null;
    if (held !== null) mark(held, "held", false);
    if (key !== null) mark(key, "held", true);
    held = key;
  };
  const filter = document.getElementById("filter"), lost = document.getElementById("lost");
  const count = document.getElementById("count");
  const rows = [...document.querySelectorAll(".ir tbody tr:not(.block)")].map((row) => ({
    row, text: row.firstElementChild.textContent.toLowerCase(),
    owner: "@" + row.closest("section").querySelector("h2").firstChild.textContent.trim().slice(1).toLowerCase(),
  }));
  const apply = () => {
    const wanted = filter.value.trim().toLowerCase();
    let shown = 0;
    for (const { row, text, owner } of rows) {
      const fits = wanted === "" || row.dataset.opcode === wanted ||
        (wanted.startsWith("@") && owner.startsWith(wanted)) || text.includes(wanted);
      row.hidden = !fits || (lost.checked && !row.classList.contains("lost"));
      shown += !row.hidden;
    }
    for (const part of document.querySelectorAll(".ir tbody, section"))
      part.hidden = !part.querySelector("tr:not(.block):not([hidden]):not(thead tr)");
    count.textContent = shown === rows.length ? "" : `${shown} of ${rows.length}`;
  };
  document.addEventListener("click", (event) => {
    const opcode = event.target.dataset && event.target.dataset.opcode;
    if (event.target.closest(".opcodes a")) {
      event.preventDefault();
      filter.value = opcode === "all" ? "" : opcode;
      apply();
    } else hold(chipOf(event));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hold(null);
    if (event.key === "Enter" && chipOf(event)) hold(chipOf(event));
  });
  filter.addEventListener("input", apply);
  lost.addEventListener("change", apply);
})();
</script>
</body>
</html>
"""
