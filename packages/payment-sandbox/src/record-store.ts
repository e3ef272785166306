export const recordKinds = ["subscription", "invoice", "payment", "refund", "webhook"] as const;
export type RecordKind = (typeof recordKinds)[number];

/** A stored entity of the sandbox. */
export type SandboxRecord = {
  id: string;
  kind: RecordKind;
  /** The subscription of an invoice, a payment or a webhook; the payment of a refund. */
  parent: string | null;
  createdAt: Date;
  /** When its next timed change is due: a renewal, an expiry, a delivery. */
  dueAt: Date | null;
  /** Any JSON value. */
  body: unknown;
};

/** Which records to list; an omitted field does not restrict. */
export type RecordFilter = {
  parent?: string | undefined;
  /** Both inclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
};

/** Reads and writes of records, alone or inside a transaction. */
export type Records = {
  find(kind: RecordKind, id: string): Promise<SandboxRecord | undefined>;
  /** Newest first. */
  list(kind: RecordKind, filter: RecordFilter): Promise<SandboxRecord[]>;
  /** Inserts it, or updates the body and the due time of the existing record. */
  save(record: SandboxRecord): Promise<void>;
  update(id: string, values: Partial<Pick<SandboxRecord, "dueAt" | "body">>): Promise<void>;
};

/** The sandbox's storage, provided by the host application. */
export type RecordStore = Records & {
  /** Atomic. `find` locks its record until the end: others that want it wait. */
  transaction<T>(work: (tx: Records) => Promise<T>): Promise<T>;
  /** The ids of those that are due, earliest first. */
  due(kind: RecordKind, now: Date): Promise<string[]>;
  /** Takes the earliest due record and makes it due again at `until`, so that no other caller takes it in the meantime. */
  takeDue(kind: RecordKind, times: { now: Date; until: Date }): Promise<SandboxRecord | undefined>;
};
