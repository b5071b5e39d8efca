/** Sheets' pages as they will be printed. */
import * as api from "./api.js";
import { duplexSelect, paperChosen, paperSelect, targetSelect } from "./choices.js";
import { amount, button, h, settled } from "./dom.js";
import { findingRow } from "./findings.js";
import { icon } from "./icons.js";
import { start } from "./jobs.js";
import { menu } from "./menus.js";
import { forget, loaded, queue } from "./pictures.js";
import { store } from "./store.js";
import { sizeWords } from "./units.js";

const POLL = 1500;

class Sheets {
  constructor() {
    this.known = new Map();
    this.wide = 240;
    this.chosen = "";
    this.list = h("ul", { class: "components", role: "listbox", "aria-label": "Sheets" });
    this.pages = h("div", { class: "pages", tabIndex: 0, "aria-label": "Pages" });
    this.words = h("span", { class: "muted" });
    this.title = h("h2", {});
    this.paper = paperSelect("Paper to print on");
    this.duplex = duplexSelect("How backs meet faces", "Own duplex");
    this.to = targetSelect("Export this sheet’s pieces to");
    const ink = button("Low ink", () => store.set({ lowInk: !store.lowInk }), { class: "chip", title: "l" });
    store.watch(["lowInk"], () => ink.setAttribute("aria-pressed", String(store.lowInk)));
    const slider = h("input", { type: "range", class: "zoom-slider", min: 90, max: 900, step: 10, value: this.wide, "aria-label": "Size of the pages", on: { input: () => this.resize(Number(slider.value)) } });
    this.print = button("Print this sheet", () => start("build", { sheets: [this.chosen], paper: paperChosen(), duplex: this.duplex.value }), { icon: icon("print"), words: true, class: "main", title: "A PDF of this sheet alone, as it is shown" });
    this.export = button("Export", () => {}, { icon: icon("export"), words: true, class: "chip brief", title: "The pieces on this sheet, for other programs and services" });
    menu(this.export, (close) => this.exportForm(close), { className: "wide", label: "Export this sheet" });
    this.main = h("div", { class: "view" }, h("div", { class: "toolbar" }, h("div", { class: "named grow" }, this.title, this.words), ink, this.paper, this.duplex, slider, this.export, this.print), this.pages);
    this.side = [h("h2", { class: "panel-title", text: "Sheets" }), this.list];
    this.look = new IntersectionObserver((entries) => entries.forEach((entry) => this.near(entry)), { root: this.pages, rootMargin: "600px" });
    this.sharpen = settled(() => this.redraw(), 150);
    this.zoomed = new PageView();
    this.duplex.addEventListener("change", () => this.ask());
    store.watch(["sheets"], () => this.sheetList());
    store.watch(["view", "epoch", "lowInk", "language", "paper", "offers", "checked"], () => store.view === "sheets" && this.ask());
    store.watch(["sheetNews"], () => this.news(store.sheetNews), { now: false });
  }

  sheetList() {
    if (!store.sheets.some((sheet) => sheet.name === this.chosen)) this.chosen = store.sheets[0]?.name ?? "";
    this.list.replaceChildren(
      ...store.sheets.map((sheet) =>
        h(
          "li",
          { role: "presentation" },
          h(
            "button",
            { type: "button", role: "option", "aria-selected": String(sheet.name === this.chosen), title: sheet.components.join(", "), on: { click: () => this.choose(sheet.name) } },
            icon(sheet.book ? "sheets" : "cards"),
            h("span", { class: "name", text: sheet.name }),
            h("span", { class: "count", text: this.known.get(sheet.name)?.pages.length || "" }),
          ),
        ),
      ),
    );
  }

  exportForm(close) {
    const sheet = store.sheets.find((each) => each.name === this.chosen);
    const titles = (sheet?.components ?? []).map((id) => store.components.find((component) => component.id === id)?.title ?? id);
    return [
      h("h3", { text: `The pieces on “${this.chosen}”` }),
      h("p", { text: `${titles.join(", ")}${store.lowInk ? ", in low ink" : ""}` }),
      h("div", { class: "pairs" }, this.to, button("Export", () => (start("export", { to: this.to.value, components: sheet?.components ?? [] }), close()), { class: "main", disabled: !sheet })),
    ];
  }

  choose(name) {
    this.chosen = name;
    this.pages.replaceChildren();
    this.shown = null;
    this.sheetList();
    this.ask();
  }

  /** The chosen sheet as it is now; what stands stays until the new pages are there. */
  async ask() {
    clearTimeout(this.timer);
    const name = this.chosen;
    this.title.textContent = name;
    for (const each of [this.print, this.export]) each.disabled = !name;
    if (!name) {
      this.say("This game has no sheets.");
      return;
    }
    try {
      const sheet = await api.sheet(name, store, { paper: paperChosen(), duplex: this.duplex.value });
      if (name !== this.chosen) return;
      if (sheet.pages.length) this.known.set(name, sheet);
      this.draw(sheet);
      if (sheet.state === "running") this.timer = setTimeout(() => store.view === "sheets" && this.ask(), POLL);
    } catch (error) {
      if (name === this.chosen) this.say(error.missing ? "This server doesn’t lay out pages yet. “Print this sheet” makes the PDF." : `The pages can’t be loaded: ${error.message}.`);
    }
  }

  /** The server says how far a sheet is. */
  news(said) {
    if (said.name !== this.chosen || store.view !== "sheets") return;
    if (said.state !== "running") this.ask();
    else if (said.total) this.words.textContent = `being laid out: ${said.step} ${said.done} of ${said.total}`;
  }

  say(words) {
    this.words.textContent = "";
    this.shown = null;
    this.pages.replaceChildren(h("p", { class: "empty", text: words }));
  }

  draw(sheet) {
    const pages = sheet.pages.length ? sheet : this.known.get(this.chosen);
    this.pages.classList.toggle("waiting", sheet.state === "running");
    const about = pages?.pages.length ? `${amount(pages.pages.length, "page")}, ${sizeWords([pages.pages[0].width, pages.pages[0].height])}` : "";
    this.words.title = about;
    this.words.textContent = [about, { running: "being laid out …", failed: "can’t be laid out now" }[sheet.state]].filter(Boolean).join(" · ");
    this.sheetList();
    const key = pages ? `${pages.key} ${sheet.findings?.length ?? 0}` : "";
    if (this.shown === key && key) return;
    this.shown = key;
    const findings = sheet.findings?.length ? h("ul", { class: "findings wide" }, sheet.findings.slice(0, 20).map((finding) => findingRow(finding, { showCard: true }))) : null;
    if (!pages) {
      this.pages.replaceChildren(...[findings ?? h("p", { class: "empty", text: sheet.state === "running" ? "The pages are being laid out …" : "There are no pages." })]);
      return;
    }
    const scroll = this.pages.scrollTop;
    const old = [...this.pages.querySelectorAll(".page")];
    const made = pages.pages.map((page, index) => this.page(pages, page, index, old[index]));
    this.pages.replaceChildren(...[findings, ...made].filter(Boolean));
    this.pages.scrollTop = scroll;
  }

  page(sheet, page, index, old) {
    const made = old ?? h("button", { type: "button", class: "page" }, h("span", { class: "paper" }), h("span", { class: "muted" }));
    const number = index + 1;
    made.onclick = () => this.zoomed.open(sheet, index);
    made.style.setProperty("--w", String(page.width));
    made.style.setProperty("--h", String(page.height));
    made.setAttribute("aria-label", `Page ${number} of ${sheet.pages.length}`);
    made.lastElementChild.textContent = page.label || String(number);
    made.picture = { key: sheet.key, index };
    made.asked = "";
    this.look.unobserve(made);
    this.look.observe(made);
    return made;
  }

  near({ target, isIntersecting }) {
    target.isNear = isIntersecting;
    if (isIntersecting) this.fetch(target);
    else if (!target.firstElementChild.firstElementChild) {
      forget(target);
      target.asked = "";
    }
  }

  fetch(page) {
    const address = api.pagePicture(page.picture.key, page.picture.index, this.wide * devicePixelRatio);
    if (page.asked === address) return;
    page.asked = address;
    queue(page, async () => {
      if (page.asked !== address) return;
      const image = await loaded(h("img", { alt: "", draggable: "false" }), address);
      if (page.asked === address) page.firstElementChild.replaceChildren(image);
    });
  }

  resize(wide) {
    this.wide = wide;
    this.pages.style.setProperty("--wide", `${wide}px`);
    this.sharpen();
  }

  redraw() {
    for (const page of this.pages.querySelectorAll(".page")) if (page.isNear) this.fetch(page);
  }
}

/** One page over the whole window. */
class PageView {
  constructor() {
    this.paper = h("div", { class: "page-large" });
    this.words = h("span", { class: "muted" });
    this.dialog = h(
      "dialog",
      { class: "page-view", "aria-label": "Page", on: { keydown: (event) => this.key(event) } },
      h("div", { class: "large-bar" }, button("The page before (←)", () => this.step(-1), { icon: icon("left"), class: "plain" }), button("The next page (→)", () => this.step(1), { icon: icon("right"), class: "plain" }), this.words, button("Close (Esc)", () => this.dialog.close(), { icon: icon("close"), class: "plain end" })),
      this.paper,
    );
    document.body.append(this.dialog);
  }

  async open(sheet, index) {
    this.sheet = sheet;
    this.index = index;
    const wasOpen = this.dialog.open;
    if (!wasOpen) this.dialog.showModal();
    const page = sheet.pages[index];
    this.words.textContent = `${page.label || index + 1}, ${index + 1} of ${sheet.pages.length}`;
    const wide = Math.min(this.paper.clientWidth - 48, ((this.paper.clientHeight - 48) * page.width) / page.height);
    const image = h("img", { alt: `Page ${index + 1}`, vars: { "--wide": `${wide}px` } });
    const says = (words) => this.paper.replaceChildren(h("p", { class: "empty", text: words }));
    if (!wasOpen) says("The page is being drawn …"); // else the page before stands until this one is there
    const shown = await loaded(image, api.pagePicture(sheet.key, index, wide * devicePixelRatio)).then(() => true, () => false);
    if (this.sheet !== sheet || this.index !== index) return;
    if (shown) this.paper.replaceChildren(image);
    else says("The sheet has changed since. Close this page and open it again.");
  }

  step(direction) {
    const index = this.index + direction;
    if (this.sheet.pages[index]) this.open(this.sheet, index);
  }

  key(event) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    this.step(direction);
  }
}

export function sheetsView() {
  return new Sheets();
}
