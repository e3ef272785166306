import { asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBrand } from "../../platform/brand/brand.ts";
import type { OpenDatabase } from "../../platform/db/database.ts";
import { openPostgres } from "../../platform/db/postgres.ts";
import { createLog } from "../../platform/log.ts";
import { createDatabase, type TestDatabase } from "../../testing/backends.ts";
import { heldClock } from "../../testing/harness.ts";
import { payments } from "../billing/tables.ts";
import { issueDue } from "./issue.ts";
import { invoices } from "./tables.ts";

// The embedded database serialises transactions, so concurrency shows only on PostgreSQL.
let postgres: TestDatabase;
let opened: OpenDatabase;
beforeAll(async () => {
  postgres = await createDatabase();
  opened = await openPostgres(postgres.url);
});
afterAll(async () => {
  await opened?.close();
  await postgres?.close();
});

test("one refund brings one credit note where two services with prefixes of their own are at work", async () => {
  const { db } = opened;
  const service = (creditPrefix: string) => {
    const content = JSON.stringify({
      legal: { entity: "Salt Ltd", address: "Pune" },
      invoices: { credit_prefix: creditPrefix, tax: { kind: "none" } },
    });
    const brand = readBrand({ content, file: undefined, dataFolder: "." });
    return { db, clock: heldClock(), brand, log: createLog("silent") };
  };
  const [before, after] = [service("OLD-"), service("NEW-")];
  await db.insert(payments).values({
    id: "pay_one",
    subscriptionId: "sub",
    plan: "mini",
    cycle: "monthly",
    amountMinor: 300,
    currency: "USD",
    status: "captured",
    at: new Date("2026-02-15"),
    refund: "none",
  });
  await issueDue(before);
  await db.update(payments).set({ status: "refunded" });
  const waiting = async () => {
    const [locks] = await db
      .select({ processes: sql<number>`count(distinct pid)::int` })
      .from(sql`pg_locks`)
      .where(sql`not granted`);
    return locks?.processes;
  };
  const issued: Promise<void>[] = [];
  await db.transaction(async (tx) => {
    // Both transactions read before either writes.
    await tx.execute(sql`lock table invoices in share mode`);
    issued.push(issueDue(before), issueDue(after));
    await expect.poll(waiting).toBe(2);
  });
  await Promise.all(issued);
  const written = await db
    .select({ kind: invoices.kind, totalMinor: invoices.totalMinor })
    .from(invoices)
    .where(eq(invoices.paymentId, "pay_one"))
    .orderBy(asc(invoices.kind));
  expect(written).toEqual([
    { kind: "credit-note", totalMinor: 300 },
    { kind: "invoice", totalMinor: 300 },
  ]);
});
