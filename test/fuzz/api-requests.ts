import { manifestOf } from "../../packages/contract/src/index.ts";
import { type Endpoint, endpoints } from "../../packages/contract/src/schemas/index.ts";
import { below, mutate, pick, type Random } from "./mutate.ts";
import { bend, inAddress, odd } from "./odd-values.ts";
import type { Seed } from "./seeds.ts";

export type FuzzRequest = {
  /** The intended route, as declared. */
  route: string;
  path: string;
  init: RequestInit & { headers: Record<string, string> };
};

const rows = Object.values(endpoints) as Endpoint[];
const besides = ["/healthz", "/readyz", "/metrics", "/api/openapi.json", "/.well-known/security.txt", "/api/none", "/"];
const hooks = ["/api/webhooks/razorpay", "/sandbox/razorpay/v1/subscriptions", "/sandbox/razorpay/v1/plans/x"];

const recipeTexts = [
  '[{"resize":{"width":40}},{"convert":{"target_format":"webp"}}]',
  '{"name":"a","steps":[{"compress":{"max_bytes":900}}]}',
  "avatar",
  "[]",
  '[{"resize":{"width":-1}}]',
];

const optionValues: Record<string, readonly string[]> = {
  quality: ["1", "60", "100"],
  width: ["1", "40", "400", "16384"],
  height: ["", "1", "30"],
  method: ["fit", "fill", "stretch"],
  target_format: ["png", "jpg", "webp", "gif", "tiff", "bmp", "avif"],
  scale_factor: ["2"],
  side: ["16", "512"],
};

const addressFields = ["image_url", "output_url", "webhook_url"];
/** The server must not connect to any of these. */
const addresses = [
  "http://127.0.0.1:9/a.png",
  "https://localhost/",
  "https://[::ffff:10.0.0.1]/",
  "http://2130706433/",
  "https://none.invalid/a.png",
  "nonsense",
  ...odd,
];

function formFor(row: Endpoint, { random, seeds }: { random: Random; seeds: readonly Seed[] }): FormData {
  const form = new FormData();
  const put = (name: string, text: string) => form.append(name, random() < 0.05 ? pick(random, odd) : text);
  const fields = row.form?.task ? manifestOf(row.form.task).fields : {};
  if (row.form && !row.form.task) put("recipe", pick(random, recipeTexts));
  // A field that the form does not have is rejected before a decoder sees the picture.
  for (const [name, texts] of Object.entries(optionValues))
    if (name in fields ? random() < 0.8 : random() < 0.005) put(name, pick(random, texts));
  for (const name of addressFields) if (random() < 0.02) form.append(name, pick(random, addresses));
  if (random() < 0.05) for (let i = 0; i < below(random, 80); i++) put(`field${i}`, "x");
  const files = random() < 0.9 ? 1 : below(random, 5);
  for (let i = 0; i < files; i++) {
    const [seed, other] = [pick(random, seeds), pick(random, seeds)];
    const bytes = random() < 0.1 ? seed.bytes : mutate(seed.bytes, random, other.bytes);
    const name = random() < 0.1 ? pick(random, odd) : seed.name;
    form.append(
      random() < 0.95 ? (row.form?.files ?? "files") : "background_image",
      new Blob([new Uint8Array(bytes)]),
      name,
    );
  }
  return form;
}

/** Neural operations take seconds per picture, so they are rare, to leave time for the others. */
const weigh = (row: Endpoint) => (row.form ? (/upscale|remove-background/.test(row.path) ? 0.15 : 4) : 0.5);
const weighed = rows.flatMap((row) => Array<Endpoint>(Math.round(weigh(row) * 20)).fill(row));

/** A request to a route of the API or to an unknown one. `job` is the id of an existing job. */
export function apiRequest({
  random,
  seeds,
  job,
}: {
  random: Random;
  seeds: readonly Seed[];
  job: string | undefined;
}): FuzzRequest {
  const headers: Record<string, string> = {};
  if (random() < 0.2) headers["prefer"] = "respond-async";
  if (random() < 0.1)
    headers["idempotency-key"] = pick(random, ["a", "b", "x".repeat(300), "é", ""]).replace(/[^ -~]/g, "e");
  if (random() < 0.1) headers["last-event-id"] = pick(random, ["0", "-1", "abc", "99999999999999999999"]);
  if (random() < 0.1) {
    const path = pick(random, [...besides, ...hooks]);
    return { route: path, path, init: { method: pick(random, ["GET", "POST"]), headers } };
  }
  const row = pick(random, weighed);
  const route = `${row.method} ${row.path}`;
  const parameter = () => inAddress((random() < 0.5 ? job : undefined) ?? pick(random, odd).slice(0, 150));
  let path = `/api${row.path.replace(/\{\w+\}/g, parameter)}`;
  if (row.query && random() < 0.7)
    path += `?before=${inAddress(pick(random, odd))}&size=${inAddress(pick(random, odd))}`;
  const method = random() < 0.04 ? pick(random, ["PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]) : row.method;
  if (method === "GET" || method === "HEAD") return { route, path, init: { method, headers } };
  if (row.form && random() < 0.97)
    return { route, path, init: { method, headers, body: formFor(row, { random, seeds }) } };
  headers["content-type"] =
    random() < 0.9 ? "application/json" : pick(random, ["text/plain", "multipart/form-data", "x"]);
  const json = JSON.stringify(bend(row.example?.body ?? {}, random));
  const bytes = new TextEncoder().encode(json);
  const body = random() < 0.2 ? new Uint8Array(mutate(bytes, random, bytes)) : json;
  return { route, path, init: { method, headers, body } };
}
