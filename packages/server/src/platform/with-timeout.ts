/**
 * Waits for the promise. A reply that is already in the socket at the deadline counts: a process that was busy for longer
 * than `ms` reads it only then.
 * @throws Error after `ms`; the promise continues, and its later failure is ignored
 */
export async function withTimeout<Answer>(ms: number, promise: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => setImmediate(() => fail(new Error(`no answer within ${ms} ms`))), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
