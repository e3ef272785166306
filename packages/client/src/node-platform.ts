import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { TintypeError } from "./error.ts";
import { asHttpUrl, type BrowserFile, toFile } from "./file-input.ts";
import type { Platform } from "./platform.ts";

/** As in a browser; a string that is no address, and a `file:` URL, is a path. */
export type NodeFile = BrowserFile;

export const nodePlatform: Platform<NodeFile> = {
  async open(input) {
    const isFileUrl = input instanceof URL && input.protocol === "file:";
    const url = isFileUrl ? undefined : asHttpUrl(input);
    if (url) return url;
    if (typeof input !== "string" && !(input instanceof URL)) return toFile(input);
    const path = typeof input === "string" ? input : fileURLToPath(input);
    // The file is read while it is sent.
    try {
      return new File([await openAsBlob(path)], basename(path));
    } catch (cause) {
      const message = `The file ${path} cannot be read.`;
      throw new TintypeError({ code: "invalid-request", message, retryable: false }, { cause });
    }
  },
  async upload(request, form, onSent) {
    let total = 0;
    for (const [, value] of form) total += typeof value === "string" ? 0 : value.size;
    let sent = 0;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sent += chunk.byteLength;
        // The form's own lines come on top of the files.
        onSent(total > 0 ? Math.min(1, sent / total) : 0);
        controller.enqueue(chunk);
      },
    });
    const body = request.body?.pipeThrough(counter as ReadableWritablePair<Uint8Array<ArrayBuffer>>);
    const { url, method, headers, signal } = request;
    return fetch(url, { method, headers, signal, body, duplex: "half" } as RequestInit); // TypeScript's DOM lacks duplex
  },
};
