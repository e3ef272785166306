import type { MakeClient } from "./client.ts";
import { createClient, createConfig } from "./made/hey-api/client";
import { cancelJob, compress, getJob, jobEvents, jobResult } from "./made/hey-api/sdk.gen";

export const makeClient: MakeClient = ({ origin, key }) => {
  const client = createClient(createConfig({ baseUrl: origin, auth: key }));
  return {
    async batch(files) {
      const { data } = await compress({ client, body: { files }, throwOnError: true });
      if (!(data instanceof Blob)) throw new Error("The batch is no file.");
      return data;
    },
    async begin(file) {
      const { data } = await compress({
        client,
        body: { files: [file], quality: 60 },
        headers: { Prefer: "respond-async" },
        throwOnError: true,
      });
      if (!data || data instanceof Blob) throw new Error("The answer is no job.");
      return data.id;
    },
    async eventTypes(id) {
      const types: string[] = [];
      const { stream } = await jobEvents({ client, path: { id }, sseMaxRetryAttempts: 1 });
      for await (const event of stream) if (event) types.push(event.type);
      return types;
    },
    async stateOf(id) {
      return (await getJob({ client, path: { id }, throwOnError: true })).data.state;
    },
    async result(id) {
      // Of several response types this generator uses JSON, which the API returns if nothing had to be done.
      const { data } = await jobResult({ client, path: { id }, throwOnError: true });
      if (!(data instanceof Blob)) throw new Error("The result is no file.");
      return data;
    },
    async cancel(id) {
      return (await cancelJob({ client, path: { id }, throwOnError: true })).data.state;
    },
    async refused(file) {
      const { error } = await compress({ client, body: { files: [file], quality: 101 } });
      if (!error) throw new Error("A quality of 101 is refused.");
      return { code: error.code, field: error.field, retryable: error.retryable };
    },
  };
};
