import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cookiesOf } from "../../testing/built-in.ts";
import { cards, shopper } from "../../testing/checkout.ts";
import { heldClock, startTestApp, type TestApp } from "../../testing/harness.ts";
import { idpUser } from "../accounts/tables.ts";

// Uses a real SMTP server with a password, as in production.
const clock = heldClock();
const day = 86_400_000;
const origin = "http://localhost:54323";
type Received = { to: string[]; from: string; content: string };
const received: Received[] = [];
let refusesFor = 0;
const server = new SMTPServer({
  authOptional: false,
  hideSTARTTLS: true,
  allowInsecureAuth: true,
  onAuth({ username, password }, _session, done) {
    if (username === "mailer" && password === "p@ss word") done(null, { user: username });
    else done(new Error("Wrong password"));
  },
  onData(stream, { envelope }, done) {
    const parts: Buffer[] = [];
    stream.on("data", (part: Buffer) => parts.push(part));
    stream.on("end", () => {
      // The sign-up mail is tested with the accounts (verification.test.ts).
      if (/^Subject: (Verify your email|Your Tintype account is ready)/m.test(Buffer.concat(parts).toString("latin1")))
        return done();
      if (refusesFor-- > 0) return done(Object.assign(new Error("Try again later"), { responseCode: 451 }));
      const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
      const to = envelope.rcptTo.map(({ address }) => address);
      received.push({ from, to, content: Buffer.concat(parts).toString("latin1") });
      done();
    });
  },
});
let app: TestApp;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo; // a TCP server has one
  app = await startTestApp({
    clock,
    environment: {
      OIDC_ISSUER: "",
      TINTYPE_ORIGIN: origin,
      SMTP_URL: `smtp://mailer:p%40ss%20word@127.0.0.1:${port}`,
      MAIL_FROM: "Tintype <hello@tintype.example>",
      CONTACT_EMAIL: "desk@tintype.example",
    },
  });
});
afterAll(async () => {
  await app.close();
  await new Promise<void>((done) => server.close(done));
});
beforeEach(() => {
  received.length = 0;
});

const signUp = async (email: string) => {
  const json = { "content-type": "application/json", origin };
  const entered = await fetch(`${app.baseUrl}/idp/sign-up/email`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ name: "Ann <b>Lee</b>", email, password: "secret-123" }),
  });
  await app.db.update(idpUser).set({ emailVerified: true }).where(eq(idpUser.email, email));
  const session = cookiesOf(entered);
  const answer = await fetch(`${app.baseUrl}/idp/token`, { headers: { cookie: session } });
  return shopper(app, app.caller(((await answer.json()) as { token: string }).token));
};
const passDays = async (days: number) => {
  clock.advance(days * day);
  await app.sweep();
  await app.sweep();
};
/** The parts of a message as a mail program shows them. */
function read({ content }: Received) {
  const part = (type: string) => {
    const [head = "", ...rest] = (content.split(`Content-Type: ${type}`)[1] ?? "").split("\r\n\r\n");
    const body = rest.join("\r\n\r\n").split("\r\n--")[0] ?? "";
    if (/base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8");
    const bytes = body
      .replace(/=\r\n/g, "")
      .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(/quoted-printable/i.test(head) ? bytes : body, "latin1").toString("utf8");
  };
  const header = (name: string) => new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, "im").exec(content)?.[1];
  return { subject: header("Subject"), id: header("Message-ID"), text: part("text/plain"), html: part("text/html") };
}
const subjects = () => received.map((one) => read(one).subject);

test("a new subscription, its renewal, a failed charge, the end of it all: a mail each, as text and as HTML", async () => {
  const email = "ann@example.com";
  const ann = await signUp(email);
  const { subscriptionId } = await ann.buy("plus", { card: cards.renewalFailsOnce });
  await app.sweep();
  await passDays(31);
  await passDays(1);
  await ann.cancel(subscriptionId);
  await app.sweep();
  expect(subjects()).toEqual([
    "You are on Tintype Plus",
    "We could not charge your card",
    "Your Plus plan was renewed",
    "Your Plus plan ends on May 10, 2026",
  ]);
  for (const one of received) {
    expect(one).toMatchObject({ from: "hello@tintype.example", to: [email] });
    const { text, html, id } = read(one);
    expect(text).toContain("Hello Ann <b>Lee</b>,");
    expect(html).toContain("Hello Ann &lt;b&gt;Lee&lt;/b&gt;,");
    expect(html).toContain(`${origin}/`);
    expect(html).not.toMatch(/<(img|script|link|style)/);
    expect(id).toMatch(/^<[0-9a-f]{32}@tintype[.]example>$/);
  }
  expect(read(received[0] as Received).text).toContain("Paid: $5\r\nRenews on: April 10, 2026");

  received.length = 0;
  expect((await ann.json("/api/delete-account", { email })).status).toBe(204);
  await app.sweep();
  expect(subjects()).toEqual(["Your Tintype account has been deleted"]);
});

test("a renewal that goes on failing: one mail when it fails first, one when the plan is gone", async () => {
  const bob = await signUp("bob@example.com");
  await bob.buy("mini", { card: cards.renewalFails });
  await app.sweep();
  received.length = 0;
  await passDays(32);
  for (let i = 0; i < 8; i++) await passDays(1);
  expect(subjects()).toEqual(["We could not charge your card", "Your Mini plan has ended"]);
});

test("a mail that the mail server refuses for now arrives later, once", async () => {
  const cat = await signUp("cat@example.com");
  refusesFor = 3;
  await cat.buy("pro");
  await app.sweep();
  expect(received).toEqual([]);
  expect((await cat.info()).plan).toBe("pro");
  for (let i = 0; i < 6; i++) {
    clock.advance(10 * 60_000);
    await app.sweep();
  }
  expect(subjects()).toEqual(["You are on Tintype Pro"]);
});

test("a forgotten password and a message from the contact page go the same way", async () => {
  await signUp("dan@example.com");
  const asked = await fetch(`${app.baseUrl}/idp/request-password-reset`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ email: "dan@example.com", redirectTo: `${origin}/reset` }),
  });
  expect(asked.status).toBe(200);
  await expect.poll(subjects).toEqual(["Set a new Tintype password"]);
  const { text, html } = read(received[0] as Received);
  expect(text).toContain(`Set a new password: ${origin}/idp/reset-password/`);
  expect(html).toContain(`href="${origin}/idp/reset-password/`);

  received.length = 0;
  const message = { name: "Eve", email: "eve@example.com", message: "Grüße\nfrom Eve" };
  await app.caller().call("/api/contact", { json: message });
  await app.sweep();
  await app.sweep();
  expect(subjects()).toEqual(["Message from Eve"]);
  expect(received[0]?.to).toEqual(["desk@tintype.example"]);
  expect(received[0]?.content).toMatch(/^Reply-To: eve@example[.]com\r$/m);
  expect(received[0]?.content).toContain("Gr=C3=BC=C3=9Fe");

  received.length = 0;
  refusesFor = 1;
  for (const name of ["Fay", "Gus"]) await app.caller().call("/api/contact", { json: { ...message, name } });
  await app.sweep();
  expect(subjects()).toHaveLength(1);
  clock.advance(61_000);
  await app.sweep();
  expect(subjects().sort()).toEqual(["Message from Fay", "Message from Gus"]);
});
