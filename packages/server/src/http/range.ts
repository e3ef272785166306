import { DomainError } from "@tintype/contract";
import type { FastifyReply } from "fastify";
import type { ByteRange } from "../platform/blobs/blobs.ts";

/**
 * The bytes that the `Range` of a GET asks for (RFC 9110, section 14.2), or undefined for all. Several ranges, another
 * unit and what cannot be read are ignored, and so is every range with an `If-Range`, since results have no validator.
 * @throws range-not-satisfiable, after it has set `Content-Range`
 */
export function readRange(reply: FastifyReply, sizeBytes: number): ByteRange | undefined {
  const { method, headers } = reply.request;
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/i.exec(headers.range ?? "") ?? [];
  const isReadable = from === "" ? to !== "" : to === "" || Number(from) <= Number(to);
  if (method !== "GET" || headers["if-range"] !== undefined || !isReadable) return undefined;
  const end = sizeBytes - 1;
  const first = from === "" ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const last = from === "" || to === "" ? end : Math.min(Number(to), end);
  if (first <= last) return { first, last };
  reply.header("content-range", `bytes */${sizeBytes}`);
  throw new DomainError("range-not-satisfiable");
}
