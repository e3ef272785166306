import { DomainError } from "@tintype/contract";

/**
 * Elements that are drawn, each `use` counted with all that it shows again. 122,000 took 4 s (librsvg 2.63); ten uses of
 * ten uses of ten uses reach any number in a few lines, and librsvg gives up at half a million only after 15 s.
 */
const mostElements = 200_000;
/** Elements within elements, and uses of uses. No drawing program comes near; recursion ends before the stack does. */
const deepest = 1000;

/** An element with an id, and what it holds up to the next one: so many elements, and names of what they use. */
type Part = { elements: number; uses: string[]; parts: Part[]; total?: number | "being counted" };

/** @throws cannot-process when what `use` repeats comes to more than can be drawn */
export function checkCopies(plain: string): void {
  if (!/<(?:[\w.-]+:)?use[\s>]/.test(plain)) return;
  const { root, byId } = partsOf(plain);
  if (totalOf(root, { byId, depth: 0 }) > mostElements)
    throw new DomainError("cannot-process", {
      detail: `This SVG repeats its parts until there are more than ${mostElements} of them, which is not drawn.`,
    });
}

/** Each character is looked at once, whatever is missing: see text-runs.ts. */
function partsOf(plain: string): { root: Part; byId: Map<string, Part> } {
  const root: Part = { elements: 0, uses: [], parts: [] };
  const byId = new Map<string, Part>();
  const open = [root];
  for (let at = plain.indexOf("<"); at >= 0; at = plain.indexOf("<", at)) {
    const skipped = unread.find(({ start }) => plain.startsWith(start, at));
    if (skipped) {
      const end = plain.indexOf(skipped.end, at);
      if (end < 0) break;
      at = end + skipped.end.length;
      continue;
    }
    const end = tagEnd(plain, at);
    if (plain[at + 1] === "/") {
      if (open.length > 1) open.pop();
    } else {
      const tag = plain.slice(at, end);
      const around = open.at(-1) ?? root;
      const part = addElement(tag, { around, byId });
      if (plain[end - 1] !== "/") open.push(part);
    }
    at = end;
  }
  return { root, byId };
}

const unread = [
  { start: "<!--", end: "-->" },
  { start: "<?", end: "?>" },
  { start: "<![CDATA[", end: "]]>" },
];

/** Where the tag's ">" stands; one within quotes is a character like any other. */
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

/** Gives the part that what stands within the element belongs to. */
function addElement(tag: string, { around, byId }: { around: Part; byId: Map<string, Part> }): Part {
  const id = attribute(tag, "id");
  const part: Part = id === undefined ? around : { elements: 0, uses: [], parts: [] };
  part.elements++;
  if (id !== undefined) {
    around.parts.push(part);
    if (!byId.has(id)) byId.set(id, part);
  }
  const target = /^<(?:[\w.-]+:)?use[\s/]/.test(tag)
    ? (attribute(tag, "href") ?? attribute(tag, "xlink:href"))
    : undefined;
  if (target?.startsWith("#")) part.uses.push(target.slice(1));
  return part;
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return found ? (found[1] ?? found[2])?.trim() : undefined;
}

/** Stops counting beyond what is allowed. A part that uses itself is not drawn again, and counts for nothing there. */
function totalOf(part: Part, { byId, depth }: { byId: Map<string, Part>; depth: number }): number {
  if (part.total === "being counted") return 0;
  if (part.total !== undefined) return part.total;
  if (depth > deepest) return mostElements + 1;
  part.total = "being counted";
  let total = part.elements;
  for (const inner of [...part.parts, ...part.uses.flatMap((id) => byId.get(id) ?? [])]) {
    total += totalOf(inner, { byId, depth: depth + 1 });
    if (total > mostElements) break;
  }
  part.total = total;
  return total;
}
