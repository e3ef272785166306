import type { Mount } from "../../http/endpoint.ts";
import { type Endpoints } from "./endpoints.ts";
/** `isOn`: the operator allows addresses. */
export declare function mountWebhooks(mount: Mount, { isOn, ...use }: Endpoints & {
    isOn: boolean;
}): void;
