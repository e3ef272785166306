import { z } from "zod";
import { type RetryPolicy, withRetries } from "../retry-policy.ts";
import { GatewayError } from "./gateway.ts";

export type RazorpayHttpOptions = {
  /** Read on each call: the sandbox's address is known only once the server listens. */
  baseUrl(): string;
  keyId: string;
  keySecret: string;
  timeoutMs?: number;
};

type GatewayCall = {
  method: "GET" | "POST" | "PATCH";
  path: string;
  query?: Record<string, string | number>;
  body?: unknown;
  headers?: Record<string, string>;
};

export type RazorpayHttp = {
  /** @throws GatewayError */
  call<T extends z.ZodType>(schema: T, call: GatewayCall): Promise<z.infer<T>>;
};

const errorBody = z.object({ error: z.object({ code: z.string().default(""), description: z.string().default("") }) });
/** Reads are retried with backoff. A call that creates or changes something is sent once. */
const retries: RetryPolicy = { delaysMs: [200, 800] };

/** Razorpay's HTTP protocol: basic auth, JSON, errors with a code and a description. */
export function createRazorpayHttp({
  baseUrl,
  keyId,
  keySecret,
  timeoutMs = 8_000,
}: RazorpayHttpOptions): RazorpayHttp {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;

  const callOnce = async ({ method, path, query, body, headers }: GatewayCall): Promise<unknown> => {
    const url = new URL(baseUrl() + path);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      method,
      headers: {
        authorization,
        accept: "application/json",
        ...headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "error",
    }).catch((cause: unknown) => {
      throw new GatewayError("unavailable", `${method} ${path}: no answer`, { cause });
    });
    const text = await response.text().catch((cause: unknown) => {
      throw new GatewayError("unavailable", `${method} ${path}: the answer broke off`, { cause });
    });
    const content = parseJson(text);
    if (response.ok) return content;
    const parsed = errorBody.safeParse(content);
    const reason = parsed.success ? `${parsed.data.error.code} ${parsed.data.error.description}` : "no reason given";
    // 401 is about our key, not this call: it says nothing about the subscription.
    const isRefusal =
      response.status >= 400 && response.status < 500 && ![401, 403, 408, 429].includes(response.status);
    throw new GatewayError(isRefusal ? "refused" : "unavailable", `${method} ${path}: ${response.status} ${reason}`, {
      status: response.status,
    });
  };

  const isRetryable = (problem: unknown) =>
    problem instanceof GatewayError && problem.kind !== "refused" && problem.status !== 401;
  const callWithRetries = (call: GatewayCall): Promise<unknown> =>
    call.method === "GET" ? withRetries(retries, () => callOnce(call), isRetryable) : callOnce(call);

  return {
    async call(schema, call) {
      const parsed = schema.safeParse(await callWithRetries(call));
      if (parsed.success) return parsed.data;
      throw new GatewayError("unavailable", `${call.method} ${call.path}: an answer of another shape`, {
        cause: parsed.error,
      });
    },
  };
}

/** Undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
