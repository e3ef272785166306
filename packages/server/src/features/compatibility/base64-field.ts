import { DomainError } from "@tintype/contract";

/**
 * Splits the base64 text of one field off a body, as it arrives: it may be as long as a picture, while the other fields stay in
 * memory. They are collected in `others`, in the body's own syntax, with a blank field in its place.
 */
type Split = { field: string; others: string[] };

/** All fields but the picture. */
const maxOtherBytes = 100_000;

function keepOthers({ field, others }: Split): (text: string) => void {
  let keptBytes = 0;
  return (text) => {
    keptBytes += text.length;
    if (keptBytes > maxOtherBytes)
      throw new DomainError("too-large", {
        detail: `No field but ${field} may be longer than ${maxOtherBytes} bytes.`,
      });
    others.push(text);
  };
}

const requireFirst = (field: string, count: number) => {
  if (count > 1) throw new DomainError("invalid-request", { field, detail: `Send the field ${field} once.` });
};

/** The pieces of a member of a JSON object (RFC 8259), without the escapes. Whether the rest is JSON is for its parser to say. */
export async function* splitJson(body: AsyncIterable<Buffer>, split: Split): AsyncGenerator<string> {
  const keep = keepOthers(split);
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isValue = false;
  let name = "";
  let isTheField = false;
  let count = 0;
  let unfinishedEscape = "";
  for await (const chunk of body) {
    // One character a byte: everything that is looked at is ASCII.
    const text = chunk.toString("latin1");
    let start = 0;
    const pieceUpTo = (end: number) => {
      const { whole, rest } = cutBefore(/\\(?:u[\da-f]{0,3})?$/i, unfinishedEscape + text.slice(start, end));
      start = end;
      unfinishedEscape = rest;
      return unescapeJson(whole);
    };
    for (let i = 0; i < text.length; i++) {
      const letter = text[i];
      if (isInString) {
        const isEnd = letter === '"' && !isEscaped;
        isEscaped = letter === "\\" && !isEscaped;
        if (!isEnd && !isValue && name.length <= split.field.length) name += letter;
        if (isEnd && isTheField) {
          yield pieceUpTo(i);
          if (unfinishedEscape !== "") throw notJson();
        }
        if (isEnd) {
          isInString = false;
          isTheField = false;
        }
      } else if (letter === '"') {
        isInString = true;
        isTheField = depth === 1 && isValue && name === split.field;
        if (!isValue) name = "";
        if (isTheField) {
          requireFirst(split.field, ++count);
          keep(text.slice(start, i + 1));
          start = i + 1;
        }
      } else if (letter === "{" || letter === "[") depth++;
      else if (letter === "}" || letter === "]") depth--;
      else if (letter === ":" || letter === ",") isValue = letter === ":";
    }
    if (isTheField) yield pieceUpTo(text.length);
    else keep(text.slice(start));
  }
}

/** The pieces of a field of application/x-www-form-urlencoded. A plus stays one: base64 has no spaces. */
export async function* splitUrlEncoded(body: AsyncIterable<Buffer>, split: Split): AsyncGenerator<string> {
  const keep = keepOthers(split);
  let name: string | undefined = "";
  let count = 0;
  let unfinishedEscape = "";
  for await (const chunk of body) {
    const text = chunk.toString("latin1");
    for (let start = 0; start < text.length; ) {
      const isTheField = name === undefined;
      const next = text.slice(start).search(isTheField ? /&/ : /[&=]/);
      const end = next < 0 ? text.length : start + next;
      const part = text.slice(start, end);
      if (isTheField) {
        const { whole, rest } = cutBefore(/%[\da-f]?$/i, unfinishedEscape + part);
        unfinishedEscape = rest;
        yield whole.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
      } else {
        keep(text.slice(start, next < 0 ? end : end + 1));
        name = `${name}${part}`.slice(0, split.field.length + 1);
      }
      if (next >= 0 && text[end] === "&") {
        if (isTheField) keep("&");
        name = "";
      } else if (next >= 0 && name === split.field) {
        requireFirst(split.field, ++count);
        name = undefined;
      } else if (next >= 0) name = `${name}=`;
      start = next < 0 ? end : end + 1;
    }
  }
}

function cutBefore(unfinished: RegExp, text: string): { whole: string; rest: string } {
  const at = text.search(unfinished);
  return at < 0 ? { whole: text, rest: "" } : { whole: text.slice(0, at), rest: text.slice(at) };
}

const notJson = (cause?: unknown) =>
  new DomainError("invalid-request", { detail: "The body is not valid JSON.", cause });

function unescapeJson(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string; // a string by its quotes
  } catch (problem) {
    throw notJson(problem);
  }
}

/** The longest start of a data URL. */
const maxPrefixLength = 200;

/** The bytes of base64 text, or of a data URL. Like `Buffer.from`, ignores line breaks and other characters. */
export async function* decodeBase64(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = "";
  let hasStarted = false;
  for await (const piece of pieces) {
    text += piece;
    const mayStartUrl = "data:".startsWith(text.slice(0, "data:".length));
    if (!hasStarted && mayStartUrl && !text.includes(",") && text.length < maxPrefixLength) continue;
    const letters = lettersOf(hasStarted ? text : withoutPrefix(text));
    hasStarted = true;
    const whole = letters.length - (letters.length % 4);
    if (whole > 0) yield Buffer.from(letters.slice(0, whole), "base64");
    text = letters.slice(whole);
  }
  const last = Buffer.from(hasStarted ? text : lettersOf(withoutPrefix(text)), "base64");
  if (last.length > 0) yield last;
}

const withoutPrefix = (text: string) => text.replace(/^data:[^,]*,/, "");
const lettersOf = (text: string) => text.replace(/[^\w+/=-]/g, "");
