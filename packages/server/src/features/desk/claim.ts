import { randomBytes } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import { isSameText } from "../../platform/same-text.ts";
import { countGrants, hasOperators } from "./operators.ts";

/** The link that makes the first person of a new installation its owner. Whoever can read the log runs the server. */
export type OwnerLink = {
  /** Whether this is the logged token, and there is still no operator. */
  isRight(token: string): Promise<boolean>;
};

/** Logs the link if the installation has no operator. It is valid until there is one, or this process ends. */
export async function offerClaim(
  db: Database,
  { origin, log }: { origin: string; log: { info(details: object, message: string): void } },
): Promise<OwnerLink | undefined> {
  if (await hasOperators(db)) return undefined;
  // Counts grants, not operators: the only operator may delete their account, and the link stays used.
  const grantsBefore = await countGrants(db);
  const secret = randomBytes(24).toString("base64url");
  log.info(
    { link: `${origin}/admin?claim=${secret}` },
    "the operator's desk has no owner yet: sign in on the site, then open this link to become its owner",
  );
  return {
    async isRight(token) {
      return isSameText(token, secret) && (await countGrants(db)) === grantsBefore;
    },
  };
}
