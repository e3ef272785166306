import { lt } from "drizzle-orm";
import { systemClock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { idpSession, idpVerification } from "./tables.ts";

/**
 * Deletes expired sessions, with their browser data, and expired mailed links and challenges. Uses the system's time, by
 * which better-auth stamps them.
 */
export async function sweepSessions(db: Database): Promise<void> {
  const now = systemClock.now();
  await db.delete(idpSession).where(lt(idpSession.expiresAt, now));
  await db.delete(idpVerification).where(lt(idpVerification.expiresAt, now));
}
