// Tables that can be sorted and searched; rows are made when they are shown.

const FIRST_ROWS = 100, MORE_ROWS = 400;

// A column: title, value to sort by, cell to show, whether larger values come first.
class Table {
  constructor(columns, rows, { order = 0, matches = null, empty = "Nothing to show." } = {}) {
    Object.assign(this, { columns, rows, order, matches, empty, isDescending: columns[order].isNumber ?? false, limit: FIRST_ROWS });
    this.body = element("tbody");
    this.heads = columns.map((column, i) => element("th", { class: column.class ?? "", scope: "col" },
      column.value ? element("button", { type: "button", onclick: () => this.sortBy(i) }, column.title) : column.title));
    this.more = element("button", { class: "more", type: "button", onclick: () => { this.limit += MORE_ROWS; this.draw(); } });
    this.note = element("p", { class: "hint" });
    this.element = element("div", {}, element("div", { class: "scroll" },
      element("table", {}, element("thead", {}, element("tr", {}, this.heads)), this.body)), this.note, this.more);
    this.draw();
  }

  sortBy(order) {
    this.isDescending = order === this.order ? !this.isDescending : this.columns[order].isNumber ?? false;
    this.order = order;
    this.draw();
  }

  draw() {
    const word = wanted();
    const rows = word && this.matches ? this.rows.filter((row) => this.matches(row, word)) : [...this.rows];
    const { value } = this.columns[this.order], sign = this.isDescending ? -1 : 1;
    if (value) rows.sort((a, b) => { const [x, y] = [value(a), value(b)]; return x < y ? -sign : x > y ? sign : 0; });
    this.heads.forEach((head, i) => head.setAttribute("aria-sort", i !== this.order ? "none" : this.isDescending ? "descending" : "ascending"));
    this.body.replaceChildren(...rows.slice(0, this.limit).map((row) => element("tr", {}, this.columns.map((column) => column.cell(row)))));
    const hidden = rows.length - this.limit;
    this.more.hidden = hidden <= 0;
    this.more.textContent = `Show ${count(Math.min(hidden, MORE_ROWS))} more of ${count(hidden)}`;
    this.note.hidden = rows.length > 0 && rows.length === this.rows.length;
    this.note.textContent = rows.length ? `${count(rows.length)} of ${count(this.rows.length)} match the search.` : this.rows.length ? "Nothing matches the search." : this.empty;
  }
}

const numeric = (title, value, show = count, more = {}) => ({
  title, value, isNumber: true, class: `n ${more.class ?? ""}`, cell: (row) => cell(show(value(row)), `n ${more.class ?? ""}`),
});
const sizeColumn = (value = (row) => row.bits, title = "Size") => ({
  title, value, isNumber: true, class: "n", cell: (row) => element("td", { class: "n", title: exact(value(row)) }, size(value(row))),
});
const share = (value = (row) => row.bits, color = "h0") => {
  let largest = null;
  return { title: "", class: "bar", cell: (row) => { largest ??= Math.max(1, ...functions.map((each) => each.bits)); return bar(value(row), largest, color); } };
};
const functionName = (each) => [link(each.shown, () => showFunction(each)), each.isDemangled ? element("span", { class: "sub code" }, each.name) : null];
const where = (each) => (each.source.length ? `${each.source.at(-1)}${each.line ? `:${each.line}` : ""}` : "");
const functionMatches = (each, word) => each.key.includes(word) || each.source.join("/").toLowerCase().includes(word) || each.module.name.toLowerCase().includes(word);

const functionTable = (rows = functions) => new Table([
  { title: "Function", value: (each) => each.shown, cell: (each) => cell(functionName(each), "name") },
  sizeColumn(), share(),
  numeric("Of all", (each) => each.bits, (bits) => percent(bits, data.bits), { class: "minor" }),
  numeric("Instructions", (each) => each.instructions),
  numeric("Blocks", (each) => each.blocks, count, { class: "minor" }),
  numeric("Callers", (each) => each.callers.length, count, { class: "minor" }),
  { title: "Source", value: (each) => each.source.join("/") + String(each.line).padStart(9, "0"), class: "minor", cell: (each) => element("td", { class: "wide minor", title: each.source.join("/") }, where(each)) },
  ...(data.modules.length > 1 ? [{ title: "Module", value: (each) => each.module.name, class: "minor", cell: (each) => cell(each.module.name, "wide minor") }] : []),
], rows, { order: 1, matches: functionMatches, empty: "No function is defined." });
