import { type ModelsConfig } from "@tintype/imaging";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import { type Sandbox } from "../platform/sandbox.ts";
type SandboxNeeds = {
    models: ModelsConfig;
    scratch: string;
    log: FastifyBaseLogger;
};
/**
 * Chooses how engines are kept from the rest of this machine, and says so.
 * @throws Error where TINTYPE_SANDBOX=required and namespaces are not to be had
 */
export declare function openSandbox(config: Config, { models, scratch, log }: SandboxNeeds): Promise<Sandbox>;
export {};
