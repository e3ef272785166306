export const recordKinds = ["subscription", "invoice", "payment", "refund", "webhook"] as const;
export type RecordKind = (typeof recordKinds)[number];

/** A stored entity of the sandbox. */
export type SandboxRecord = {
  id: string;
  kind: RecordKind;
  /** The subscription of an invoice, a payment or a webhook; the payment of a refund. */
  parent: string | null;
  createdAt: Date;
  /** When time alone changes it next: a renewal, an expiry, a delivery. */
  dueAt: Date | null;
  /** A value that JSON can hold. */
  body: unknown;
};

/** Which records to list; what is left out does not matter. */
export type RecordFilter = {
  parent?: string | undefined;
  /** From this moment on, and until that one. */
  from?: Date | undefined;
  to?: Date | undefined;
};

/** Reads and writes of records, on their own or inside a transaction. */
export type Records = {
  find(kind: RecordKind, id: string): Promise<SandboxRecord | undefined>;
  /** Newest first. */
  list(kind: RecordKind, filter: RecordFilter): Promise<SandboxRecord[]>;
  /** Adds it; where there is one of this id, its body and when it is due become this one's. */
  save(record: SandboxRecord): Promise<void>;
  update(id: string, values: Partial<Pick<SandboxRecord, "dueAt" | "body">>): Promise<void>;
};

/** The sandbox's store. Its runner gives it. */
export type RecordStore = Records & {
  /** All of the work or none of it. `find` holds its record until the end: others who want it wait. */
  transaction<T>(work: (tx: Records) => Promise<T>): Promise<T>;
  /** The ids of those that are due, the longest waiting first. */
  due(kind: RecordKind, now: Date): Promise<string[]>;
  /** Takes the first that is due and makes it due again at `until`: meanwhile no other caller takes it. */
  takeDue(kind: RecordKind, times: { now: Date; until: Date }): Promise<SandboxRecord | undefined>;
};
