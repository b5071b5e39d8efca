/** The page's own signs, 16 × 16, drawn in lines. */
import { s } from "./dom.js";

const PATHS = {
  cards: "M3 4.5h6v9H3zM5.5 4.5v-2h7v9.5H9",
  sheets: "M3 2h7l3 3v9H3zM10 2v3h3M5.5 8h5M5.5 11h5",
  rules: "M2.5 4l1.5 1.5L6.5 3M2.5 11l1.5 1.5L6.5 10M9 4.5h5M9 11.5h5",
  hand: "M2.5 13L4 5l3-.6M6 13V4h4v9zM13.500 13L12 5l-3-.6",
  changes: "M4 2v12M12 2v12M1.500 5L4 2l2.500 3M9.500 11L12 14l2.500-3",
  settings: "M2 4.500h6M11 4.500h3M9.500 3a1.500 1.500 0 100 3 1.500 1.500 0 000-3zM2 11.500h2M7 11.500h7M5.500 10a1.500 1.500 0 100 3 1.500 1.500 0 000-3z",
  search: "M7 2.500a4.500 4.500 0 100 9 4.500 4.500 0 000-9zM10.300 10.300L14 14",
  close: "M3.500 3.500l9 9M12.500 3.500l-9 9",
  large: "M9.500 2.500h4v4M13.500 2.500L9 7M6.500 13.500h-4v-4M2.500 13.500L7 9",
  eye: "M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8zM8 6a2 2 0 100 4 2 2 0 000-4z",
  error: "M8 1.800L15 14H1zM8 6v4M8 11.500v1",
  warning: "M8 1.500L14.500 8 8 14.500 1.500 8zM8 5v3.500M8 10v1",
  note: "M8 2a6 6 0 100 12A6 6 0 008 2zM8 7v4M8 4.500v1",
  pass: "M3 8.500l3.500 3.500L13 4.500",
  fail: "M4 4l8 8M12 4l-8 8",
  report: "M2.500 13.500h11M4 13V8.500M8 13V3M12 13V6",
  undecided: "M5.500 6a2.500 2.500 0 113.500 2.300c-.7.400-1 .8-1 1.700M8 12v1",
  broken: "M8 1.800L15 14H1zM8 6v4M8 11.500v1",
  print: "M4.500 6V2h7v4M4.500 11.500H2.500v-5h11v5h-2M4.500 9.500h7V14h-7z",
  theme: "M8 2.500a5.500 5.500 0 100 11zM8 2.500a5.500 5.500 0 010 11",
  keys: "M1.500 4h13v8h-13zM4 6.500h.5M7 6.500h.5M10 6.500h.5M4.500 9.500h7",
  copy: "M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3",
  export: "M8 10V2.500M5 5l3-3 3 3M3 8.500v5h10v-5",
  open: "M6 3H3v10h10v-3M9 2.500h4.500V7M13.500 2.500L7.500 8.500",
  filter: "M2 3h12L9.500 8.500V13L6.500 14V8.500z",
  down: "M4 6l4 4 4-4",
  left: "M10 3L5 8l5 5",
  right: "M6 3l5 5-5 5",
  panel: "M2 3h12v10H2zM6 3v10",
  inspect: "M2 3h12v10H2zM10 3v10",
  more: "M3 8h.5M8 8h.5M13 8h.5",
  dice: "M3 3h10v10H3zM5.500 5.500h.5M10 10h.5M10 5.500h.5M5.500 10h.5",
  undo: "M3 6.500h7a3.500 3.500 0 010 7H6M6 3L2.500 6.500 6 10",
  redo: "M13 6.500H6a3.500 3.500 0 000 7h4M10 3l3.500 3.500L10 10",
  add: "M8 3v10M3 8h10",
  stop: "M4 4h8v8H4z",
  backs: "M2.500 3h5v10h-5zM10 3h3.500v10H10",
  ruler: "M1.500 5.500h13v5h-13zM4 5.500v2M6.500 5.500v3M9 5.500v2M11.500 5.500v3",
};

/** A sign by its name, hidden from screen readers: words stand beside it or name its button. */
export function icon(name) {
  return s(
    "svg",
    { class: `icon icon-${name}`, viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", focusable: "false" },
    s("path", { d: PATHS[name], fill: "none", stroke: "currentColor", "stroke-width": 1.4, "stroke-linecap": "round", "stroke-linejoin": "round" }),
  );
}
