import { type Api, ApiProblem, ConnectionLost, problemFrom } from "@tintype/contract/api";

export type UploadRequest = {
  /** Relative to the API's base URL. */
  path: string;
  form: FormData;
  headers: Record<string, string>;
  /** Bytes of the body sent so far, and in total. */
  onProgress(sentBytes: number, totalBytes: number): void;
  signal: AbortSignal;
};
export type UploadAnswer = { status: number; location: string | null; body: string };

/**
 * Posts a form and reports upload progress. Uses XMLHttpRequest because fetch cannot report it.
 * @throws ApiProblem for a refusal, ConnectionLost when the connection broke, the signal's reason when it was
 * aborted.
 */
export async function upload(api: Api, request: UploadRequest, refused?: string): Promise<UploadAnswer> {
  request.signal.throwIfAborted();
  const place = await api.locate(request.path, refused);
  request.signal.throwIfAborted();
  try {
    return await post(place, request);
  } catch (problem) {
    const isRefused = problem instanceof ApiProblem && problem.status === 401 && place.bearer !== refused;
    if (isRefused && place.bearer) return upload(api, request, place.bearer);
    throw problem;
  }
}

function post(place: Awaited<ReturnType<Api["locate"]>>, { form, headers, onProgress, signal }: UploadRequest) {
  return new Promise<UploadAnswer>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener("abort", abort, { once: true });
    request.addEventListener("loadend", () => signal.removeEventListener("abort", abort));
    request.upload.addEventListener("progress", (event) => onProgress(event.loaded, event.total));
    request.addEventListener("error", () => reject(new ConnectionLost()));
    request.addEventListener("abort", () => reject(signal.reason));
    request.addEventListener("load", () => {
      const { status, responseText: body } = request;
      if (status >= 200 && status < 300) resolve({ status, body, location: request.getResponseHeader("location") });
      else reject(problemFrom({ status, body, retryAfter: request.getResponseHeader("retry-after") }));
    });
    request.open("POST", place.url);
    request.withCredentials = true;
    for (const [name, value] of Object.entries({ ...place.headers, ...headers })) request.setRequestHeader(name, value);
    request.send(form);
  });
}
