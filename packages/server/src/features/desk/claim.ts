import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import { countGrants, hasOperators } from "./operators.ts";

/** The link by which the first person of a fresh installation becomes its owner. Whoever reads the log runs the server. */
export type Claim = {
  /** Whether the token is the one of the log, and nobody has become an operator since. */
  isRight(token: string): Promise<boolean>;
};

/** Logs the link if the installation has no operator. It counts until somebody becomes one, or this process ends. */
export async function offerClaim(
  db: Database,
  { origin, log }: { origin: string; log: { info(details: object, message: string): void } },
): Promise<Claim | undefined> {
  if (await hasOperators(db)) return undefined;
  // Grants, not operators: the only operator may delete their account, and the link stays spent.
  const grantsBefore = await countGrants(db);
  const secret = randomBytes(24).toString("base64url");
  log.info(
    { link: `${origin}/admin?claim=${secret}` },
    "nobody may use the operator's desk yet: sign in on the site, then open this link to become its owner",
  );
  return {
    async isRight(token) {
      const [given, wanted] = [Buffer.from(token), Buffer.from(secret)];
      const isSame = given.length === wanted.length && timingSafeEqual(given, wanted);
      return isSame && (await countGrants(db)) === grantsBefore;
    },
  };
}
