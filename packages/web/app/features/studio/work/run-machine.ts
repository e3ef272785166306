import type { Picture, PictureId } from "../state/picture.ts";
import type { ToolSettings } from "../state/studio-state.ts";

/** One submit's pictures, with what is done to them. `number` tells the answers of one batch from those of the next. */
export type Batch = ToolSettings & {
  number: number;
  pictures: readonly Picture[];
  keys: ReadonlyMap<PictureId, string>;
};

/** The controller's one state. The page shows `Run`, which `reduceRun` keeps. */
export type Phase =
  | { name: "idle" }
  | { name: "sending"; batch: Batch }
  | { name: "following"; jobId: string; batch: Batch }
  /** Too many tries failed: the person is asked. */
  | { name: "lost"; jobId: string; batch: Batch };

export type Signal =
  | { type: "begun"; batch: Batch }
  | { type: "found"; jobId: string; batch: Batch }
  | { type: "accepted"; batch: Batch; jobId: string }
  | { type: "nothing-to-do"; batch: Batch; message: string }
  /** `isWhole`: all bytes are out, and the server may make a job of them all the same. */
  | { type: "cancelled"; isWhole: boolean }
  | { type: "finished"; batch: Batch }
  | { type: "connection-lost"; batch: Batch }
  | { type: "reconnected" }
  | { type: "refused"; batch: Batch; problem: unknown };

export type Effect =
  | { do: "send"; batch: Batch }
  /** Stops sending or listening. */
  | { do: "stop" }
  | { do: "take-up"; batch: Batch; jobId: string }
  | { do: "follow"; batch: Batch; jobId: string }
  | { do: "forget"; jobId: string }
  /** Results that were not delivered are then not charged. */
  | { do: "end-on-server"; jobId: string }
  | { do: "say-cancelled" }
  | { do: "say-finished" }
  | { do: "say-lost" }
  | { do: "say-reconnecting" }
  | { do: "say-unneeded"; message: string }
  | { do: "say-refused"; problem: unknown };

type Step = { phase: Phase; effects: readonly Effect[] };

const idle: Phase = { name: "idle" };

/** The life of a batch: what a signal makes of a phase, and what is to be done about it. */
export function stepRun(phase: Phase, signal: Signal): Step {
  const stay: Step = { phase, effects: [] };
  switch (signal.type) {
    case "begun":
      if (phase.name !== "idle") return stay;
      return { phase: { name: "sending", batch: signal.batch }, effects: [{ do: "send", batch: signal.batch }] };
    case "found": {
      if (phase.name !== "idle") return stay;
      const { jobId, batch } = signal;
      return { phase: { name: "following", jobId, batch }, effects: [{ do: "follow", batch, jobId }] };
    }
    case "accepted": {
      const { jobId, batch } = signal;
      // Cancelled when its bytes were out already: the server made a job of them that no one waits for.
      if (!isOf(phase, batch)) return { phase, effects: [{ do: "end-on-server", jobId }] };
      return {
        phase: { name: "following", jobId, batch },
        effects: [
          { do: "take-up", batch, jobId },
          { do: "follow", batch, jobId },
        ],
      };
    }
    case "nothing-to-do":
      if (!isOf(phase, signal.batch)) return stay;
      return { phase: idle, effects: [{ do: "say-unneeded", message: signal.message }] };
    case "cancelled":
      return cancelled(phase, signal.isWhole);
    case "finished":
      if (phase.name !== "following" || !isOf(phase, signal.batch)) return stay;
      return { phase: idle, effects: [{ do: "forget", jobId: phase.jobId }, { do: "say-finished" }] };
    case "connection-lost":
      if (phase.name !== "following" || !isOf(phase, signal.batch)) return stay;
      return { phase: { ...phase, name: "lost" }, effects: [{ do: "say-lost" }] };
    case "reconnected": {
      if (phase.name !== "lost") return stay;
      const { jobId, batch } = phase;
      return {
        phase: { name: "following", jobId, batch },
        effects: [{ do: "say-reconnecting" }, { do: "follow", batch, jobId }],
      };
    }
    case "refused": {
      if (!isOf(phase, signal.batch)) return stay;
      const forget = "jobId" in phase ? [{ do: "forget", jobId: phase.jobId } as const] : [];
      return { phase: idle, effects: [...forget, { do: "say-refused", problem: signal.problem }] };
    }
  }
}

function cancelled(phase: Phase, isWhole: boolean): Step {
  switch (phase.name) {
    case "idle":
      return { phase, effects: [] };
    case "sending":
      // Once all bytes are out the answer is waited for: it names the job, which can then be ended.
      return { phase: idle, effects: [{ do: "say-cancelled" }, ...(isWhole ? [] : [{ do: "stop" } as const])] };
    case "following":
    case "lost": {
      const { jobId } = phase;
      return {
        phase: idle,
        effects: [{ do: "say-cancelled" }, { do: "stop" }, { do: "forget", jobId }, { do: "end-on-server", jobId }],
      };
    }
  }
}

const isOf = (phase: Phase, { number }: Batch): boolean => phase.name !== "idle" && phase.batch.number === number;
