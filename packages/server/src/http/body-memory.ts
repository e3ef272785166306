import { Readable } from "node:stream";
import { DomainError } from "@tintype/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { networksAround } from "../platform/network.ts";

declare module "fastify" {
  interface FastifyRequest {
    /**
     * Counts bytes of the body that are kept in memory, until the response is sent.
     * @throws full, too-many-requests
     */
    holdBytes(bytes: number): void;
  }
}

/** The most bytes of bodies that this process keeps in memory at a time. */
export type BodyMemoryLimits = { allBytes: number; networkBytes: number };

/** A body takes several times its size while it is parsed. The largest JSON body that a route takes has 1 MB. */
const usualLimits: BodyMemoryLimits = { allBytes: 32e6, networkBytes: 8e6 };

type BodyMemory = {
  limits?: BodyMemoryLimits | undefined;
  /** A keyed hash of a caller's network. */
  networkOf(address: string): string;
};

/**
 * Keeps the bodies in memory within one budget, whichever parser reads them: strangers open as many connections as they like, and
 * some routes have to read before they know who asks. Bytes count as they arrive, since announcing them costs nothing.
 */
export function limitBodyMemory(app: FastifyInstance, { limits = usualLimits, networkOf }: BodyMemory): void {
  const held = new Map<string, number>();
  const add = (key: string, bytes: number) => {
    const sum = (held.get(key) ?? 0) + bytes;
    if (sum > 0) held.set(key, sum);
    else held.delete(key);
  };
  app.decorateRequest("holdBytes");
  app.addHook("onRequest", async (request, { raw: response }) => {
    let ownBytes = 0;
    let bounds: { key: string; maxBytes: number }[] = [];
    const release = () => {
      for (const { key } of bounds) add(key, -ownBytes);
      ownBytes = 0;
    };
    request.holdBytes = (bytes) => {
      if (response.closed) return;
      if (bounds.length === 0) {
        bounds = networksAround(networkOf(request.ip))
          .map(({ key, share }) => ({ key, maxBytes: limits.networkBytes * share }))
          .concat({ key: "all", maxBytes: limits.allBytes });
        response.once("close", release);
      }
      const full = bounds.find(({ key, maxBytes }) => (held.get(key) ?? 0) + bytes > maxBytes);
      if (full) throw full.key === "all" ? serverFull() : networkFull();
      for (const { key } of bounds) add(key, bytes);
      ownBytes += bytes;
    };
  });
  app.addHook("preParsing", async (request, _reply, payload) => {
    if (!hasBody(request)) return payload;
    const counted = Readable.from(heldBody(request));
    // A parser that has seen enough stops listening. What happens to the rest then is no error.
    counted.on("error", () => {});
    return counted;
  });
}

const serverFull = () =>
  new DomainError("full", {
    detail: "The server is at capacity. Please try again shortly.",
    retryAfterSeconds: 5,
  });

const networkFull = () =>
  new DomainError("too-many-requests", {
    detail: "Too many requests are coming from your network at once. Please wait until some are done.",
    retryAfterSeconds: 5,
  });

export function hasBody({ headers }: Pick<FastifyRequest, "headers">): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

async function* heldBody(request: FastifyRequest): AsyncGenerator<Buffer> {
  for await (const chunk of readBody(request)) {
    request.holdBytes(chunk.length);
    yield chunk;
  }
}

/**
 * A body as it arrives. A client that waits for it is asked to send it with the first read.
 * @throws upload-cut-off
 */
export async function* readBody(request: FastifyRequest): AsyncGenerator<Buffer> {
  const { raw } = request;
  request.sendContinue();
  try {
    // Destroying the request closes its connection, on which the refusal is still to be sent.
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) yield chunk as Buffer; // no encoding is set
  } catch (problem) {
    throw raw.destroyed && !raw.complete ? new DomainError("upload-cut-off", { cause: problem }) : problem;
  }
}
