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
  let cached: { token: string; renewAtMs: number } | undefined;
  let fetching: Promise<string | undefined> | undefined;

  async function renew() {
    const token = await fetchToken();
    cached = token === undefined ? undefined : { token, renewAtMs: now() + usableMs(token) };
    return token;
  }

  return {
    async get(refused) {
      if (cached && cached.token !== refused && now() < cached.renewAtMs) return cached.token;
      // Concurrent calls share one request.
      fetching ??= renew().finally(() => {
        fetching = undefined;
      });
      return fetching;
    },
    clear() {
      cached = undefined;
    },
  };
}

/** RFC 7519: `exp` and `iat`, seconds. A token without them is fetched anew each time. */
function usableMs(token: string): number {
  try {
    const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const { exp, iat }: { exp?: number; iat?: number } = JSON.parse(atob(payload));
    const lifetimeMs = ((exp ?? 0) - (iat ?? 0)) * 1000;
    return Number.isFinite(lifetimeMs) ? Math.max(lifetimeMs - marginMs, lifetimeMs / 2) : 0;
  } catch {
    return 0;
  }
}
