/** `<cg-grid>`: the cards' sides by component, as large as they are. */
import { amount, button, h, settled } from "./dom.js";
import { icon } from "./icons.js";
import { nearness, Side } from "./side.js";
import { componentOf, placeOf, store } from "./store.js";
import { scale, sizeWords, trueScale } from "./units.js";

const EDGE = 20;

/** So many cards get their tiles at once; those of a larger game follow when these are on the screen. */
const FIRST = 60;
/** Tiles that follow at a time. */
const MORE = 600;
const FOLLOW_MS = 250;

export function titleOf(card) {
  const { title, name, alias } = card.fields;
  return String(title ?? name ?? alias ?? card.id);
}

class Grid extends HTMLElement {
  #tiles = new Map();
  #sections = new Map();
  #order = [];

  connectedCallback() {
    this.setAttribute("role", "listbox");
    this.setAttribute("aria-label", "Cards");
    this.nearness = nearness(this);
    this.#measure();
    this.empty = h("div", { class: "empty", hidden: true });
    this.most = FIRST;
    this.growing = false;
    this.redraw = settled(() => this.#rescale(), 120);
    this.addEventListener("click", (event) => this.#choose(event.target));
    this.addEventListener("dblclick", (event) => this.#open(event.target));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    new ResizeObserver(() => this.#resized()).observe(this);
    store.watch(["matching", "components", "backs", "loaded"], () => this.#sync());
    store.watch(["cards", "findingsByCard"], () => this.#refresh());
    store.watch(["flashing"], () => this.#flash());
    store.watch(["selected", "matching"], () => this.#select());
    store.watch(["zoom", "calibration", "bleed"], () => this.#zoom());
    store.watch(["query", "component"], () => (this.scrollTop = 0), { now: false });
    store.watch(["broken"], () => this.classList.toggle("broken", store.broken));
    store.watch(["table"], () => {
      this.hidden = store.table;
      if (!this.hidden && this.behind) this.#catchUp();
    });
  }

  /** Take over what changed while the table was shown instead: thousands of hidden tiles would slow each step. */
  #catchUp() {
    this.behind = false;
    this.#sync();
    this.#refresh();
    this.#rescale();
  }

  /** What stands where no card does, and the ways out of that. */
  #nothing() {
    if (!store.cards.size) return [h("p", { text: "This game has no cards to show yet." })];
    const component = store.components.find((each) => each.id === store.component);
    const ways = [
      store.query.trim() && button("Clear the search", () => store.set({ query: "" }), { class: "quiet" }),
      component && button("Look at everything", () => store.set({ component: "" }), { class: "quiet" }),
    ];
    const where = component ? ` among ${component.title}` : "";
    return [h("p", { text: store.query.trim() ? `No card${where} matches this search.` : `There is no card${where}.` }), h("div", { class: "ways" }, ways)];
  }

  /** The width that a card may have. Measured when it changes: to ask the browser lays the page out anew. */
  #measure() {
    this.room = Math.max(120, this.clientWidth - 2 * EDGE - 12);
  }

  /** The cards to make tiles for now: those of a large game come one part after the other, so that the page
   *  answers meanwhile. */
  #present() {
    if (this.most < store.matching.length && !this.growing) {
      this.growing = true;
      setTimeout(() => {
        this.growing = false;
        this.most += MORE;
        this.#sync();
      }, FOLLOW_MS);
    }
    return store.matching.slice(0, this.most);
  }

  #sync() {
    if (store.table) {
      this.behind = true;
      return;
    }
    const groups = new Map();
    for (const card of this.#present()) {
      if (!groups.has(card.component)) groups.set(card.component, []);
      groups.get(card.component).push(card);
    }
    const sections = store.components.filter((component) => groups.has(component.id)).map((component) => this.#section(component, groups.get(component.id)));
    put(this, [this.empty, ...sections]);
    this.#order = [...this.querySelectorAll(".tile")];
    const places = new Set(store.cards.keys());
    for (const [place, tile] of this.#tiles) {
      if (places.has(place)) continue;
      this.nearness.unobserve(tile);
      this.#tiles.delete(place);
    }
    this.empty.hidden = Boolean(store.matching.length) || !store.loaded;
    if (!this.empty.hidden) this.empty.replaceChildren(...this.#nothing());
    this.#select();
  }

  #section(component, cards) {
    if (!this.#sections.has(component.id)) {
      const head = h("header", { class: "section-head" }, h("h2"), h("span", { class: "muted" }));
      this.#sections.set(component.id, h("section", { class: "section", role: "group" }, head, h("div", { class: "tiles" })));
    }
    const section = this.#sections.get(component.id);
    const [title, about] = section.firstElementChild.children;
    title.textContent = component.title;
    section.setAttribute("aria-label", component.title);
    const copies = cards.reduce((sum, card) => sum + card.copies, 0);
    about.textContent = [`${cards.length} ${cards.length === 1 ? "design" : "designs"}`, copies === cards.length ? "" : `${copies} pieces`, sizeWords(cards[0].trim)].filter(Boolean).join(" · ");
    put(section.lastElementChild, cards.map((card) => this.#tile(card)));
    return section;
  }

  #tile(card) {
    const place = placeOf(card);
    let tile = this.#tiles.get(place);
    if (!tile) {
      tile = h("div", { class: "tile", role: "option", tabIndex: -1, data: { place } }, h("div", { class: "pair" }, new Side()), h("div", { class: "caption" }));
      this.#tiles.set(place, tile);
      this.#update(tile, card);
      this.nearness.observe(tile);
    } else if (tile.card !== card || tile.backs !== store.backs) this.#update(tile, card);
    return tile;
  }

  #update(tile, card) {
    tile.card = card;
    tile.backs = store.backs;
    const component = componentOf(card);
    const pair = tile.firstElementChild;
    const back = store.backs && card.back;
    if (back && pair.children.length < 2) {
      pair.append(new Side());
      this.nearness.unobserve(tile);
      queueMicrotask(() => this.nearness.observe(tile));
    }
    if (!back && pair.children.length > 1) pair.lastElementChild.remove();
    pair.firstElementChild.show(card.face, card, component, "face").scale(scale(), this.room);
    if (back) pair.lastElementChild.show(card.back, card, component, "back").scale(scale(), this.room);
    tile.style.setProperty("--w", String(card.trim[0]));
    tile.style.setProperty("--h", String(card.trim[1]));
    tile.style.setProperty("--b", String(component?.bleed ?? 0));
    tile.style.setProperty("--sides", back ? "2" : "1");
    this.#caption(tile, card);
  }

  #caption(tile, card) {
    const findings = store.findingsByCard.get(placeOf(card)) ?? [];
    const worst = findings[0]?.severity ?? (card.face?.look === "marked" ? "error" : "");
    const shown = this.room / card.trim[0] / trueScale();
    const fitted = shown < store.zoom ? `at ${Math.round(shown * 100)} %` : "";
    const said = [titleOf(card), card.id, card.copies, worst, findings.length, fitted].join("\n");
    if (tile.said === said) return;
    tile.said = said;
    tile.lastElementChild.replaceChildren(
      ...[
        worst && h("span", { class: `sign ${worst}` }, icon(worst), findings.length > 1 && String(findings.length)),
        h("span", { class: "name", text: titleOf(card), title: card.id }),
        fitted && h("span", { class: "muted", text: fitted }),
        card.copies !== 1 && h("span", { class: "copies", text: `×${card.copies}` }),
      ].filter(Boolean),
    );
    const words = [titleOf(card), card.copies === 1 ? "" : `${card.copies} copies`, findings.length ? amount(findings.length, "finding") : ""];
    tile.setAttribute("aria-label", words.filter(Boolean).join(", "));
  }

  #refresh() {
    if (store.table) {
      this.behind = true;
      return;
    }
    // A card without a picture is said to wait for it, unless there are errors.
    const errors = store.findings.some((each) => each.severity === "error");
    const isNews = errors !== this.errors;
    this.errors = errors;
    for (const tile of this.#order) {
      const card = store.cards.get(tile.dataset.place);
      if (!card) continue;
      if (card !== tile.card || (isNews && !card.face?.key)) this.#update(tile, card);
      else this.#caption(tile, card);
    }
  }

  #flash() {
    for (const place of store.flashing ?? []) {
      const tile = this.#tiles.get(place);
      for (const side of tile?.querySelectorAll("cg-side") ?? []) side.flash();
    }
  }

  #select() {
    if (store.table) {
      this.behind = true;
      return;
    }
    let any = null;
    for (const tile of this.#order) {
      const selected = tile.dataset.place === store.selected;
      if (tile.ariaSelected !== String(selected)) tile.setAttribute("aria-selected", String(selected));
      if (tile.tabIndex !== (selected ? 0 : -1)) tile.tabIndex = selected ? 0 : -1;
      if (selected) any = tile;
    }
    if (!any && this.#order[0]) this.#order[0].tabIndex = 0;
  }

  /** The tile of a card, scrolled into sight; null if it isn't shown. */
  reveal(place, { focus = false } = {}) {
    const tile = this.#order.find((each) => each.dataset.place === place);
    tile?.scrollIntoView({ block: "nearest" });
    if (focus) tile?.focus({ preventScroll: true });
    return tile ?? null;
  }

  /** Focus goes to the card that is selected, or the first; or to the table that is shown instead. */
  focusCards() {
    if (store.table) {
      document.querySelector(".table-scroller")?.focus();
      return;
    }
    (this.#order.find((tile) => tile.tabIndex === 0) ?? this.#order[0])?.focus();
  }

  #choose(target) {
    const tile = target.closest?.(".tile");
    if (!tile) return;
    store.set({ selected: tile.dataset.place, panel: "card" });
    tile.focus({ preventScroll: true });
  }

  #open(target) {
    const tile = target.closest?.(".tile");
    if (tile) this.dispatchEvent(new CustomEvent("open-card", { bubbles: true, detail: tile.dataset.place }));
  }

  #key(event) {
    const tile = event.target.closest?.(".tile");
    if (!tile || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.#order.indexOf(tile);
    const to = {
      ArrowRight: () => at + 1,
      ArrowLeft: () => at - 1,
      ArrowDown: () => this.#vertical(at, 1),
      ArrowUp: () => this.#vertical(at, -1),
      Home: () => 0,
      End: () => this.#order.length - 1,
      PageDown: () => this.#page(at, 1),
      PageUp: () => this.#page(at, -1),
    }[event.key]?.();
    if (event.key === "Enter") this.#open(tile);
    else if (event.key === " ") this.#choose(tile);
    else if (to === undefined) return;
    else this.#go(Math.max(0, Math.min(to, this.#order.length - 1)));
    event.preventDefault();
  }

  #go(index) {
    const tile = this.#order[index];
    store.set({ selected: tile.dataset.place, panel: "card" });
    tile.tabIndex = 0;
    tile.scrollIntoView({ block: "nearest" });
    tile.focus({ preventScroll: true });
  }

  /** The nearest tile of the row above or below. */
  #vertical(at, direction) {
    const from = middle(this.#order[at]);
    let row = null;
    let best = at;
    let least = Infinity;
    for (let index = at + direction; index >= 0 && index < this.#order.length; index += direction) {
      const place = middle(this.#order[index]);
      if (Math.abs(place.top - from.top) < 2) continue;
      row ??= place.top;
      if (Math.abs(place.top - row) > 2) break;
      if (Math.abs(place.x - from.x) < least) [best, least] = [index, Math.abs(place.x - from.x)];
    }
    return best;
  }

  #page(at, direction) {
    let index = at;
    const from = middle(this.#order[at]).top;
    for (let rows = 0; rows < 30; rows += 1) {
      const next = this.#vertical(index, direction);
      if (next === index || Math.abs(middle(this.#order[next]).top - from) > this.clientHeight * 0.8) break;
      index = next;
    }
    return index === at ? this.#vertical(at, direction) : index;
  }

  #wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.point = event.clientY - this.getBoundingClientRect().top;
    store.set({ zoom: Math.max(0.15, Math.min(4, store.zoom * 1.0015 ** -event.deltaY)) });
  }

  /** Zoom, with what is looked at kept where it is: what is under the pointer, the card that is selected, or
   *  what stands in the middle. */
  #zoom() {
    const height = this.clientHeight;
    const selected = this.#order.find((tile) => tile.dataset.place === store.selected);
    const seen = selected && selected.offsetTop + selected.offsetHeight > this.scrollTop && selected.offsetTop < this.scrollTop + height;
    const line = this.scrollTop + (this.point ?? height / 2);
    const anchor = seen && this.point === undefined ? selected : this.#order.find((tile) => tile.offsetTop + tile.offsetHeight >= line);
    const part = anchor ? (line - anchor.offsetTop) / (anchor.offsetHeight || 1) : 0;
    const gap = line - this.scrollTop;
    this.style.setProperty("--u", String(scale()));
    this.style.setProperty("--most", `${this.room}px`);
    if (anchor && this.scrollTop) this.scrollTop = anchor.offsetTop + part * anchor.offsetHeight - gap;
    this.point = undefined;
    this.redraw();
  }

  #resized() {
    if (!this.clientWidth) return;
    this.#measure();
    this.style.setProperty("--most", `${this.room}px`);
    this.redraw();
  }

  #rescale() {
    for (const tile of this.#order) {
      for (const side of tile.querySelectorAll("cg-side")) side.scale(scale(), this.room);
      this.#caption(tile, tile.card);
    }
  }
}

function middle(tile) {
  return { x: tile.offsetLeft + tile.offsetWidth / 2, top: tile.offsetTop };
}

/** `nodes` as all children of `parent`; those that are its first ones already aren't touched. */
function put(parent, nodes) {
  const there = [...parent.children];
  if (there.length <= nodes.length && there.every((node, index) => node === nodes[index])) {
    parent.append(...nodes.slice(there.length));
    return;
  }
  const focused = document.activeElement;
  parent.replaceChildren(...nodes);
  if (focused !== document.activeElement && parent.contains(focused)) focused.focus({ preventScroll: true });
}

customElements.define("cg-grid", Grid);
