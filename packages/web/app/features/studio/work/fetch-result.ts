import { retry } from "@tintype/client/core";
import { type Api, ConnectionLost } from "@tintype/contract/api";
import { waitForRetry } from "../../../lib/api/wait-for-retry.ts";

type FetchOptions = { api: Api; jobId: string; index: number; signal: AbortSignal };

const maxRetries = 6;

/** A response's body. @throws ConnectionLost if it ends early */
export const blobOf = (response: Response): Promise<Blob> =>
  response.blob().catch((problem: unknown) => {
    throw new ConnectionLost(problem);
  });

const fetchBlob =
  (call: "GET /jobs/{id}/files/{index}" | "GET /jobs/{id}/files/{index}/candidates") =>
  ({ api, jobId, index, signal }: FetchOptions): Promise<Blob> =>
    retry(
      async () => blobOf(await api.open(call, { params: { id: jobId, index }, signal })),
      waitForRetry({ retries: maxRetries, signal }),
    );

/**
 * Downloads one result. The server deletes it after a complete delivery.
 * @throws ApiProblem (410: the result has expired), ConnectionLost
 */
export const fetchResult = fetchBlob("GET /jobs/{id}/files/{index}");

/**
 * The thumbnails of a cut-out's candidates in one image, stacked vertically. Fetching them does not count as delivery of the result.
 * @throws ApiProblem, ConnectionLost
 */
export const fetchThumbs = fetchBlob("GET /jobs/{id}/files/{index}/candidates");
