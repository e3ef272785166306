import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgres } from "../../platform/db/postgres.ts";
import { newId } from "../../platform/id.ts";
import { createLog } from "../../platform/log.ts";
import type { Message } from "../../platform/mail.ts";
import { createMailOutbox } from "../../platform/mail-outbox.ts";
import { createMemoryRateLimits } from "../../platform/rate-limits/memory.ts";
import { createDatabase } from "../../testing/backends.ts";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";
import { mountContact } from "./contact.ts";
import { contactMessages } from "./tables.ts";

const clock = heldClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

const write = (json: object) => app.caller().call("/api/contact", { json });
const message = { name: "Ann", email: "ann@example.com", message: "Hello" };

test("a message is taken in and kept", async () => {
  const answer = await write({ ...message, name: "  Ann  " });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ detail: "Message sent successfully!" });
  const [kept] = await app.db.select().from(contactMessages).where(eq(contactMessages.email, "ann@example.com"));
  expect(kept).toMatchObject({ name: "Ann", message: "Hello", sentAt: null });
});

test.each([
  [{ ...message, name: " " }, "All fields are required."],
  [{ ...message, email: "" }, "All fields are required."],
  [{ ...message, message: "\n" }, "All fields are required."],
  [{ ...message, email: "ann.example.com" }, "Please enter a valid email address."],
  [{ ...message, email: "ann@example" }, "Please enter a valid email address."],
])("a missing or wrong field is named: %j", async (form, detail) => {
  const answer = await write(form);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ detail });
});

// product: contact-honeypot
test("a program that fills in the hidden field hears success, and nothing is kept", async () => {
  const answer = await write({ ...message, email: "bot@example.com", website: "https://spam.example" });
  expect(await answer.json()).toEqual({ detail: "Message sent successfully!" });
  expect(await app.db.select().from(contactMessages).where(eq(contactMessages.email, "bot@example.com"))).toEqual([]);
});

test("a line break in a name becomes a blank: it cannot become a mail header", async () => {
  await write({ ...message, name: "Ann\r\nBcc: all@example.com", email: "header@example.com" });
  const [kept] = await app.db.select().from(contactMessages).where(eq(contactMessages.email, "header@example.com"));
  expect(kept?.name).toBe("Ann Bcc: all@example.com");
});

test("of two API processes one mails a message, once, and one that the mail server refuses goes out later", async () => {
  // The service's own outbox, which sends nothing, would take mails from its database.
  const postgres = await createDatabase();
  const { db, close } = await openPostgres(postgres.url);
  const sent: Message[] = [];
  let isDown = true;
  const send = async (message: Message) => {
    if (isDown) throw new Error("the mail server is away");
    sent.push(message);
  };
  const open = () => {
    const outbox = createMailOutbox({ db, clock, mail: { send, close() {} }, log: createLog("silent") });
    const dependencies = { db, clock, outbox, rateLimits: createMemoryRateLimits({ clock }), networkOf: String };
    return { outbox, contact: mountContact(() => {}, { ...dependencies, contactEmail: "office@example.com" }) };
  };
  const [first, second] = [open(), open()];
  for (const name of ["Ann", "Bob"])
    await db.insert(contactMessages).values({ ...message, id: newId("msg"), name, at: clock.now() });
  await Promise.all([first.contact.sendWaiting(), second.contact.sendWaiting()]);
  expect(sent).toEqual([]);
  isDown = false;
  clock.advance(120_000);
  await Promise.all([first.outbox.sendDue(), second.outbox.sendDue(), first.contact.sendWaiting()]);
  expect(sent.map(({ subject }) => subject).sort()).toEqual(["Message from Ann", "Message from Bob"]);
  expect(sent[0]).toMatchObject({ to: "office@example.com", replyTo: "ann@example.com" });
  expect(await db.select().from(contactMessages)).toHaveLength(2);
  await Promise.all([first.outbox.close(), second.outbox.close()]);
  await close();
  await postgres.close();
});

async function passAnHour() {
  clock.advance(3_600_001);
  await app.endRateWindows();
}

test("one network writes five times an hour, and then again", async () => {
  await passAnHour();
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) statuses.push((await write(message)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  await passAnHour();
  expect((await write(message)).status).toBe(200);
});
