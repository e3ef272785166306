import { looksLikeEmail, text } from "@tintype/contract";

export type Message = { name: string; email: string; message: string };

/** What is wrong with a message, and the field; undefined for a valid message. */
export function findFault({ name, email, message }: Message): { sentence: string; field: keyof Message } | undefined {
  const blank = (["name", "email", "message"] as const).find((field) => !{ name, email, message }[field].trim());
  if (blank) return { sentence: text.allFieldsRequired, field: blank };
  if (!looksLikeEmail(email.trim())) return { sentence: text.invalidEmail, field: "email" };
  return undefined;
}
