/** Short words at the foot of the page that go by themselves, read out by screen readers. */
import { button, h } from "./dom.js";
import { icon } from "./icons.js";

const STAY = 6000;

const shelf = h("div", { class: "notices", role: "status", "aria-live": "polite" });
const voice = h("div", { class: "unseen", role: "status", "aria-live": "polite" });

export function noticeShelf() {
  return [shelf, voice];
}

/** Show words, with buttons of `[label, does]` beside them. */
export function notice(words, ...actions) {
  const shown = h(
    "div",
    { class: "notice" },
    h("span", { text: words }),
    actions.map(([label, does]) => button(label, does, { class: "quiet" })),
    button("Close", () => shown.remove(), { icon: icon("close"), class: "plain" }),
  );
  shelf.append(shown);
  while (shelf.children.length > 3) shelf.firstElementChild.remove();
  setTimeout(() => shown.remove(), STAY);
}

/** Say something to those who can't see it; nothing is shown. */
export function say(words) {
  voice.textContent = words;
}
