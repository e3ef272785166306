/** A token is renewed when less than this remains, or less than half of its lifetime if that is short. ms */
const marginMs = 5 * 60_000;

export type TokenCache = {
  /** A token that is valid for a while: the cached one, or the result of `fetchToken`. */
  get(refused?: string): Promise<string | undefined>;
  clear(): void;
};

/**
 * Caches a token until shortly before it expires. Its lifetime is read from its claims and counted from when it
 * arrived, because this machine's clock may be wrong.
 */
export function createTokenCache({
  fetchToken,
  now,
}: {
  fetchToken(): Promise<string | undefined>;
  /** Monotonic clock. ms */
  now(): number;
}): TokenCache {
  let kept: { token: string; renewAtMs: number } | undefined;
  let fetching: Promise<string | undefined> | undefined;

  async function renew() {
    const token = await fetchToken();
    kept = token === undefined ? undefined : { token, renewAtMs: now() + usableMs(token) };
    return token;
  }

  return {
    async get(refused) {
      if (kept && kept.token !== refused && now() < kept.renewAtMs) return kept.token;
      // Concurrent calls share one request.
      fetching ??= renew().finally(() => {
        fetching = undefined;
      });
      return fetching;
    },
    clear() {
      kept = undefined;
    },
  };
}

/** RFC 7519: `exp` and `iat`, seconds. A token without them is fetched anew each time. */
function usableMs(token: string): number {
  try {
    const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const { exp, iat }: { exp?: number; iat?: number } = JSON.parse(atob(payload));
    const lifeMs = ((exp ?? 0) - (iat ?? 0)) * 1000;
    return Number.isFinite(lifeMs) ? Math.max(lifeMs - marginMs, lifeMs / 2) : 0;
  } catch {
    return 0;
  }
}
