/** Lengths on the screen. At 100 % a millimetre of the card is a millimetre of the screen, as far as the
 *  browser knows it (96 px an inch) or the reader has measured it (`calibration`). */
import { store } from "./store.js";

export const STEPS = [0.15, 0.2, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.25, 1.5, 2, 3, 4];
export const LEAST = STEPS[0];
export const MOST = STEPS[STEPS.length - 1];

/** CSS px of a millimetre at 100 %. */
export function trueScale() {
  return (96 / 25.4) * store.calibration;
}

/** CSS px of a millimetre in the grid now. */
export function scale() {
  return trueScale() * store.zoom;
}

/** The next step of zoom up (1) or down (-1) from where it is. */
export function stepFrom(zoom, direction) {
  const near = 0.001;
  if (direction > 0) return STEPS.find((step) => step > zoom + near) ?? MOST;
  return STEPS.findLast((step) => step < zoom - near) ?? LEAST;
}

export function clampZoom(zoom) {
  return Math.max(LEAST, Math.min(MOST, Math.round(zoom * 100) / 100));
}

/** "63.5 × 88.9 mm" */
export function sizeWords([width, height]) {
  return `${tidy(width)} × ${tidy(height)} mm`;
}

export function tidy(number) {
  return String(Math.round(number * 100) / 100);
}

export function percent(share, digits = 0) {
  return `${(share * 100).toFixed(digits)} %`;
}
