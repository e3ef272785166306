import { type Limits } from "@tintype/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Blobs, Stored, StoreOptions } from "../platform/blobs/blobs.ts";
export type Spooled = {
    /** The blob it lies in. */
    blob: string;
    /** As sent, cleaned of paths and control characters. */
    name: string;
    /** The form's field. */
    field: string;
} & Stored;
export type Form = {
    files: Spooled[];
    fields: Record<string, string>;
    /** Addresses of pictures, in their order. */
    urls: string[];
};
declare module "fastify" {
    interface FastifyRequest {
        /** Tells a sender who waits for it (`Expect: 100-continue`) to go on. */
        letUpload(): void;
    }
    interface FastifyContextConfig {
        /** The handler reads a form and looks at its announced length first. */
        takesForm?: boolean;
    }
}
/** For every route that reads a form: its fields are kept in memory, and a route that sets no limits has these. */
export declare const formLimits: {
    fields: number;
    fieldNameSize: number;
    fieldSize: number;
    files: number;
    parts: number;
    fileSize: number;
    headerPairs: number;
};
/**
 * With `Expect: 100-continue` a sender waits to hear that its body is wanted. Node says so at once; here a route says it
 * after it looked at the announced length, and a body that is too large is refused before it is sent.
 */
export declare function askBeforeUpload(app: FastifyInstance): void;
/**
 * A route that has answered reads no further, and many clients look at an answer only after their last byte: the rest
 * of the body is taken off the wire and thrown away, unparsed, up to a bound.
 */
export declare function discardUnread(app: FastifyInstance): void;
/** The fields that a form has, by their names. */
export type KnownFields = {
    texts: readonly string[];
    files: readonly string[];
};
type Spooling = {
    blobs: Blobs;
    jobId: string;
    limits: Limits;
    known: KnownFields;
} & Omit<StoreOptions, "limitBytes">;
/**
 * Streams a form's pictures to blobs under the caller's limits, and keeps its text fields.
 * @throws too-large, too-many-files, upload-cut-off, invalid-request for a field that the form does not have
 */
export declare function spoolForm(request: FastifyRequest, { blobs, jobId, limits, known, ...keep }: Spooling): Promise<Form>;
/** The field with the address of a picture that the server fetches; it may be there several times. */
export declare const urlField = "image_url";
/** The one field for a picture that is not to be worked on itself. */
export declare const extraField = "background_image";
/**
 * How much a sender says is coming, if it says so.
 * @throws too-large where that is more than the plan takes, before it comes
 */
export declare function announcedBytes(request: FastifyRequest, limits: Limits): number | undefined;
/**
 * The first bytes of the form's first picture, at most `bytes`; nothing behind them is parsed.
 * @throws unsupported-media-type, too-large, no-files, upload-cut-off
 */
export declare function readHead(request: FastifyRequest, bytes: number): Promise<Uint8Array>;
/**
 * A file's own name: any path part is cut (also one from Windows), control and direction-changing characters go,
 * since `photo\u202egpj.exe` reads as another file than it is.
 */
export declare function cleanName(name: string): string;
export {};
