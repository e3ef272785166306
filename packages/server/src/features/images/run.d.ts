import { type Credits } from "@tintype/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../http/caller.ts";
import type { Delivering } from "./result.ts";
import { type Order, type Submitting } from "./submit.ts";
export type Running = Submitting & Delivering;
/** Does what a form asks for, and answers with the result or with the job. */
export type Run = (request: FastifyRequest, reply: FastifyReply, order: {
    caller: Caller;
    signal: AbortSignal;
    order: Order;
}) => Promise<FastifyReply>;
export declare function createRun(use: Running): Run;
export declare const creditHeaders: ({ charged, remaining, limit }: Credits) => {
    "x-credits-charged": number;
    "x-credits-remaining": number;
    "x-credits-limit": number;
};
