import { expect, test } from "vitest";
import { z } from "zod";
import { issueSentence } from "./issue-sentence.ts";

const sentence = (schema: z.ZodType, value: unknown) => {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue && issueSentence(issue);
};

test.each<[schema: z.ZodType, value: unknown, sentence: string]>([
  [z.object({ width: z.int() }), {}, "width is missing."],
  [z.object({ width: z.int() }), { width: "3" }, "width must be a number."],
  [z.object({ width: z.int() }), { width: 3.5 }, "width must be a whole number."],
  [
    z.object({ files: z.array(z.object({ width: z.int().min(1) })) }),
    { files: [{ width: 0 }] },
    "files.0.width must be at least 1.",
  ],
  [z.object({ width: z.int().max(9) }), { width: 10 }, "width must be at most 9."],
  [z.object({ name: z.string().min(1) }), { name: "" }, "name is empty."],
  [z.object({ name: z.string().max(3) }), { name: "long" }, "name must have at most 3 characters."],
  [z.object({ scopes: z.array(z.string()).min(1) }), { scopes: [] }, "scopes must have at least 1 entry."],
  [z.object({ plan: z.enum(["mini", "plus"]) }), { plan: "gold" }, "plan must be one of mini, plus."],
  [z.object({ mail: z.email() }), { mail: "ann" }, "mail must be an email address."],
  [z.object({ at: z.iso.datetime() }), { at: "soon" }, "at must be a time such as 2026-01-31T12:00:00Z."],
  [z.object({ code: z.string().regex(/^a$/) }), { code: "b" }, "code does not have the right form."],
  [z.strictObject({ at: z.strictObject({}) }), { at: { odd: 1 } }, 'There is no field "odd" in at.'],
  [z.object({}), "text", "The body must be an object."],
  [z.object({ one: z.union([z.string(), z.number()]) }), { one: {} }, "one cannot be read."],
  [z.object({ one: z.string("Please give one.") }), {}, "Please give one."],
])("%#: a request that does not fit is told so in a sentence", (schema, value, expected) => {
  expect(sentence(schema, value)).toBe(expected);
});
