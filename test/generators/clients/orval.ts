import type { MakeClient } from "./client.ts";
import { cancelJob, compress, getJob, jobEvents, jobResult } from "./made/orval.ts";
import { useServer } from "./orval-call.ts";

export const makeClient: MakeClient = (server) => {
  useServer(server);
  return {
    async batch(files) {
      const answer = await compress({ files });
      if (answer.status !== 200) throw new Error(`The batch was answered with ${answer.status}.`);
      return answer.data;
    },
    async begin(file) {
      const answer = await compress({ files: [file], quality: 60 }, { headers: { Prefer: "respond-async" } });
      if (answer.status !== 202) throw new Error(`The answer is ${answer.status} and no job.`);
      return answer.data.id;
    },
    async eventTypes(id) {
      const { data } = await jobEvents(id);
      return [...String(data).matchAll(/^event: (\w+)$/gm)].map(([, type = ""]) => type);
    },
    async stateOf(id) {
      const answer = await getJob(id);
      return answer.status === 200 ? answer.data.state : "";
    },
    async result(id) {
      const answer = await jobResult(id);
      return answer.status === 200 && answer.data instanceof Blob ? answer.data : new Blob();
    },
    async cancel(id) {
      const answer = await cancelJob(id);
      return answer.status === 200 ? answer.data.state : "";
    },
    async refused(file) {
      const answer = await compress({ files: [file], quality: 101 });
      if (answer.status !== 400) throw new Error("A quality of 101 is refused.");
      const { code, field, retryable } = answer.data;
      return { code, field, retryable };
    },
  };
};
