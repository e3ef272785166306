/** Counts calls in a moving window, in this process' memory. */
export class RecentCalls {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #calls = new Map<string, number[]>();

  constructor({ limit, windowMs }: { limit: number; windowMs: number }) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Counts one call, or answers in how many seconds there is room for one; 0 where it was counted. */
  add(key: string, nowMs: number): number {
    for (const [other, times] of this.#calls)
      if ((times.at(-1) ?? 0) <= nowMs - this.#windowMs) this.#calls.delete(other);
    const times = (this.#calls.get(key) ?? []).filter((at) => at > nowMs - this.#windowMs);
    const [oldest] = times;
    if (times.length >= this.#limit && oldest !== undefined) return Math.ceil((oldest + this.#windowMs - nowMs) / 1000);
    this.#calls.set(key, [...times, nowMs]);
    return 0;
  }
}
