import { limits, type PublicConfig, type UserInfo } from "@tintype/contract";

export const info: UserInfo = {
  plan: "hobby",
  paid_plan: "hobby",
  granted_until: null,
  next_plan: null,
  next_billing_date: null,
  next_billing_cycle: null,
  next_plan_price: null,
  can_switch: true,
  service_count: 7,
  limit: 100,
  subscription_id: null,
  subscription_status: null,
  billing_cycle: null,
  renewal_date: null,
  keep_until: null,
  price: null,
  next_price: null,
  window: "month",
  resets_at: new Date(Date.now() + 86_400_000).toISOString(),
  must_verify_email: false,
  fast_lane: { used: 0, limit: 0 },
  email: "ann@example.com",
  name: "Ann",
  picture: null,
};
const config: PublicConfig = {
  mode: "service",
  version: "1.0.0",
  identity: { provider: "built-in", google: true, password_min_length: 8, second_factor: true },
  access: { guests: true, sign_up: "open", domains: [], invitation: null },
  tier: "guest",
  limits: limits.guest,
  usage: { used: 0, limit: 5 },
  url_input: false,
  webhooks: false,
  payments: { gateway: "razorpay", test_mode: true, checkout_script: "/checkout.js" },
};

type Request = { path: string; body: Record<string, string>; bearer: string | undefined };
type Answer = { status: number; body?: unknown };
const yes = (body: unknown = {}): Answer => ({ status: 200, body });
const no = (status: number, code?: string): Answer => ({ status, body: { code, message: "Provider: internal words" } });

/**
 * A fake of our API and built-in provider at the level of fetch, with one account: `ann@example.com`, `correct
 * horse`. Once per test file: it stays installed.
 */
export function fakeSite(overrides: { config?: Partial<PublicConfig> } = {}) {
  const site = {
    account: { id: "user-1", name: "Ann", email: "ann@example.com", password: "correct horse" },
    isSignedIn: false,
    info,
    tokens: 0,
    /** Each request, as `POST /idp/sign-in/email`. */
    asked: [] as string[],
    /** Responses that override those below. */
    answers: new Map<string, (request: Request) => Answer>(),
  };
  const usual: Record<string, (request: Request) => Answer> = {
    "GET /api/config": () => yes({ ...config, ...overrides.config }),
    "GET /api/user-info": ({ bearer }) => (bearer ? yes(site.info) : no(401)),
    "GET /idp/get-session": () => yes(site.isSignedIn ? { user: site.account } : null),
    "GET /idp/token": () => {
      if (!site.isSignedIn) return no(401);
      site.tokens += 1;
      return yes({ token: tokenOf(site.tokens) });
    },
    "POST /idp/sign-in/email": ({ body }) => {
      if (body["password"] !== site.account.password) return no(401, "INVALID_EMAIL_OR_PASSWORD");
      site.isSignedIn = true;
      return yes();
    },
    "POST /idp/sign-up/email": ({ body }) => {
      if (body["email"] === site.account.email) return no(422, "USER_ALREADY_EXISTS");
      site.account = { id: "user-2", password: "", name: "", email: "", ...body };
      site.isSignedIn = true;
      return yes();
    },
    "POST /idp/sign-out": () => {
      site.isSignedIn = false;
      return yes();
    },
    "GET /idp/list-accounts": () => yes([{ providerId: "credential" }]),
    "GET /idp/passkey/list-user-passkeys": () => yes([]),
    "POST /idp/request-password-reset": () => yes(),
  };
  globalThis.fetch = async (input, init = {}) => {
    const { pathname } = new URL(String(input), "http://localhost");
    const name = `${init.method ?? "GET"} ${pathname}`;
    site.asked.push(name);
    const headers = new Headers(init.headers);
    const request: Request = {
      path: pathname,
      body: typeof init.body === "string" ? JSON.parse(init.body) : {},
      bearer: headers.get("authorization")?.replace("Bearer ", ""),
    };
    const { status, body } = (site.answers.get(name) ?? usual[name] ?? (() => no(404)))(request);
    return new Response(body === undefined ? null : JSON.stringify(body), { status });
  };
  return site;
}

/** Each valid for an hour, and different. */
const tokenOf = (number: number) => `head.${btoa(JSON.stringify({ iat: 0, exp: 3600, number }))}.signature`;
