import { readFileSync } from "node:fs";
import { DomainError, limits } from "@tintype/contract";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { utcDay, utcMonth } from "../../platform/clock.ts";
import { type Database, type OpenDatabase, rowsOf } from "../../platform/db/database.ts";
import { openPglite } from "../../platform/db/pglite.ts";
import { openPostgres } from "../../platform/db/postgres.ts";
import { newId } from "../../platform/id.ts";
import { createDatabase } from "../../testing/backends.ts";
import { heldClock, snapshot } from "../../testing/harness.ts";
import type { Holder } from "./allowance.ts";
import { createLedger, type GrantEnd, type Ledger } from "./ledger.ts";

const day = 86_400_000;
const codeOf = (problem: unknown) => (problem instanceof DomainError ? problem.code : String(problem));
const adapters = {
  PGlite: async () => ({ ...(await openPglite(snapshot())), stop: async () => {} }),
  PostgreSQL: async () => {
    const server = await createDatabase();
    return { ...(await openPostgres(server.url)), stop: server.close };
  },
};

describe.each(Object.entries(adapters))("on %s", (_name, open) => {
  let database: OpenDatabase & { stop(): Promise<void> };
  let db: Database;
  beforeAll(async () => {
    database = await open();
    db = database.db;
  }, 60_000);
  afterAll(async () => {
    await database.close();
    await database.stop();
  });

  const setUp = (start?: Date) => {
    const clock = heldClock(start);
    return { clock, ledger: createLedger({ db, clock }) };
  };
  const person = (tier: Holder["tier"] = "hobby"): Holder => ({ key: `person:${newId("t")}`, tier });
  const guest = (network = `network:${newId("t")}`): Holder => ({ key: `guest:${newId("t")}`, tier: "guest", network });
  const charge = (ledger: Ledger, holder: Holder, count: number, jobId = newId("job")) =>
    db.transaction((tx) =>
      ledger.charge(tx, holder, {
        jobId,
        operation: "compress",
        files: Array.from({ length: count }, (_, index) => ({ index, name: `${index}.png` })),
      }),
    );
  const reserve = (ledger: Ledger, holder: Holder, count: number) =>
    db.transaction((tx) => ledger.reserve(tx, holder, count));
  const refund = (ledger: Ledger, jobId: string, indexes: number[]) =>
    ledger.refund(db, { jobId, files: indexes.map((index) => ({ index, reason: "broken" })) });
  const used = async (ledger: Ledger, holder: Holder) => (await ledger.usage(holder)).used;
  /** Checks that the counters equal the sums of the ledger's rows. */
  const expectSums = async (holder: string) => {
    const [row] = await rowsOf<{ agrees: boolean; sane: boolean }>(
      db.execute(sql`
        select a.total_used = coalesce(sum(e.credits), 0)
           and a.day_used = coalesce(sum(e.credits) filter (where e.day = a.day), 0)
           and a.month_used = coalesce(sum(e.credits) filter (where to_char(e.day, 'YYYY-MM') = a.month), 0)
           and a.total_given = coalesce(sum(e.given) filter (where e.holder = a.holder), 0)
           and a.day_given = coalesce(sum(e.given) filter (where e.holder = a.holder and e.day = a.day), 0)
           and a.month_given = coalesce(sum(e.given) filter (where e.holder = a.holder and to_char(e.day, 'YYYY-MM') = a.month), 0)
           and coalesce((select sum(g.open) from credit_grants g where g.holder = a.holder), 0)
             = coalesce(sum((select sum(value::int) from jsonb_each_text(e.grants))) filter (where e.holder = a.holder and e.kind = 'adjust'), 0)
             - coalesce(sum(e.given) filter (where e.holder = a.holder and e.kind <> 'adjust'), 0)
           and a.reserved = (select coalesce(sum(open), 0) from reservations r where r.holder = a.holder) as agrees,
           a.total_used >= 0 and a.day_used >= 0 and a.month_used >= 0 and a.reserved >= 0 as sane
        from allowances a left join credit_entries e on e.holder = a.holder or e.network = a.holder
        where a.holder = ${holder} group by a.holder`),
    );
    if (row) expect(row).toEqual({ agrees: true, sane: true });
  };

  test("a counter that a jumped clock left in the future is summed again from the ledger, of persons and networks", async () => {
    const { clock, ledger } = setUp(new Date("2026-03-10T12:00:00Z"));
    const [daily, monthly, visitor] = [person("mini"), person(), guest()];
    for (const holder of [daily, monthly, visitor]) await charge(ledger, holder, 2);
    clock.advance(400 * day);
    await charge(ledger, daily, 100);
    await charge(ledger, monthly, 100);
    await charge(ledger, guest(visitor.network), 5);
    clock.advance(-400 * day);
    expect([await used(ledger, daily), await used(ledger, monthly)]).toEqual([2, 2]);
    await ledger.requireCredit(daily, 98);
    await charge(ledger, daily, 98);
    await expect(charge(ledger, daily, 1)).rejects.toMatchObject({ code: "out-of-credits" });
    await charge(ledger, monthly, 1);
    await charge(ledger, visitor, 1);
    clock.advance(day);
    expect(await used(ledger, daily)).toBe(0);
    await charge(ledger, daily, 1);
    for (const { key } of [daily, monthly, visitor]) await expectSums(key);
    if (visitor.network) await expectSums(visitor.network);
  });

  test("forty at once with five credits left: exactly five succeed", async () => {
    const { ledger } = setUp();
    const holder = person();
    await charge(ledger, holder, 95);
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => charge(ledger, holder, 1)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(codeOf(outcome.reason)).toBe("out-of-credits");
    expect(await used(ledger, holder)).toBe(100);
    await expectSums(holder.key);
  });

  test("a batch that does not fit takes nothing", async () => {
    const { ledger } = setUp();
    const holder = guest();
    await charge(ledger, holder, 1);
    await expect(charge(ledger, holder, 5)).rejects.toMatchObject({ code: "out-of-credits" });
    expect(await used(ledger, holder)).toBe(1);
    await charge(ledger, holder, 4);
    await expectSums(holder.key);
  });

  // product: guest-allowance
  test("a network of guests gets thirty credits a day, however many cookies it has", async () => {
    const { ledger, clock } = setUp();
    const network = `network:${newId("t")}`;
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => charge(ledger, guest(network), 1)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(codeOf(outcome.reason)).toBe("network-allowance");
    await expectSums(network);
    clock.advance(day);
    await charge(ledger, guest(network), 5);
    await expectSums(network);
  });

  test("networks of IPv6 around a guest are counted too: four times the credits for a /56, sixteen times for a /48", async () => {
    const { ledger } = setUp();
    const site = newId("t");
    const used48 = `network:v6.${site}`;
    const take = async (street: string, house: number, credits: number) => {
      const network = `network:v6.${site}.${street}.${house}`;
      for (let left = credits; left > 0; left -= 5) await charge(ledger, guest(network), 5);
    };
    for (let house = 0; house < 4; house++) await take("a", house, 30);
    await expect(take("a", 4, 5)).rejects.toMatchObject({ code: "network-allowance" });
    for (const street of ["b", "c", "d"]) for (let house = 0; house < 4; house++) await take(street, house, 30);
    await expect(take("e", 0, 5)).rejects.toMatchObject({ code: "network-allowance" });
    // A refund goes to each of the counters.
    const jobId = newId("job");
    await expect(charge(ledger, guest(`network:v6.${site}.e.0`), 1, jobId)).rejects.toMatchObject({
      code: "network-allowance",
    });
    const [before] = await rowsOf<{ used: number }>(
      db.execute(sql`select day_used as used from allowances where holder = ${used48}`),
    );
    expect(before?.used).toBe(480);
  });

  test("a credit that comes back to a guest comes back to the IPv6 networks around it", async () => {
    const { ledger } = setUp();
    const site = newId("t");
    const jobId = newId("job");
    await charge(ledger, guest(`network:v6.${site}.a.1`), 3, jobId);
    await refund(ledger, jobId, [0, 2]);
    const counters = await rowsOf<{ used: number }>(
      db.execute(sql`select day_used as used from allowances where holder like ${`network:v6.${site}%`}`),
    );
    expect(counters.map(({ used }) => used)).toEqual([1, 1, 1]);
  });

  describe("Hobby accounts by network", () => {
    const setUpCounted = (start?: Date) => {
      const clock = heldClock(start);
      return { clock, ledger: createLedger({ db, clock, rules: { mustVerify: true, perNetwork: true } }) };
    };
    const member = (network: string, tier: Holder["tier"] = "hobby"): Holder => ({
      ...person(tier),
      network,
      emailVerified: true,
    });
    const outcomesOf = (attempts: Promise<unknown>[]) =>
      Promise.allSettled(attempts).then((all) => all.filter(({ status }) => status === "fulfilled").length);
    const marksOf = (network: string) =>
      rowsOf<{ holder: string; total: number }>(
        db.execute(sql`
          select holder, total_used as total from allowances where holder like ${`${network}%:paid`}`),
      );

    test("however many spend at once, a network has three allowances, and thirty while somebody on it pays", async () => {
      const { ledger } = setUpCounted();
      const network = `network:${newId("t")}`;
      const spendAtOnce = (accounts: number) =>
        outcomesOf(Array.from({ length: accounts }, () => charge(ledger, member(network), 100)));
      expect(await spendAtOnce(8)).toBe(3);
      await expectSums(`${network}:hobby`);
      const quote = () => ledger.predictCharge(member(network), { files: 1, creditsPerFile: 1 });
      expect((await quote()).refusal?.code).toBe("network-allowance");
      await expect(ledger.requireCredit(member(network))).rejects.toMatchObject({ code: "network-allowance" });

      await outcomesOf(Array.from({ length: 5 }, () => charge(ledger, member(network, "mini"), 1)));
      expect(await marksOf(network)).toEqual([{ holder: `${network}:paid`, total: 0 }]);
      expect((await quote()).refusal).toBeUndefined();
      await ledger.requireCredit(member(network));
      expect(await spendAtOnce(32)).toBe(27);
      expect((await quote()).refusal?.code).toBe("network-allowance");
      await expectSums(`${network}:hobby`);
    });

    test("a paid plan that only reserves marks its network too, until the month after has ended", async () => {
      const { clock, ledger } = setUpCounted(new Date("2026-01-31T12:00:00Z"));
      const network = `network:${newId("t")}`;
      const spendTen = () => outcomesOf(Array.from({ length: 10 }, () => charge(ledger, member(network), 100)));
      await reserve(ledger, member(network, "pro"), 1);
      expect(await spendTen()).toBe(10);
      clock.advance(28 * day);
      expect(await spendTen()).toBe(10);
      clock.advance(day);
      expect(await spendTen()).toBe(3);
      // The mark is renewed.
      await charge(ledger, member(network, "pro"), 1);
      expect(await spendTen()).toBe(10);
    });

    test("networks of IPv6 around an account are counted and marked too", async () => {
      const { ledger } = setUpCounted();
      const site = `network:v6.${newId("t")}`;
      const spendIn = (house: number, accounts: number) =>
        outcomesOf(Array.from({ length: accounts }, () => charge(ledger, member(`${site}.a.${house}`), 100)));
      for (let house = 0; house < 4; house++) expect(await spendIn(house, 4)).toBe(3);
      expect(await spendIn(4, 1)).toBe(0);
      await charge(ledger, member(`${site}.a.5`, "plus"), 1);
      expect(new Set((await marksOf(site)).map(({ holder }) => holder))).toEqual(
        new Set([`${site}:paid`, `${site}.a:paid`, `${site}.a.5:paid`]),
      );
      // The /56 has room now. Each /64 in it keeps its own limit, but the one that pays.
      expect(await spendIn(4, 4)).toBe(3);
      expect(await spendIn(5, 4)).toBe(4);
    });

    test("paid charges on a marked network neither write nor lock the mark", async () => {
      const { ledger } = setUpCounted();
      const site = `network:v6.${newId("t")}`;
      const network = `${site}.a.1`;
      // A lock of the row would change xmax.
      const versions = () =>
        rowsOf(
          db.execute(sql`
            select holder, xmin::text, xmax::text, ctid::text from allowances
            where holder like ${`${site}%:paid`} order by holder`),
        );
      await charge(ledger, member(network, "mini"), 1);
      const before = await versions();
      expect(before).toHaveLength(3);
      await charge(ledger, member(network, "mini"), 1);
      await reserve(ledger, member(network, "plus"), 1);
      expect(await versions()).toEqual(before);
    });
  });

  test("a file's credit comes back once, however often it is asked for", async () => {
    const { ledger } = setUp();
    const holder = guest();
    const jobId = newId("job");
    await charge(ledger, holder, 3, jobId);
    const given = await Promise.all(Array.from({ length: 10 }, () => refund(ledger, jobId, [0, 2])));
    expect(given.reduce((sum, one) => sum + one, 0)).toBe(2);
    expect(await used(ledger, holder)).toBe(1);
    await expectSums(holder.key);
    await expectSums(holder.network ?? "");
  });

  test("a credit that was never charged is not given back", async () => {
    const { ledger } = setUp();
    const holder = person();
    const jobId = newId("job");
    await charge(ledger, holder, 1, jobId);
    expect(await refund(ledger, jobId, [1, 2])).toBe(0);
    expect(await refund(ledger, newId("job"), [0])).toBe(0);
    expect(await used(ledger, holder)).toBe(1);
  });

  // product: reservations-lapse
  test("a reservation is spent before the allowance, and lapses after ten minutes", async () => {
    const { ledger, clock } = setUp();
    const holder = person();
    expect((await reserve(ledger, holder, 3)).used).toBe(3);
    await charge(ledger, holder, 4);
    expect(await used(ledger, holder)).toBe(4);
    await reserve(ledger, holder, 7);
    clock.advance(9 * 60_000);
    expect(await used(ledger, holder)).toBe(11);
    clock.advance(60_001);
    expect(await used(ledger, holder)).toBe(4);
    await expectSums(holder.key);
  });

  test("reservations count against the limit, and lapsed ones no more", async () => {
    const { ledger, clock } = setUp();
    const holder = guest();
    await reserve(ledger, holder, 5);
    await expect(reserve(ledger, holder, 1)).rejects.toMatchObject({ code: "out-of-credits" });
    clock.advance(11 * 60_000);
    await charge(ledger, holder, 5);
    expect(await used(ledger, holder)).toBe(5);
    await expectSums(holder.key);
    await expectSums(holder.network ?? "");
  });

  test("lapsed reservations of those who never come back are given back too", async () => {
    const { ledger, clock } = setUp();
    const network = `network:${newId("t")}`;
    for (let i = 0; i < 6; i++) await reserve(ledger, guest(network), 5);
    await expect(reserve(ledger, guest(network), 1)).rejects.toMatchObject({ code: "network-allowance" });
    clock.advance(11 * 60_000);
    await ledger.expireReservations();
    await charge(ledger, guest(network), 5);
    await expectSums(network);
  });

  test("a reserved file that fails gives its credit back", async () => {
    const { ledger } = setUp();
    const holder = person();
    const jobId = newId("job");
    await reserve(ledger, holder, 1);
    await charge(ledger, holder, 1, jobId);
    expect(await refund(ledger, jobId, [0])).toBe(1);
    expect(await used(ledger, holder)).toBe(0);
    await expectSums(holder.key);
  });

  // product: windows-in-utc
  test("months and days are UTC calendar ones", async () => {
    const { ledger, clock } = setUp(new Date("2026-01-31T23:59:59Z"));
    const hobby = person();
    const mini = person("mini");
    await charge(ledger, hobby, 100);
    await charge(ledger, mini, 100);
    clock.advance(1000);
    expect(await used(ledger, hobby)).toBe(0);
    expect(await used(ledger, mini)).toBe(0);
    await charge(ledger, mini, 100);
    clock.advance(day);
    await charge(ledger, hobby, 60);
    await charge(ledger, mini, 100);
    clock.advance(day);
    expect(await used(ledger, hobby)).toBe(60);
    await expect(charge(ledger, hobby, 41)).rejects.toMatchObject({ code: "out-of-credits" });
    for (const holder of [hobby, mini]) await expectSums(holder.key);
  });

  test("switching plans back and forth resets nothing", async () => {
    const { ledger } = setUp();
    const holder = person();
    await charge(ledger, holder, 100);
    const upgraded: Holder = { ...holder, tier: "plus" };
    expect(await used(ledger, upgraded)).toBe(100);
    await charge(ledger, upgraded, 300);
    expect(await used(ledger, holder)).toBe(400);
    await expect(charge(ledger, holder, 1)).rejects.toMatchObject({ code: "out-of-credits" });
  });

  test("a credit given back after midnight moves the day it was taken on", async () => {
    const { ledger, clock } = setUp(new Date("2026-05-05T23:59:00Z"));
    const holder = person("mini");
    const jobId = newId("job");
    await charge(ledger, holder, 3, jobId);
    clock.advance(120_000);
    await charge(ledger, holder, 2);
    await refund(ledger, jobId, [0, 1, 2]);
    expect(await used(ledger, holder)).toBe(2);
    await expectSums(holder.key);
  });

  test("the fast lane lasts as long as the day's allowance of it", async () => {
    const { ledger } = setUp();
    const plus = person("plus");
    expect((await charge(ledger, plus, limits.plus.fastLanePerDay)).isFast).toBe(true);
    expect((await charge(ledger, person("mini"), 1)).isFast).toBe(false);
    expect((await ledger.usage(plus)).fastUsed).toBe(500);
  });

  // product: charged-once
  test("whatever happens in whatever order, the rows sum to the counter, and no limit is passed", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("charge" as const), count: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ do: fc.constant("reserve" as const), count: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ do: fc.constant("back" as const), job: fc.nat(9), file: fc.nat(3) }),
      fc.record({ do: fc.constant("wait" as const), minutes: fc.constantFrom(1, 6, 11, 60 * 25) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { ledger, clock } = setUp();
        const holder = guest();
        const made: string[] = [];
        for (const one of steps) {
          if (one.do === "wait") clock.advance(one.minutes * 60_000);
          else if (one.do === "back")
            await refund(ledger, made[one.job % Math.max(1, made.length)] ?? "none", [one.file]);
          else if (one.do === "reserve")
            await reserve(ledger, holder, one.count).catch((problem) => expect(codeOf(problem)).toBe("out-of-credits"));
          else {
            const jobId = newId("job");
            made.push(jobId);
            await charge(ledger, holder, one.count, jobId).catch((problem) =>
              expect(codeOf(problem)).toBe("out-of-credits"),
            );
          }
          expect(await used(ledger, holder)).toBeLessThanOrEqual(5);
        }
        await expectSums(holder.key);
        await expectSums(holder.network ?? "");
      }),
      { numRuns: 15 },
    );
  });

  const adjust = (ledger: Ledger, holder: Holder, credits: number, end: GrantEnd = null) =>
    db.transaction((tx) => ledger.adjust(tx, holder, { credits, end, reason: "as agreed" }));

  test("credits that are given leave what is used as it is, and using them leaves the limit as it is", async () => {
    const { ledger } = setUp();
    const holder = person();
    await charge(ledger, holder, 1);
    await adjust(ledger, holder, 50);
    expect(await ledger.usage(holder)).toMatchObject({ used: 1, limit: 150 });
    for (let use = 2; use <= 4; use++) {
      const { usage } = await charge(ledger, holder, 1);
      expect(usage).toMatchObject({ used: use, limit: 150 });
    }
    expect((await charge(ledger, holder, 120)).usage).toMatchObject({ used: 124, limit: 150 });
    await expect(charge(ledger, holder, 27)).rejects.toMatchObject({ code: "out-of-credits" });
    expect((await charge(ledger, holder, 26)).usage).toMatchObject({ used: 150, limit: 150 });
    await expectSums(holder.key);
  });

  // product: granted-credits-last
  test("given credits outlast a paid plan's day, and end as they were given", async () => {
    const { clock, ledger } = setUp(new Date("2026-03-10T12:00:00Z"));
    const holder = person("mini");
    await adjust(ledger, holder, 10, "window");
    await adjust(ledger, holder, 20, new Date("2026-03-12T00:00:00Z"));
    await adjust(ledger, holder, 30);
    expect(await ledger.usage(holder)).toMatchObject({ used: 0, limit: 160 });
    await charge(ledger, holder, 115);
    expect(await ledger.usage(holder)).toMatchObject({ used: 115, limit: 160 });
    clock.advance(day);
    expect(await ledger.usage(holder)).toMatchObject({ used: 0, limit: 145 });
    clock.advance(day);
    expect(await ledger.usage(holder)).toMatchObject({ used: 0, limit: 130 });
    await charge(ledger, holder, 101);
    clock.advance(40 * day);
    expect(await ledger.usage(holder)).toMatchObject({ used: 0, limit: 129 });
    await expectSums(holder.key);
  });

  test("given credits can be spent after a return to a plan that allows less than was used", async () => {
    const { ledger } = setUp();
    const holder = person();
    await charge(ledger, { ...holder, tier: "plus" }, 300);
    await adjust(ledger, holder, 5);
    expect(await ledger.usage(holder)).toMatchObject({ used: 300, limit: 305 });
    expect((await charge(ledger, holder, 5)).usage).toMatchObject({ used: 305, limit: 305 });
    await expect(charge(ledger, holder, 1)).rejects.toMatchObject({ code: "out-of-credits" });
    await expectSums(holder.key);
  });

  test("a file that allowance and grants pay together returns each credit to where it came from", async () => {
    const { clock, ledger } = setUp(new Date("2026-03-10T12:00:00Z"));
    const holder = person("mini");
    await charge(ledger, holder, 99);
    await adjust(ledger, holder, 5);
    const jobId = newId("job");
    await db.transaction((tx) =>
      ledger.charge(tx, holder, {
        jobId,
        operation: "upscale",
        creditsPerFile: 2,
        files: [{ index: 0, name: "a.png" }],
      }),
    );
    expect(await ledger.usage(holder)).toMatchObject({ used: 101, limit: 105 });
    await reserve(ledger, holder, 4);
    await expect(charge(ledger, holder, 5)).rejects.toMatchObject({ code: "out-of-credits" });
    const spending = newId("job");
    await charge(ledger, holder, 3, spending);
    expect(await ledger.usage(holder)).toMatchObject({ used: 105, limit: 105 });
    await expectSums(holder.key);
    await refund(ledger, spending, [0, 1, 2]);
    await refund(ledger, jobId, [0]);
    clock.advance(11 * 60_000);
    expect(await ledger.usage(holder)).toMatchObject({ used: 99, limit: 105 });
    clock.advance(day);
    expect(await ledger.usage(holder)).toMatchObject({ used: 0, limit: 105 });
    await expectSums(holder.key);
  });

  test("forty at once with five credits of a grant left: exactly five succeed", async () => {
    const { ledger } = setUp();
    const holder = person();
    await charge(ledger, holder, 98);
    await adjust(ledger, holder, 3);
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => charge(ledger, holder, 1)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await ledger.usage(holder)).toMatchObject({ used: 103, limit: 103 });
    await expectSums(holder.key);
  });

  // product: used-and-limit
  test("over random lives the limit is constant under use, and what is left rises only by a grant, a refund, a lapse or a new window", async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant("charge" as const),
        count: fc.constantFrom(1, 3, 20, 60),
        price: fc.constantFrom(1, 1, 2),
      }),
      fc.record({ do: fc.constant("reserve" as const), count: fc.constantFrom(1, 7, 40) }),
      fc.record({ do: fc.constant("refund" as const), job: fc.nat(9), file: fc.nat(3) }),
      fc.record({
        do: fc.constant("adjust" as const),
        count: fc.constantFrom(-30, -5, 4, 25),
        end: fc.constantFrom("window" as const, null, 26),
      }),
      fc.record({ do: fc.constant("wait" as const), hours: fc.constantFrom(0.1, 0.2, 5, 25, 24 * 20) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.constantFrom("hobby", "mini"), async (steps, tier) => {
        const { ledger, clock } = setUp(new Date("2026-03-10T12:00:00Z"));
        const holder = person(tier as "hobby" | "mini");
        const allowance = limits[tier as "hobby" | "mini"].credits;
        const made: string[] = [];
        const stateOf = async () => {
          const { used: spent, limit } = await ledger.usage(holder);
          return { spent, limit: limit ?? 0, left: (limit ?? 0) - spent };
        };
        for (const one of steps) {
          const before = await stateOf();
          const attempt = async (): Promise<number> => {
            if (one.do === "charge") {
              const jobId = newId("job");
              const files = Array.from({ length: one.count }, (_, index) => ({ index, name: `${index}.png` }));
              const open = await rowsOf<{ sum: number }>(
                db.execute(sql`select coalesce(sum(open - open % ${one.price}::int), 0)::int as sum from reservations
                  where holder = ${holder.key} and open > 0 and expires_at > ${clock.now().toISOString()}::timestamptz`),
              );
              await db.transaction((tx) =>
                ledger.charge(tx, holder, { jobId, operation: "compress", creditsPerFile: one.price, files }),
              );
              made.push(jobId);
              return Math.max(0, one.count * one.price - (open[0]?.sum ?? 0));
            }
            if (one.do === "reserve") {
              await reserve(ledger, holder, one.count);
              return one.count;
            }
            return 0;
          };
          if (one.do === "charge" || one.do === "reserve") {
            const taken = await attempt().catch((problem) => {
              expect(codeOf(problem)).toBe("out-of-credits");
              return undefined;
            });
            const after = await stateOf();
            expect(after).toEqual(
              taken === undefined
                ? before
                : { spent: before.spent + taken, limit: before.limit, left: before.left - taken },
            );
          } else if (one.do === "refund") {
            const back = await refund(ledger, made[one.job % Math.max(1, made.length)] ?? "none", [one.file]);
            const after = await stateOf();
            expect(after.left).toBeGreaterThanOrEqual(before.left);
            expect(after.left).toBeLessThanOrEqual(before.left + back);
          } else if (one.do === "adjust") {
            const end = typeof one.end === "number" ? new Date(clock.now().getTime() + one.end * 3_600_000) : one.end;
            const done = await adjust(ledger, holder, one.count, end).catch((problem) => {
              expect(codeOf(problem)).toBe("conflict");
              expect(before.left).toBeLessThan(-one.count);
            });
            const changed = done ? one.count : 0;
            expect(await stateOf()).toEqual({
              spent: before.spent,
              limit: before.limit + changed,
              left: before.left + changed,
            });
          } else {
            const [{ sum: open } = { sum: 0 }] = await rowsOf<{ sum: number }>(
              db.execute(sql`select coalesce(sum(open), 0)::int as sum from reservations where holder = ${holder.key}`),
            );
            const start = clock.now();
            clock.advance(one.hours * 3_600_000);
            const isNewWindow =
              tier === "mini" ? utcDay(clock.now()) > utcDay(start) : utcMonth(clock.now()) > utcMonth(start);
            const after = await stateOf();
            if (!isNewWindow) expect(after.left).toBeLessThanOrEqual(before.left + open);
            else
              expect(after).toMatchObject({ spent: 0, limit: expect.toSatisfy((limit: number) => limit >= allowance) });
          }
        }
        await expectSums(holder.key);
        const { left } = await stateOf();
        expect(left).toBeGreaterThanOrEqual(0);
        await db
          .transaction((tx) => ledger.reserve(tx, holder, left + 1))
          .then(
            () => expect.unreachable(),
            (problem) => expect(codeOf(problem)).toBe("out-of-credits"),
          );
        if (left > 0) await reserve(ledger, holder, left);
        expect((await stateOf()).left).toBe(0);
      }),
      { numRuns: 25 },
    );
  });

  test("credits that an earlier release gave count as given after its migration", async () => {
    const { clock, ledger } = setUp(new Date("2026-03-10T12:00:00Z"));
    const holder = person();
    await charge(ledger, holder, 1);
    await db.execute(sql`
      insert into credit_entries (holder, day, at, kind, credits, price)
      values (${holder.key}, '2026-03-10', ${clock.now().toISOString()}::timestamptz, 'adjust', -50, 0)`);
    await db.execute(sql`
      update allowances set day_used = -49, month_used = -49, total_used = -49 where holder = ${holder.key}`);
    const migration = readFileSync(new URL("../../../migrations/0003_credit_grants.sql", import.meta.url), "utf8");
    for (const statement of migration.split("--> statement-breakpoint").filter((text) => /^\s*UPDATE/.test(text)))
      await db.execute(sql.raw(statement));
    expect(await ledger.usage(holder)).toMatchObject({ used: 1, limit: 150 });
    await charge(ledger, holder, 149);
    expect(await ledger.usage(holder)).toMatchObject({ used: 150, limit: 150 });
  });

  test("many at once on one holder, all ways mixed: sums still agree", async () => {
    const { ledger } = setUp();
    const holder = person();
    const jobIds = Array.from({ length: 30 }, () => newId("job"));
    await Promise.allSettled([
      ...jobIds.map((jobId) => charge(ledger, holder, 3, jobId)),
      ...Array.from({ length: 20 }, () => reserve(ledger, holder, 2)),
    ]);
    await Promise.allSettled([
      ...jobIds.map((jobId) => refund(ledger, jobId, [0, 1])),
      ...Array.from({ length: 20 }, () => charge(ledger, holder, 1)),
    ]);
    expect(await used(ledger, holder)).toBeLessThanOrEqual(100);
    await expectSums(holder.key);
  });
});
