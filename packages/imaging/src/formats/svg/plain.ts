import { splitProlog } from "@tintype/codecs/headers";
import { DomainError, type Reason } from "@tintype/contract";

/**
 * An SVG as plain text that starts with its `<svg` tag: decoded, without byte order mark, declarations, comments before
 * the root, or DOCTYPE, and with its entities expanded. The result can neither reference a file nor expand further.
 * @throws broken-image for an invalid encoding, cannot-process for entity bombs
 */
export function plainSvg(bytes: Uint8Array): string {
  const { prolog, body } = splitProlog(decodeText(bytes));
  return writeOut(body, readEntities(prolog));
}

/** XML, appendix F: a byte order mark determines the encoding, else the declaration, else it is UTF-8. */
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

/** Only internal entities: an external one stays undefined, and expands to nothing. */
function readEntities(prolog: string): Map<string, string> {
  const entities = new Map<string, string>();
  for (const [, name = "", double, single] of prolog.matchAll(
    /<!ENTITY\s+([^\s%"']+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g,
  )) {
    const value = double ?? single ?? "";
    // Attack: nested entities ("billion laughs") expand a few lines to gigabytes; drawing programs write none.
    if (/&(?!#|lt;|gt;|amp;|quot;|apos;)/.test(value)) refuse({ code: "svg-nested-entities" });
    entities.set(name, value);
  }
  return entities;
}

/** The most characters that entities may add; drawing programs use them for a handful of namespace URLs. */
const mayGrowBy = 1_000_000;

function writeOut(body: string, entities: Map<string, string>): string {
  let grown = 0;
  // Nested CSS uses "&", which HTML allows unescaped and XML does not.
  const escaped = body.replaceAll(/&(?!#\d+;|#x[0-9a-f]+;|[A-Za-z_][\w.:-]*;)/gi, "&amp;");
  return escaped.replaceAll(/&([A-Za-z_][\w.:-]*);/g, (whole, name: string) => {
    if (/^(lt|gt|amp|quot|apos)$/.test(name)) return whole;
    const value = entities.get(name) ?? "";
    grown += value.length;
    if (grown > mayGrowBy) refuse({ code: "svg-long-entities" });
    return value;
  });
}

function refuse(reason: Reason): never {
  throw new DomainError("cannot-process", { reason });
}
