import type { Mount } from "../../http/endpoint.ts";
import { type Keys } from "./keys.ts";
/** The caller's API keys. Their scope is `account`, which no key has: a key makes and revokes none. */
export declare function mountKeys(mount: Mount, use: Keys): void;
