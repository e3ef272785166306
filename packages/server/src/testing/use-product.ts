import { setTimeout as wait } from "node:timers/promises";
import { findByAddress } from "../features/accounts/people.ts";
import { grantRole } from "../features/desk/operators.ts";
import { builtInOf, testPassword } from "./built-in.ts";
import { knownSecret, sendWebhook, shopper } from "./checkout.ts";
import { createCaller, type TestApp, type TestCaller } from "./harness.ts";
import { samplePng } from "./pictures.ts";

/** The environment of an app that `useProduct` uses. */
export const usedProduct = (origin: string): Record<string, string> => ({
  OIDC_ISSUER: "",
  TINTYPE_ORIGIN: origin,
  TINTYPE_SECRET: knownSecret,
  TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
  TINTYPE_WEBHOOKS: "true",
  MAIL: "log",
  EMAIL_VERIFICATION: "off",
  TINTYPE_BRAND: JSON.stringify({
    legal: { entity: "Salt Ltd", address: "Pune" },
    invoices: { from: "2026-01-01", tax: { kind: "none" } },
  }),
});

type Product = { app: TestApp; idp: ReturnType<typeof builtInOf> };
type Customer = { email: string; session: string; caller: TestCaller };

/** Exercises the product like visitors, customers, programs, the sweeps and an operator. @throws Error on an unexpected response */
export async function useProduct(app: TestApp, origin: string): Promise<void> {
  const use = { app, idp: builtInOf(app, origin) };
  await visit(use);
  const customer = await signUp(use, "customer@example.com");
  const job = await work(customer.caller);
  await program(use, customer.caller);
  await pay(use, customer.caller);
  await app.sweep();
  await readAccount(use, customer);
  await operate(use, { email: customer.email, job });
  await leave(await signUp(use, "leaving@example.com"));
  await app.sweep();
}

async function answered(answer: Promise<Response | { status: number }>, wanted: number, what: string): Promise<void> {
  const found = await answer;
  requireStatus(found, wanted, `${what}: ${found instanceof Response ? await found.text() : ""}`);
}

function requireStatus({ status }: { status: number }, wanted: number, what: string): void {
  if (status !== wanted) throw new Error(`Answered ${status} instead of ${wanted}: ${what.slice(0, 500)}`);
}

const picture = { name: "a.png", bytes: samplePng(30, 20) };
const webp = { target_format: "webp" };

async function visit({ app }: Product): Promise<void> {
  const guest = createCaller(app.baseUrl);
  await answered(guest.call("/api/config"), 200, "The configuration");
  await answered(guest.run("convert", [picture], webp), 200, "A guest's picture");
  await answered(guest.call("/api/user-info"), 401, "A guest's account");
  const message = { name: "Ann", email: "customer@example.com", message: "Hello" };
  await answered(guest.call("/api/contact", { json: message }), 200, "A message");
}

async function signUp({ idp }: Product, email: string): Promise<Customer> {
  await idp.signUp(email);
  const { session } = await idp.signIn(email, testPassword);
  const caller = await idp.caller(session);
  await answered(caller.call("/api/user-info"), 200, "An account");
  return { email, session, caller };
}

/** Returns the address of a job. */
async function work(person: TestCaller): Promise<string> {
  const begun = await person.run("convert", [picture], webp, { prefer: "respond-async" });
  const job = begun.headers.get("location") ?? "";
  const stateOf = async () => ((await (await person.call(job)).json()) as { state: string }).state; // a job has it
  for (let tries = 0; (await stateOf()) !== "done"; tries++) {
    if (tries > 1_200) throw new Error("The job does not end.");
    await wait(50);
  }
  await answered(person.call(`${job}/events`), 200, "A job's events");
  await answered(person.call(`${job}/result`), 200, "A result");
  await answered(person.call(`${job}/receipt`), 200, "A receipt");
  const ended = (await person.run("convert", [picture], webp, { prefer: "respond-async" })).headers.get("location");
  await (await person.call(ended ?? "", { method: "DELETE" })).bytes();
  await answered(person.call("/api/service-use", { method: "POST" }), 200, "A reservation");
  const keyed = { "idempotency-key": "a key of this person" };
  await answered(person.run("compress", [picture], { quality: "60" }, keyed), 200, "A keyed picture");
  await answered(person.run("compress", [picture], { quality: "60" }, keyed), 200, "Its repeat");
  const broken = { name: "b.png", bytes: picture.bytes.slice(0, 60) };
  await answered(person.run("compress", [broken]), 422, "A broken picture");
  return job;
}

/** API keys, recipes and webhooks. */
async function program(use: Product, person: TestCaller): Promise<void> {
  const key = { name: "shop", scopes: ["process", "jobs:read"] };
  const made = await person.call("/api/keys", { json: key });
  const { key: token } = (await made.json()) as { key: string }; // a made key has it
  const recipe = { name: "shop", steps: [{ convert: webp }] };
  await answered(person.call("/api/recipes", { json: recipe }), 201, "A recipe");
  // The name never resolves (RFC 6761): the delivery fails, and is due again.
  const webhook = { url: "https://hooks.invalid/tintype" };
  await answered(person.call("/api/webhooks", { json: webhook }), 201, "A webhook");
  const byKey = createCaller(use.app.baseUrl, token);
  await answered(byKey.run("recipes/run", [picture], { recipe: "shop" }), 200, "A recipe's run");
  await work(byKey);
}

async function pay({ app }: Product, person: TestCaller): Promise<void> {
  const shop = shopper(app, person);
  const first = await shop.buy("mini");
  requireStatus(first.upgraded, 200, "A plan");
  await sendWebhook(app, { kind: "subscription.charged", subscriptionId: first.subscriptionId });
  await app.sweep();
  requireStatus((await shop.buyNow("plus")).upgraded, 200, "An upgrade");
  await app.sweep();
  requireStatus(await shop.cancel((await shop.info()).subscription_id ?? ""), 200, "A cancellation");
  requireStatus(await shop.keep(), 200, "Its undoing");
}

const accountPages = [
  "/user-info",
  "/jobs",
  "/usage",
  "/usage.csv",
  "/credits/history",
  "/keys",
  "/webhooks",
  "/webhooks/deliveries",
  "/recipes",
  "/transactions",
  "/invoices",
  "/billing-details",
];

async function readAccount({ idp }: Product, { caller, session, email }: Customer): Promise<void> {
  for (const path of accountPages) await answered(caller.call(`/api${path}`), 200, path);
  await answered(idp.ask("/sessions", { session }), 200, "The list of sessions");
  await answered(idp.ask("/request-password-reset", { json: { email } }), 200, "A forgotten password");
}

async function operate(use: Product, customer: { email: string; job: string }): Promise<void> {
  const { app } = use;
  const { caller, email } = await signUp(use, "operator@example.com");
  const idOf = async (address: string) => (await findByAddress(app.db, address))[0]?.id ?? "";
  await grantRole(app.db, {
    accountId: await idOf(email),
    role: "owner",
    at: new Date(),
    actor: "command",
    reason: "a test",
  });
  const id = await idOf(customer.email);
  const today = new Date().toISOString().slice(0, 10);
  const verify = { json: { reason: "a test" } };
  await answered(caller.call(`/api/admin/people/${id}/verify-address`, verify), 204, "An address");
  await answered(caller.call(`/api/admin/people/${id}/export`, verify), 200, "An export");
  for (const path of [
    `/people?q=${encodeURIComponent(customer.email)}`,
    `/people?q=${customer.job.split("/").at(-1)}`,
    "/people?q=nobody",
    `/people/${id}`,
    "/jobs?state=failed",
    "/jobs?state=failed&code=engine-failed",
    "/jobs?state=waiting",
    "/jobs?state=working",
    "/jobs/counts",
    "/deliveries?state=failed",
    "/deliveries?state=waiting",
    "/networks",
    "/figures",
    "/figures?by=month",
    "/messages?state=open",
    "/messages?state=answered",
    "/audit",
    `/audit?subject=${id}`,
    `/invoices.csv?from=${today}&to=${today}`,
  ])
    await answered(caller.call(`/api/admin${path}`), 200, path);
}

const leave = ({ caller, email }: Customer): Promise<void> =>
  answered(caller.call("/api/delete-account", { json: { email } }), 204, "A deletion");
