import { expect, test } from "vitest";
import { readBrand } from "../platform/brand/brand.ts";
import { createLog } from "../platform/log.ts";
import { openMail, readMailTransport } from "./mail.ts";

const message = { to: "ann@example.com", subject: "Set a new password", text: "https://x.example/reset/SECRET" };
const brandOf = (content: string) => readBrand({ content, file: undefined, dataFolder: "." });
const nothing = {
  MAIL: undefined,
  SMTP_URL: undefined,
  MAIL_FROM: undefined,
  isProduction: false,
  TINTYPE_MODE: "service" as const,
  brand: brandOf("name: Tintype"),
};
function choose(settings: Partial<Parameters<typeof openMail>[0]>) {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => lines.push(line) });
  const chosen = { ...nothing, ...settings };
  return {
    mail: openMail(chosen, { log, meter: { countMailFailed: () => {} } }),
    way: readMailTransport(chosen).kind,
    text: () => lines.join(""),
  };
}

test("without a way to send, the log tells how to read mails, and nothing of a mail", async () => {
  const { mail, way, text } = choose({});
  expect(way).toBe("none");
  expect(text()).toContain("MAIL=log");
  await mail.send(message);
  expect(text()).toContain("a mail was not sent");
  expect(text()).not.toMatch(/SECRET|ann@|new password/);
});

test("MAIL=log writes the whole mail, also in production and beside an SMTP server", async () => {
  for (const isProduction of [true, false]) {
    const { mail, way, text } = choose({ MAIL: "log", isProduction, SMTP_URL: "smtp://127.0.0.1:1" });
    expect(way).toBe("log");
    await mail.send(message);
    expect(text()).toContain("https://x.example/reset/SECRET");
  }
});

test("production does not start without a way to send mails", () => {
  expect(() => choose({ isProduction: true })).toThrow(/SMTP_URL.*MAIL=log/);
  const { mail, way } = choose({ isProduction: true, SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "a@b.example" });
  expect(way).toBe("smtp");
  mail.close();
});

test("SMTP that lacks a setting is said", () => {
  expect(() => choose({ SMTP_URL: "smtp://127.0.0.1:1" })).toThrow(/MAIL_FROM/);
  expect(() => choose({ MAIL: "smtp" })).toThrow(/SMTP_URL/);
});
