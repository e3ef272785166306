import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { WebhookDelivery, WebhookEvent, WebhookWithSecret } from "@tintype/contract";
import { webhookEvent } from "@tintype/contract/schemas";
import { eq } from "drizzle-orm";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { samplePng } from "../../testing/pictures.ts";
import { webhookDeliveries, webhookEndpoints } from "./tables.ts";

type Received = { path: string; headers: Record<string, string>; body: string; atMs: number };
const received: Received[] = [];
let answers: number[] = [204];

/** A webhook receiver as a customer would write it. */
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    const plain = Object.entries(request.headers as IncomingHttpHeaders).map(([name, value]) => [name, String(value)]);
    received.push({ path: request.url ?? "", headers: Object.fromEntries(plain), body, atMs: performance.now() });
    if (request.url === "/silent") return;
    const status = answers.length > 1 ? answers.shift() : answers[0];
    response.writeHead(status ?? 204, status === 302 ? { location: "/elsewhere" } : {}).end();
  });
});

let app: TestApp;
let origin: string;
// Receivers reject a signature more than five minutes old, by their own clock.
const clock = heldClock(new Date());
beforeAll(async () => {
  await new Promise<void>((done) => void receiver.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`; // a TCP server has one
  app = await startTestApp({ clock, environment: { TINTYPE_URL_INPUT: "on", TINTYPE_URL_ALLOW: "127.0.0.1/32" } });
});
afterAll(async () => {
  await app.close();
  receiver.closeAllConnections();
  await new Promise((done) => receiver.close(done));
});
beforeEach(() => {
  received.length = 0;
  answers = [204];
});

const compress = (caller: TestCaller, fields: Record<string, string> = {}, headers = { prefer: "respond-async" }) =>
  caller.run("compress", [{ name: "a.png", bytes: samplePng(30, 20) }], { quality: "60", ...fields }, headers);
const made = async (caller: TestCaller, path = "/standing") => {
  const answer = await caller.call("/api/webhooks", { json: { url: origin + path } });
  expect(answer.status).toBe(201);
  return (await answer.json()) as WebhookWithSecret;
};
const secretOf = async (caller: TestCaller) =>
  ((await (await caller.call("/api/webhooks/secret")).json()) as { secret: string }).secret;
const deliveries = async (caller: TestCaller) =>
  ((await (await caller.call("/api/webhooks/deliveries")).json()) as { deliveries: WebhookDelivery[] }).deliveries;
/** Throws if the signature was not made with the secret. */
const verify = ({ headers, body }: Received, secret: string) =>
  new Verifier(secret).verify(body, headers) as WebhookEvent;
const arrived = (count: number) => expect.poll(() => received.length).toBe(count);

test("the end of a job is told to webhook_url, signed with the account's secret, under an id of its own", async () => {
  const person = await app.person();
  const secret = await secretOf(person);
  const begun = await compress(person, { webhook_url: `${origin}/single` });
  expect(begun.status).toBe(202);
  await arrived(1);
  const [one] = received as [Received];
  const event = webhookEvent.parse(verify(one, secret));
  expect(event).toMatchObject({ type: "job.finished", data: { state: "done", files: [{ state: "done" }] } });
  expect(begun.headers.get("location")).toBe(`/api/jobs/${event.data.id}`);
  expect(() => verify({ ...one, body: one.body.replace("done", "dead") }, secret)).toThrow();
  await expect
    .poll(() => deliveries(person))
    .toMatchObject([{ id: one.headers["webhook-id"], webhook_id: null, state: "sent", attempts: 1, status: 204 }]);
  // The result can still be fetched.
  expect((await person.call(`${begun.headers.get("location")}/result`)).status).toBe(200);
});

test("standing webhooks are told of every job that is not waited for, each with a secret of its own", async () => {
  const person = await app.person();
  const [first, second] = [await made(person, "/one"), await made(person, "/two")];
  expect(first.secret).not.toBe(second.secret);
  expect((await compress(person, {}, { prefer: "" })).status).toBe(200);
  await compress(person);
  await arrived(2);
  for (const [path, own, other] of [
    ["/one", first, second],
    ["/two", second, first],
  ] as const) {
    const one = received.find((each) => each.path === path) as Received;
    expect(verify(one, own.secret).data.operation).toBe("compress");
    expect(() => verify(one, other.secret)).toThrow();
  }
  const listed = await (await person.call("/api/webhooks")).text();
  expect(listed).not.toContain("whsec_");
  expect(JSON.parse(listed)).toMatchObject({ webhooks: [{ id: second.id }, { id: first.id }] });
  expect((await person.call(`/api/webhooks/${first.id}`, { method: "DELETE" })).status).toBe(204);
  await compress(person);
  await arrived(3);
  expect(received[2]?.path).toBe("/two");
});

test("while a secret is rotated deliveries carry both signatures, and then the new one alone", async () => {
  const person = await app.person();
  const { id, secret: before } = await made(person);
  const rotated = await person.call(`/api/webhooks/${id}/rotate`, { json: { overlap_hours: 1 } });
  const { secret: after } = (await rotated.json()) as WebhookWithSecret;
  expect(after).not.toBe(before);
  await compress(person);
  await arrived(1);
  for (const secret of [before, after]) verify(received[0] as Received, secret);
  // A rotation without an overlap would cut receivers off.
  expect((await person.call(`/api/webhooks/${id}/rotate`, { json: { overlap_hours: 0 } })).status).toBe(400);
  expect((await person.call(`/api/webhooks/${id}/rotate`, { json: { overlap_hours: 1 } })).status).toBe(200);
  await compress(person);
  await arrived(2);
  verify(received[1] as Received, after);
  expect(() => verify(received[1] as Received, before)).toThrow();

  const own = await secretOf(person);
  const next = (await (await person.call("/api/webhooks/secret/rotate", { json: {} })).json()) as { secret: string };
  await compress(person, { webhook_url: `${origin}/single` });
  await arrived(4);
  const single = received.find(({ path }) => path === "/single") as Received;
  for (const secret of [own, next.secret]) verify(single, secret);
});

// product: webhooks-signed
test("a delivery that fails is tried again after 5 s, 30 s, 2 and 5 minutes, under the same id, and can be replayed", async () => {
  const person = await app.person();
  answers = [500, 302, 404, 503, 500, 204];
  await compress(person, { webhook_url: `${origin}/failing` });
  await arrived(1);
  let attempts = 1;
  for (const pauseMs of [5_000, 30_000, 120_000, 300_000]) {
    await app.sweep();
    expect(received).toHaveLength(attempts);
    clock.advance(pauseMs);
    await app.sweep();
    expect(received).toHaveLength(++attempts);
  }
  expect(await deliveries(person)).toMatchObject([
    { state: "failed", attempts: 5, status: 500, next_attempt_at: null },
  ]);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(received.map(({ path }) => path)).not.toContain("/elsewhere");
  const [{ id } = { id: "" }] = await deliveries(person);
  const replayed = await person.call(`/api/webhooks/deliveries/${id}/replay`, { method: "POST" });
  expect(await replayed.json()).toMatchObject({ id, state: "waiting", attempts: 0 });
  await app.sweep();
  expect(received).toHaveLength(6);
  expect(await deliveries(person)).toMatchObject([{ state: "sent", attempts: 1, status: 204 }]);
});

test("410 disables a standing webhook, at once and for all that wait", async () => {
  const person = await app.person();
  const { id } = await made(person);
  answers = [410];
  await compress(person);
  await arrived(1);
  await expect
    .poll(async () => ((await (await person.call("/api/webhooks")).json()) as { webhooks: object[] }).webhooks)
    .toMatchObject([{ id, disabled_at: expect.any(String) }]);
  await expect.poll(() => deliveries(person)).toMatchObject([{ state: "failed", status: 410, attempts: 1 }]);
  await compress(person);
  const [{ id: delivery } = { id: "" }] = await deliveries(person);
  expect((await person.call(`/api/webhooks/deliveries/${delivery}/replay`, { method: "POST" })).status).toBe(409);
  clock.advance(5_000);
  await app.sweep();
  expect(received).toHaveLength(1);
});

test("however many look at once, a delivery goes out once", async () => {
  const person = await app.person();
  await compress(person, { webhook_url: `${origin}/once` });
  await arrived(1);
  await Promise.all(Array.from({ length: 8 }, () => app.sweep()));
  expect(received).toHaveLength(1);
});

test("an address inside is never asked, and shows as not reached", async () => {
  const person = await app.person();
  await compress(person, { webhook_url: `${origin.replace("127.0.0.1", "127.0.0.2")}/inside` });
  await expect.poll(() => deliveries(person)).toMatchObject([{ state: "waiting", attempts: 1, status: null }]);
  expect(received).toEqual([]);
});

test("webhooks are for persons, and for jobs that are not waited for", async () => {
  const person = await app.person();
  const problemOf = async (answer: Response) => {
    const { code, field } = (await answer.json()) as { code: string; field?: string };
    return { status: answer.status, code, field };
  };
  const refused = { status: 400, code: "invalid-request", field: "webhook_url" };
  expect(await problemOf(await compress(app.caller(), { webhook_url: `${origin}/a` }))).toEqual(refused);
  expect(await problemOf(await compress(person, { webhook_url: `${origin}/a` }, { prefer: "" }))).toEqual(refused);
  const long = `https://a.example/${"a".repeat(2000)}`;
  for (const url of ["nonsense", "ftp://a.example/", long, "https://ann:secret@a.example/"])
    expect(await problemOf(await compress(person, { webhook_url: url }))).toEqual(refused);
  for (const url of ["nonsense", "ftp://a.example/", "", long, "https://ann:secret@a.example/"])
    expect(await problemOf(await person.call("/api/webhooks", { json: { url } }))).toEqual({
      ...refused,
      field: "url",
    });
  expect((await app.caller().call("/api/webhooks")).status).toBe(401);
  for (let i = 0; i < 10; i++) await made(person);
  const many = await person.call("/api/webhooks", { json: { url: `${origin}/a` } });
  expect(many.status).toBe(409);
});

test("another account's webhook is not found", async () => {
  const [ann, ben] = [await app.person(), await app.person()];
  const { id } = await made(ann);
  await compress(ann);
  await arrived(1);
  const [{ id: delivery } = { id: "" }] = await deliveries(ann);
  for (const [path, method] of [
    [`/api/webhooks/${id}`, "DELETE"],
    [`/api/webhooks/${id}/rotate`, "POST"],
    [`/api/webhooks/deliveries/${delivery}/replay`, "POST"],
  ] as const)
    expect((await ben.call(path, { method, ...(method === "POST" ? { json: {} } : {}) })).status).toBe(404);
  expect(await deliveries(ben)).toEqual([]);
  expect(await secretOf(ann)).not.toBe(await secretOf(ben));
});

test("the database holds no secret, and with the account its webhooks go", async () => {
  const person = await app.person();
  const { id, secret } = await made(person);
  await compress(person);
  await arrived(1);
  const rows = [await app.db.select().from(webhookEndpoints), await app.db.select().from(webhookDeliveries)];
  expect(JSON.stringify(rows)).not.toContain(secret.slice("whsec_".length));
  const [row] = await app.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  const { accountId = "" } = row ?? {};
  const form = await person.call("/api/delete-account", { json: { email: `${person.subject}@example.com` } });
  expect(form.status).toBe(204);
  for (const table of [webhookEndpoints, webhookDeliveries])
    expect(await app.db.select().from(table).where(eq(table.accountId, accountId))).toEqual([]);
});

test("a receiver that never answers keeps no other account waiting", async () => {
  const [slow, person] = [await app.person(), await app.person()];
  for (let count = 0; count < 10; count++) await made(slow, "/silent");
  await made(person, "/prompt");
  await compress(slow);
  await expect.poll(() => received.length).toBeGreaterThan(0);
  await compress(person);
  const prompt = () => received.find(({ path }) => path === "/prompt");
  await expect.poll(prompt).toBeDefined();
  // The first silent delivery is given up after 10 s.
  expect((prompt()?.atMs ?? 0) - (received[0]?.atMs ?? 0)).toBeLessThan(10_000);
  await app.db.delete(webhookEndpoints);
  receiver.closeAllConnections();
});

test("an account whose receiver answers is told of everything that is due, not of two ends a second", async () => {
  const person = await app.person();
  for (let count = 0; count < 10; count++) await made(person, `/many/${count}`);
  const job = (await compress(person)).headers.get("location") ?? "";
  await expect.poll(async () => ((await (await person.call(job)).json()) as { state: string }).state).toBe("done");
  await app.sweep();
  expect(received.filter(({ path }) => path.startsWith("/many/"))).toHaveLength(10);
});

test("a webhook for an event or a member that there is not is refused by its field", async () => {
  const person = await app.person();
  const make = (json: object) => person.call("/api/webhooks", { json: { url: `${origin}/standing`, ...json } });
  for (const [json, field] of [
    [{ events: ["job.exploded"] }, "events.0"],
    [{ events: [] }, "events"],
    [{ event: "job.exploded" }, "event"],
  ] as const) {
    const answer = await make(json);
    expect([answer.status, ((await answer.json()) as { field?: string }).field]).toEqual([400, field]);
  }
  const answer = await make({ events: ["job.finished"] });
  expect(answer.status).toBe(201);
  expect(await answer.json()).toMatchObject({ events: ["job.finished"] });
  expect(((await (await person.call("/api/webhooks")).json()) as { webhooks: object[] }).webhooks).toHaveLength(1);
});
