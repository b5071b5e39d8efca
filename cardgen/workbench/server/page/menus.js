/** Panels that drop from a button and go when something else is clicked or Escape is pressed. */
import { h } from "./dom.js";

let count = 0;

/**
 * Give a button a panel. `build(close)` gives what is in it, each time that it opens.
 * @param {HTMLElement} opener
 * @param {(close: () => void) => Node|Node[]} build
 */
export function menu(opener, build, { label = "", className = "" } = {}) {
  count += 1;
  const panel = h("div", { class: `menu ${className}`, popover: "auto", id: `menu-${count}`, role: "dialog", "aria-label": label || opener.textContent });
  opener.setAttribute("aria-haspopup", "dialog");
  opener.setAttribute("aria-expanded", "false");
  opener.popoverTargetElement = panel;
  document.body.append(panel);
  const close = () => panel.hidePopover();
  panel.addEventListener("beforetoggle", (event) => {
    if (event.newState !== "open") return;
    panel.replaceChildren(...[build(close)].flat());
  });
  panel.addEventListener("toggle", (event) => {
    const open = event.newState === "open";
    opener.setAttribute("aria-expanded", String(open));
    if (open) {
      place(panel, opener);
      panel.querySelector("button:not([disabled]), select, input")?.focus();
    }
  });
  return panel;
}

function place(panel, opener) {
  const at = opener.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left, innerWidth - width - 8));
  const below = at.bottom + 6;
  const top = below + height > innerHeight - 8 && at.top - height - 6 > 0 ? at.top - height - 6 : below;
  panel.style.setProperty("left", `${left}px`);
  panel.style.setProperty("top", `${top}px`);
}
