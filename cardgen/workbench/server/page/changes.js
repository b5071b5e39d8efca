/** What changed since a revision: cards old and new, and the fields that differ. */
import * as api from "./api.js";
import { amount, button, h } from "./dom.js";
import { askSince } from "./filtering.js";
import { titleOf } from "./grid.js";
import { start } from "./jobs.js";
import { openPlace, placeWords } from "./opening.js";
import { nearness, Side } from "./side.js";
import { placeOf, store } from "./store.js";
import { trueScale } from "./units.js";
import { inWords, wordDifferences } from "./wording.js";

const MODES = { beside: "Side by side", swipe: "Slider", difference: "Difference" };
const WIDEST = 230;

class Changes {
  constructor() {
    this.mode = "beside";
    this.revision = h("select", { class: "select revision", "aria-label": "Compared with", on: { change: () => this.choose(this.revision.value) } }, h("option", { value: "HEAD", text: "The last commit" }));
    this.other = h("input", { class: "field", placeholder: "or any revision", "aria-label": "Any revision", spellcheck: "false", on: { change: () => this.other.value.trim() && this.choose(this.other.value.trim()) } });
    this.only = h("input", { type: "checkbox", on: { change: () => ((this.shown = ""), this.draw()) } });
    this.print = button("Print only what changed", () => start("build", { since: store.revision }), { class: "quiet tight" });
    this.about = h("p", { class: "foot muted" });
    this.counts = h("ul", { class: "components" });
    this.side = [h("h2", { class: "panel-title", text: "Compared with" }), h("div", { class: "part stack" }, this.revision, this.other), this.counts, h("div", { class: "part stack" }, h("label", { class: "labelled" }, this.only, h("span", { text: "Only what looks different" })), this.print), this.about];
    this.body = h("div", { class: "changes", tabIndex: 0, "aria-label": "Changes" });
    this.swipe = h("input", { type: "range", min: 0, max: 100, value: 50, class: "zoom-slider", "aria-label": "Share of the old version shown", on: { input: () => this.body.style.setProperty("--cut", `${this.swipe.value}%`) } });
    this.modes = Object.entries(MODES).map(([mode, title]) => button(title, () => this.show(mode), { class: "chip", data: { mode } }));
    const words = h("span", { class: "muted" });
    this.words = words;
    this.main = h("div", { class: "view" }, h("div", { class: "toolbar" }, h("div", { class: "named grow" }, h("h2", { text: "Changes" }), words), h("div", { class: "switches", role: "group", "aria-label": "How old and new are shown" }, this.modes), this.swipe), this.body);
    this.nearness = nearness(this.body);
    this.body.addEventListener("pointermove", (event) => this.follow(event));
    this.show("beside");
    store.watch(["view", "revision", "since", "sinceProblem", "loaded", "epoch"], () => this.ask());
    store.watch(["since", "sinceProblem"], () => this.draw());
  }

  async ask() {
    if (store.view !== "changes" || !store.loaded) return;
    if (!this.listed) {
      this.listed = true;
      this.revisions();
    }
    if (store.sinceProblem && store.problemEpoch === store.epoch) return;
    if (store.since?.epoch === store.epoch && store.since.rev === store.revision) return;
    this.words.textContent = "being compared …";
    store.problemEpoch = store.epoch;
    await askSince();
  }

  async revisions() {
    try {
      const said = await api.revisions();
      this.subjects = new Map(said.commits.map((each) => [each.commit, each.subject]));
      this.shown = "";
      this.draw();
      const group = (label, options) => options.length && h("optgroup", { label }, options);
      const named = (names) => (names ?? []).filter(Boolean).map((name) => h("option", { value: name, text: name }));
      this.revision.replaceChildren(
        h("option", { value: "HEAD", text: "The last commit" }),
        ...[
          group("Commits", said.commits.slice(0, 60).map((each) => h("option", { value: each.commit, text: `${each.short}  ${String(each.date).slice(0, 10)}  ${each.subject}` }))),
          group("Tags", named(said.tags)),
          group("Branches", named(said.branches)),
          group("Branches and tags", named(said.names)),
        ].filter(Boolean),
      );
    } catch {
      this.listed = false;
    }
    this.revision.value = store.revision;
  }

  choose(revision) {
    store.set({ revision, since: null, sinceProblem: null });
  }

  show(mode) {
    this.mode = mode;
    this.body.dataset.mode = mode;
    this.swipe.hidden = mode !== "swipe";
    for (const each of this.modes) each.setAttribute("aria-pressed", String(each.dataset.mode === mode));
  }

  follow(event) {
    const pair = event.target.closest?.(".compared");
    if (this.mode !== "swipe" || !pair) return;
    const at = pair.getBoundingClientRect();
    pair.style.setProperty("--cut", `${Math.max(0, Math.min(100, (100 * (event.clientX - at.left)) / at.width))}%`);
  }

  draw() {
    const since = store.since;
    const shown = JSON.stringify({ ...since, epoch: 0, problem: store.sinceProblem?.message ?? "" });
    if (since) this.words.textContent = countWords(since);
    if (shown === this.shown) return;
    this.shown = shown;
    const scroll = this.body.scrollTop;
    this.print.disabled = !since || !(since.changed.length + since.new.length);
    if (!since) {
      const problem = store.sinceProblem;
      this.words.textContent = problem ? "" : "being compared …";
      this.counts.replaceChildren();
      this.about.textContent = "";
      this.body.replaceChildren(h("p", { class: "empty", text: problem ? (problem.missing ? "This server doesn’t compare revisions yet." : `Nothing can be compared: ${problem.message}.`) : "Being compared …" }));
      return;
    }
    const counts = { Changed: since.changed.length, New: since.new.length, Removed: since.removed.length };
    this.counts.replaceChildren(
      ...Object.entries(counts).map(([name, count]) => h("li", {}, h("button", { type: "button", disabled: !count, on: { click: () => this.body.querySelector(`[data-group="${name}"]`)?.scrollIntoView() } }, h("span", { class: "outline none" }), h("span", { class: "name", text: name }), h("span", { class: "count", text: String(count) })))),
    );
    this.about.textContent = [since.commit?.slice(0, 8), since.subject || this.subjects?.get(since.commit)].filter(Boolean).join("  ");
    this.body.replaceChildren(
      ...[
        since.notes?.length ? h("section", { class: "notes-part" }, since.notes.map((note) => h("p", { text: note }))) : null,
        this.group("Changed", looksFirst(since.changed).filter((each) => !this.only.checked || looks(each)).map((each) => this.changed(each))),
        this.group("New", since.new.map((each) => this.alone(store.cards.get(placeOf(each)), each))),
        this.group("Removed", since.removed.map((each) => this.removed(each))),
        Object.values(counts).some(Boolean) ? null : h("p", { class: "empty", text: `No card differs from ${store.revision}.` }),
      ].filter(Boolean),
    );
    this.body.scrollTop = scroll;
    for (const entry of this.body.querySelectorAll(".change")) this.nearness.observe(entry);
  }

  group(name, entries) {
    const shown = entries.filter(Boolean);
    return shown.length ? h("section", { data: { group: name } }, h("h3", { class: "section-head", text: `${name} (${shown.length})` }), shown) : null;
  }

  side_(key, card, which, look = "good") {
    const component = store.components.find((each) => each.id === card.component);
    const made = new Side().show(key ? { key, look } : null, card, component, which);
    const bleed = store.bleed ? 2 * (component?.bleed ?? 0) : 0;
    return made.scale(Math.min(trueScale(), WIDEST / (card.trim[0] + bleed)));
  }

  compared({ old, new: fresh }, card, which) {
    if (!old || !fresh) return h("div", { class: "compared one" }, labelled(old ? "old" : "new", this.side_(old || fresh, card, which)));
    return h("div", { class: "compared" }, labelled("old", this.side_(old, card, `old ${which}`)), labelled("new", this.side_(fresh, card, `new ${which}`)));
  }

  changed(change) {
    const card = store.cards.get(placeOf(change));
    if (!card) return null;
    const sides = ["face", "back"].filter((which) => change[which]);
    return this.entry(
      card,
      sides.length ? sides.map((which) => this.compared(change[which], card, which)) : [h("p", { class: "muted", text: "It looks the same." }), this.side_(card.face?.key, card, "face")],
      [
        change.copies && difference("copies", change.copies.old, change.copies.new),
        ...change.fields.map((field) => difference(field.path, field.old, field.new)),
        !change.fields.length && !change.copies && h("p", { class: "muted", text: "Its data is the same: the template, a picture or a font changed." }),
      ],
      change,
    );
  }

  alone(card, change) {
    if (!card) return null;
    const renamed = change.renamed ? h("p", { class: "muted", text: `Likely renamed from ${change.renamed}.` }) : null;
    return this.entry(card, [h("div", { class: "compared one" }, labelled("new", this.side_(change.face?.new || card.face?.key, card, "face")))], [renamed], card);
  }

  removed(each) {
    const like = [...store.cards.values()].find((card) => card.component === each.component);
    const card = { component: each.component, id: each.id, trim: like?.trim ?? [63.5, 88.9], fields: {} };
    return this.entry(card, [h("div", { class: "compared one" }, labelled("old", this.side_(each.face?.old, card, "face")))], [], null);
  }

  entry(card, pictures, details, place) {
    const title = store.cards.has(placeOf(card)) ? button(titleOf(card), () => store.set({ selected: placeOf(card), panel: "card" }), { class: "link title" }) : h("b", { text: card.id });
    return h(
      "article",
      { class: "change" },
      h("div", { class: "pictures" }, pictures),
      h(
        "div",
        { class: "details" },
        h("h4", {}, title, h("span", { class: "muted", text: `${card.component} / ${card.id}` })),
        place?.file && button(placeWords(place.file, place.line), () => openPlace(place.file, place.line), { class: "link code" }),
        details,
      ),
    );
  }
}

/** Whether a changed card looks different. */
function looks(change) {
  return Boolean(change.face || change.back);
}

function looksFirst(changes) {
  return [...changes.filter(looks), ...changes.filter((each) => !looks(each))];
}

function countWords(since) {
  const counts = { changed: since.changed.length, new: since.new.length, removed: since.removed.length };
  const same = since.changed.filter((each) => !looks(each)).length;
  const words = Object.entries(counts).filter(([, count]) => count).map(([name, count]) => `${count} ${name}`);
  return words.join(", ") + (same ? `, ${same} of them ${same === 1 ? "looks" : "look"} the same` : "") || "nothing changed";
}

function labelled(word, side) {
  return h("figure", { class: word }, side, h("figcaption", { text: word }));
}

/** A field, its old words struck out, its new ones marked. */
function difference(path, old, fresh) {
  const parts = wordDifferences(inWords(old), inWords(fresh));
  return h("div", { class: "differs" }, h("span", { class: "key", text: path }), h("p", {}, parts.map(({ kind, text }) => (kind === "old" ? h("del", { text }) : kind === "new" ? h("ins", { text }) : text))));
}

export function changesView() {
  return new Changes();
}
