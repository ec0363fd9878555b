// The data of the report as objects, and trees whose sizes add up to the size of all files.

const data = JSON.parse(document.getElementById("data").textContent);
const text = (number) => data.texts[number];
const pairs = (flat, first) => {
  const found = [];
  for (let i = 0; i < flat.length; i += 2) found.push([first(flat[i]), flat[i + 1]]);
  return found;
};

const functions = data.functions.name.map((name, i) => {
  const columns = data.functions;
  return {
    id: i, name, shown: columns.demangled[i] ?? name, isDemangled: columns.demangled[i] !== null,
    path: columns.path[i].map(text), module: data.modules[columns.module[i]], moduleNumber: columns.module[i],
    linkage: text(columns.linkage[i]), bits: columns.bits[i], parts: pairs(columns.parts[i], text),
    blocks: columns.blocks[i], instructions: columns.instructions[i], opcodes: pairs(columns.opcodes[i], text),
    source: columns.source[i].map(text), line: columns.line[i], indirect: columns.indirect[i],
    sections: pairs(columns.pcsections[i], text), group: columns.group[i], callers: [],
    calls: pairs(columns.calls[i], (target) => target), key: (columns.demangled[i] ?? "").toLowerCase() + "\n" + name.toLowerCase(),
  };
});
for (const caller of functions)
  for (const [target, count] of caller.calls) if (target >= 0) functions[target].callers.push([caller.id, count]);

const smaller = data.smaller.reduce((sum, [count, bits, code]) => ({
  count: sum.count + count, bits: sum.bits + bits, instructions: sum.instructions + code,
}), { count: 0, bits: 0, instructions: 0 });

const number = new Intl.NumberFormat("en-US");
const count = (value) => number.format(value);
const size = (bits) => {
  const bytes = Math.abs(bits) / 8, sign = bits < 0 ? "−" : "";
  if (bytes < 1000) return `${sign}${count(Math.round(bytes))} B`;
  const unit = bytes < 999500 ? [1e3, "KB"] : bytes < 999.5e6 ? [1e6, "MB"] : [1e9, "GB"];
  const value = bytes / unit[0];
  return `${sign}${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit[1]}`;
};
const exact = (bits) => {
  const rest = Math.abs(bits) % 8, bytes = Math.trunc(bits / 8);
  return `${count(bytes)} bytes` + (rest ? ` and ${rest} bit${rest === 1 ? "" : "s"}` : "");
};
const percent = (part, whole) => {
  if (!whole) return "0%";
  const value = (part * 100) / whole;
  return Math.abs(value) >= 10 || value === 0 ? `${value.toFixed(0)}%` : Math.abs(value) >= 0.1 ? `${value.toFixed(1)}%` : "<0.1%";
};

// Kinds of content, each with a color.  The first pattern that fits the name of a block decides.
const KINDS = [
  ["Instructions", "h0", /^FUNCTION_BLOCK/],
  ["Debug info and metadata", "h1", /METADATA/],
  ["Constants", "h2", /CONSTANTS/],
  ["Types and attributes", "h3", /^TYPE_|PARAMATTR/],
  ["Symbols and strings", "h4", /STRTAB|SYMTAB/],
  ["Use-list orders", "h6", /USELIST/],
  ["Globals and module records", "h7", /^MODULE_BLOCK|^module records|^GLOBALVAR|^FUNCTION$|COMDAT/],
  ["Summaries", "h5", /SUMMARY/],
  ["Outside of bitcode", "gray", /^outside of bitcode/],
];
const OTHER = ["Other", "h8"], NEUTRAL = ["", "gray"];
const kindOf = (name) => KINDS.find(([, , pattern]) => pattern.test(name)) ?? OTHER;

const node = (name, children, more = {}) => ({
  name, children, bits: children.reduce((sum, child) => sum + child.bits, 0), ...more,
});
const leaf = (name, bits, more = {}) => ({ name, bits, children: [], ...more });
const functionLeaf = (each, name) => leaf(name ?? each.shown, each.bits, { function: each });

const blockNode = ([name, bits, occurrences, parts], kind) => {
  const isDebugRecord = !parts.length && text(name).startsWith("DEBUG_");
  const own = isDebugRecord ? KINDS[1] : parts.length || !kind ? kindOf(text(name)) : kind;
  return { name: text(name), bits, count: occurrences, kind: own, children: parts.map((part) => blockNode(part, own)) };
};

// Nodes for what is not in listed functions.
const remaining = () => {
  const sums = new Map();
  const add = (name, bits) => sums.set(name, (sums.get(name) ?? 0) + bits);
  for (const stream of data.streams) for (const [name, bits] of stream.parts) add(text(name), bits);
  for (const file of data.files) add("outside of bitcode", file.outside);
  const shares = [...sums].filter(([, bits]) => bits).map(([name, bits]) => leaf(name, bits, { kind: kindOf(name) }));
  return node("not in functions", shares, { kind: NEUTRAL });
};
const rest = () => [remaining(), ...(smaller.count ? [leaf(`${count(smaller.count)} smaller functions`, smaller.bits, { kind: NEUTRAL })] : [])];

// A tree of functions by the parts of a path; folders with one entry are joined with it.
const byPath = (name, pathOf, without, join) => {
  const top = { folders: new Map(), leaves: [] };
  const loose = [];
  for (const each of functions) {
    const path = pathOf(each);
    if (!path.length) { loose.push(functionLeaf(each)); continue; }
    let folder = top;
    for (const part of path) {
      if (!folder.folders.has(part)) folder.folders.set(part, { folders: new Map(), leaves: [] });
      folder = folder.folders.get(part);
    }
    folder.leaves.push(functionLeaf(each));
  }
  const build = (title, folder) => {
    const inner = [...folder.folders].map(([part, each]) => build(part, each));
    if (inner.length === 1 && !folder.leaves.length && inner[0].children.length)
      return { ...inner[0], name: title ? title + join + inner[0].name : inner[0].name };
    return node(title, [...inner, ...folder.leaves]);
  };
  const built = [...top.folders].map(([part, each]) => build(part, each));
  if (loose.length) built.push(node(without, loose));
  return node(name, [...built, ...rest()]);
};

const byFile = () => {
  const inStream = data.streams.map(() => []);
  for (const each of functions) inStream[each.module.stream].push(functionLeaf(each));
  data.modules.forEach((module, i) => {
    const [left, bits] = data.smaller[i];
    if (left) inStream[module.stream].push(leaf(`${count(left)} smaller functions`, bits, { kind: NEUTRAL }));
  });
  const files = data.files.map((file) => node(text(file.name), file.outside ? [leaf("outside of bitcode", file.outside, { kind: kindOf("outside of bitcode") })] : [], { isPath: true }));
  data.streams.forEach((stream, i) => {
    const parts = stream.parts.map(([name, bits]) => leaf(text(name), bits, { kind: kindOf(text(name)) }));
    const whole = node(text(stream.name), [...(inStream[i].length ? [node("functions", inStream[i], { kind: KINDS[0] })] : []), ...parts], { isPath: true });
    files[stream.file].children.push(whole);
    files[stream.file].bits += whole.bits;
  });
  const inner = files.map((file) => (file.children.length === 1 && file.children[0].name === file.name ? file.children[0] : file));
  return inner.length === 1 ? { ...inner[0], name: "all" } : node("all", inner);
};

const TREES = {
  Content: byFile,
  "Source files": () => byPath("all", (each) => each.source, "without debug information", "/"),
  "Templates and crates": () => byPath("all", (each) => (each.isDemangled ? each.path.slice(0, -1) : []), "without a namespace", "::"),
  Blocks: () => node("all", data.blocks.map((block) => blockNode(block))),
};
