import type { FastifyReply, FastifyRequest } from "fastify";
import type { Guest } from "../../http/caller.ts";
/** The guest a signed cookie names; without one, or with one that was tampered with, a new guest and their cookie. */
export declare function guestOf(request: FastifyRequest, reply: FastifyReply, { secret, secure }: {
    secret: string;
    secure: boolean;
}): Guest;
/** Whom a request's guest cookie names, if it has an honest one. */
export declare function guestKeyOf(request: FastifyRequest): string | undefined;
