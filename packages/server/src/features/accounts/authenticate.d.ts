import type { Authenticate, Person } from "../../http/caller.ts";
import { type RateState } from "../../http/rate-headers.ts";
import { type Accounts } from "./accounts.ts";
import type { VerifyToken } from "./token.ts";
type Dependencies = Accounts & {
    verifyToken: VerifyToken;
    /** Whoever an API key stands for; undefined for a bearer that is no key. */
    personByKey(bearer: string, use: {
        network: string;
        onCounted(rate: RateState): void;
    }): Promise<Person | undefined>;
    secret: string;
    secureCookies: boolean;
};
/** Bearer token, API key or guest cookie, as the endpoint's access asks. A wrong token is never taken for a guest. */
export declare function createAuthenticate(dependencies: Dependencies): Authenticate;
export {};
