/** The page that starts a game: from a spreadsheet, from a starter, or one that is there already. */
import { get, post } from "./api.js";
import { amount, button, h, linkField } from "./dom.js";
import { dropping } from "./fields.js";
import { encoded } from "./form.js";
import { icon } from "./icons.js";
import { noticeShelf } from "./notices.js";

const SMALL = "small-deck";
const main = h("main", {});
document.body.replaceChildren(main, ...noticeShelf());

const about = await get("start.json");
document.title = `${about.folder} · cardgen`;
main.append(
  h("header", {}, h("h1", { text: "Start a game" }), h("p", { class: "lead", text: `It is made as a folder in “${about.folder}”.` })),
  fromTable(),
  fromStarter(),
  open(),
);

function section(title, ...parts) {
  return h("section", { "aria-label": title }, h("h2", { text: title }), ...parts);
}

// ---- from a spreadsheet

function fromTable() {
  const chooser = h("input", { type: "file", multiple: true, hidden: true, accept: [...about.tables, ...about.pictures].join(","), "aria-label": "Spreadsheet file", on: { change: () => take(chooser.files) } });
  const words = h("p", { class: "muted", text: "Pictures that it names can be dropped with it. The file is copied; yours stays as it is." });
  const zone = h(
    "div",
    { class: "drop-zone" },
    h("b", { text: "Drop a spreadsheet here" }),
    h("p", { class: "muted", text: `A row is a card, the first row has the names of the columns: ${about.tables.join(", ")}` }),
    button("Choose a file", () => chooser.click(), { icon: icon("open"), words: true, class: "quiet" }),
    chooser,
    words,
  );
  const take = async (list) => {
    const files = [...list];
    chooser.value = "";
    const table = files.find((file) => about.tables.some((ending) => file.name.toLowerCase().endsWith(ending)));
    if (!table) return files.length && show({ title: files[0].name, trouble: { message: "This is not a spreadsheet", hint: `Use one of ${about.tables.join(", ")}` } });
    return sampled(table.name, "Reading the spreadsheet …", async () => ({ upload: await send(files), file: table.name }));
  };
  dropping(zone, take);
  const link = linkField("Address of a shared spreadsheet");
  const fetched = (event) => {
    event.preventDefault();
    if (link.value.trim()) sampled("Shared spreadsheet", "Downloading the spreadsheet …", async () => ({ link: link.value.trim() }));
  };
  const shared = h("form", { class: "naming", on: { submit: fetched } }, h("label", {}, "Or paste the link that shares a Google sheet; later, Refresh downloads it again", link), h("button", { type: "submit", class: "quiet", text: "Use this link" }));
  return section("New from a spreadsheet", zone, shared);
}

/** Show what a game of a table would look like; `source` says where the table is. */
async function sampled(title, busy, source) {
  const dialog = show({ title, busy });
  let from;
  const draw = async (look) => {
    try {
      from ??= await source();
      const sample = await post("start/sample", { ...from, look });
      dialog.fill({ title, look, choose, pictures: sample.pictures, facts: tableFacts(sample), findings: sample.findings, name: sample.name, make: { ...from, look } });
    } catch (error) {
      dialog.fill({ title, trouble: error });
    }
  };
  const choose = (look) => (dialog.fill({ title, look, choose: () => {}, busy: `Drawing it as ${look} …` }), draw(look));
  await draw(about.looks[0].name);
}

/** Send files in parts, since a request has a limit. */
async function send(files) {
  let upload;
  for (const file of files) {
    const sent = await post("start/upload", { to: upload, files: [{ name: file.name, data: await encoded(file) }] });
    upload = sent.upload;
  }
  return upload;
}

function tableFacts(sample) {
  const facts = [["cards", amount(sample.cards, "card")], ...Object.entries(sample.shown).map(([use, headers]) => [use, headers.join(", ")])];
  if (sample.left_out.length) facts.push(["not on the card", sample.left_out.join(", ")]);
  if (sample.skipped.length) facts.push(["skipped sheets", sample.skipped.join(", ")]);
  if (sample.missing) facts.push(["pictures", `${amount(sample.missing, "picture")} missing; drawn scenes take their places`]);
  return facts;
}

// ---- from a starter

function fromStarter() {
  const tiles = about.starters.map((starter) => {
    const art = h("div", { class: "art" });
    const title = titleOf(starter);
    const tile = h("button", { type: "button", class: "tile", on: { click: () => choose(starter, title) } }, art, h("span", {}, h("b", { text: title }), h("span", { class: "about", text: starter.about })));
    return { starter, art, tile };
  });
  draw(tiles);
  return section("From a starter", h("div", { class: "tiles" }, tiles.map(({ tile }) => tile)));
}

function titleOf({ name }) {
  const words = (name || SMALL).replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The pictures, one starter after the other. */
async function draw(tiles) {
  for (const { starter, art } of tiles) {
    try {
      starter.pictures = (await get(`starter.json?name=${encodeURIComponent(starter.name)}`)).pictures;
      starter.drawn?.();
      art.replaceChildren(...starter.pictures.slice(0, wide(starter.pictures[0]) ? 1 : 2).map(picture));
    } catch (error) {
      art.replaceChildren(h("p", { class: "muted", text: error.message }));
    }
  }
}

const wide = (shown) => shown && shown.size[0] > shown.size[1] * 1.1;
const picture = (shown) => h("img", { src: `picture/${encodeURIComponent(shown.key)}.png`, alt: shown.title, class: shown.round ? "round" : null });

function choose(starter, title) {
  const samples = h("div", { class: "samples" });
  starter.drawn = () => samples.replaceChildren(...(starter.pictures ?? []).map(picture));
  starter.drawn();
  show({ title, samples, lead: starter.about, name: starter.name ? `my-${starter.name}` : "my-game", make: { starter: starter.name } });
}

// ---- what will be made

/** A dialog with what will be made; `fill` shows something else in it. */
function show(content) {
  const body = h("div", { class: "dialog-body" });
  const dialog = h("dialog", { "aria-label": content.title, on: { close: () => dialog.remove() } }, body);
  dialog.fill = (now) => body.replaceChildren(...made(now, dialog));
  dialog.fill(content);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function made({ title, lead, look, choose, busy, pictures, samples, facts, findings, trouble, name, make }, dialog) {
  const close = button("Close", () => dialog.close(), { icon: icon("close"), class: "plain" });
  const parts = [h("div", { class: "dialog-head" }, h("h2", { text: title }), close)];
  if (lead) parts.push(h("p", { class: "muted", text: lead }));
  if (look) parts.push(h("div", { class: "looks", role: "group", "aria-label": "Look" }, about.looks.map((each) => button(`${each.name.charAt(0).toUpperCase()}${each.name.slice(1)}`, () => choose(each.name), { class: "chip", title: each.about, "aria-pressed": String(each.name === look) })), h("span", { class: "muted", text: about.looks.find((each) => each.name === look).about })));
  if (busy) parts.push(h("p", { class: "muted", role: "status", text: busy }), h("progress", { "aria-label": busy }));
  if (trouble) parts.push(troubleBox(trouble));
  if (samples) parts.push(samples);
  if (pictures?.length) parts.push(h("div", { class: "samples" }, pictures.map(picture)));
  if (facts) parts.push(h("dl", { class: "facts-list" }, facts.flatMap(([use, words]) => [h("dt", { text: use }), h("dd", { text: words })])));
  for (const finding of findings ?? []) parts.push(h("p", {}, finding.message, finding.hint && h("span", { class: "muted", text: ` ${finding.hint}` })));
  if (make) parts.push(naming(name, make));
  return parts;
}

function troubleBox(error) {
  const findings = error.findings ?? [error];
  return h("div", { class: "trouble-box", role: "alert" }, findings.slice(0, 8).map((each) => h("p", {}, h("span", { class: "trouble", text: [each.file && `${each.file}${each.line ? `:${each.line}` : ""}`, each.message].filter(Boolean).join(": ") }), each.hint && h("span", { class: "hint", text: ` ${each.hint}` }))));
}

function naming(name, make) {
  const entry = h("input", { class: "entry", type: "text", value: name, maxLength: 60, spellcheck: "false", autocomplete: "off" });
  const said = h("div", {});
  const begin = async (event) => {
    event.preventDefault();
    go.disabled = true;
    said.replaceChildren(h("p", { class: "muted", role: "status", text: "Making the game …" }), h("progress", { "aria-label": "Making the game" }));
    try {
      await post("start/new", { ...make, name: entry.value.trim() });
      location.reload();
    } catch (error) {
      go.disabled = false;
      said.replaceChildren(troubleBox(error));
    }
  };
  const go = h("button", { type: "submit", class: "main", text: "Make this game" });
  return h("form", { on: { submit: begin } }, h("div", { class: "naming" }, h("label", {}, "Name of its folder", entry), go), said);
}

// ---- games that are there

function open() {
  const opens = (folder, game) => async () => {
    try {
      await post("start/open", { folder, game });
      location.reload();
    } catch (error) {
      show({ title: game, trouble: error });
    }
  };
  const named = ({ folder, game }) => (folder && folder !== game ? `${folder}: ${game}` : game);
  const parts = [];
  if (about.games.length) parts.push(h("div", { class: "games" }, about.games.map((each) => button(named(each), opens(each.folder, each.game), { icon: icon("cards"), words: true, class: "chip" }))));
  else parts.push(h("p", { class: "muted", text: "There is no game in this folder yet." }));
  if (about.examples.length) parts.push(h("p", { class: "muted", text: "Finished games to look at:" }), h("div", { class: "games" }, about.examples.map((game) => button(game, opens(null, game), { class: "chip" }))));
  return section("Open", ...parts);
}
