/** RFC 4180: a line of names, and a line a row. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((cells) => `${cells.map(cellText).join(",")}\r\n`).join("");

/** CSV injection: a spreadsheet runs a cell that begins like a formula, and callers choose names. A quote makes it text. */
function cellText(value: string | number): string {
  const text = String(value);
  const kept = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(kept) ? `"${kept.replaceAll('"', '""')}"` : kept;
}
