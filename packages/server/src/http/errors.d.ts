import { DomainError, type Problem } from "@tintype/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
export declare function problemOf(error: DomainError, requestId: string): Problem;
export declare function sendProblem(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply;
/** The one place where a code becomes a status. Traces and paths stay in the log. */
export declare function handleErrors(app: FastifyInstance): void;
