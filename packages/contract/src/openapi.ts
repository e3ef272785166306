import { z } from "zod";
import { type Endpoint, type EndpointName, endpoints } from "./endpoint.ts";
import { type ErrorCode, errors } from "./error.ts";
import { manifestOf } from "./operations/index.ts";
import { productName } from "./text.ts";

type Json = Record<string, unknown>;

/** A JSON schema of what a caller may send: values as they are after parsing, and only what must be there as required. */
function inputSchema(schema: z.ZodType): Json {
  const {
    $schema: _,
    additionalProperties: __,
    ...parsed
  } = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
  const { required = [] } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return { ...parsed, required };
}

function outputSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
  return rest;
}

const problem = {
  type: "object",
  description: "RFC 9457. `detail` is one sentence a person can act on.",
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    requestId: { type: "string" },
  },
  required: ["type", "title", "status", "detail", "requestId"],
};

function requestBody({ form, body, example }: Endpoint): Json | undefined {
  if (body)
    return {
      required: true,
      content: {
        "application/json": { schema: inputSchema(body), ...(example?.body ? { example: example.body } : {}) },
      },
    };
  if (!form) return undefined;
  const options = inputSchema(form.options) as { properties?: Json; required?: string[] }; // an object schema's own keys
  const file = { type: "string", contentMediaType: "application/octet-stream" };
  const files =
    form.files === "files"
      ? { type: "array", items: file, minItems: 1, description: "The pictures." }
      : { ...file, description: "The picture." };
  const { secondPicture } = manifestOf(form.task);
  const extra = secondPicture ? { [secondPicture.field]: { ...file, description: secondPicture.describe } } : {};
  const schema = {
    type: "object",
    properties: { [form.files]: files, ...options.properties, ...extra },
    required: [form.files, ...(options.required ?? [])],
  };
  return { required: true, content: { "multipart/form-data": { schema } } };
}

const pathNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

function parameters({ path, query, form }: Endpoint): Json[] {
  const { properties = {} } = query ? (inputSchema(query) as { properties?: Json }) : {}; // an object schema's own keys
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    schema: { type: "string" },
    description,
  });
  return [
    ...pathNames(path).map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
    ...Object.entries(properties).map(([name, schema]) => ({ name, in: "query", schema })),
    ...(form?.files === "files"
      ? [
          header("Prefer", "`respond-async`: answer at once with 202 and the job's address."),
          header(
            "Idempotency-Key",
            "The same key and request give the same answer and are charged once, for 24 hours.",
          ),
        ]
      : []),
  ];
}

function responses({ answer, errors: codes, form }: Endpoint): Json {
  const content = answer.body
    ? { "application/json": { schema: outputSchema(answer.body) } }
    : answer.mediaType
      ? { [answer.mediaType]: { schema: { type: "string", contentMediaType: answer.mediaType } } }
      : undefined;
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(errors[code].status, [...(byStatus.get(errors[code].status) ?? []), code]);
  return {
    [answer.status]: { description: answer.description, ...(content ? { content } : {}) },
    ...(form?.files === "files"
      ? {
          202: {
            description: "With `Prefer: respond-async`: the job.",
            headers: { Location: { schema: { type: "string" } } },
          },
        }
      : {}),
    ...Object.fromEntries(
      [...byStatus].map(([status, ofStatus]) => [
        status,
        {
          description: ofStatus.map((code) => `${code}: ${errors[code].detail}`).join(" "),
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      ]),
    ),
  };
}

/** A call anyone can paste into a shell; pictures are called photo.jpg, tokens $TOKEN. */
export function curlExample({ method, path, access, body, form, example, answer }: Endpoint, origin: string): string {
  const address = `${origin}/api${path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}`;
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}"${address}"`];
  if (access === "person") lines.push('-H "Authorization: Bearer $TOKEN"');
  if (body) lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(example?.body ?? {})}'`);
  if (form) {
    lines.push(`-F "${form.files}=@photo.jpg"`);
    for (const [name, value] of Object.entries(example?.fields ?? {})) lines.push(`-F ${name}=${value}`);
    if (form.files === "files") lines.push("-OJ");
  } else if (answer.mediaType === "application/octet-stream") lines.push("-OJ");
  else if (answer.mediaType === "text/event-stream") lines.push("-N");
  return lines.join(" \\\n  ");
}

const securityOf: Record<Endpoint["access"], Json[]> = {
  anybody: [],
  "guest-or-person": [{}, { bearer: [] }],
  person: [{ bearer: [] }],
};

/** The OpenAPI 3.1 document of the whole API, made from the endpoints' rows. */
export function openApiDocument({ origin, version }: { origin: string; version: string }): Json {
  const paths: Record<string, Json> = {};
  for (const [name, row] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    const body = requestBody(row);
    const at = `/api${row.path}`;
    paths[at] = {
      ...paths[at],
      [row.method.toLowerCase()]: {
        operationId: name,
        summary: row.summary,
        ...(row.description ? { description: row.description } : {}),
        parameters: parameters(row),
        ...(body ? { requestBody: body } : {}),
        responses: responses(row),
        security: securityOf[row.access],
        "x-codeSamples": [{ lang: "Shell", label: "curl", source: curlExample(row, origin) }],
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: `${productName} API`,
      version,
      description: "Pictures in, pictures out. Without a token you are a guest with a small allowance.",
    },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: { Problem: problem },
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "An ID token of the configured OpenID Connect issuer.",
        },
      },
    },
  };
}
