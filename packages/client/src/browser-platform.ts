import { asHttpUrl, type BrowserFile, toFile } from "./file-input.ts";
import type { Platform } from "./platform.ts";

export const browserPlatform: Platform<BrowserFile> = {
  async open(input) {
    const url = asHttpUrl(input);
    if (url) return url;
    if (typeof input === "string" || input instanceof URL)
      throw new TypeError("An address of a picture begins with https://.");
    return toFile(input);
  },
  upload: (request, form, onSent) =>
    onSent ? uploadByXhr(request, form, onSent) : globalThis.fetch(new Request(request, { body: form })),
};

/** fetch does not report upload progress. */
function uploadByXhr(request: Request, form: FormData, onSent: (share: number) => void): Promise<Response> {
  const { url, method, headers, signal } = request;
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method, url);
    xhr.responseType = "blob";
    // The form sets its own content type, with its boundary.
    for (const [name, value] of headers) if (name !== "content-type") xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0);
    xhr.onload = () => resolve(responseOf(xhr));
    xhr.onerror = () => reject(new TypeError("The upload failed."));
    xhr.onabort = () => reject(signal.reason);
    if (signal.aborted) return reject(signal.reason);
    const stop = () => xhr.abort();
    signal.addEventListener("abort", stop);
    xhr.onloadend = () => signal.removeEventListener("abort", stop);
    xhr.send(form);
  });
}

function responseOf(xhr: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of xhr
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const [, name, value = ""] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    if (name) headers.append(name, value);
  }
  const hasBody = xhr.status !== 204;
  return new Response(hasBody ? (xhr.response as Blob) : null, { status: xhr.status, headers }); // a Blob because of responseType
}
