import { cpuUsage } from "node:process";

export type Timed<Answer> = { answer: Answer; wall: number; cpu: number };

/** What the work answers, its seconds by the clock, and those of the processor, of all threads together. */
export async function timed<Answer>(work: () => Answer | Promise<Answer>): Promise<Timed<Answer>> {
  const [start, before] = [performance.now(), cpuUsage()];
  const answer = await work();
  const { user, system } = cpuUsage(before);
  return { answer, wall: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 };
}
