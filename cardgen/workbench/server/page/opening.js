/** A place in a file, opened in the editor, or copied where that can't be. */
import * as api from "./api.js";
import { notice } from "./notices.js";

/** `cell`: that of a table, `D7`; in a workbook, which has no lines, `Cards!D7`. */
export function placeWords(file, line, column, cell = "") {
  if (cell?.includes("!")) return `${file}:${cell}`;
  const words = [file, line, line ? column : null].filter(Boolean).join(":");
  return cell ? `${words} (${cell})` : words;
}

/** Open `file` at a line and column in the editor that the server knows of. */
export async function openPlace(file, line = null, column = null, cell = "") {
  if (!file) return;
  const words = placeWords(file, line, column, cell);
  try {
    const answer = await api.openPlace(file, line ?? 1, column ?? 1);
    if (answer?.url?.startsWith("vscode:")) location.assign(answer.url);
    notice(`Opened ${words}`, ["Copy place", () => copy(words)]);
  } catch (error) {
    await copy(words, error.missing ? "" : ` (${error.message})`);
  }
}

/** Put words on the clipboard. */
export async function copy(words, why = "") {
  try {
    await navigator.clipboard.writeText(words);
    notice(`Copied ${words}${why}`);
  } catch {
    notice(`${words}${why}`);
  }
}
