import { type ModelsConfig } from "@tintype/imaging";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
/**
 * The models' configuration for the engines.
 * @throws Error where the operator's file cannot be read or says something else than it may
 */
export declare function readModels(config: Config): ModelsConfig;
/**
 * Fetches the models that the operator configured by an address. The server does it before it starts an engine: engines
 * run in a sandbox without a network. A model that cannot be fetched is logged, and the operation that needs it answers 503.
 * @throws Error where an address has no sha256 beside it
 */
export declare function bringModels(models: ModelsConfig, log: FastifyBaseLogger): Promise<void>;
/**
 * Says at the start what would else be found out by a customer.
 * @throws Error where a model that the operator put in a place does not fit it
 */
export declare function checkModels(models: ModelsConfig, log: FastifyBaseLogger): Promise<void>;
