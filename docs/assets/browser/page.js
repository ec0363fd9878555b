// The page that looks into files: drop one, see what commands print about it.  Nothing leaves the browser.

const COMMANDS = {
  Info: { words: ["info", "FILE"], title: "bitcodec info" },
  Flags: { words: ["flags", "show", "FILE"], title: "bitcodec flags show" },
  Assembly: { words: ["dis", "FILE"], title: "bitcodec dis", download: ".ll" },
  Doctor: { words: ["doctor", "FILE"], title: "bitcodec doctor" },
  Report: { words: ["report", "FILE", "-o", "-"], title: "bitcodec report", download: ".html" },
};
const SHOWN = 1_000_000; // characters of a text that the page shows

const app = document.getElementById("bitcodec-app");
const element = (name, properties = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
};

const status = element("p", { class: "bitcodec-status", role: "status" }, "");
const say = (text) => { status.textContent = text; };

// One worker answers messages in order.
const waiting = new Map();
let worker = null, messages = 0;
const call = (message, transferred = []) => new Promise((resolve, reject) => {
  const id = ++messages;
  waiting.set(id, { resolve, reject });
  worker.postMessage({ ...message, id }, transferred);
});
const startWorker = () => {
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.failure === undefined) resolve(data);
    else reject(new Error(data.failure));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    for (const { reject } of waiting.values()) reject(new Error(event.message || "the worker could not be started"));
    waiting.clear();
  };
};

let file = null, answers = new Map(), shown = "Info";
const tabs = element("div", { class: "bitcodec-tabs", role: "tablist" }, ...Object.keys(COMMANDS).map((name) =>
  element("button", { type: "button", role: "tab", class: "md-button", onclick: () => show(name) }, name)));
const output = element("div", { class: "bitcodec-output", role: "tabpanel" });
const input = element("input", { type: "file", id: "bitcodec-file", onchange: () => take(input.files[0]) });
const drop = element("label", { class: "bitcodec-drop", for: "bitcodec-file", tabindex: "0" },
  element("strong", {}, "Drop a file here, or choose one"), element("span", {}, "bitcode, object, archive: .bc .o .a .rlib"), input);
drop.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); input.click(); } });
for (const kind of ["dragenter", "dragover"]) drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.remove("over"); });
drop.addEventListener("drop", (event) => take(event.dataTransfer.files[0]));

const take = async (chosen) => {
  if (!chosen) return;
  file = chosen;
  answers = new Map();
  tabs.hidden = false;
  output.replaceChildren();
  say(`Reading ${chosen.name} …`);
  const data = await chosen.arrayBuffer();
  if (file !== chosen) return;
  call({ kind: "file", name: chosen.name, data }, [data]).catch((error) => say(`Error: ${error.message}`));
  show("Info");
};

const answerOf = (name) => {
  if (!answers.has(name)) answers.set(name, call({ kind: "run", words: COMMANDS[name].words }));
  return answers.get(name);
};

const show = async (name) => {
  const chosen = file;
  shown = name;
  for (const tab of tabs.children) tab.setAttribute("aria-selected", String(tab.textContent === name));
  output.replaceChildren();
  output.dataset.command = "";
  say(`${COMMANDS[name].title} ${chosen.name} is running …`);
  const begin = performance.now();
  try {
    const answer = await answerOf(name);
    if (file !== chosen || shown !== name) return;
    draw(name, answer);
    say(`${COMMANDS[name].title} ${chosen.name}: ${((performance.now() - begin) / 1000).toFixed(1)} s, exit code ${answer.code}`);
  } catch (error) {
    if (file === chosen && shown === name) say(`Error: ${error.message}`);
  }
};

const save = (text, name) => {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

const draw = (name, { output: text, errors }) => {
  const { download } = COMMANDS[name];
  const parts = [];
  if (download && text) parts.push(element("button", { type: "button", class: "md-button", onclick: () => save(text, file.name + download) }, "Save"));
  if (errors) parts.push(element("pre", { class: "bitcodec-errors" }, errors));
  // The report runs in a frame of its own origin: it can reach neither this page nor the network.
  if (name === "Report" && text) parts.push(element("iframe", { sandbox: "allow-scripts", srcdoc: text, title: "Report" }));
  else if (text) {
    parts.push(element("pre", { class: "bitcodec-text" }, text.slice(0, SHOWN)));
    if (text.length > SHOWN) parts.push(element("p", {}, `The first ${SHOWN.toLocaleString("en")} of ${text.length.toLocaleString("en")} characters are shown.`));
  }
  output.replaceChildren(...parts);
  output.dataset.command = name;
};

tabs.hidden = true;
app.replaceChildren(drop, status, tabs, output);
if (location.protocol === "file:") say("Pages that run Python need a web server: python -m http.server in the folder of this site.");
else {
  say("Loading Python …");
  startWorker();
  call({ kind: "start" }).then(() => {
    if (file) return;
    say("Ready.");
    call({ kind: "prepare" }).catch(() => {}); // a command that needs the same reports it
  }, (error) => say(`Python could not be loaded; this site may have been built without it, see below. (${error.message})`));
}
