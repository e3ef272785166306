import { errors, isErrorCode } from "@tintype/contract";
import { type Endpoint, endpoints, openApiDocument } from "@tintype/contract/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp, type TestCaller } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

let app: TestApp;
let person: TestCaller;
beforeAll(async () => {
  app = await startTestApp();
  person = await app.person();
});
afterAll(() => app.close());

const rows = Object.entries(endpoints) as [string, Endpoint][];
/** Calls whose success needs more than a first example: a paid checkout, a model, an existing job or key. */
const mayRefuse = new Set([
  "upgradePlan",
  "createPaymentSession",
  "cancelSubscription",
  "keepPlan",
  "deleteAccount",
  "upscale",
  "removeBackground",
  "razorpayKey",
  "transactions",
  "transactionPdf",
  "invoicePdf",
  "getJob",
  "cancelJob",
  "cancelFile",
  "jobEvents",
  "jobResult",
  "jobFile",
  "fileCandidates",
  "editFile",
  "jobReceipt",
  "getRecipe",
  "replaceRecipe",
  "deleteRecipe",
  "deleteKey",
  "createWebhook",
  "deleteWebhook",
  "rotateWebhook",
  "replayDelivery",
  "rotateKey",
]);

test("every header of an answer stands in the document, but for those that protect a browser", async () => {
  const document = openApiDocument({
    origin: "http://localhost",
    version: "1",
    accepts: { urls: true, webhooks: true },
    name: "A",
  }) as unknown as { paths: Record<string, Record<string, { responses: Record<string, { headers?: object }> }>> };
  const protecting =
    /^x-(content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection)$/;
  const files = [{ name: "a.png", bytes: samplePng(30, 20) }];
  for (const [path, method, answer] of [
    ["/api/config", "get", await person.call("/api/config")],
    ["/api/compress", "post", await person.run("compress", files, { quality: "60" })],
    ["/api/compress", "post", await person.run("compress", files, { quality: "1000" })],
    ["/api/user-info", "get", await app.caller().call("/api/user-info")],
  ] as const) {
    await answer.bytes();
    const sent = [...answer.headers.keys()].filter((name) => /^(x-|ratelimit)/.test(name) && !protecting.test(name));
    expect(sent.length).toBeGreaterThan(4);
    const response = document.paths[path]?.[method]?.responses[answer.status];
    expect(response, `${path} ${answer.status}`).toBeDefined();
    const documented = Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase());
    expect(documented, `${path} ${answer.status}`).toEqual(expect.arrayContaining(sent));
  }
});

describe("every example of the reference is a call that works", () => {
  test.each(rows)("%s", async (name, row) => {
    const path = `/api${row.path.replace(/\{\w+\}/g, "none")}`;
    const form = row.form ? new FormData() : undefined;
    for (const [field, value] of Object.entries(row.example?.fields ?? {})) form?.append(field, value);
    if (row.form) form?.append(row.form.files, new Blob([new Uint8Array(samplePng(60, 40))]), "photo.png");
    const query = row.example?.query ? `?${new URLSearchParams(row.example.query)}` : "";
    const answer = await person.call(path + query, {
      method: row.method,
      ...(form ? { form } : {}),
      ...(row.body ? { json: row.example?.body ?? {} } : {}),
    });
    if (answer.status === row.response.status) {
      if (row.response.body) row.response.body.parse(await answer.json());
      return;
    }
    const problem = (await answer.json()) as { type: string; detail: string };
    expect(mayRefuse, `${name}: ${answer.status} ${problem.detail}`).toContain(name);
    const code = problem.type.replace("/api/docs#error-", "");
    expect(isErrorCode(code) && row.errors.includes(code), `${name} answers ${code}, which its row does not list`).toBe(
      true,
    );
  });
});

test("the document is served, and lists every call with its answers", async () => {
  const served = (await (await app.caller().call("/api/openapi.json")).json()) as ReturnType<typeof openApiDocument> & {
    paths: Record<string, object>;
  };
  for (const [, row] of rows)
    expect(Object.keys(served.paths[`/api${row.path}`] ?? {})).toContain(row.method.toLowerCase());
  expect(served).toEqual(
    JSON.parse(
      JSON.stringify(
        openApiDocument({
          origin: "http://localhost:3000",
          version: "1.0.0",
          accepts: { urls: false, webhooks: false },
        }),
      ),
    ),
  );
});

test("each error code is documented at some call, and no documented one is a ghost", () => {
  const listed = new Set(rows.flatMap(([, row]) => [...row.errors]));
  expect([...listed].sort()).toEqual(Object.keys(errors).sort());
});

test("the document comes packed where the caller takes it, and not again where they have it", async () => {
  const packed = await app.app.inject({ url: "/api/openapi.json", headers: { "accept-encoding": "gzip" } });
  expect(packed.headers["content-encoding"]).toBe("gzip");
  const again = await app.app.inject({
    url: "/api/openapi.json",
    headers: { "if-none-match": String(packed.headers.etag) },
  });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
});

test("generators find names, file parameters and every kind of answer", () => {
  type Operation = {
    tags: string[];
    parameters: { name: string }[];
    requestBody: { content: Record<string, { schema: { properties: Record<string, unknown> } }> };
    responses: Record<string, { headers: object; content: Record<string, { schema: object }> }>;
  };
  const { paths, components } = openApiDocument({ origin: "http://localhost", version: "1" }) as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, { properties?: object }> };
  }; // the parts of the document that are looked at here
  const convert = paths["/api/convert"]?.["post"];
  expect(convert?.requestBody.content["multipart/form-data"]?.schema.properties).toMatchObject({
    files: { type: "array", items: { type: "string", format: "binary" } },
    source_format: { type: "string" },
  });
  expect(Object.keys(convert?.responses["200"]?.content ?? {})).toEqual(
    expect.arrayContaining(["image/png", "image/webp", "application/zip", "application/json"]),
  );
  expect(convert?.responses["202"]?.content["application/json"]?.schema).toEqual({ $ref: "#/components/schemas/Job" });
  expect(Object.keys(convert?.responses["200"]?.headers ?? {})).toContain("X-Credits-Remaining");
  expect(paths["/api/jobs/{id}/events"]?.["get"]?.parameters.map(({ name }) => name)).toContain("Last-Event-ID");
  expect(Object.keys(components.schemas["Problem"]?.properties ?? {})).toEqual(
    expect.arrayContaining(["code", "retryable", "field", "resets_at"]),
  );
  expect(
    Object.values(paths)
      .flatMap((ways) => Object.values(ways))
      .every(({ tags }) => tags.length === 1),
  ).toBe(true);
});

// product: problems
test("a problem names its code, whether it can be retried, and the field", async () => {
  const answer = await person.run("compress", [{ name: "a.png", bytes: samplePng(8, 8) }], { quality: "101" });
  expect(await answer.json()).toMatchObject({
    status: 400,
    code: "invalid-request",
    retryable: false,
    field: "quality",
  });
});

test("answers that are no first example stand in the document too, with their status, type and code", async () => {
  type Answers = Record<string, { description: string; content?: Record<string, object> }>;
  const { paths } = openApiDocument({ origin: app.baseUrl, version: "1" }) as unknown as {
    paths: Record<string, Record<string, { responses: Answers }>>;
  }; // the parts of the document that are looked at here
  const picture = { name: "a.png", bytes: samplePng(8, 8) };
  const later = async (task: string, bytes: Uint8Array, fields: Record<string, string>) => {
    const begun = await person.run(task, [{ name: "a.png", bytes }], fields, { prefer: "respond-async" });
    const place = begun.headers.get("location") ?? "";
    await (await person.call(`${place}/events`)).text(); // the stream ends with the job
    return place;
  };
  const same = await later("convert", picture.bytes, { target_format: "png" });
  const unfit = await later("compress", picture.bytes, { max_bytes: "100", min_quality: "100" });
  const broken = await later("compress", picture.bytes.subarray(0, 60), { quality: "60" });
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>');
  const none = "/api/jobs/job_none";
  for (const [row, answer] of [
    ["POST /api/compress", await person.run("compress", [{ name: "a.svg", bytes: svg }], { quality: "60" })],
    ["GET /api/jobs/{id}/result", await person.call(`${same}/result`)],
    ["GET /api/jobs/{id}/result", await person.call(`${unfit}/result`)],
    ["GET /api/jobs/{id}/files/{index}", await person.call(`${broken}/files/0`)],
    ["GET /api/jobs/{id}", await person.call(`/api/jobs/${"a".repeat(300)}`)],
    ["GET /api/jobs/{id}/events", await person.call("/api/jobs/%00/events")],
    ["POST /api/preview", await person.run("preview", [], { of: "job_none" })],
    ["POST /api/jobs/{id}/files/{index}/edit", await person.call(`${none}/files/0/edit`, { method: "POST" })],
    ["DELETE /api/jobs/{id}", await person.call(none, { method: "DELETE" })],
    ["DELETE /api/jobs/{id}/files/{index}", await person.call(`${same}/files/9`, { method: "DELETE" })],
  ] as const) {
    const [method = "", path = ""] = row.split(" ");
    const described = paths[path]?.[method.toLowerCase()]?.responses[answer.status];
    const [type = ""] = (answer.headers.get("content-type") ?? "").split(";");
    expect(Object.keys(described?.content ?? {}), `${row} ${answer.status}`).toContain(type);
    const { code } = type.includes("json") ? ((await answer.json()) as { code?: string }) : {};
    if (code !== undefined) expect(described?.description, row).toContain(`${code}: `);
  }
  expect(Object.keys(paths["/api/upload"]?.["post"]?.responses ?? {})).not.toContain("204");
});

describe("a call with exactly what the document demands is understood", async () => {
  type Demand = { required: string[] };
  type Property = { example?: unknown; enum?: unknown[]; format?: string };
  type Schema = Demand & { properties: Record<string, Property>; anyOf?: Demand[] };
  type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } };
  const accepts = { urls: false, webhooks: false };
  const document = openApiDocument({ origin: "http://localhost", version: "1", accepts });
  const { paths } = document as { paths: Record<string, Record<string, Operation>> }; // the parts that are looked at here
  const forms = Object.entries(paths).flatMap(([path, { post }]) => {
    const schema = post?.requestBody?.content["multipart/form-data"]?.schema;
    // An edit needs a picture that a job keeps.
    return schema && !path.endsWith("/edit") ? [{ path, schema }] : [];
  });
  const values: Record<string, string> = {
    ratio: "4:5",
    height: "30",
    percent: "50",
    flip: "horizontal",
    straighten: "2.5",
    of: "job_none",
  };

  test.each(
    forms.flatMap(({ path, schema: { required, anyOf = [{ required: [] }], properties } }) =>
      anyOf.map((choice) => ({ path, names: [...required, ...choice.required], properties })),
    ),
  )("$path with $names", async ({ path, names, properties }) => {
    const form = new FormData();
    for (const name of names)
      if (name === "files" || properties[name]?.format === "binary")
        form.append(name, new Blob([new Uint8Array(samplePng(60, 40))]), "a.png");
      else form.append(name, String(properties[name]?.example ?? values[name] ?? properties[name]?.enum?.[0]));
    const answer = await person.call(path, { form });
    const body = answer.ok ? "" : await answer.text();
    // Missing models or jobs are not the request's fault.
    if (!answer.ok) expect([503, 404], `${path}: ${body}`).toContain(answer.status);
  });
});
