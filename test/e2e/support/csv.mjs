// parse reads a CSV file as a spreadsheet does (RFC 4180): rows of cells. A mistake in it is an error.
export function parse(text) {
  const rows = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  text = text.replace(/^\ufeff/, "");
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (!found) throw new Error(`cannot read CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    rows.at(-1).push(found[1]?.replaceAll('""', '"') ?? found[2]);
    if (found[3] != "," && cell.lastIndex < text.length) rows.push([]);
    if (found[3] == "," && cell.lastIndex == text.length) rows.at(-1).push("");
  }
  return rows;
}
