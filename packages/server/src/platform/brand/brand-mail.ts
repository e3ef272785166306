import { escapeHtml } from "@tintype/contract";
import type { Mail } from "../mail.ts";
import type { Brand } from "./brand.ts";

// Mails are written in the transaction of their event and sent later. Brand values are private-use placeholder characters,
// which the sender replaces: a waiting mail is sent under the current name.

/** In texts and subjects: the product's name. */
export const nameSlot = "\uE000";
/** In a mail's HTML: the colours of the name, of the button and of its text. */
export const colourSlots = { name: "\uE001", fill: "\uE002", onFill: "\uE003" } as const;

/** Our own colours in mails. */
const defaultColours = { name: "#d8432b", fill: "#cc3d26", onFill: "#ffffff" } as const;

/** Sends mails under the operator's name and in the operator's colours. */
export function brandMail(mail: Mail, { name, colours }: Pick<Brand, "name" | "colours">): Mail {
  const paper = colours?.paper;
  const colour = paper ? { name: paper.text, fill: paper.fill, onFill: paper.onFill } : defaultColours;
  const plain = (text: string) => text.replaceAll(nameSlot, name);
  const html = (text: string) =>
    text
      .replaceAll(nameSlot, escapeHtml(name))
      .replaceAll(colourSlots.name, colour.name)
      .replaceAll(colourSlots.fill, colour.fill)
      .replaceAll(colourSlots.onFill, colour.onFill);
  return {
    ...mail,
    send: (message) =>
      mail.send({
        ...message,
        subject: plain(message.subject),
        text: plain(message.text),
        ...(message.html === undefined ? {} : { html: html(message.html) }),
      }),
  };
}
