/** Switches of how sides are seen: bleed, trim and safe zone, other eyes, low ink, half size. */
import { button, h } from "./dom.js";
import { store } from "./store.js";
import { VISIONS } from "./vision.js";

export const SWITCHES = [
  { name: "bleed", title: "Bleed", key: "b", about: "what is cut away" },
  { name: "trim", title: "Trim", key: "t", about: "where it is cut" },
  { name: "safe", title: "Safe", key: "s", about: "where text is safe from cutting" },
  { name: "lowInk", title: "Low ink", key: "l", about: "the game’s light variant" },
  { name: "half", title: "Half size", key: "h", about: "an enlarged card, as seen across the table" },
];

export function toggle(name) {
  store.set({ [name]: !store[name] });
}

export function nextVision() {
  const at = VISIONS.findIndex((vision) => vision.id === store.vision);
  store.set({ vision: VISIONS[(at + 1) % VISIONS.length].id });
}

/** A row of switches. */
export function lookSwitches(names = SWITCHES.map((each) => each.name)) {
  const switches = SWITCHES.filter(({ name }) => names.includes(name)).map(({ name, title, key, about }) => {
    const made = button(title, () => toggle(name), { class: "chip", title: `${about} (${key})` });
    store.watch([name], () => made.setAttribute("aria-pressed", String(store[name])));
    return made;
  });
  return h("div", { class: "switches", role: "group", "aria-label": "How it is shown" }, switches, visionSelect());
}

export function visionSelect() {
  const select = h(
    "select",
    { class: "select", "aria-label": "Seen by", title: "Seen by (v)", on: { change: () => store.set({ vision: select.value }) } },
    VISIONS.map(({ id, title }) => h("option", { value: id, text: title })),
  );
  store.watch(["vision"], () => {
    select.value = store.vision;
    select.classList.toggle("on", Boolean(store.vision));
  });
  return select;
}
