/** A token of an SVG's text. Comments and processing instructions do not end a text run; a tag does. */
export type Piece =
  | { kind: "text"; text: string; undrawnIn?: string }
  /** `name` has no prefix; `tag` is the text from "<" up to, and without, ">". */
  | { kind: "open"; name: string; tag: string; isEmpty: boolean }
  | { kind: "close" };

/** Elements whose text is not rendered. */
const undrawn = new Set(["style", "script", "metadata", "desc", "title"]);

/**
 * Tokenises an SVG, without comments and processing instructions. The text of an element that is not rendered is one
 * piece, with the element's name as `undrawnIn`.
 *
 * Linear time: a pattern that searches for the end of each of a million unterminated comments would itself be the
 * attack.
 */
export function* readPieces(plain: string): Generator<Piece> {
  const after = (mark: string, from: number) => {
    const found = plain.indexOf(mark, from);
    return found < 0 ? plain.length : found + mark.length;
  };
  for (let at = 0; at < plain.length; ) {
    const next = plain.indexOf("<", at);
    const textEnd = next < 0 ? plain.length : next;
    if (textEnd > at) yield { kind: "text", text: plain.slice(at, textEnd) };
    if (next < 0) return;
    if (plain.startsWith("<!--", next)) at = after("-->", next);
    else if (plain.startsWith("<?", next)) at = after("?>", next);
    else if (plain.startsWith("<![CDATA[", next)) {
      at = after("]]>", next);
      yield { kind: "text", text: plain.slice(next + 9, at - 3) };
    } else {
      const end = tagEnd(plain, next);
      at = end + 1;
      if (plain[next + 1] === "/") {
        yield { kind: "close" };
        continue;
      }
      const tag = plain.slice(next, end);
      const [, prefix = "", name = ""] = /^<(?:([\w.-]+:))?([\w.-]*)/.exec(tag) ?? [];
      const isEmpty = tag.endsWith("/");
      yield { kind: "open", name, tag, isEmpty };
      if (isEmpty || !undrawn.has(name)) continue;
      const close = plain.indexOf(`</${prefix}${name}`, at);
      yield { kind: "text", text: plain.slice(at, close < 0 ? plain.length : close), undrawnIn: name };
      at = close < 0 ? plain.length : close;
    }
  }
}

/** The index of the tag's ">"; one within quotes does not count. */
function tagEnd(plain: string, start: number): number {
  let quote = "";
  for (let at = start; at < plain.length; at++) {
    const character = plain.charAt(at);
    if (quote) {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at;
  }
  return plain.length;
}

/** An attribute's value, trimmed. */
export function attribute(tag: string, name: AttributeName): string | undefined {
  const found = patterns[name].exec(tag);
  return found ? (found[1] ?? found[2])?.trim() : undefined;
}

/** The URL that an element refers to. */
export const addressIn = (tag: string): string | undefined => attribute(tag, "href") ?? attribute(tag, "xlink:href");

type AttributeName = (typeof attributeNames)[number];
const attributeNames = [
  ...(["id", "class", "href", "xlink:href", "d", "points"] as const),
  ...(["numOctaves", "radius", "order"] as const),
];
// Compiled once: with a new pattern for each tag, a million elements took four times as long.
const patterns = Object.fromEntries(
  attributeNames.map((name) => [name, new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)]),
) as Record<AttributeName, RegExp>; // one for each name
