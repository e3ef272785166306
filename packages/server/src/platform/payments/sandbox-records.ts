import type { RecordKind, RecordStore, SandboxRecord } from "@tintype/payment-sandbox";
import { and, asc, desc, eq, gte, lte, sql } from "drizzle-orm";
import type { Database, Queryable } from "../db/database.ts";
import { sandboxRecords } from "../db/tables.ts";

/** The payment sandbox's records, in a table of our database. */
export function sandboxRecordStore(db: Database): RecordStore {
  return {
    ...recordsIn(db, { isHeld: false }),
    transaction: (work) => db.transaction((tx) => work(recordsIn(tx, { isHeld: true }))),
    async due(kind, now) {
      const rows = await db
        .select({ id: sandboxRecords.id })
        .from(sandboxRecords)
        .where(and(eq(sandboxRecords.kind, kind), lte(sandboxRecords.dueAt, now)))
        .orderBy(asc(sandboxRecords.dueAt));
      return rows.map(({ id }) => id);
    },
    async takeDue(kind, { now, until }) {
      const first = sql`(select id from sandbox_records where kind = ${kind} and due_at <= ${now.toISOString()}::timestamptz
        order by due_at, id limit 1 for update skip locked)`;
      const [row] = await db
        .update(sandboxRecords)
        .set({ dueAt: until })
        .where(eq(sandboxRecords.id, first))
        .returning();
      return row;
    },
  };
}

function recordsIn(
  db: Queryable,
  { isHeld }: { isHeld: boolean },
): Pick<RecordStore, "find" | "list" | "save" | "update"> {
  return {
    async find(kind: RecordKind, id: string): Promise<SandboxRecord | undefined> {
      const found = db
        .select()
        .from(sandboxRecords)
        .where(and(eq(sandboxRecords.id, id), eq(sandboxRecords.kind, kind)));
      const [row] = await (isHeld ? found.for("update") : found);
      return row;
    },
    list: (kind, { parent, from, to }) =>
      db
        .select()
        .from(sandboxRecords)
        .where(
          and(
            eq(sandboxRecords.kind, kind),
            parent === undefined ? undefined : eq(sandboxRecords.parent, parent),
            from === undefined ? undefined : gte(sandboxRecords.createdAt, from),
            to === undefined ? undefined : lte(sandboxRecords.createdAt, to),
          ),
        )
        .orderBy(desc(sandboxRecords.createdAt), desc(sandboxRecords.id)),
    async save(record) {
      const { body, dueAt } = record;
      await db
        .insert(sandboxRecords)
        .values(record)
        .onConflictDoUpdate({ target: sandboxRecords.id, set: { body, dueAt } });
    },
    async update(id, values) {
      await db.update(sandboxRecords).set(values).where(eq(sandboxRecords.id, id));
    },
  };
}
