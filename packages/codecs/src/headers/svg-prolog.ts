/**
 * Everything before the root tag: declarations, comments, a DOCTYPE with or without an internal subset, whitespace. A
 * comment in the subset ends at its first `-->` without backtracking: with backtracking, 40 of them took years.
 */
const prologPattern =
  /^\uFEFF?(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE(?:[^>["']|"[^"]*"|'[^']*'|\[(?:[^\]"'<]|<(?!!--)|(?=(<!--[\s\S]*?-->))\1|"[^"]*"|'[^']*')*\])*>)*/i;

export function splitProlog(text: string): { prolog: string; body: string } {
  const prolog = prologPattern.exec(text)?.[0] ?? "";
  return { prolog, body: text.slice(prolog.length) };
}
