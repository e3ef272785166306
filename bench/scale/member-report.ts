export type MemberOptions = {
  role: "api" | "worker";
  databaseUrl: string;
  redisUrl: string;
  blobs: string;
  /** Concurrent callers of an API process. */
  callers: number;
  /** How long an engine takes, minimum and maximum. */
  sleepMs: [least: number, most: number];
};
/** Totals of one process since its start. */
export type MemberReport = { files: number; sleptMs: number; waitMs: number; statements: number; cpuMs: number };

/** Small blobs instead of pictures: only the queue is measured. */
export const pictureBytes = 100;
