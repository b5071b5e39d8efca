/** Everything that is asked of the server. Addresses are relative: the page's own holds the token. */

/** An answer that isn't there (yet): `missing` tells an address that the server doesn't know. */
export class Refusal extends Error {
  constructor(status, words) {
    super(words);
    this.status = status;
    this.missing = status === 404;
  }
}

async function ask(address, settings = {}) {
  let answer;
  try {
    answer = await fetch(address, { cache: "no-store", ...settings });
  } catch {
    throw new Refusal(0, "the server doesn’t answer");
  }
  if (!answer.ok) throw await refusalOf(answer);
  return answer.status === 204 ? null : answer.json();
}

async function refusalOf(answer) {
  const text = await answer.text().catch(() => "");
  try {
    const said = JSON.parse(text);
    return Object.assign(new Refusal(answer.status, [said.message, said.hint].filter(Boolean).join(": ") || text), said.findings ? { findings: said.findings } : {});
  } catch {
    return new Refusal(answer.status, text.slice(0, 300) || `the server answered ${answer.status}`);
  }
}

export const get = (address) => ask(address);
export const post = (address, content) => send("POST", address, content);

function send(method, address, content) {
  return ask(address, {
    method,
    headers: { "Content-Type": "application/json" },
    body: content === undefined ? undefined : JSON.stringify(content),
  });
}

function query(values) {
  const said = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
  return said.size ? `?${said}` : "";
}

/** The variant that is looked at; nothing is said of it before the server has told which is its first. */
function variant({ language, lowInk, variantKnown }) {
  return variantKnown ? { ink: lowInk ? "low" : "full", language } : {};
}

export const state = (looked) => ask(`state.json${query(variant(looked))}`);
export const marks = (key) => ask(`marks/${encodeURIComponent(key)}.json`);
export const rules = () => ask("rules.json");
export const revisions = () => ask("revisions.json");
export const since = (rev, looked) => ask(`since.json${query({ rev, ...variant(looked) })}`);
export const choices = () => ask("choices.json");
export const form = (component, card) => ask(`form.json${query({ component, card })}`);
export const edit = (edits) => send("POST", "edit", edits);
export const sketch = (value, looked) => send("POST", `sketch${query(variant(looked))}`, value);
export const undo = (redo) => send("POST", "undo", { redo });
export const bringBack = (file) => send("POST", "undo", { file });
export const putArt = (art) => send("POST", "art", art);
export const recordPlaytest = (record) => send("POST", "playtest", record);
export const jobs = () => ask("jobs.json");
export const startJob = (kind, options) => send("POST", "jobs", { kind, options });
export const stopJob = (id) => send("DELETE", `jobs/${encodeURIComponent(id)}`, {});
export const sheet = (name, looked, { paper, duplex }) =>
  ask(`sheets/${encodeURIComponent(name)}.json${query({ ...variant(looked), paper: paper || null, duplex: duplex || null })}`);
export const openPlace = (file, line, column) => send("POST", "open", { file, line, column });

/** Address of a file that a job made, for those that a browser shows; empty for others. */
export function madeFile(id, index, path) {
  return /\.(pdf|png|html)$/iu.test(path) ? `jobs/${encodeURIComponent(id)}/${index}` : "";
}

/** Address of a side's picture so many px wide, bleed and all. */
export function sidePicture(key, px) {
  return `side/${encodeURIComponent(key)}.png?px=${Math.max(16, Math.min(4096, Math.round(px)))}`;
}

/** Address of the picture of a sheet's page; the first page is 0. */
export function pagePicture(key, page, px) {
  return `sheets/${encodeURIComponent(key)}/${page}.png?px=${Math.max(16, Math.min(4096, Math.round(px)))}`;
}

/** Hear what happens; the browser connects anew by itself. `hears`: functions by the event's name, and
 *  `connected(boolean)`. */
export function listen(hears) {
  const source = new EventSource("events");
  for (const name of ["hello", "change", "checked", "sheet", "job"]) {
    source.addEventListener(name, (event) => {
      let content = {};
      try {
        content = JSON.parse(event.data);
      } catch {
        return;
      }
      hears[name]?.(content);
    });
  }
  source.addEventListener("open", () => hears.connected(true));
  source.addEventListener("error", () => hears.connected(false));
  return source;
}
