import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { TintypeError } from "./error.ts";
import { asHttpUrl, type BrowserFile, toFile } from "./file-input.ts";
import { multipartOf } from "./multipart.ts";
import { explainNetworkError } from "./network-error.ts";
import { requirePrivateNetwork } from "./node-private-network.ts";
import type { Platform } from "./platform.ts";

/** As in a browser; a string that is not a URL, or a `file:` URL, is a path. */
export type NodeFile = BrowserFile;

export const nodePlatform: Platform<NodeFile> = {
  explain: explainNetworkError,
  check: (server, signal) => requirePrivateNetwork(server, { signal }),
  async open(input) {
    const isFileUrl = input instanceof URL && input.protocol === "file:";
    const url = isFileUrl ? undefined : asHttpUrl(input);
    if (url) return url;
    if (typeof input !== "string" && !(input instanceof URL)) return toFile(input);
    const path = typeof input === "string" ? input : fileURLToPath(input);
    // The file is read while it is uploaded.
    try {
      return new File([await openAsBlob(path)], basename(path));
    } catch (cause) {
      const message = `The file ${path} cannot be read.`;
      throw new TintypeError({ code: "invalid-request", message, retryable: false }, { cause });
    }
  },
  async upload({ url, method, headers: asked, signal }, form, onSent) {
    const { type, sizeBytes, read } = multipartOf(form);
    let sent = 0;
    const body = read((count) => {
      sent += count;
      onSent?.(sent / sizeBytes);
    });
    const headers = new Headers(asked);
    headers.set("content-type", type);
    headers.set("content-length", String(sizeBytes));
    // TypeScript's DOM types lack `duplex` and async iterables as bodies.
    const init = { method, headers, signal, body, duplex: "half" } as unknown as RequestInit;
    return globalThis.fetch(url, init).catch((problem: unknown) => {
      // fetch wraps errors of the body as well as those of the network.
      throw problem instanceof TypeError && problem.cause instanceof TintypeError ? problem.cause : problem;
    });
  },
};
