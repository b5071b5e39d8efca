/** What stands over the cards: search, order, backs, how they look, zoom. */
import { button, h } from "./dom.js";
import { fieldsShown } from "./filtering.js";
import { icon } from "./icons.js";
import { lookSwitches } from "./looks.js";
import { menu } from "./menus.js";
import { searchBox } from "./search.js";
import { store } from "./store.js";
import { clampZoom, LEAST, MOST, stepFrom, tidy } from "./units.js";

export function zoomBy(direction) {
  store.set({ zoom: stepFrom(store.zoom, direction) });
}

export function toolbar() {
  return h("div", { class: "toolbar", role: "toolbar", "aria-label": "Cards" }, searchBox(), asTable(), sorting(), backs(), looks(), zoom());
}

/** The cards as pictures or as a table. */
function asTable() {
  const made = button("Table", () => store.set({ table: !store.table }), { class: "chip", title: "Every card as a row (y)" });
  store.watch(["table"], () => made.setAttribute("aria-pressed", String(store.table)));
  return made;
}

function sorting() {
  const select = h("select", { class: "select sort", "aria-label": "Sort by", title: "Sort by", on: { change: () => store.set({ sort: select.value }) } });
  const turn = button("Reverse the order", () => store.set({ descending: !store.descending }), { icon: icon("down"), class: "plain turn" });
  store.watch(["components", "component"], () => {
    const fields = fieldsShown();
    if (store.sort && !fields.includes(store.sort) && !["copies", "id", ""].includes(store.sort) && store.loaded) store.set({ sort: "" });
    const names = ["id", "copies", ...fields.filter((name) => name !== "id" && name !== "copies")];
    select.replaceChildren(h("option", { value: "", text: "As in the file" }), ...names.map((name) => h("option", { value: name, text: `By ${name}` })));
    select.value = store.sort;
  });
  store.watch(["sort", "descending"], () => {
    select.value = store.sort;
    turn.classList.toggle("up", store.descending);
    turn.setAttribute("aria-pressed", String(store.descending));
  });
  return h("div", { class: "joined" }, select, turn);
}

function backs() {
  const made = button("Backs", () => store.set({ backs: !store.backs }), { class: "chip", title: "Show the backs too (k)" });
  store.watch(["backs"], () => made.setAttribute("aria-pressed", String(store.backs)));
  return made;
}

function looks() {
  const made = button("Look", () => {}, { icon: icon("eye"), words: true, class: "chip" });
  menu(made, () => [h("h3", { text: "How the cards are seen" }), lookSwitches(["bleed", "trim", "safe", "lowInk"])], { className: "looks" });
  store.watch(["bleed", "trim", "safe", "vision", "lowInk"], () => {
    made.classList.toggle("on", store.bleed || store.trim || store.safe || store.lowInk || Boolean(store.vision));
  });
  return made;
}

function zoom() {
  const slider = h("input", {
    type: "range",
    class: "zoom-slider",
    min: Math.log2(LEAST),
    max: Math.log2(MOST),
    step: 0.02,
    "aria-label": "Zoom",
    on: { input: () => store.set({ zoom: clampZoom(near(2 ** slider.value)) }) },
  });
  const said = button("100 %", () => {}, { class: "plain zoom-words", title: "True size and screen calibration" });
  menu(said, calibration, { className: "wide" });
  store.watch(["zoom"], () => {
    slider.value = Math.log2(store.zoom);
    said.firstElementChild.textContent = `${Math.round(store.zoom * 100)} %`;
    slider.setAttribute("aria-valuetext", said.textContent);
  });
  return h("div", { class: "zoom" }, slider, said);
}

/** Near to true size it is true size. */
function near(zoom) {
  return Math.abs(zoom - 1) < 0.035 ? 1 : zoom;
}

function calibration(close) {
  const slider = h("input", {
    type: "range",
    min: 0.6,
    max: 1.6,
    step: 0.005,
    value: store.calibration,
    "aria-label": "Size of the drawn card",
    on: { input: () => (store.set({ calibration: Number(slider.value) }), draw()) },
  });
  const card = h("div", { class: "bank-card" }, h("span", { text: "85.6 × 54 mm" }));
  const words = h("p", { class: "muted" });
  const draw = () => {
    card.style.setProperty("--scale", String((96 / 25.4) * store.calibration));
    words.textContent = `${tidy((96 / 25.4) * store.calibration)} px a millimetre`;
  };
  draw();
  return [
    button("True size", () => (store.set({ zoom: 1 }), close()), { class: "main", title: "Ctrl+0" }),
    h("h3", { text: "Measure this screen once" }),
    h("p", { text: "Hold a bank card on the screen and move the slider until the drawn one is as large. 100 % is then true size." }),
    card,
    slider,
    words,
    button("Browser default", () => (store.set({ calibration: 1 }), (slider.value = 1), draw()), { class: "quiet" }),
  ];
}
