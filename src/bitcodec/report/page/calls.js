// The call graph around one function: who calls it on the left, what it calls on the right.

const ROW = 26, BOX = 20, FIRST_NEIGHBORS = 14, NARROW = 704;
let center = null, neighbors = FIRST_NEIGHBORS;

const targetName = (target) => (target >= 0 ? functions[target].shown : text(-1 - target));
const cut = (name, most = 40) => (name.length > most ? `${name.slice(0, most - 1)}…` : name);

const graphNode = (x, y, width, label, occurrences, action, kind = "") => {
  const made = vector("a", { class: kind, ...(action ? { tabindex: "0", role: "button", "aria-label": label } : {}) },
    vector("rect", { x, y: y - BOX / 2, width, height: BOX, rx: 4 }),
    vector("text", { x: x + 8, y: y + 4 }, cut(label, occurrences > 1 ? 36 : 40)), vector("title", {}, label));
  if (occurrences > 1) made.append(vector("text", { class: "count", x: x + width - 8, y: y + 4, "text-anchor": "end" }, `${occurrences}×`));
  if (action) {
    made.addEventListener("click", action);
    made.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); action(); } });
  }
  return made;
};

// On narrow screens: lists, one under the other.
const callLists = (callers, callees) => element("div", {}, [["Callers", callers], ["Callees", callees]].map(([title, list]) => [
  element("h2", {}, title),
  element("table", {}, element("tbody", {}, list.map(([target, occurrences]) => element("tr", {},
    cell(target >= 0 ? link(targetName(target), () => showFunction(functions[target])) : element("span", { class: "code quiet" }, targetName(target)), "name"),
    cell(`${count(occurrences)}×`, "n"))))),
  list.length ? null : element("p", { class: "quiet" }, "none"),
]).flat());

const callGraph = (each) => {
  const isIntrinsic = ([target]) => target < 0 && text(-1 - target).startsWith("llvm.");
  const largest = (list) => [...list].sort((a, b) => isIntrinsic(a) - isIntrinsic(b) || b[1] - a[1]).slice(0, neighbors);
  const callers = largest(each.callers), callees = largest(each.calls);
  if (innerWidth < NARROW) return callLists(callers, callees);
  const rows = Math.max(callers.length, callees.length, 1), height = rows * ROW + 8, middle = height / 2;
  const graph = vector("svg", { class: "graph", viewBox: `0 0 1120 ${height}`, role: "group", "aria-label": `Calls of ${each.shown}` });
  const column = (list, x, edge) => list.forEach(([target, occurrences], i) => {
    const y = middle + (i - (list.length - 1) / 2) * ROW;
    graph.append(edge(y));
    const action = target >= 0 && target !== each.id ? () => showFunction(functions[target]) : null;
    graph.append(graphNode(x, y, 320, targetName(target), occurrences, action, target < 0 ? "outside" : ""));
  });
  column(callers, 2, (y) => vector("path", { d: `M322 ${y} C 362 ${y}, 362 ${middle}, 402 ${middle}` }));
  column(callees, 798, (y) => vector("path", { d: `M718 ${middle} C 758 ${middle}, 758 ${y}, 798 ${y}` }));
  graph.append(graphNode(402, middle, 316, each.shown, 1, null, "center"));
  return element("div", { class: "scroll" }, graph);
};

const functionFacts = (each) => {
  const inside = each.parts.reduce((sum, [, bits]) => sum + bits, 0);
  const rows = [
    ["Size", `${exact(each.bits)}, ${percent(each.bits, data.bits)} of everything`],
    ["Instructions", `${count(each.instructions)} in ${count(each.blocks)} basic block${each.blocks === 1 ? "" : "s"}`],
    ["Linkage", each.linkage], ["Module", each.module.name],
    ["Source", each.source.length ? `${each.source.join("/")}${each.line ? `:${each.line}` : ""}` : null],
    ["Symbol", each.isDemangled ? each.name : null],
    ["Calls", `${count(each.calls.length)} function${each.calls.length === 1 ? "" : "s"} by name` + (each.indirect ? `, ${count(each.indirect)} call${each.indirect === 1 ? "" : "s"} through pointers` : "")],
    ["PC sections", each.sections.length ? each.sections.map(([name, requests]) => `${name} (${count(requests)})`).join(", ") : null],
    ["Duplicates", each.group ? functions.filter((other) => other.group === each.group && other !== each).slice(0, 6).map((other) => other.shown).join(", ") : null],
  ].filter(([, value]) => value);
  const parts = [["instructions and the rest of the body", each.bits - inside], ...each.parts].sort((a, b) => b[1] - a[1]);
  const color = (name) => (name.startsWith("instructions") ? "h0" : kindOf(name)[1]);
  return element("div", { class: "columns" },
    panel("Function", element("dl", { class: "facts" }, rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]))),
    panel("Size", element("table", {}, element("tbody", {}, parts.map(([name, bits]) =>
      element("tr", {}, cell(name), element("td", { class: "n", title: exact(bits) }, size(bits)), bar(bits, each.bits, color(name))))))),
    panel("Instructions", element("table", {}, element("tbody", {}, each.opcodes.slice(0, 12).map(([name, occurrences]) =>
      element("tr", {}, cell(element("code", {}, name)), cell(count(occurrences), "n"), bar(occurrences, each.opcodes[0][1])))))));
};

const callsView = () => {
  const each = center ?? [...functions].sort((a, b) => b.bits - a.bits)[0];
  if (!each) return panel("", element("p", {}, "No function is defined."));
  const options = element("datalist", { id: "names" }, functions.slice(0, 2000).map((other) => element("option", { value: other.shown })));
  const input = element("input", { id: "center", type: "search", list: "names", placeholder: "Name of a function", "aria-label": "Name of a function", value: each.shown, class: "code",
    onchange: (event) => {
      const word = event.target.value.trim().toLowerCase();
      const found = functions.find((other) => other.shown.toLowerCase() === word) ?? functions.find((other) => word && other.key.includes(word));
      if (found) showFunction(found);
    } });
  const most = Math.max(each.callers.length, each.calls.length);
  return element("div", {}, panel("", element("div", { class: "tools" }, input, options,
    element("span", { class: "quiet" }, `${count(each.callers.length)} caller${each.callers.length === 1 ? "" : "s"}, ${count(each.calls.length)} callee${each.calls.length === 1 ? "" : "s"}`)),
    callGraph(each), element("p", { class: "hint" }, "The most frequent first, intrinsics last. Dashed: not defined in these files."),
    most > neighbors ? element("button", { class: "more", type: "button", onclick: () => { neighbors = Infinity; show("Calls"); } }, `Show all ${count(most)}`) : null), functionFacts(each));
};
