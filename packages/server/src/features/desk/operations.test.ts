import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type {
  DeliveryKind,
  DeskDelivery,
  DeskJobCounts,
  DeskNetwork,
  DeskRole,
  FoundJob,
  Job,
  UserInfo,
} from "@tintype/contract";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outboxMails } from "../../platform/db/tables.ts";
import { putMail } from "../../platform/mail-outbox.ts";
import { networksAround } from "../../platform/network.ts";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { samplePng } from "../../testing/pictures.ts";
import { accounts } from "../accounts/tables.ts";
import { grantRole } from "./operators.ts";
import { adminAudit } from "./tables.ts";

// Jobs, deliveries and networks at the desk.
const hourMs = 3_600_000;
const clock = heldClock(new Date());
let app: TestApp;
let origin: string;
/** The status with which the receiver of webhooks and results responds. */
let status = 500;
const receiver = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(status).end());
});
beforeAll(async () => {
  await new Promise<void>((done) => void receiver.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`; // a TCP server has one
  app = await startTestApp({
    clock,
    environment: {
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
      TINTYPE_URL_INPUT: "on",
      TINTYPE_URL_ALLOW: "127.0.0.1/32",
      // Nothing listens on port 1.
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "Tintype <hello@tintype.example>",
    },
  });
});
afterAll(async () => {
  await app.close();
  receiver.closeAllConnections();
  await new Promise((done) => receiver.close(done));
});

const reason = "It hangs";
async function someone(role?: DeskRole) {
  const person = await app.person();
  const [account] = await app.db.select().from(accounts).where(eq(accounts.subject, person.subject));
  const id = account?.id ?? "";
  if (role) await grantRole(app.db, { at: clock.now(), actor: "command", reason, accountId: id, role });
  const read = async <Body>(path: string): Promise<Body> =>
    (await (await person.call(`/api/admin${path}`)).json()) as Body;
  const act = (path: string, body: object = {}) => person.call(`/api/admin${path}`, { json: { ...body, reason } });
  return { ...person, id, read, act };
}
const entriesOn = (subject: string) =>
  app.db.select().from(adminAudit).where(eq(adminAudit.subject, subject)).orderBy(adminAudit.id);
const detailOf = async (answer: Response) => ((await answer.json()) as { detail: string }).detail;

const broken = (name: string) => ({ name, bytes: Buffer.from("\x89PNG\r\n\x1a\nbroken", "latin1") });
const sample = (name: string) => ({ name, bytes: samplePng(30, 20) });
async function begin(
  caller: TestCaller,
  files: { name: string; bytes: Uint8Array }[],
  fields: Record<string, string> = {},
): Promise<string> {
  const answer = await caller.run("compress", files, { quality: "60", ...fields }, { prefer: "respond-async" });
  expect(answer.status, await answer.clone().text()).toBe(202);
  return answer.headers.get("location")?.split("/").at(-1) ?? "";
}
const fetchJob = async (caller: TestCaller, id: string) => (await (await caller.call(`/api/jobs/${id}`)).json()) as Job;
const ended = (caller: TestCaller, id: string) =>
  expect.poll(async () => (await fetchJob(caller, id)).state).not.toMatch(/queued|running/);
const used = async (caller: TestCaller) =>
  ((await (await caller.call("/api/user-info")).json()) as UserInfo).service_count;

type Jobs = { jobs: FoundJob[]; next: string | null };

test("jobs at work and failed ones are listed by state and error, with whose they are and without a name of a file", async () => {
  const [operator, ann, guest] = [await someone("read-only"), await someone(), app.caller()];
  const failed = await begin(ann, [sample("secret-name.png"), broken("broken-name.png"), broken("other.png")]);
  const theirs = await begin(guest, [broken("guest.png"), broken("guest2.png")]);
  await ended(ann, failed);
  await ended(guest, theirs);
  const page = await operator.read<Jobs>("/jobs?state=failed");
  expect(page.jobs).toMatchObject([
    { id: theirs, account_id: null, operation: "compress", state: "failed", files: 2, codes: ["broken-image"] },
    { id: failed, account_id: ann.id, operation: "compress", state: "done", files: 3, failed_files: 2 },
  ]);
  expect(JSON.stringify(page)).not.toContain("name.png");
  const counts = await operator.read<DeskJobCounts>("/jobs/counts");
  expect(counts).toMatchObject({ waiting: 0, working: 0, failed: [{ code: "broken-image", files: 4, jobs: 2 }] });

  const first = await operator.read<Jobs>("/jobs?state=failed&size=1&code=broken-image");
  const second = await operator.read<Jobs>(`/jobs?state=failed&size=1&before=${first.next}`);
  expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual([theirs, failed]);
  expect(second.next).toBeNull();
  expect((await operator.read<Jobs>("/jobs?state=failed&code=took-too-long")).jobs).toEqual([]);
  for (const query of ["state=done", "before=job", "before=%27", "code[]=x"])
    expect((await operator.call(`/api/admin/jobs?${query}`)).status, query).toBe(400);
});

test("a job that is worked on or waits is ended once: its credits are back, and its owner sees it as cancelled", async () => {
  const [operator, ann, ben] = [await someone("support"), await someone(), await someone()];
  const files = Array.from({ length: 4 }, (_, i) => sample(`${i}.png`));
  const listed = async (state: string) => (await operator.read<Jobs>(`/jobs?state=${state}`)).jobs.map(({ id }) => id);
  const [working, waiting] = await app.whileEnginesAreHeld(async () => {
    const working = await begin(ann, files);
    await expect.poll(async () => (await fetchJob(ann, working)).state).toBe("running");
    const waiting = await begin(ben, files);
    expect(await listed("working")).toContain(working);
    expect(await used(ann)).toBe(4);
    for (const id of [working, waiting]) {
      const answers = await Promise.all([1, 2, 3].map(() => operator.act(`/jobs/${id}/end`)));
      expect(answers.map((answer) => answer.status).sort()).toEqual([204, 409, 409]);
    }
    return [working, waiting];
  });
  for (const [caller, id] of [
    [ann, working],
    [ben, waiting],
  ] as const) {
    const job = await fetchJob(caller, id);
    expect(job.state).toBe("cancelled");
    expect(await used(caller)).toBe(0);
  }
  for (const state of ["working", "waiting"])
    for (const id of [working, waiting]) expect(await listed(state)).not.toContain(id);
  const [entry, ...others] = await entriesOn(working);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    action: "job-ended",
    reason,
    before: { state: "running" },
    after: { state: "cancelled", account: ann.id },
  });
  expect((await operator.act("/jobs/job_none/end")).status).toBe(404);
});

test("the job of somebody with a higher role is left alone", async () => {
  const [operator, boss] = [await someone("support"), await someone("owner")];
  await app.whileEnginesAreHeld(async () => {
    const id = await begin(boss, [sample("a.png")]);
    expect((await operator.act(`/jobs/${id}/end`)).status).toBe(409);
    expect((await fetchJob(boss, id)).state).not.toBe("cancelled");
    expect(await entriesOn(id)).toEqual([]);
    expect((await boss.act(`/jobs/${id}/end`)).status).toBe(204);
  });
});

type Deliveries = { deliveries: DeskDelivery[]; next: string | null };
const deliveriesIn = (operator: Awaited<ReturnType<typeof someone>>, kind: DeliveryKind, state: string) =>
  operator.read<Deliveries>(`/deliveries?kind=${kind}&state=${state}`);

test("a mail that fails is listed without its text and address, and can be tried again for a week once it is given up", async () => {
  const [operator, person] = [await someone("support"), await someone()];
  const key = `refunded:${person.id}`;
  const message = { to: "ann@example.com", subject: "Your refund", text: "Three dollars" };
  await putMail(app.db, { key, accountId: person.id, message }, clock.now());
  const ofPerson = async (state: string) =>
    (await deliveriesIn(operator, "mail", state)).deliveries.filter(({ id }) => id === key);
  await app.sweep();
  expect(await ofPerson("waiting")).toMatchObject([
    {
      what: "refunded",
      account_id: person.id,
      tries: 1,
      problem: expect.stringContaining("ECONNREFUSED"),
      can_retry: false,
    },
  ]);
  expect((await operator.act("/deliveries/retry", { kind: "mail", id: key })).status).toBe(409);
  for (let tries = 1; tries < 16; tries++) {
    clock.advance(6 * hourMs); // the longest delay
    await app.sweep();
  }
  const [given] = await ofPerson("failed");
  expect(given).toMatchObject({ state: "failed", tries: 16, next_attempt_at: null, can_retry: true });
  expect(JSON.stringify(given)).not.toMatch(/Three dollars|Your refund|ann@/);

  expect((await operator.act("/deliveries/retry", { kind: "mail", id: key })).status).toBe(204);
  expect((await operator.act("/deliveries/retry", { kind: "mail", id: key })).status).toBe(409);
  await app.sweep();
  expect(await ofPerson("waiting")).toMatchObject([{ tries: 1 }]);
  expect(await entriesOn(key)).toMatchObject([
    { action: "delivery-retried", reason, before: { kind: "mail", tries: 16 }, after: { state: "waiting" } },
  ]);

  await app.db.update(outboxMails).set({ dueAt: null, failedAt: clock.now() }).where(eq(outboxMails.key, key));
  clock.advance(7 * 24 * hourMs + 1);
  await app.sweep();
  expect(await ofPerson("failed")).toMatchObject([{ can_retry: false }]);
  const [row] = await app.db.select().from(outboxMails).where(eq(outboxMails.key, key));
  expect(row?.message).toBeNull();
  expect((await operator.act("/deliveries/retry", { kind: "mail", id: key })).status).toBe(409);
});

test("mails are listed page by page, and each once", async () => {
  const operator = await someone("read-only");
  const at = clock.now();
  for (const name of ["a", "b", "c", "d"])
    await app.db
      .insert(outboxMails)
      .values({ key: `paged ${name}:${at.toISOString()}`, createdAt: at, failedAt: at, tries: 16, lastProblem: "no" });
  const seen: string[] = [];
  let before = "";
  do {
    const page = await operator.read<Deliveries>(
      `/deliveries?size=3${before && `&before=${encodeURIComponent(before)}`}`,
    );
    seen.push(...page.deliveries.map(({ id }) => id));
    before = page.next ?? "";
  } while (before);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => id.startsWith("paged "))).toHaveLength(4);
  for (const query of ["before=1", "kind=x", "kind=webhook&before=1", "state=sent"])
    expect((await operator.call(`/api/admin/deliveries?${query}`)).status, query).toBe(400);
});

test("webhooks and results that an address does not take are listed by its host; a webhook is sent again", async () => {
  const [operator, ann] = [await someone("support"), await someone()];
  status = 500;
  const fields = { webhook_url: `${origin}/hook?token=s3cret`, output_url: `${origin}/put?signature=s3cret` };
  const job = await begin(ann, [sample("a.png")], fields);
  await ended(ann, job);
  // Six attempts each, with a webhook's delays; the webhook waits for the result.
  for (let tries = 0; tries < 12; tries++) {
    await app.sweep();
    clock.advance(301_000);
  }
  const mine = async (kind: DeliveryKind, state: string) => {
    const page = await deliveriesIn(operator, kind, state);
    expect(JSON.stringify(page)).not.toContain("s3cret");
    return page.deliveries.filter(({ job_id }) => job_id === job);
  };
  await expect
    .poll(() => mine("output", "failed"))
    .toMatchObject([
      { what: "address forgotten", account_id: ann.id, can_retry: false, problem: expect.stringMatching(/[.]$/) },
    ]);
  await expect
    .poll(() => mine("webhook", "failed"))
    .toMatchObject([
      { what: new URL(origin).host, account_id: ann.id, problem: "The URL returned 500.", can_retry: true },
    ]);
  expect((await operator.act("/deliveries/retry", { kind: "output", id: job })).status).toBe(409);
  const [hook] = await mine("webhook", "failed");
  status = 204;
  expect((await operator.act("/deliveries/retry", { kind: "webhook", id: hook?.id })).status).toBe(204);
  await app.sweep();
  await expect.poll(() => mine("webhook", "failed")).toEqual([]);
  expect(await mine("webhook", "waiting")).toEqual([]);
  expect((await operator.act("/deliveries/retry", { kind: "webhook", id: hook?.id })).status).toBe(409);
  expect((await operator.act("/deliveries/retry", { kind: "webhook", id: "msg_none" })).status).toBe(404);
  expect((await entriesOn(hook?.id ?? "")).map(({ action }) => action)).toEqual(["delivery-retried"]);
});

type Networks = { networks: DeskNetwork[]; blocked: { key: string; until: string }[]; next: string | null };
const from = (address: string) => ({ "x-forwarded-for": address });
const spend = (caller: TestCaller, count: number, address: string) =>
  caller.call("/api/service-use-multiple", { json: { file_count: count }, headers: from(address) });
const work = (caller: TestCaller, address: string) =>
  caller.run("compress", [sample("a.png")], { quality: "60" }, from(address));

test("guests' use of today is listed by the network's hash, the most first, with its bounds", async () => {
  const operator = await someone("read-only");
  await spend(app.caller(), 3, "203.0.113.7");
  await spend(app.caller(), 2, "203.0.113.7");
  await spend(app.caller(), 4, "2001:db8:1:2::1");
  await spend(app.caller(), 1, "2001:db8:1:3::1");
  const { networks } = await operator.read<Networks>("/networks");
  const shown = networks.filter(({ used: credits }) => [5, 4, 1].includes(credits));
  expect(shown.map(({ kind, used: credits, limit }) => [kind, credits, limit])).toEqual(
    expect.arrayContaining([
      ["address", 5, 30],
      ["/56", 5, 120],
      ["/48", 5, 480],
      ["/64", 4, 30],
      ["/64", 1, 30],
    ]),
  );
  expect(networks.map(({ used: credits }) => credits)).toEqual(
    networks.map(({ used: credits }) => credits).sort((a, b) => b - a),
  );
  expect(JSON.stringify(networks)).not.toMatch(/203[.]0|2001:db8/);
  const keys: string[] = [];
  let before = "";
  do {
    const page = await operator.read<Networks>(`/networks?size=2${before && `&before=${encodeURIComponent(before)}`}`);
    keys.push(...page.networks.map(({ key }) => key));
    before = page.next ?? "";
  } while (before);
  expect(keys).toEqual(networks.map(({ key }) => key));
  expect((await operator.call("/api/admin/networks?before=x")).status).toBe(400);
  clock.advance(24 * hourMs);
  expect((await operator.read<Networks>("/networks")).networks).toEqual([]);
});

test("a blocked network's guests and free accounts are refused until the moment, and people who pay are not", async () => {
  const operator = await someone("support");
  const address = "203.0.113.99";
  const [guest, free, paying] = [app.caller(), await app.person(), await app.person("mini")];
  expect((await work(guest, address)).status).toBe(200);
  const [network] = (await operator.read<Networks>("/networks")).networks;
  const key = network?.key ?? "";
  const until = new Date(clock.now().getTime() + 24 * hourMs).toISOString();
  expect((await operator.act("/networks/unblock", { key })).status).toBe(409);
  expect((await operator.act("/networks/block", { key, until })).status).toBe(204);
  for (const caller of [guest, app.caller(), free]) {
    const refused = await work(caller, address);
    expect(refused.status).toBe(403);
    expect(await refused.clone().json()).toMatchObject({ code: "network-blocked" });
    expect(await detailOf(refused)).toMatch(
      /blocked until .* UTC[.] Choose a plan, or write to us through the contact form[.]$/,
    );
  }
  expect((await work(paying, address)).status).toBe(200);
  expect((await work(app.caller(), "203.0.113.98")).status).toBe(200);
  const page = await operator.read<Networks>("/networks");
  expect(page.blocked).toMatchObject([{ key, kind: "address", until }]);
  expect(page.networks.find((one) => one.key === key)).toMatchObject({ blocked_until: until });

  expect((await operator.act("/networks/unblock", { key })).status).toBe(204);
  expect((await work(app.caller(), address)).status).toBe(200);
  expect((await operator.act("/networks/block", { key, until })).status).toBe(204);
  clock.advance(24 * hourMs);
  expect((await work(app.caller(), address)).status).toBe(200);
  expect((await operator.read<Networks>("/networks")).blocked).toEqual([]);
  expect((await entriesOn(key)).map(({ action, before, after }) => [action, before, after])).toEqual([
    ["network-blocked", { blocked_until: null }, { blocked_until: until }],
    ["network-unblocked", { blocked_until: until }, { blocked_until: null }],
    ["network-blocked", { blocked_until: null }, { blocked_until: until }],
  ]);
});

test("the block of a larger part of IPv6 reaches every network in it", async () => {
  const operator = await someone("support");
  await spend(app.caller(), 2, "2001:db8:9:2::1");
  const { networks } = await operator.read<Networks>("/networks");
  const one = networks.find(({ kind }) => kind === "/64");
  const [, , of48] = networksAround(one?.key ?? "");
  const until = new Date(clock.now().getTime() + hourMs).toISOString();
  expect((await operator.act("/networks/block", { key: of48?.key, until })).status).toBe(204);
  expect((await work(app.caller(), "2001:db8:9:ff00::1")).status).toBe(403);
  expect((await work(app.caller(), "2001:db8:a::1")).status).toBe(200);
});

test.each([
  { what: "a moment that is over", key: "network:abc", hours: -1 },
  { what: "ten years", key: "network:abc", hours: 87_600 },
  { what: "an address in place of its hash", key: "203.0.113.7", hours: 1 },
  { what: "a person", key: "person:acc_1", hours: 1 },
])("$what cannot be blocked", async ({ key, hours }) => {
  const operator = await someone("support");
  const until = new Date(clock.now().getTime() + hours * hourMs).toISOString();
  expect((await operator.act("/networks/block", { key, until })).status).toBe(400);
  expect(await entriesOn(key)).toEqual([]);
});
