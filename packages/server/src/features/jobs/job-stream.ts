import { isFinal, type JobEvent, type JobFile } from "@tintype/contract";
import type { Caller } from "../../http/caller.ts";
import type { JobRecord } from "./job.ts";
import type { Jobs } from "./jobs.ts";
import type { Notice } from "./watch.ts";

export type JobStreamOptions = {
  jobs: Jobs;
  caller: Caller;
  send(event: JobEvent, id: number): void;
  /** The version that the client saw last; NaN for none. */
  seen: number;
};

/**
 * Tells one client what happens to a job, from its rows and from what is said of it between them. The id of an event is
 * the version of the job's row: between two versions progress alone is told.
 */
export function createJobStream({ jobs, caller, send, seen }: JobStreamOptions) {
  const notices: Notice[] = [];
  let wake = () => {};
  let isClosed = false;
  let unwatch = () => {};

  let told: { files: Map<number, JobFile>; state: string; position: number | undefined } | undefined;
  let version = 0;

  const tellRow = async (record: JobRecord) => {
    version = record.version;
    const view = await jobs.view(record, caller);
    const { state, position } = view;
    const before = told;
    told = { files: new Map(view.files.map((file) => [file.index, file])), state, position };
    if (!before) {
      if (seen !== version) send({ type: "snapshot", job: view }, version);
      return;
    }
    for (const file of view.files) {
      const last = before.files.get(file.index);
      // The row lags behind the messages: it never takes progress back.
      if (last?.state === file.state && file.state === "working" && last.progress >= file.progress)
        told.files.set(file.index, last);
      else if (JSON.stringify(last) !== JSON.stringify(file)) send({ type: "file", file }, version);
    }
    if (state !== before.state || position !== before.position)
      send(
        {
          type: "job",
          state,
          ...(position === undefined ? {} : { position }),
          ...(view.credits ? { credits: view.credits } : {}),
        },
        version,
      );
  };

  const tellProgress = ({ index, progress, stage }: Notice & { kind: "progress" }) => {
    const last = told?.files.get(index);
    if (!told || !last || isFinal(last.state)) return;
    const { stage: _, ...rest } = last;
    const file: JobFile = {
      ...rest,
      state: "working",
      progress: last.state === "working" ? Math.max(last.progress, progress) : progress,
      ...(stage === undefined ? {} : { stage }),
    };
    if (JSON.stringify(file) === JSON.stringify(last)) return;
    told.files.set(index, file);
    send({ type: "file", file }, version);
  };

  return {
    /** Resolves when the job has ended, or the client is gone. */
    async run(first: JobRecord): Promise<void> {
      unwatch = await jobs.watch.watch(first.id, (notice) => {
        // Messages that come while a row is read are all of it but the row's own.
        const isRead = notice.kind === "row" || notice.kind === "look";
        if (!isRead || !notices.some(({ kind }) => kind === "row" || kind === "look")) notices.push(notice);
        wake();
      });
      try {
        // Read after listening: nothing falls between the two.
        await tellRow(await jobs.find(first.id, [first.owner]));
        while (!isClosed && told && (told.state === "queued" || told.state === "running")) {
          const notice = notices.shift();
          if (!notice) {
            await new Promise<void>((resolve) => {
              wake = resolve;
              if (notices.length > 0 || isClosed) resolve();
            });
          } else if (notice.kind === "closed") return;
          else if (notice.kind === "progress") tellProgress(notice);
          else await tellRow(await jobs.find(first.id, [first.owner]));
        }
      } finally {
        unwatch();
      }
    },
    close() {
      isClosed = true;
      wake();
    },
  };
}
