/** The processor time in ms that `work` takes in this process, which other programs of a busy machine do not lengthen. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
