// The views and what switches between them.

const overview = () => {
  const groups = new Map();
  for (const each of functions) if (each.group) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  const wasted = [...groups.values()].reduce((sum, group) => sum + group.slice(1).reduce((bits, each) => bits + each.bits, 0), 0);
  const code = functions.reduce((sum, each) => sum + each.instructions, 0) + smaller.instructions;
  const cards = [
    [size(data.bits), `in ${count(data.files.length)} file${data.files.length === 1 ? "" : "s"}`, exact(data.bits)],
    [count(data.modules.length), `module${data.modules.length === 1 ? "" : "s"}`],
    [count(functions.length + smaller.count), "functions"], [count(code), "instructions"],
    [count(data.modules.reduce((sum, each) => sum + each.variables, 0)), "global variables"], [size(wasted), "in duplicated functions", exact(wasted)],
  ];
  const sums = new Map();
  const add = ([name, color], bits) => sums.set(name, { name, color, bits: (sums.get(name)?.bits ?? 0) + bits });
  const walk = (each) => (each.children.length ? each.children.forEach(walk) : add(each.kind, each.bits));
  data.blocks.forEach((block) => walk(blockNode(block)));
  const mix = [...sums.values()].filter((each) => each.bits).sort((a, b) => b.bits - a.bits);
  const errors = data.files.flatMap((file) => file.errors.map((error) => `${text(file.name)}: ${error}`));
  return [
    element("div", { class: "cards" }, cards.map(([value, label, title]) => element("div", { class: "card", title }, element("b", {}, value), element("span", {}, label)))),
    element("div", { class: "panel" },
      element("div", { class: "mix", role: "img", "aria-label": "Sizes by kind of content" }, mix.map((each) => element("div", { class: `fill ${each.color}`, title: `${each.name}: ${exact(each.bits)}`, style: { "flex-grow": String(each.bits) } }))),
      element("ul", { class: "legend" }, mix.map((each) => element("li", { title: exact(each.bits) }, element("i", { class: `fill ${each.color}` }), each.name, " ", element("span", {}, `${size(each.bits)}, ${percent(each.bits, data.bits)}`))))),
    errors.length ? panel("Could not be read", element("ul", {}, errors.map((error) => element("li", { class: "error" }, error)))) : null,
  ].filter(Boolean);
};

let treeName = "Content", treemap = null;
const treemapView = () => {
  treemap?.observer.disconnect();
  treemap = new Treemap(TREES[treeName](), showFunction);
  return panel("", element("div", { class: "tools" }, choice(Object.keys(TREES), treeName, (name) => { treeName = name; show("Treemap"); }), treemap.crumbs), treemap.map,
    element("p", { class: "hint" }, "Click or ", element("kbd", {}, "Enter"), " opens a group or function, ", element("kbd", {}, "Esc"), " goes back, arrow keys move. All sizes add up to the size of the files."));
};

const duplicatesView = () => {
  const groups = new Map();
  for (const each of functions) if (each.group) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  const rows = [...groups.values()].map((group) => ({ group, bits: group.slice(1).reduce((sum, each) => sum + each.bits, 0), total: group.reduce((sum, each) => sum + each.bits, 0) }));
  const table = new Table([
    { title: "Functions", value: (row) => row.group[0].shown, cell: (row) => cell([...row.group.slice(0, 8).map((each) => element("div", {}, link(each.shown, () => showFunction(each)),
      data.modules.length > 1 ? element("span", { class: "sub" }, each.module.name) : null)), row.group.length > 8 ? element("span", { class: "sub" }, `and ${count(row.group.length - 8)} more`) : null], "name") },
    numeric("Copies", (row) => row.group.length), sizeColumn((row) => row.bits, "Saved by one copy"), share(), sizeColumn((row) => row.total, "All copies"),
    numeric("Instructions", (row) => row.group[0].instructions, count, { class: "minor" }),
  ], rows, { order: 2, matches: (row, word) => row.group.some((each) => functionMatches(each, word)), empty: "No two functions are the same." });
  tables.push(table);
  return panel("", element("p", { class: "hint" }, "Functions with the same instructions, types and constants, and the same callees. Names, attributes, metadata and debug information do not count."), table.element);
};

const instructionsView = () => {
  const total = data.opcodes.reduce((sum, [, occurrences]) => sum + occurrences, 0), most = data.opcodes[0]?.[1] ?? 1;
  const table = new Table([
    { title: "Opcode", value: ([name]) => name, cell: ([name]) => cell(element("code", {}, name)) },
    numeric("Instructions", ([, occurrences]) => occurrences), numeric("Share", ([, occurrences]) => occurrences, (occurrences) => percent(occurrences, total)),
    { title: "", class: "bar", cell: ([, occurrences]) => bar(occurrences, most) },
  ], data.opcodes, { order: 1, matches: ([name], word) => name.includes(word), empty: "There are no instructions." });
  tables.push(table);
  return panel("", table.element);
};

const blocksView = () => {
  const rows = [];
  const walk = (each, path) => {
    const own = [...path, each.name];
    if (!each.children.length) rows.push({ path: own, bits: each.bits, count: each.count, color: each.kind[1] });
    each.children.forEach((child) => walk(child, own));
  };
  data.blocks.forEach((block) => walk(blockNode(block), []));
  const most = Math.max(1, ...rows.map((row) => row.bits));
  const table = new Table([
    { title: "Records", value: (row) => row.path.join(" > "), cell: (row) => cell([element("code", {}, row.path.at(-1)), row.path.length > 1 ? element("span", { class: "sub code" }, row.path.slice(0, -1).join(" › ")) : null], "name") },
    sizeColumn(), { title: "", class: "bar", cell: (row) => bar(row.bits, most, row.color) }, numeric("Of all", (row) => row.bits, (bits) => percent(bits, data.bits)),
    numeric("Count", (row) => row.count), numeric("Bits each", (row) => row.bits / row.count, (bits) => count(Math.round(bits * 10) / 10), { class: "minor" }),
  ], rows, { order: 1, matches: (row, word) => row.path.join(" ").toLowerCase().includes(word) });
  tables.push(table);
  return panel("", table.element);
};

const modulesView = () => {
  const flags = new Map();
  for (const module of data.modules) for (const [key, value] of module.flags) {
    const values = flags.get(text(key)) ?? flags.set(text(key), new Map()).get(text(key));
    values.set(text(value), (values.get(text(value)) ?? 0) + 1);
  }
  const tally = (key) => [...data.modules.reduce((sums, module) => sums.set(text(module[key]), (sums.get(text(module[key])) ?? 0) + 1), new Map())].sort((a, b) => b[1] - a[1]);
  const list = (title, rows) => panel(title, element("table", {}, element("tbody", {}, rows.map(([name, modules]) => element("tr", {}, cell(element("code", {}, name || "unknown")), cell(`${count(modules)} module${modules === 1 ? "" : "s"}`, "n"))))));
  const flagRows = [...flags].map(([key, values]) => element("tr", {}, cell(element("code", {}, key), "key"), cell([...values].map(([value, modules]) => element("div", {}, element("code", {}, value), data.modules.length > 1 ? element("span", { class: "quiet" }, `  ${count(modules)}×`) : null)))));
  const table = new Table([
    { title: "Module", value: (each) => each.name, cell: (each) => cell([element("span", { class: "code" }, each.name), each.source !== each.name ? element("span", { class: "sub" }, each.source) : null], "name") },
    sizeColumn((each) => each.bits), numeric("Functions", (each) => each.functions), numeric("Declarations", (each) => each.declarations, count, { class: "minor" }), numeric("Variables", (each) => each.variables, count, { class: "minor" }),
    { title: "Producer", value: (each) => text(each.producer), class: "minor", cell: (each) => cell(text(each.producer), "minor") }, { title: "Target", value: (each) => text(each.triple), class: "minor", cell: (each) => cell(text(each.triple), "minor") },
  ], data.modules, { order: 1, matches: (each, word) => `${each.name} ${each.source} ${text(each.producer)} ${text(each.triple)}`.toLowerCase().includes(word), empty: "There is no LLVM IR in these files." });
  tables.push(table);
  return element("div", {}, element("div", { class: "columns" }, list("Producers", tally("producer")), list("Targets", tally("triple"))),
    panel("Module flags", flagRows.length ? element("table", {}, element("tbody", {}, flagRows)) : element("p", { class: "quiet" }, "No module has flags.")), panel("Modules", table.element));
};

const sectionsView = () => {
  const rows = functions.flatMap((each) => each.sections.map(([name, requests]) => ({ each, name, requests })));
  const table = new Table([
    { title: "Section", value: (row) => row.name, cell: (row) => cell(element("code", {}, row.name)) },
    { title: "Function", value: (row) => row.each.shown, cell: (row) => cell(functionName(row.each), "name") }, numeric("Requests", (row) => row.requests),
  ], rows, { order: 2, matches: (row, word) => row.name.toLowerCase().includes(word) || row.each.key.includes(word), empty: "No function requests a PC section." });
  tables.push(table);
  return panel("", table.element);
};

const growthView = () => {
  const { total: [before, after], ...lists } = data.comparison;
  const signed = (bits) => element("span", { class: bits > 0 ? "grown" : "shrunk" }, bits > 0 ? `+${size(bits)}` : size(bits));
  const shown = (bits) => (bits === null ? "" : size(bits));
  const change = (row) => (row[2] ?? 0) - (row[1] ?? 0);
  const one = (title, rows) => {
    const most = Math.max(1, ...rows.map((row) => Math.abs(change(row))));
    const table = new Table([
      { title: "Name", value: ([name]) => name, cell: ([name, old, now]) => cell([element("span", { class: "code" }, name), old === null || now === null ? element("span", { class: "sub" }, old === null ? "new" : "gone") : null], "name") },
      { title: "Change", value: (row) => Math.abs(change(row)), isNumber: true, class: "n", cell: (row) => element("td", { class: "n", title: exact(change(row)) }, signed(change(row))) },
      { title: "", class: "bar", cell: (row) => bar(Math.abs(change(row)), most, change(row) > 0 ? "h11" : "h2") },
      { title: "Before", value: (row) => row[1] ?? 0, isNumber: true, class: "n", cell: (row) => cell(shown(row[1]), "n") }, { title: "After", value: (row) => row[2] ?? 0, isNumber: true, class: "n", cell: (row) => cell(shown(row[2]), "n") },
    ], rows, { order: 1, matches: ([name], word) => name.toLowerCase().includes(word), empty: "Nothing has another size." });
    tables.push(table);
    return panel(title, table.element);
  };
  return element("div", {}, panel("", element("p", {}, "From ", element("b", {}, size(before)), " to ", element("b", {}, size(after)), ": ", signed(after - before), before ? ` (${after > before ? "+" : ""}${((after - before) * 100 / before).toFixed(2)}%)` : "", ".")),
    one("Functions", lists.functions), one("Source files", lists.sources), one("Blocks and records", lists.blocks));
};

const tables = [];
const VIEWS = {
  ...(data.comparison ? { Growth: growthView } : {}),
  Treemap: treemapView, Functions: () => { const table = functionTable(); tables.push(table); return panel("", table.element, smaller.count ? element("p", { class: "hint" }, `${count(smaller.count)} smaller functions are not listed: ${exact(smaller.bits)}.`) : null); },
  Calls: callsView, Duplicates: duplicatesView, Instructions: instructionsView, Blocks: blocksView, Modules: modulesView, "PC sections": sectionsView,
};
let current = null;

const show = (name, { focus = false } = {}) => {
  current = VIEWS[name] ? name : Object.keys(VIEWS)[0];
  hideTip();
  tables.length = 0;
  for (const tab of byId("tabs").children) {
    tab.setAttribute("aria-selected", String(tab.textContent === current));
    tab.tabIndex = tab.textContent === current ? 0 : -1;
    if (tab.textContent === current) { if (focus) tab.focus(); tab.scrollIntoView({ block: "nearest", inline: "nearest" }); }
  }
  byId("view").replaceChildren(VIEWS[current]());
  byId("view").setAttribute("aria-label", current);
  if (current === "Treemap") treemap.draw();
};
const showFunction = (each) => {
  center = each;
  neighbors = FIRST_NEIGHBORS;
  show("Calls");
  byId("view").focus({ preventScroll: true });
};

const onKey = (event) => {
  if (event.target.matches("input") || event.ctrlKey || event.metaKey || event.altKey) {
    if (event.key === "Escape" && event.target.id === "search") { event.target.value = ""; update(); event.target.blur(); }
    return;
  }
  const names = Object.keys(VIEWS);
  if (event.key === "/") { event.preventDefault(); byId("search").focus(); }
  else if (event.key === "t") switchTheme();
  else if (/^[1-9]$/.test(event.key) && names[event.key - 1]) show(names[event.key - 1], { focus: true });
  else if (event.target.getAttribute("role") === "tab" && (event.key === "ArrowLeft" || event.key === "ArrowRight"))
    show(names[(names.indexOf(current) + (event.key === "ArrowRight" ? 1 : names.length - 1)) % names.length], { focus: true });
};
const update = () => {
  for (const table of tables) table.draw();
  if (current === "Treemap") treemap?.mark();
};

startTheme();
byId("title").textContent = data.title;
byId("title").title = data.title;
byId("subtitle").textContent = `${exact(data.bits)} · bitcodec ${data.version}${data.demangled ? "" : " · names are not demangled"}`;
byId("overview").replaceChildren(...overview());
byId("tabs").replaceChildren(...Object.keys(VIEWS).map((name, i) => element("button", { type: "button", role: "tab", title: `${name} (${i + 1})`, onclick: () => show(name) }, name)));
byId("search").addEventListener("input", update);
byId("theme").addEventListener("click", switchTheme);
document.addEventListener("keydown", onKey);
show(Object.keys(VIEWS)[0]);
