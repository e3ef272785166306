import type { FastifyInstance } from "fastify";
type SecurityContact = {
    /** An e-mail address, or an https address; without it there is no file. */
    contact: string | undefined;
    origin: string;
    clock: {
        now(): Date;
    };
};
/** `/.well-known/security.txt` (RFC 9116): where to report a weakness. */
export declare function mountSecurityContact(app: FastifyInstance, { contact, origin, clock }: SecurityContact): void;
export {};
