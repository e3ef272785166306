import type { Picture, PictureId } from "../state/picture.ts";
import type { ToolSettings } from "../state/studio-state.ts";

/** Pictures of one job, in the order of its files. */
export type SentJob = { id: string; ids: readonly PictureId[] };

/** One submit's pictures, with what is done to them. `number` tells the answers of one batch from those of the next. */
export type Batch = ToolSettings & {
  number: number;
  pictures: readonly Picture[];
  keys: ReadonlyMap<PictureId, string>;
};

/** The controller's one state. The page shows `Run`, which `reduceRun` keeps. */
export type Phase =
  | { name: "idle" }
  /** `jobs`: of the parts that the server has taken in so far. */
  | { name: "sending"; jobs: readonly SentJob[]; batch: Batch }
  | { name: "following"; jobs: readonly SentJob[]; batch: Batch }
  /** Too many tries failed: the person is asked. */
  | { name: "lost"; jobs: readonly SentJob[]; batch: Batch };

export type Signal =
  | { type: "begun"; batch: Batch }
  | { type: "found"; jobs: readonly SentJob[]; batch: Batch }
  /** A part of the batch has become a job. */
  | { type: "accepted"; batch: Batch; job: SentJob }
  /** No part is left to send. */
  | { type: "sent"; batch: Batch }
  /** `isWhole`: all bytes of a part are out, and the server may make a job of them all the same. */
  | { type: "cancelled"; isWhole: boolean }
  | { type: "finished"; batch: Batch }
  | { type: "connection-lost"; batch: Batch }
  | { type: "reconnected" }
  | { type: "refused"; batch: Batch; problem: unknown };

export type Effect =
  | { do: "send"; batch: Batch }
  /** Stops sending or listening. */
  | { do: "stop" }
  | { do: "take-up"; batch: Batch; job: SentJob }
  | { do: "follow"; batch: Batch; jobs: readonly SentJob[] }
  | { do: "forget"; jobs: readonly SentJob[] }
  /** Results that were not delivered are then not charged. */
  | { do: "end-on-server"; jobs: readonly SentJob[] }
  | { do: "say-cancelled" }
  | { do: "say-finished" }
  | { do: "say-lost" }
  | { do: "say-reconnecting" }
  | { do: "say-refused"; problem: unknown };

type Step = { phase: Phase; effects: readonly Effect[] };

const idle: Phase = { name: "idle" };

/** The life of a batch: what a signal makes of a phase, and what is to be done about it. */
export function stepRun(phase: Phase, signal: Signal): Step {
  const stay: Step = { phase, effects: [] };
  switch (signal.type) {
    case "begun":
      if (phase.name !== "idle") return stay;
      return {
        phase: { name: "sending", jobs: [], batch: signal.batch },
        effects: [{ do: "send", batch: signal.batch }],
      };
    case "found": {
      if (phase.name !== "idle") return stay;
      const { jobs, batch } = signal;
      return { phase: { name: "following", jobs, batch }, effects: [{ do: "follow", batch, jobs }] };
    }
    case "accepted": {
      const { job, batch } = signal;
      // Cancelled when its bytes were out already: the server made a job of them that no one waits for.
      if (phase.name !== "sending" || !isOf(phase, batch))
        return { phase, effects: [{ do: "end-on-server", jobs: [job] }] };
      return { phase: { ...phase, jobs: [...phase.jobs, job] }, effects: [{ do: "take-up", batch, job }] };
    }
    case "sent": {
      if (phase.name !== "sending" || !isOf(phase, signal.batch)) return stay;
      const { jobs, batch } = phase;
      if (jobs.length === 0) return { phase: idle, effects: [{ do: "say-finished" }] };
      return { phase: { name: "following", jobs, batch }, effects: [{ do: "follow", batch, jobs }] };
    }
    case "cancelled":
      return cancelled(phase, signal.isWhole);
    case "finished":
      if (phase.name !== "following" || !isOf(phase, signal.batch)) return stay;
      return { phase: idle, effects: [{ do: "forget", jobs: phase.jobs }, { do: "say-finished" }] };
    case "connection-lost":
      if (phase.name !== "following" || !isOf(phase, signal.batch)) return stay;
      return { phase: { ...phase, name: "lost" }, effects: [{ do: "say-lost" }] };
    case "reconnected": {
      if (phase.name !== "lost") return stay;
      const { jobs, batch } = phase;
      return {
        phase: { name: "following", jobs, batch },
        effects: [{ do: "say-reconnecting" }, { do: "follow", batch, jobs }],
      };
    }
    case "refused": {
      if (!isOf(phase, signal.batch)) return stay;
      const forget = "jobs" in phase && phase.jobs.length > 0 ? [{ do: "forget", jobs: phase.jobs } as const] : [];
      return { phase: idle, effects: [...forget, { do: "say-refused", problem: signal.problem }] };
    }
  }
}

function cancelled(phase: Phase, isWhole: boolean): Step {
  switch (phase.name) {
    case "idle":
      return { phase, effects: [] };
    case "sending": {
      const { jobs } = phase;
      const begun =
        jobs.length > 0
          ? ([
              { do: "forget", jobs },
              { do: "end-on-server", jobs },
            ] as const)
          : [];
      // Once all bytes are out the answer is waited for: it names the job, which can then be ended.
      return {
        phase: idle,
        effects: [{ do: "say-cancelled" }, ...(isWhole ? [] : [{ do: "stop" } as const]), ...begun],
      };
    }
    case "following":
    case "lost": {
      const { jobs } = phase;
      return {
        phase: idle,
        effects: [{ do: "say-cancelled" }, { do: "stop" }, { do: "forget", jobs }, { do: "end-on-server", jobs }],
      };
    }
  }
}

const isOf = (phase: Phase, { number }: Batch): boolean => phase.name !== "idle" && phase.batch.number === number;
