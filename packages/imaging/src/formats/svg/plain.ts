import { DomainError } from "@tintype/contract";

/**
 * An SVG as plain text that begins with its `<svg` tag: decoded, without byte order mark, declarations, comments before
 * the root, or DOCTYPE, and with its entities replaced. The result can neither name a file nor grow.
 * @throws broken-image for an invalid encoding, cannot-process for entities made to grow
 */
export function plainSvg(bytes: Uint8Array): string {
  const { prolog, body } = splitProlog(decodeText(bytes));
  return writeOut(body, readEntities(prolog));
}

/** XML, appendix F: a byte order mark says the encoding, else the declaration does, else it is UTF-8. */
function decodeText(bytes: Uint8Array): string {
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(
    latin1(bytes.subarray(0, 300)),
  )?.[1];
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : undefined;
  try {
    return new TextDecoder(marked ?? declared ?? "utf-8").decode(bytes);
  } catch (cause) {
    throw new DomainError("broken-image", { cause });
  }
}

const latin1 = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

/**
 * Everything before the root tag: declarations, comments, a DOCTYPE with or without a list of its own, space. A comment in
 * the list ends at its first `-->` for good: free to end at a later one, 40 of them took years.
 */
const prologPattern =
  /^\uFEFF?(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE(?:[^>["']|"[^"]*"|'[^']*'|\[(?:[^\]"'<]|<(?!!--)|(?=(<!--[\s\S]*?-->))\1|"[^"]*"|'[^']*')*\])*>)*/i;

export function splitProlog(text: string): { prolog: string; body: string } {
  const prolog = prologPattern.exec(text)?.[0] ?? "";
  return { prolog, body: text.slice(prolog.length) };
}

/** Only entities with a value of their own: one that names a file or an address stays unknown, and so nothing. */
function readEntities(prolog: string): Map<string, string> {
  const entities = new Map<string, string>();
  for (const [, name = "", double, single] of prolog.matchAll(
    /<!ENTITY\s+([^\s%"']+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g,
  )) {
    const value = double ?? single ?? "";
    // An entity made of entities is how a few lines grow to gigabytes; drawing programs write none.
    if (/&(?!#|lt;|gt;|amp;|quot;|apos;)/.test(value)) refuse("Its entities are made of entities.");
    entities.set(name, value);
  }
  return entities;
}

/** Characters that entities may add; drawing programs use them for a handful of addresses. */
const mayGrowBy = 1_000_000;

function writeOut(body: string, entities: Map<string, string>): string {
  let grown = 0;
  // CSS nests with "&", which pages take as it stands and XML does not.
  const escaped = body.replaceAll(/&(?!#\d+;|#x[0-9a-f]+;|[A-Za-z_][\w.:-]*;)/gi, "&amp;");
  return escaped.replaceAll(/&([A-Za-z_][\w.:-]*);/g, (whole, name: string) => {
    if (/^(lt|gt|amp|quot|apos)$/.test(name)) return whole;
    const value = entities.get(name) ?? "";
    grown += value.length;
    if (grown > mayGrowBy) refuse("Its entities grow too large.");
    return value;
  });
}

function refuse(why: string): never {
  throw new DomainError("cannot-process", { detail: `This SVG is not drawn. ${why}` });
}
