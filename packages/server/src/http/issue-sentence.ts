import type { core } from "zod";

const kinds: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  date: "a date",
  null: "null",
};
const forms: Record<string, string> = {
  email: "an email address",
  url: "an address such as https://example.com/a",
  date: "a date such as 2026-01-31",
  datetime: "a time such as 2026-01-31T12:00:00Z",
  uuid: "a UUID",
};

/** A request's fault as a sentence. Our own schemas' messages are used as they are; zod's are rewritten. */
export function issueSentence(issue: core.$ZodIssue): string {
  const { message, path } = issue;
  if (/[.!?]$/.test(message)) return message;
  const name = path.join(".") || "The body";
  switch (issue.code) {
    case "invalid_type":
      return message.endsWith("received undefined")
        ? `${name} is missing.`
        : `${name} must be ${kinds[issue.expected] ?? issue.expected}.`;
    case "too_small":
      return bound(name, issue.origin, { words: "at least", limit: issue.minimum });
    case "too_big":
      return bound(name, issue.origin, { words: "at most", limit: issue.maximum });
    case "invalid_value":
      return `${name} must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}.`;
    case "invalid_format":
      return forms[issue.format] ? `${name} must be ${forms[issue.format]}.` : `${name} does not have the right form.`;
    case "unrecognized_keys":
      return `There is no field "${issue.keys[0]}"${path.length > 0 ? ` in ${name}` : ""}.`;
    default:
      return `${name} cannot be read.`;
  }
}

function bound(name: string, origin: string, { words, limit }: { words: string; limit: number | bigint }): string {
  if (origin === "string")
    return Number(limit) === 1 && words === "at least"
      ? `${name} is empty.`
      : `${name} must have ${words} ${limit} characters.`;
  if (origin === "array" || origin === "set")
    return `${name} must have ${words} ${limit} ${Number(limit) === 1 ? "entry" : "entries"}.`;
  return `${name} must be ${words} ${limit}.`;
}
