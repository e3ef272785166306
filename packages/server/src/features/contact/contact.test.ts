import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contactMessages } from "../../platform/db/tables.ts";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";

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
