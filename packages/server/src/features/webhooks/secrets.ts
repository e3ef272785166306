import { createHmac } from "node:crypto";
import type { webhookEndpoints } from "./tables.ts";

type Row = Pick<typeof webhookEndpoints.$inferSelect, "id" | "secretVersion" | "previousUntil">;

/** Derived from TINTYPE_SECRET: the database stores no secret that could leak. */
const derive = (masterSecret: string, { id, secretVersion }: Omit<Row, "previousUntil">): string =>
  `whsec_${createHmac("sha256", masterSecret).update(`${id} ${secretVersion}`).digest("base64")}`;

export const secretOf = (row: Row, masterSecret: string): string => derive(masterSecret, row);

/** The secrets that sign a delivery: two during a rotation, each derived from every master secret. */
export function signingSecrets(
  row: Row,
  { masterSecrets, now }: { masterSecrets: readonly string[]; now: Date },
): string[] {
  const before = { id: row.id, secretVersion: row.secretVersion - 1 };
  const isRotating = row.previousUntil !== null && row.previousUntil > now;
  return masterSecrets.flatMap((secret) => [derive(secret, row), ...(isRotating ? [derive(secret, before)] : [])]);
}
