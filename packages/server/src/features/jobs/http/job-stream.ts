import { isFinal, type JobEvent, type JobFile, stageText } from "@tintype/contract";
import type { Caller } from "../../../http/caller.ts";
import type { Jobs } from "../jobs.ts";
import { type JobRecord, roundProgress } from "../record/job.ts";
import type { Notice } from "../record/watch.ts";

export type JobStreamOptions = {
  jobs: Jobs;
  caller: Caller;
  send(event: JobEvent, id: number): void;
  /** The last version that the client saw; NaN for none. */
  seen: number;
};

/**
 * Streams a job's changes to one client, from its row and from messages. The id of an event is the version of the job's row:
 * between two versions only progress is sent.
 */
export function createJobStream({ jobs, caller, send, seen }: JobStreamOptions) {
  const notices: Notice[] = [];
  let notify = () => {};
  let isClosed = false;
  let unwatch = () => {};

  let sent: { files: Map<number, JobFile>; state: string; position: number | undefined } | undefined;
  let version = 0;

  const sendRow = async (record: JobRecord) => {
    const versionBefore = version;
    version = record.version;
    const view = await jobs.view(record, caller);
    const { state, position } = view;
    const before = sent;
    sent = { files: new Map(view.files.map((file) => [file.index, file])), state, position };
    if (!before) {
      if (seen !== version) send({ type: "snapshot", job: view }, version);
      return;
    }
    const changes: JobEvent[] = [];
    for (const file of view.files) {
      const last = before.files.get(file.index);
      // The row lags behind the messages and must not lower the progress.
      if (last?.state === file.state && file.state === "working" && last.progress >= file.progress)
        sent.files.set(file.index, last);
      else if (JSON.stringify(last) !== JSON.stringify(file)) changes.push({ type: "file", file });
    }
    if (state !== before.state || position !== before.position)
      changes.push({
        type: "job",
        state,
        ...(position === undefined ? {} : { position }),
        ...(view.credits ? { credits: view.credits } : {}),
      });
    // Only the last event carries the new version: a client that reconnects before it sends the previous one and gets a snapshot.
    for (const [i, change] of changes.entries()) send(change, i === changes.length - 1 ? version : versionBefore);
  };

  const sendProgress = ({ index, progress, stage }: Notice & { kind: "progress" }) => {
    const last = sent?.files.get(index);
    if (!sent || !last || isFinal(last.state)) return;
    const { stage: _, ...rest } = last;
    const file: JobFile = {
      ...rest,
      state: "working",
      progress: roundProgress(last.state === "working" ? Math.max(last.progress, progress) : progress),
      ...(stage === undefined ? {} : { stage: stageText(stage) }),
    };
    if (JSON.stringify(file) === JSON.stringify(last)) return;
    sent.files.set(index, file);
    send({ type: "file", file }, version);
  };

  return {
    /** Resolves when the job has ended, or the client is gone. */
    async run(first: JobRecord): Promise<void> {
      unwatch = await jobs.watch.watch(first.id, (notice) => {
        // Drops row messages that arrive while a row is read: the next read covers them.
        const isRead = notice.kind === "row" || notice.kind === "refresh";
        if (!isRead || !notices.some(({ kind }) => kind === "row" || kind === "refresh")) notices.push(notice);
        notify();
      });
      try {
        // Read after subscribing, so that no change in between is lost.
        await sendRow(await jobs.find(first.id, [first.owner]));
        while (!isClosed && sent && (sent.state === "queued" || sent.state === "running")) {
          const notice = notices.shift();
          if (!notice) {
            await new Promise<void>((resolve) => {
              notify = resolve;
              if (notices.length > 0 || isClosed) resolve();
            });
          } else if (notice.kind === "closed") return;
          else if (notice.kind === "progress") sendProgress(notice);
          else await sendRow(await jobs.find(first.id, [first.owner]));
        }
      } finally {
        unwatch();
      }
    },
    close() {
      isClosed = true;
      notify();
    },
  };
}
