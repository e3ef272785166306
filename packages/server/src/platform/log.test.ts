import { DrizzleQueryError } from "drizzle-orm/errors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accounts } from "../features/accounts/tables.ts";
import { contactMessages } from "../features/contact/tables.ts";
import type { OpenDatabase } from "./db/database.ts";
import { openPglite } from "./db/pglite.ts";
import { createLog, hideAddresses } from "./log.ts";

let opened: OpenDatabase;
beforeAll(async () => {
  opened = await openPglite();
});
afterAll(() => opened.close());

/** The lines of a log. */
function keptLog() {
  const lines: string[] = [];
  return { log: createLog("debug", { write: (line) => lines.push(line) }), text: () => lines.join("") };
}
const failureOf = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => undefined,
    (problem: unknown) => problem,
  );

const ann = {
  id: "acc_1",
  issuer: "https://issuer.example",
  subject: "ann",
  email: "ann@example.com",
  name: "Ann Secret",
  createdAt: new Date(),
};

test("a database error is logged without the values of its query", async () => {
  await opened.db.insert(accounts).values(ann);
  const { log, text } = keptLog();
  const duplicate = await failureOf(opened.db.insert(accounts).values({ ...ann, id: "acc_2" }));
  const nul = await failureOf(
    opened.db
      .insert(contactMessages)
      .values({ id: "m", name: "Ann\0Secret", email: ann.email, message: "x", at: new Date() }),
  );
  for (const problem of [duplicate, nul]) {
    expect(problem).toBeInstanceOf(Error);
    log.error({ err: problem, cause: problem }, "failed");
  }
  expect(text()).toContain("accounts_issuer_subject");
  expect(text()).toContain('"code":"23505"');
  expect(text()).toContain("insert into");
  expect(text()).not.toMatch(/ann@example|Secret|params/);
});

test("a database that is away is a sentence and a code, without a statement", async () => {
  const { log, text } = keptLog();
  const refused = Object.assign(new Error("connect ECONNREFUSED 10.0.0.7:5432"), { code: "ECONNREFUSED" });
  const failed = new DrizzleQueryError("select 1 from accounts where email = $1", ["ann@example.com"], refused);
  log.error({ err: failed }, "sweep failed");
  log.warn({ err: new Error("cannot sweep", { cause: failed }) }, "sweep failed");
  const lines = text().trim().split("\n");
  for (const line of lines)
    expect(JSON.parse(line).err).toEqual({
      type: "DatabaseAway",
      message: "PostgreSQL is not responding",
      code: "ECONNREFUSED",
    });
  expect(lines).toHaveLength(2);
});

test("an error's own properties, its causes and its parts tell no address", () => {
  const { log, text } = keptLog();
  const refused = Object.assign(new Error("550 <ann@example.com> is unknown"), { rejected: ["ann@example.com"] });
  log.error({ err: new AggregateError([new Error("outer", { cause: refused })], "all failed") }, "failed");
  expect(text()).toContain("550 <(an address)> is unknown");
  expect(text()).not.toContain("ann@");
});

test("a long word is searched for addresses in time", () => {
  const letters = "a".repeat(1_000_000);
  expect(hideAddresses(`${letters} ann@example.com`)).toBe(`${letters} (an address)`);
});

test("an error that is its own cause ends", () => {
  const { log, text } = keptLog();
  const circle = new Error("round");
  circle.cause = circle;
  log.error({ err: circle }, "failed");
  expect(text()).toContain("round");
});

test("an API key that comes into a line is hidden", () => {
  const { log, text } = keptLog();
  log.info({ route: "/tt_live_abcDEF123" }, "got tt_test_zzz999");
  expect(text()).toContain("tt_live_(hidden)");
  expect(text()).toContain("tt_test_(hidden)");
  expect(text()).not.toMatch(/abcDEF|zzz999/);
});
