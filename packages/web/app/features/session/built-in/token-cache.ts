/** A token is renewed when less than this of its life is left, or less than half of it where it is a short one. ms */
const marginMs = 5 * 60_000;

export type TokenCache = {
  /** A token with a while to live: the kept one, or what `fetchToken` gives. */
  get(refused?: string): Promise<string | undefined>;
  clear(): void;
};

/**
 * Keeps a token until shortly before it ends. How long it lives is read from it, and counted from when it came: the
 * clock of this machine may be wrong.
 */
export function createTokenCache({
  fetchToken,
  now,
}: {
  fetchToken(): Promise<string | undefined>;
  /** Milliseconds on a clock that never jumps. */
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
      // Calls that come together share one request.
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

/** RFC 7519: `exp` and `iat`, seconds. A token that does not tell is asked for each time. */
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
