// Elements are made here.  Texts become text nodes, never markup.

const element = (name, properties = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "style") for (const [name, each] of Object.entries(value)) made.style.setProperty(name, each);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
};
const vector = (name, attributes = {}, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const byId = (id) => document.getElementById(id);
const cell = (content, name = "") => element("td", { class: name }, content);
const bar = (part, whole, color = "h0") =>
  cell(element("div", { class: `fill ${color}`, style: { width: `${whole ? Math.max((part * 100) / whole, 0) : 0}%` } }), "bar");
const link = (label, action, title) => element("button", { class: "link code", type: "button", onclick: action, title }, label);
const panel = (title, ...children) => element("div", { class: "panel" }, title ? element("h2", {}, title) : null, ...children);
const choice = (names, chosen, choose) => element("div", { class: "choice", role: "group" }, names.map((name) =>
  element("button", { type: "button", "aria-pressed": String(name === chosen), onclick: () => choose(name) }, name)));

const tip = byId("tip");
const showTip = (event, title, ...lines) => {
  tip.replaceChildren(element("b", {}, title), ...lines.map((line) => element("div", {}, line)));
  tip.hidden = false;
  const box = event.target.getBoundingClientRect();
  const x = event.clientX || box.left, y = event.clientY || box.bottom;
  const width = tip.offsetWidth, height = tip.offsetHeight;
  tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - width - 8))}px`;
  tip.style.top = `${y + 18 + height > innerHeight ? Math.max(4, y - height - 12) : y + 18}px`;
};
const hideTip = () => { tip.hidden = true; };

const wanted = () => byId("search").value.trim().toLowerCase();

const setTheme = (theme) => {
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("bitcodec-theme", theme); } catch { /* a file may have no storage */ }
};
const startTheme = () => {
  let kept = null;
  try { kept = localStorage.getItem("bitcodec-theme"); } catch { /* as above */ }
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = kept === "dark" || kept === "light" ? kept : isDark ? "dark" : "light";
};
const switchTheme = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
