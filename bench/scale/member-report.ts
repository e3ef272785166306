export type MemberOptions = {
  role: "api" | "worker";
  databaseUrl: string;
  redisUrl: string;
  blobs: string;
  /** Callers at a time, of an API process. */
  callers: number;
  /** How long an engine takes, at least and at most. */
  sleepMs: [least: number, most: number];
};
/** Totals of one process since its start. */
export type MemberReport = { files: number; sleptMs: number; waitMs: number; statements: number; cpuMs: number };

/** Blobs stand for pictures: it is the queue that is measured. */
export const pictureBytes = 100;
