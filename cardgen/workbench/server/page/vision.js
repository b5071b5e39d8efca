/**
 * Filters that show a picture as other eyes see it, or as a grey print: SVG feColorMatrix in linear RGB.
 *
 * Matrices of full dichromacy from G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based
 * Model for Simulation of Color Vision Deficiency", IEEE TVCG 15 (6), 2009, table for severity 1.0. Grey is the
 * luminance of ITU-R BT.709.
 */
import { s } from "./dom.js";

const MATRICES = {
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
  grey: Array.from({ length: 3 }, () => [0.2126, 0.7152, 0.0722]),
};

export const VISIONS = [
  { id: "", title: "As printed", about: "" },
  { id: "grey", title: "Gray", about: "a gray printer, or a photocopy" },
  { id: "protan", title: "Protanopia", about: "no red cones: 1 man in 100" },
  { id: "deutan", title: "Deuteranopia", about: "no green cones: 1 man in 100" },
  { id: "tritan", title: "Tritanopia", about: "no blue cones: very rare" },
];

/** The filters, to stand once in the page: `filter: url(#vision-protan)` uses them. */
export function visionFilters() {
  return s(
    "svg",
    { class: "filters", width: 0, height: 0, "aria-hidden": "true" },
    Object.entries(MATRICES).map(([name, rows]) =>
      s(
        "filter",
        { id: `vision-${name}`, "color-interpolation-filters": "linearRGB", x: 0, y: 0, width: 1, height: 1 },
        s("feColorMatrix", { type: "matrix", values: [...rows.map((row) => [...row, 0, 0].join(" ")), "0 0 0 1 0"].join(" ") }),
      ),
    ),
  );
}
