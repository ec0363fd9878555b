// Runs bitcodec with Pyodide, apart from the page, so that the page stays responsive.

const start = (async () => {
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", import.meta.url));
  const fetched = (name) => fetch(new URL(name, import.meta.url)).then((found) => {
    if (!found.ok) throw new Error(`${name}: ${found.status}`);
    return found;
  });
  const [python, archive, source] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href }),
    fetched("bitcodec.zip").then((found) => found.arrayBuffer()),
    fetched("run.py").then((found) => found.text()),
  ]);
  python.unpackArchive(archive, "zip", { extractDir: "/lib/bitcodec" });
  python.runPython('import sys; sys.path.insert(0, "/lib/bitcodec")');
  const names = python.globals.get("dict")();
  python.runPython(source, { globals: names });
  return { put: names.get("put"), run: names.get("run"), prepare: names.get("prepare") };
})();

let path = null;
const handle = async ({ kind, name, data, words }) => {
  const { put, run, prepare } = await start;
  if (kind === "start") return {};
  if (kind === "prepare") {
    prepare();
    return {};
  }
  if (kind === "file") {
    path = put(name, new Uint8Array(data));
    return {};
  }
  const result = run(...words.map((word) => (word === "FILE" ? path : word)));
  const [output, errors, code] = result.toJs();
  result.destroy();
  return { output, errors, code };
};

onmessage = async ({ data: message }) => {
  try {
    postMessage({ id: message.id, ...(await handle(message)) });
  } catch (error) {
    postMessage({ id: message.id, failure: String(error.message ?? error) });
  }
};
