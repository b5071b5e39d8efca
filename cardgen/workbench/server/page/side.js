/** `<cg-side>`: a side of a card, cut to its shape, at the size of so many px a millimetre. */
import * as api from "./api.js";
import { h } from "./dom.js";
import { forget, loaded, queue, whenThere } from "./pictures.js";
import { store } from "./store.js";

/** The sides that are shown, by card and which of its sides it is. */
const shown = new Map();

/** Have the sides of cards that changed fetch their pictures now, before all else that shows these cards is
 *  made anew. */
export function fetchAtOnce(cards) {
  for (const card of cards) {
    const place = `${card.component}/${card.id}`;
    compare(place, card);
    if (!drafts.has(place)) fetchSides(place, card);
  }
}

/** Sides as they will be once what is typed is saved, by card: `face`, `back`, and whether it `isSaved`. */
const drafts = new Map();

/** Show a card as it will be once what is typed is saved. */
export function showDraft(place, sides) {
  drafts.set(place, sides);
  fetchSides(place, sides);
}

/** Note that what is typed is in the file: the server's next word about the card ends the draft. */
export function keepDraft(place) {
  const draft = drafts.get(place);
  if (draft) draft.isSaved = true;
}

/** Show a card as the server said last. */
export function endDraft(place) {
  if (drafts.delete(place) && store.cards.has(place)) fetchSides(place, store.cards.get(place));
}

/** End the draft of a card that the server tells of, unless it is newer than that. */
function compare(place, card) {
  const draft = drafts.get(place);
  if (draft && (draft.isSaved || draft.face?.key === card.face?.key)) drafts.delete(place);
}

function fetchSides(place, sides) {
  for (const which of ["face", "back"]) for (const side of shown.get(`${place} ${which}`) ?? []) side.fetchNow(sides[which]);
}

const ATTEMPTS = 4;
const SVG = "http://www.w3.org/2000/svg";
const FLAT = [[0.25, 0], [0.75, 0], [1, 0.5], [0.75, 1], [0.25, 1], [0, 0.5]];
const POINTED = [[0.5, 0], [1, 0.25], [1, 0.75], [0.5, 1], [0, 0.75], [0, 0.25]];

/** The corners of a piece with straight sides that is no rectangle, in mm of its trim; null for others. */
function cornersOf(component, width, height, which) {
  const parts = component?.shape === "hexagon" ? (width >= height ? FLAT : POINTED) : component?.corners;
  if (!parts?.length) return null;
  const seen = which === "back" ? parts.map(([x, y]) => [1 - x, y]).reverse() : parts; // a back is a mirror image
  return seen.map(([x, y]) => [x * width, y * height]);
}

/** A polygon, its corners clockwise, with each side so many mm further in. */
function movedIn(corners, by) {
  const sides = corners.map(([x, y], index) => {
    const [toX, toY] = corners[(index + 1) % corners.length];
    const length = Math.hypot(toX - x, toY - y);
    const [across, down] = [(toX - x) / length, (toY - y) / length];
    return [x - down * by, y + across * by, across, down];
  });
  return sides.map(([x, y, across, down], index) => {
    const [beforeX, beforeY, beforeAcross, beforeDown] = sides.at(index - 1);
    const turn = beforeAcross * down - beforeDown * across;
    if (Math.abs(turn) < 1e-9) return [x, y];
    const along = ((x - beforeX) * down - (y - beforeY) * across) / turn;
    return [beforeX + along * beforeAcross, beforeY + along * beforeDown];
  });
}

/** mm over a mark that its number needs. */
const ROOM_FOR_NUMBER = 9;
const LABELS = { stale: "last good picture", none: "no picture" };
const SPOKEN = { marked: "its problems are marked", stale: "the last good picture", none: "there is no picture" };

/** The picture that stands stays until the next one is decoded, so that nothing flickers; another card's fades. A picture is asked
 *  for in the screen's own pixels, once the side is `near` what is seen. */
export class Side extends HTMLElement {
  #side = null;
  #wanted = "";
  #coming = null;
  #scale = 0;
  #near = false;
  #marks = "";
  #place = "";

  constructor() {
    super();
    this.cut = null;
  }

  /** Which side of which card: `side` is {key, look} or null. */
  show(side, card, component, which = "face") {
    this.#build();
    const [width, height] = card.trim;
    const lengths = { "--w": width, "--h": height, "--b": component?.bleed ?? 0, "--c": component?.corner ?? 0, "--s": component?.safe ?? 0 };
    for (const [name, length] of Object.entries(lengths)) this.style.setProperty(name, String(length));
    const draft = drafts.get(`${card.component}/${card.id}`)?.[which];
    this.#side = draft ?? side ?? { key: "", look: "none" };
    this.width = width;
    this.bleed = lengths["--b"];
    this.dataset.look = this.#side.look === "none" && !store.findings.some((each) => each.severity === "error") ? "waiting" : this.#side.look;
    this.dataset.shape = component?.shape ?? "rectangle";
    this.#cutAlong(cornersOf(component, width, height, which), width, height, lengths["--s"]);
    this.setAttribute("role", "img");
    const name = String(card.fields?.title ?? card.id);
    this.setAttribute("aria-label", [`${name}, ${which}`, SPOKEN[this.dataset.look]].filter(Boolean).join(": "));
    const place = `${card.component}/${card.id} ${which} ${card.trim}`;
    const moved = this.#place !== "" && this.#place !== place;
    const other = moved && !this.#side.key;
    const shaped = this.#place && this.#place.slice(this.#place.lastIndexOf(" ")) !== place.slice(place.lastIndexOf(" "));
    if (this.dataset.look === "none" || other || shaped) this.#clear();
    this.#place = place;
    this.#stand(`${card.component}/${card.id} ${which}`);
    this.#say();
    const before = this.#wanted;
    this.#draw();
    if (moved) this.toggleAttribute("data-old", before !== this.#wanted);
    this.#drawMarks();
    return this;
  }

  /** The picture of the same side as it is now: the rest is shown later. */
  fetchNow(side) {
    if (!side?.key || !this.#side || !this.isConnected) return;
    this.#side = { ...this.#side, key: side.key };
    this.#draw();
  }

  /** Cut the picture along straight sides, with lines for the trim and the safe zone; null for other shapes. */
  #cutAlong(corners, width, height, safe) {
    this.toggleAttribute("data-straight", corners !== null);
    this.edges?.remove();
    this.edges = null;
    if (!corners) return;
    const points = (some) => some.map(([x, y]) => `${x},${y}`).join(" ");
    this.style.setProperty("--cut", `polygon(${corners.map(([x, y]) => `${(100 * x) / width}% ${(100 * y) / height}%`).join(", ")})`);
    this.edges = document.createElementNS(SVG, "svg");
    this.edges.setAttribute("class", "edges");
    this.edges.setAttribute("viewBox", `0 0 ${width} ${height}`);
    for (const [name, some] of [["trim", corners], ["safe", movedIn(corners, safe)]]) {
      const line = document.createElementNS(SVG, "polygon");
      line.setAttribute("class", name);
      line.setAttribute("points", points(some));
      this.edges.append(line);
    }
    this.append(this.edges);
  }

  #stand(name) {
    if (this.name === name) return;
    this.#leave();
    this.name = name;
    if (!shown.has(name)) shown.set(name, new Set());
    shown.get(name).add(this);
  }

  #leave() {
    const others = shown.get(this.name);
    others?.delete(this);
    if (others && !others.size) shown.delete(this.name);
    this.name = "";
  }

  connectedCallback() {
    if (this.name === "" && this.#place) this.#stand(this.#place.split(" ").slice(0, 2).join(" "));
  }

  disconnectedCallback() {
    if (this.name) this.#leave();
  }

  /** CSS px of a millimetre, and the most CSS px that it may be wide. */
  scale(scale, most = Infinity) {
    this.style.setProperty("--u", String(scale));
    this.style.setProperty("--most", Number.isFinite(most) ? `${most}px` : "100000px");
    this.#scale = Math.min(scale, most / this.width || Infinity);
    this.#draw();
    return this;
  }

  /** Whether it is near enough to what is seen to be drawn. */
  near(near) {
    if (this.#near === near) return this;
    this.#near = near;
    if (near) {
      this.#draw();
      this.#drawMarks();
    } else if (this.#wanted && !this.#coming && !this.cut?.firstElementChild?.src?.endsWith(this.#wanted)) {
      this.#drop();
      this.#wanted = "";
    }
    return this;
  }

  /** Catch the eye, once pictures stand: many that move are much to paint. */
  flash() {
    this.classList.remove("flash");
    whenThere(() => requestAnimationFrame(() => this.classList.add("flash")));
  }

  #build() {
    if (this.cut) return;
    this.cut = h("div", { class: "cut" });
    this.label = h("span", { class: "look-label" });
    this.append(this.cut, this.label);
    this.addEventListener("animationend", () => this.classList.remove("flash"));
  }

  #clear() {
    this.#wanted = "";
    this.#drop();
    this.cut.replaceChildren();
  }

  #draw() {
    if (!this.#near || !this.#scale || !this.#side?.key) return;
    const address = api.sidePicture(this.#side.key, (this.width + 2 * this.bleed) * this.#scale * devicePixelRatio);
    if (address === this.#wanted) return;
    this.#wanted = address;
    this.#drop();
    queue(this, () => this.#fetch(address));
  }

  async #fetch(address, attempt = 1) {
    if (address !== this.#wanted) return;
    const image = h("img", { class: "picture", alt: "", draggable: "false" });
    this.#coming = image;
    try {
      await loaded(image, address);
    } catch {
      if (this.#coming === image) this.#missed(address, attempt);
      return;
    }
    return () => {
      if (this.#coming !== image) return;
      this.#coming = null;
      this.classList.remove("missed");
      this.#say();
      this.removeAttribute("data-old");
      this.cut.replaceChildren(image);
    };
  }

  /** What was asked for is not wanted any more. */
  #drop() {
    forget(this);
    this.#coming = null;
  }

  /** A picture that didn't come is asked for a few times more; what stands stays. */
  #missed(address, attempt) {
    this.#coming = null;
    if (attempt < ATTEMPTS) {
      setTimeout(() => address === this.#wanted && queue(this, () => this.#fetch(address, attempt + 1)), 500 * attempt);
      return;
    }
    this.#wanted = "";
    this.classList.toggle("missed", !this.cut.firstElementChild);
    this.#say();
  }

  #say() {
    this.label.textContent = this.classList.contains("missed") ? "no picture yet" : LABELS[this.dataset.look] ?? "";
  }

  async #drawMarks() {
    if (this.#side?.look !== "marked") {
      this.marks?.remove();
      this.marks = null;
      this.#marks = "";
      return;
    }
    if (!this.#near || this.#marks === this.#side.key) return;
    const key = this.#side.key;
    this.#marks = key;
    const marks = await marksOf(key);
    if (key !== this.#side.key || this.#side.look !== "marked") return;
    if (!marks.length) this.#marks = ""; // perhaps they are known later
    this.marks?.remove();
    this.marks = h("div", { class: "marks", "aria-hidden": "true" }, marks.map((mark, index) => this.#mark(mark, index)));
    this.append(this.marks);
  }

  #mark(mark, index) {
    const inside = mark.y < ROOM_FOR_NUMBER ? "inside" : "";
    const vars = { "--x": mark.x, "--y": mark.y, "--mw": mark.width, "--mh": mark.height };
    return h("div", { class: `mark ${mark.severity} ${inside}`, vars, title: mark.message }, h("b", { text: String(index + 1) }));
  }
}

const kept = new Map();

/** The marks of a side's picture, in their order; none where the server doesn't know. */
export function marksOf(key) {
  if (!kept.has(key)) {
    if (kept.size > 200) kept.clear();
    const asked = api.marks(key).then(
      (said) => said.marks,
      () => {
        kept.delete(key);
        return [];
      },
    );
    kept.set(key, asked);
  }
  return kept.get(key);
}

/** Watches elements with sides in them, or sides: those near what the scroller shows are drawn, those that it
 *  shows first of all; those that go far aren't asked for any more. */
export function nearness(root, margin = "500px 0px") {
  const near = new IntersectionObserver((entries) => entries.forEach((entry) => sidesIn(entry.target).forEach((side) => side.near(entry.isIntersecting))), { root, rootMargin: margin });
  const seen = new IntersectionObserver((entries) => entries.forEach((entry) => sidesIn(entry.target).forEach((side) => (side.isSeen = entry.isIntersecting))), { root });
  return {
    observe(element) {
      seen.observe(element);
      near.observe(element);
    },
    unobserve(element) {
      seen.unobserve(element);
      near.unobserve(element);
    },
  };
}

function sidesIn(element) {
  return element instanceof Side ? [element] : [...element.querySelectorAll("cg-side")];
}

customElements.define("cg-side", Side);

/** The page says how all sides are to be seen. */
store.watch(["bleed", "trim", "safe", "vision"], () => {
  const root = document.documentElement;
  for (const name of ["bleed", "trim", "safe"]) root.toggleAttribute(`data-${name}`, store[name]);
  if (store.vision) root.dataset.vision = store.vision;
  else delete root.dataset.vision;
});
