import { text } from "@tintype/contract";

export type Message = { name: string; email: string; message: string };

/** docs/product.md's simple shape: something, an at sign, something with a dot, no blanks. The contract's own, without zod. */
const emailShape = /^[^\s@]+@[^\s@]+[.][^\s@]+$/;

/** What is wrong with a message, and with which field; undefined where nothing is. */
export function findFault({ name, email, message }: Message): { sentence: string; field: keyof Message } | undefined {
  const blank = (["name", "email", "message"] as const).find((field) => !{ name, email, message }[field].trim());
  if (blank) return { sentence: text.allFieldsRequired, field: blank };
  if (!emailShape.test(email.trim())) return { sentence: text.invalidEmail, field: "email" };
  return undefined;
}
