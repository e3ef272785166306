/** RFC 4180: a header line, then one line per row. Without the byte order mark Excel would not read it as UTF-8. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((cells) => `${cells.map(cellText).join(",")}\r\n`).join("")}`;

/** CSV injection: a spreadsheet evaluates a cell that starts like a formula, and callers choose names. A leading quote makes it text. */
function cellText(value: string | number): string {
  const text = String(value);
  const kept = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(kept) ? `"${kept.replaceAll('"', '""')}"` : kept;
}
