import { type Endpoint } from "@tintype/contract/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Authenticate, CallerFor } from "./caller.ts";
type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined;
type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type AnswerOf<E extends Endpoint> = E["answer"] extends {
    body: infer Body extends z.ZodType;
} ? z.input<Body> : FastifyReply | undefined;
export type Call<E extends Endpoint> = {
    caller: CallerFor<E["access"]>;
    params: Record<Names<E["path"]>, string>;
    query: E extends {
        query: infer Query;
    } ? Parsed<Query> : undefined;
    body: E extends {
        body: infer Body;
    } ? Parsed<Body> : undefined;
    request: FastifyRequest;
    reply: FastifyReply;
    /** Fires when the caller hangs up before the answer is out. */
    signal: AbortSignal;
};
/** Answers with what the row's `answer.body` takes, or with the reply itself after sending something else. */
export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<AnswerOf<E> | FastifyReply>;
export type Mount = <const E extends Endpoint>(endpoint: E, handler: Handler<E>) => void;
/** Makes `mount(row, handler)`: parses what comes in and what goes out by the contract's row. */
export declare function createMount(app: FastifyInstance, authenticate: Authenticate): Mount;
export {};
