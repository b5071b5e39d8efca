/** Rows that a spreadsheet puts on the clipboard. No page in it. */

/** The cells of a text with tabs, in which quoted cells may hold tabs and line ends. */
export function parseRows(text) {
  const rows = [[]];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      const end = /"(?:[^"]|"")*"?(?=[\t\r\n]|$)/uy;
      end.lastIndex = at;
      const found = end.exec(text);
      if (found) {
        cell = found[0].replace(/^"|"$/gu, "").replaceAll('""', '"').replaceAll("\r\n", "\n");
        at += found[0].length;
      }
    }
    if (!cell) {
      const found = /[^\t\r\n]*/uy;
      found.lastIndex = at;
      [cell] = found.exec(text);
      at += cell.length;
    }
    rows[rows.length - 1].push(cell);
    if (text[at] === "\t") {
      at += 1;
      if (at === text.length) rows[rows.length - 1].push("");
    } else if (at < text.length) {
      at += text.startsWith("\r\n", at) ? 2 : 1;
      if (at < text.length) rows.push([]);
    }
  }
  return rows.filter((cells) => cells.some((cell) => cell.trim()));
}

/** A new card's id from words, unlike those in `taken`, to which it is added. */
export function idFrom(words, taken) {
  const plain = String(words ?? "").normalize("NFKD").replace(/[\u0300-\u036f'’]/gu, "").toLowerCase().replace(/[^a-z0-9]+/gu, "-").replace(/^-+|-+$/gu, "") || "card";
  let id = plain;
  for (let number = 2; taken.has(id); number += 1) id = `${plain}-${number}`;
  taken.add(id);
  return id;
}
