import { retry } from "@tintype/client/core";
import { type Api, ConnectionLost } from "@tintype/contract/api";
import { waitForRetry } from "../../../lib/api/wait-for-retry.ts";

type Fetching = { api: Api; jobId: string; index: number; signal: AbortSignal };

const maxRetries = 6;

/**
 * Brings one result over; the server deletes it once it has been delivered whole.
 * @throws ApiProblem (410: its time ran out), ConnectionLost
 */
export const fetchResult = (fetching: Fetching): Promise<Blob> => fetchBlob("GET /jobs/{id}/files/{index}", fetching);

/**
 * The thumbnails of a cut-out's candidates, one below the other. They do not count as its delivery.
 * @throws ApiProblem, ConnectionLost
 */
export const fetchThumbs = (fetching: Fetching): Promise<Blob> =>
  fetchBlob("GET /jobs/{id}/files/{index}/candidates", fetching);

function fetchBlob(
  call: "GET /jobs/{id}/files/{index}" | "GET /jobs/{id}/files/{index}/candidates",
  { api, jobId, index, signal }: Fetching,
): Promise<Blob> {
  return retry(
    async () => {
      const response = await api.open(call, { params: { id: jobId, index }, signal });
      return response.blob().catch((problem: unknown) => {
        throw new ConnectionLost(problem);
      });
    },
    waitForRetry({ retries: maxRetries, signal }),
  );
}
