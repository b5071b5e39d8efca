/** The bar over all: game, variant, views, the state of the check, findings. */
import { amount, button, h } from "./dom.js";
import { findingWords } from "./findings.js";
import { icon } from "./icons.js";
import { printButton, start } from "./jobs.js";
import { showKeys } from "./keys.js";
import { menu } from "./menus.js";
import { say } from "./notices.js";
import { showPlaytest } from "./playtest.js";
import { rulesCount } from "./rules.js";
import { turnBack } from "./saving.js";
import { store } from "./store.js";

export const VIEWS = { cards: "Cards", sheets: "Sheets", rules: "Rules", hand: "Hand", changes: "Changes", settings: "Settings" };
const THEMES = { "": "Same as the system", light: "Light", dark: "Dark" };

export function topbar() {
  return h(
    "header",
    { class: "topbar" },
    button("Left panel", () => document.body.classList.toggle("left-open"), { icon: icon("panel"), class: "plain drawer" }),
    game(),
    views(),
    h("div", { class: "grow" }),
    steps(),
    state(),
    findings(),
    refresh(),
    printButton(),
    more(),
    button("Right panel", () => document.body.classList.toggle("right-open"), { icon: icon("inspect"), class: "plain drawer" }),
  );
}

function game() {
  const title = h("h1", {});
  const variant = button("", () => {}, { class: "chip variant", words: true });
  menu(variant, (close) => variantForm(close), { label: "Variant" });
  store.watch(["game", "language", "lowInk", "loaded"], () => {
    title.textContent = store.game.title;
    title.title = [store.game.id, store.game.version].filter(Boolean).join(" ");
    document.title = store.game.title ? `${store.game.title} · cardgen` : "cardgen";
    const language = store.language || store.game.language || "";
    variant.firstElementChild.textContent = [language, store.lowInk ? "low ink" : "full ink"].filter(Boolean).join(", ");
    variant.classList.toggle("on", store.lowInk || Boolean(store.language));
    variant.hidden = !store.loaded;
  });
  return h("div", { class: "game" }, title, variant);
}

function variantForm(close) {
  const languages = ["", ...(store.game.languages ?? [])];
  const pick = (language) => (store.set({ language }), close());
  const ink = (low) => (store.set({ lowInk: low }), close());
  return [
    languages.length > 1 ? [h("h3", { text: "Language" }), h("div", { class: "switches" }, languages.map((language) => button(language || store.ownLanguage || "Its own", () => pick(language), { class: "chip", "aria-pressed": String(language === store.language) })))] : [],
    h("h3", { text: "Ink" }),
    h("div", { class: "switches" }, button("Full ink", () => ink(false), { class: "chip", "aria-pressed": String(!store.lowInk) }), button("Low ink", () => ink(true), { class: "chip", "aria-pressed": String(store.lowInk) })),
  ].flat();
}

function views() {
  const tabs = Object.entries(VIEWS).map(([view, title], index) => {
    const count = h("span", { class: "count" });
    const tab = h("button", { type: "button", role: "tab", id: `tab-${view}`, "aria-controls": `view-${view}`, title: `${title} (${index + 1})`, on: { click: () => store.set({ view }) } }, icon(view), h("span", { class: "words", text: title }), count);
    return { view, tab, count };
  });
  const bar = h("div", { class: "views", role: "tablist", "aria-label": "Views" }, tabs.map(({ tab }) => tab));
  bar.addEventListener("keydown", (event) => {
    const at = tabs.findIndex(({ tab }) => tab === document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = tabs[(to + tabs.length) % tabs.length];
    if (to === undefined || !next) return;
    store.set({ view: next.view });
    next.tab.focus();
    event.preventDefault();
  });
  store.watch(["view", "cards", "sheets", "rules", "since"], () => {
    const since = store.since;
    const rules = rulesCount();
    const counts = { cards: store.cards.size, sheets: store.sheets.length, rules: rules.words, hand: "", changes: since ? since.changed.length + since.new.length + since.removed.length : "", settings: "" };
    for (const { view, tab, count } of tabs) {
      const on = store.view === view;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      count.textContent = counts[view] === 0 || counts[view] === "0" ? "" : counts[view].toLocaleString("en");
      count.classList.toggle("trouble", view === "rules" && rules.trouble);
      if (view === "rules") count.title = rules.about;
    }
  });
  return bar;
}

function state() {
  const dot = h("span", { class: "dot" });
  const words = h("span", { class: "words" });
  const shown = h("div", { class: "state", role: "status" }, dot, words);
  store.watch(["connected", "broken", "checking", "checked", "loaded", "switching"], () => {
    const [kind, text, about] = !store.connected
      ? ["off", "Not connected", "The server doesn’t answer; trying again"]
      : !store.loaded || store.switching
        ? ["busy", "Loading", ""]
        : store.broken
          ? ["bad", "Can’t be read", "The game has errors; the last valid pictures are shown"]
          : store.checking
            ? ["busy", "Checking", "Contrast, rules and sheets are being checked"]
            : store.checked
              ? ["good", "Checked", "Everything is up to date"]
              : ["good", "Live", "Pictures are up to date; contrast and rules aren’t checked yet"];
    shown.dataset.kind = kind;
    shown.title = about;
    words.textContent = text;
  });
  return shown;
}

/** The button that downloads the game's published spreadsheets, where it has any. */
function refresh() {
  const made = button("Refresh", () => start("pull"), { icon: icon("redo"), words: true, class: "chip" });
  store.watch(["offers", "jobs"], () => {
    const files = store.offers?.published ?? [];
    made.hidden = !files.length;
    made.title = `Download ${files.join(", ")} again`;
    made.disabled = [...store.jobs.values()].some((job) => job.kind === "pull" && job.state === "running");
  });
  return made;
}

function steps() {
  const undo = button("Undo (Ctrl+Z)", () => turnBack(), { icon: icon("undo"), class: "plain" });
  const redo = button("Redo (Ctrl+Shift+Z)", () => turnBack(true), { icon: icon("redo"), class: "plain" });
  const both = h("div", { class: "steps", role: "group", "aria-label": "Edits" }, undo, redo);
  store.watch(["undo", "redo"], () => {
    both.hidden = store.undo === null && store.redo === null;
    undo.disabled = store.undo === null;
    redo.disabled = store.redo === null;
    undo.title = store.undo ? `Undo: ${store.undo} (Ctrl+Z)` : "Undo (Ctrl+Z)";
    redo.title = store.redo ? `Redo: ${store.redo} (Ctrl+Shift+Z)` : "Redo (Ctrl+Shift+Z)";
  });
  return both;
}

function findings() {
  const made = button("", () => store.set({ panel: store.panel === "findings" ? "card" : "findings" }), { class: "chip badge", words: true });
  let before = "";
  store.watch(["findings", "panel"], () => {
    const count = store.findings.length;
    const severity = store.findings[0]?.severity;
    made.replaceChildren(icon(severity ?? "pass"), h("span", { text: count ? amount(count, "finding") : "No findings" }));
    made.dataset.severity = severity ?? "";
    made.title = count ? `${findingWords(store.findings)} (g)` : "Nothing was found (g)";
    made.setAttribute("aria-pressed", String(store.panel === "findings"));
    const words = count ? findingWords(store.findings) : "No findings";
    if (words !== before && before) say(words);
    before = words;
  });
  made.addEventListener("click", () => store.panel === "findings" && document.body.classList.add("right-open"));
  return made;
}

function more() {
  const made = button("Theme and keys", () => {}, { icon: icon("more"), class: "plain" });
  menu(made, (close) => [
    h("h3", { text: "Light or dark" }),
    h("div", { class: "switches" }, Object.entries(THEMES).map(([theme, title]) => button(title, () => (store.set({ theme }), close()), { class: "chip", "aria-pressed": String(store.theme === theme) }))),
    button("Record a playtest", () => (close(), showPlaytest()), { icon: icon("rules"), words: true, class: "quiet" }),
    button("Keys", () => (close(), showKeys()), { icon: icon("keys"), words: true, class: "quiet", title: "?" }),
  ]);
  store.watch(["theme"], () => {
    if (store.theme) document.documentElement.dataset.theme = store.theme;
    else delete document.documentElement.dataset.theme;
  });
  return made;
}
