// A treemap whose rectangles are as square as possible (Bruls, Huizing, van Wijk), with groups inside groups.

const HEADER = 18, SMALLEST = 3, SMALLEST_AREA = 48, DEEPEST = 4;

// Return a rectangle for each node; nodes are in order of their size.  The smallest get one rectangle together.
const squarify = (nodes, x, y, width, height) => {
  const found = [];
  const total = nodes.reduce((sum, each) => sum + each.bits, 0);
  if (!total || width <= 0 || height <= 0) return found;
  const scale = (width * height) / total;
  let start = 0;
  while (start < nodes.length) {
    const left = nodes.length - start;
    if (left > 2 && nodes[start].bits * scale < SMALLEST_AREA) {
      found.push({ node: node(`${count(left)} smaller`, nodes.slice(start), { isRest: true }), x, y, width, height });
      break;
    }
    const side = Math.min(width, height);
    let end = start, sum = 0, worst = Infinity;
    while (end < nodes.length) {
      const next = sum + nodes[end].bits * scale;
      const ratio = Math.max((side * side * nodes[start].bits * scale) / (next * next), (next * next) / (side * side * nodes[end].bits * scale));
      if (ratio > worst) break;
      [worst, sum, end] = [ratio, next, end + 1];
    }
    if (end === start) break;
    const thickness = sum / side;
    let along = 0;
    for (const each of nodes.slice(start, end)) {
      const length = (each.bits * scale) / thickness;
      found.push(width >= height ? { node: each, x, y: y + along, width: thickness, height: length }
        : { node: each, x: x + along, y, width: length, height: thickness });
      along += length;
    }
    if (width >= height) { x += thickness; width -= thickness; } else { y += thickness; height -= thickness; }
    start = end;
  }
  return found;
};

const sorted = (each) => (each.sorted ??= each.children.filter((child) => child.bits > 0).sort((a, b) => b.bits - a.bits));

class Treemap {
  constructor(tree, open) {
    this.tree = tree;
    this.open = open;
    this.trail = [tree];
    this.map = element("div", { class: "map", role: "group", "aria-label": "Treemap of sizes" });
    this.crumbs = element("div", { class: "crumbs" });
    this.map.addEventListener("keydown", (event) => this.onKey(event));
    this.map.addEventListener("mouseleave", hideTip);
    this.observer = new ResizeObserver(() => { if (this.map.clientWidth !== this.drawn?.[0] || this.map.clientHeight !== this.drawn?.[1]) this.draw(); });
    this.observer.observe(this.map);
  }

  draw() {
    const width = this.map.clientWidth, height = this.map.clientHeight;
    if (!width || !height) return;
    this.drawn = [width, height];
    const root = this.trail.at(-1);
    this.crumbs.replaceChildren(...this.trail.flatMap((each, i) => [
      i ? element("span", { class: "quiet" }, "›") : null,
      i === this.trail.length - 1 ? element("strong", {}, each.name) : element("button", { type: "button", onclick: () => this.back(i) }, each.name),
    ]).filter(Boolean), element("span", { class: "quiet" }, `${exact(root.bits)}, ${percent(root.bits, data.bits)}`));
    const cells = [];
    this.place(root, 0, 0, width, height, 0, null, cells);
    this.map.replaceChildren(...cells);
    if (cells[0]) cells[0].tabIndex = 0;
    this.mark();
  }

  place(parent, x, y, width, height, depth, color, cells) {
    squarify(sorted(parent), x, y, width, height).forEach((box, i) => {
      const own = box.node.kind ? box.node.kind[1] : box.node.isRest ? color ?? "gray" : depth === 0 || !color ? `h${i % 12}` : color;
      if (box.width < SMALLEST || box.height < SMALLEST) return;
      const isGroup = box.node.children.length > 0 && !box.node.isRest && depth < DEEPEST && box.width > 44 && box.height > HEADER + 16;
      cells.push(this.cell(box, isGroup || box.node.children.length ? own : `${own} s${i % 4}`, isGroup));
      if (isGroup) this.place(box.node, box.x + 2, box.y + HEADER, box.width - 4, box.height - HEADER - 2, depth + 1, own, cells);
    });
  }

  cell(box, color, isGroup) {
    const { node: each } = box;
    const hasRoom = box.width > 30 && box.height > 16;
    const made = element("button", {
      class: `cell ${color}${isGroup ? " group" : ""}`, type: "button", tabindex: -1, "aria-label": `${each.name}, ${exact(each.bits)}`,
      style: { left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` },
      onclick: () => this.enter(each), onmousemove: (event) => this.tip(event, each), onfocus: (event) => { if (event.target.matches(":focus-visible")) this.tip(event, each); }, onblur: hideTip,
    }, hasRoom ? element("span", {}, each.isPath && box.width < 160 ? each.name.split("/").at(-1) : each.name) : null, hasRoom && (isGroup ? box.width > 110 : box.height > 32) ? element("small", {}, size(each.bits)) : null);
    made.node = each;
    made.box = box;
    return made;
  }

  tip(event, each) {
    const details = each.function ? [`${count(each.function.instructions)} instructions`, each.function.module.name] : [];
    if (each.count > 1) details.push(`${count(each.count)} of them`);
    showTip(event, each.name, `${exact(each.bits)}, ${percent(each.bits, data.bits)} of everything`, ...details);
  }

  enter(each) {
    hideTip();
    if (each.function) { this.open(each.function); return; }
    if (!each.children.length) return;
    const path = each.isRest ? [each] : [];
    const search = (from) => from === each || from.children.some((child) => search(child) && path.unshift(child));
    if (!each.isRest) search(this.trail.at(-1));
    if (!path.length) return;
    this.trail.push(...path);
    this.draw();
    this.map.firstElementChild?.focus({ preventScroll: true });
  }

  back(to = this.trail.length - 2) {
    if (to < 0) return;
    this.trail.length = to + 1;
    this.draw();
    this.map.firstElementChild?.focus({ preventScroll: true });
  }

  onKey(event) {
    const { key } = event;
    if (key === "Backspace" || key === "Escape") { event.preventDefault(); this.back(); return; }
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const from = document.activeElement?.box;
    if (!step || !from) return;
    event.preventDefault();
    const middle = (box) => [box.x + box.width / 2, box.y + Math.min(box.height / 2, HEADER / 2)];
    const [x, y] = middle(from);
    let best = null, nearest = Infinity;
    for (const other of this.map.children) {
      const [left, top] = middle(other.box);
      const along = (left - x) * step[0] + (top - y) * step[1];
      const aside = Math.abs((left - x) * step[1]) + Math.abs((top - y) * step[0]);
      const distance = along + 2 * aside;
      if (along > 0.5 && distance < nearest) [best, nearest] = [other, distance];
    }
    best?.focus({ preventScroll: true });
  }

  // Show which cells have what is searched for in their names, or in a part that is too small to be drawn.
  mark() {
    const word = wanted();
    this.map.classList.toggle("searching", word !== "");
    const holds = (each) => (each.function ? each.function.key : each.name.toLowerCase()).includes(word) || each.children.some(holds);
    for (const each of this.map.children) each.classList.toggle("found", word !== "" && holds(each.node));
  }
}
