/** Building the page's own elements. Data only ever goes in as text or as an attribute's value. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element. `settings`: `class`, `text`, `on` (listeners by event), `data` (data-*), `vars` (custom
 * properties), properties of the element by their name (`disabled`, `value`, …), and any other name is an
 * attribute; null, undefined and false leave it out.
 * @param {string} tag
 * @param {Record<string, any>} [settings]
 * @param {...(Node|string|null|undefined|false)} children
 */
export function h(tag, settings = {}, ...children) {
  const made = document.createElement(tag);
  dress(made, settings);
  made.append(...children.flat().filter((child) => child || child === 0));
  return made;
}

/** The same for a drawing's element; all settings but `class`, `text`, `on` and `vars` are attributes. */
export function s(tag, settings = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  dress(made, settings);
  made.append(...children.flat().filter(Boolean));
  return made;
}

function dress(made, settings) {
  for (const [name, value] of Object.entries(settings)) {
    if (value === null || value === undefined) continue;
    if (name === "class") made.setAttribute("class", value);
    else if (name === "text") made.textContent = value;
    else if (name === "on") for (const [event, does] of Object.entries(value)) made.addEventListener(event, does);
    else if (name === "data") Object.assign(made.dataset, value);
    else if (name === "vars") for (const [key, each] of Object.entries(value)) made.style.setProperty(key, each);
    else if (OWN.has(name) && name in made) made[name] = value;
    else if (value !== false) made.setAttribute(name, value === true ? "" : value);
  }
}

const OWN = new Set(["value", "checked", "disabled", "hidden", "tabIndex", "open", "selected", "indeterminate"]);

/** A button; `label` is its words, or its name where `icon` is all that is seen. */
export function button(label, does, { icon = null, words = !icon, ...settings } = {}) {
  return h(
    "button",
    { type: "button", on: { click: does }, title: words ? null : label, "aria-label": words ? null : label, ...settings },
    icon,
    words && h("span", { text: label }),
  );
}

/** A field for the link that shares a spreadsheet. */
export function linkField(label) {
  return h("input", { class: "entry", type: "url", placeholder: "https://docs.google.com/spreadsheets/…", maxLength: 2000, spellcheck: "false", title: label, "aria-label": label });
}

/** `children` in the place of what is in `parent`. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter(Boolean));
}

/** "3 cards", "1 card". */
export function amount(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Calls `does` once, `wait` ms after the last call. */
export function settled(does, wait) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => does(...values), wait);
  };
}
