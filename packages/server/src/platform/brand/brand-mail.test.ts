import { expect, test } from "vitest";
import { verificationMail } from "../../features/accounts/account-mails.ts";
import type { Mail, Message } from "../mail.ts";
import { readBrand } from "./brand.ts";
import { brandMail } from "./brand-mail.ts";

const reader = { email: "ann@example.com", emailVerified: true, name: "Ann" };

async function send(content: string): Promise<Message> {
  const sent: Message[] = [];
  const mail: Mail = { send: async (message) => void sent.push(message), close() {} };
  const brand = readBrand({ content, file: undefined, dataFolder: "." });
  await brandMail(mail, brand).send(verificationMail(reader, { url: "https://x.example/verify" }));
  const [message] = sent;
  if (!message) throw new Error("nothing was sent");
  return message;
}

test("a mail goes out under the operator's name and in the operator's colour, escaped in HTML alone", async () => {
  const { subject, text, html } = await send(
    `name: Salt & Silver\ncolours: { accent: "#0b6e4f", accent_dark: "#4fd1a5" }`,
  );
  expect(subject).toBe("Verify your email for Salt & Silver");
  expect(text.trimEnd().endsWith("\n\nSalt & Silver")).toBe(true);
  expect(html).toContain("Salt &amp; Silver</p>");
  expect(html).toContain("background:#0b6e4f;color:#ffffff");
  expect(`${subject}${text}${html}`).not.toMatch(/Tintype|[\uE000-\uE003]|#cc3d26/);
});

test("without a brand mails are Tintype's", async () => {
  const { subject, html } = await send("name: Tintype");
  expect(subject).toBe("Verify your email for Tintype");
  expect(html).toContain("color:#d8432b");
  expect(html).toContain("background:#cc3d26;color:#ffffff");
});
