import { type ErrorCode, errors } from "../facts/error.ts";
import { formats, inputFormats } from "../facts/format.ts";
import { isPrivate } from "../facts/mode.ts";
import { manifestOf } from "../facts/operations/index.ts";
import { productName } from "../facts/text.ts";
import { detailOf } from "../reference/error-details.ts";
import { textsOf } from "../reference/operation-texts.ts";
import { curlExample } from "./curl-example.ts";
import { type Endpoint, scopeOf, tags } from "./endpoint.ts";
import { type EndpointName, endpoints } from "./endpoints/index.ts";
import { inputSchema, type Json, namedSchemas, outputSchema, refTo } from "./openapi-schemas.ts";

/** OpenAPI generators recognize only `format: binary` as a file parameter. */
const file: Json = { type: "string", format: "binary" };

const url: Json = { type: "string", format: "uri" };
const pictureUrls: Json = {
  type: "array",
  items: url,
  description: "URLs of pictures that the server fetches, in addition to or instead of `files`.",
};
/** Fields of every operation, on servers that accept them. */
const urlFields = {
  image_url: pictureUrls,
  output_url: {
    ...url,
    description: "A URL, such as a presigned one, that the result is sent to by PUT. The response then has no body.",
  },
  webhook_url: {
    ...url,
    description: "With `Prefer: respond-async`: a URL that receives a webhook (Standard Webhooks) when the job ends.",
  },
} as const;
const takesUrls = (form: Endpoint["form"]) =>
  form?.files === "files" && (!form.task || form.task === "upload" || manifestOf(form.task).creditsPerFile > 0);

/** Whether this server accepts URLs of pictures and results, and calls webhooks when jobs end. */
type Accepts = { urls: boolean; webhooks: boolean };

function urlFieldsOf(form: FormSpec, { urls, webhooks }: Accepts): Partial<typeof urlFields> {
  if (!takesUrls(form)) return {};
  const { image_url, output_url, webhook_url } = urlFields;
  // A checked upload is returned only in the response.
  const isChecked = form.task === "upload";
  return {
    ...(urls ? { image_url } : {}),
    ...(urls && !isChecked ? { output_url } : {}),
    ...(webhooks && !isChecked ? { webhook_url } : {}),
  };
}

function requestBody({ form, body, example }: Endpoint, accepts: Accepts): Json | undefined {
  if (body)
    return {
      required: true,
      content: {
        "application/json": { schema: inputSchema(body), ...(example?.body ? { example: example.body } : {}) },
      },
    };
  if (!form) return undefined;
  const { properties, required } = inputSchema(form.options);
  const extras = Object.entries((form.task && textsOf(form.task).pictures) ?? {});
  const extra = Object.fromEntries(extras.map(([field, description]) => [field, { ...file, description }]));
  const choices = choicesOf(form, accepts);
  const schema = {
    type: "object",
    properties: { ...picturesOf(form), ...properties, ...extra, ...urlFieldsOf(form, accepts) },
    required: [...(needsPictures(form, accepts) ? [form.files] : []), ...required],
    ...(choices.length > 1 ? { allOf: choices.map((anyOf) => ({ anyOf })) } : {}),
    ...(choices.length === 1 ? { anyOf: choices[0] } : {}),
  };
  return { required: true, content: { "multipart/form-data": { schema } } };
}

type FormSpec = NonNullable<Endpoint["form"]>;
function picturesOf({ files }: FormSpec): Json {
  if (files === "none") return {};
  return {
    [files]:
      files === "files"
        ? { type: "array", items: file, minItems: 1, description: "The pictures." }
        : { ...file, description: "The picture." },
  };
}
/** Whether an upload is required. A URL, or a job that keeps the picture, can replace it. */
const needsPictures = (form: FormSpec, { urls }: Accepts) =>
  form.files !== "none" && !(urls && takesUrls(form)) && form.task !== "preview";

/** Groups of fields of which at least one is required. */
function choicesOf(form: FormSpec, { urls }: Accepts): { required: string[] }[][] {
  const { oneOf, defaults } = form.task ? manifestOf(form.task) : {};
  const choice = (names: readonly string[]) => names.map((name) => ({ required: [name] }));
  return [
    ...(form.task === "preview" ? [choice(["files", "of"])] : []),
    ...(urls && takesUrls(form) ? [choice(["files", "image_url"])] : []),
    ...(oneOf && !defaults ? [choice(oneOf.fields)] : []),
  ];
}

const pathNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

function parameters({ path, query, form, response }: Endpoint): Json[] {
  const { properties = {}, required = [] } = query ? inputSchema(query) : {};
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    schema: { type: "string" },
    description,
  });
  return [
    ...pathNames(path).map((name) => ({
      name,
      in: "path",
      required: true,
      schema: { type: name === "index" ? "integer" : "string" },
    })),
    ...Object.entries(properties).map(([name, schema]) => ({
      name,
      in: "query",
      required: (required as string[]).includes(name), // JSON schema's list of names
      schema,
    })),
    ...(form && form.files !== "file"
      ? [
          header(
            "Prefer",
            "`respond-async`: respond at once with 202 and the job. `wait=10`: respond with 202 after this many seconds. `return=representation`: return the picture, not a message, if there is nothing to convert. `cancel-on-disconnect`: cancel and refund the work if the connection ends before the result is on its way, with an `Idempotency-Key` too.",
          ),
          header(
            "Idempotency-Key",
            "For 24 hours the same key and request return the same response and are charged once.",
          ),
        ]
      : []),
    ...(response.kind === "events"
      ? [header("Last-Event-ID", "The last event you received; the stream continues after it.")]
      : []),
    ...(response.ranges ? [header("Range", "One range of bytes of a single picture, such as `bytes=0-999`.")] : []),
  ];
}

const integerHeader = (description: string) => ({ description, schema: { type: "integer" } });
/** Response headers. */
const responseHeaders = {
  credits: {
    "X-Credits-Charged": integerHeader("Credits charged; 0 for a repeat under an Idempotency-Key."),
    "X-Credits-Remaining": integerHeader("Credits left in the current period."),
    "X-Credits-Limit": integerHeader("Credits per period."),
  },
  picture: {
    "Content-Disposition": { description: "The file name of the result.", schema: { type: "string" } },
    "X-Report": { description: "One file: its line of the report, as JSON.", schema: { type: "string" } },
    "X-Job": {
      description: "The job's id, if the server keeps its pictures for edits or further previews.",
      schema: { type: "string" },
    },
    "X-Preview": {
      description:
        "Preview of an operation, as JSON: `left` and `top` of the part shown; `width`, `height`, estimated `size_bytes`, and the `quality` chosen for max_bytes, of the whole result.",
      schema: { type: "string" },
    },
    "X-Confidence": {
      description: "Remove background: the confidence of the result, 0 to 1.",
      schema: { type: "number", minimum: 0, maximum: 1 },
    },
    "X-Candidates": integerHeader("A cut-out that can be cut in other ways: in how many, the result among them."),
    "X-Incomplete": {
      description: "Remove background: a large part of a person may be missing.",
      schema: { type: "string", enum: ["true"] },
    },
    "X-Likeness": {
      description:
        "Compress with `measure` or `min_likeness`: the SSIMULACRA 2.1 score of the result against the original, at most 100.",
      schema: { type: "number", maximum: 100 },
    },
  },
  ranges: {
    "Accept-Ranges": {
      description: "`bytes` for a single picture, `none` for a ZIP.",
      schema: { type: "string", enum: ["bytes", "none"] },
    },
  },
  part: {
    "Content-Range": {
      description: "The bytes sent, and how many there are: `bytes 0-999/31415`.",
      schema: { type: "string" },
    },
  },
  rate: {
    RateLimit: {
      description: 'Of each limit what is left, and the seconds until it is whole again: `"key";r=599;t=60`.',
      schema: { type: "string" },
    },
    "X-RateLimit-Limit": integerHeader("Calls a minute from one network."),
    "X-RateLimit-Remaining": integerHeader("Calls that are left for this network until the reset."),
    "X-RateLimit-Reset": integerHeader("Seconds until the calls of this network are whole again."),
    "RateLimit-Policy": {
      description: 'Each limit: calls in so many seconds, `"key";q=600;w=60`.',
      schema: { type: "string" },
    },
  },
  work: {
    "Preference-Applied": { description: "The preferences that were applied.", schema: { type: "string" } },
  },
  always: { "X-Request-Id": { description: "Quote it when you contact support.", schema: { type: "string" } } },
  problem: { "Retry-After": integerHeader("Seconds after which to try again.") },
} as const;

const creditHeaders = () => (isPrivate() ? {} : responseHeaders.credits);

/** All input formats: compress keeps SVG as SVG, and upload returns the uploaded picture. */
const pictureTypes = Object.fromEntries(
  [...inputFormats.map((format) => formats[format].mediaType), "application/zip"].map((type) => [
    type,
    { schema: file },
  ]),
);

function responseContent({ kind, file: fileType, body, message }: Endpoint["response"]): Json | undefined {
  if (fileType) return { [fileType]: { schema: fileType === "text/csv" ? { type: "string" } : file } };
  if (kind === "picture")
    return { ...pictureTypes, ...(message ? { "application/json": { schema: refTo("Message") } } : {}) };
  if (kind === "events")
    // OpenAPI 3.1 cannot describe the items of a stream, and generators reject 3.2's itemSchema. As is common, the schema
    // is that of one event's data, and generated clients apply it to each event.
    return { "text/event-stream": { schema: refTo("JobEvent") } };
  return body ? { "application/json": { schema: outputSchema(body) } } : undefined;
}

/** Whether the response has credit headers: calls that return charged work, or lead to it. */
const reportsCredits = ({ response, form }: Endpoint) =>
  response.kind === "picture" && (!form?.task || manifestOf(form.task).creditsPerFile > 0);

function responses(endpoint: Endpoint, accepts: Accepts): Json {
  const { response, errors: codes, form } = endpoint;
  const content = responseContent(response);
  const isWork = form !== undefined && form.files !== "file";
  const charges = reportsCredits(endpoint);
  const byStatus = Map.groupBy(codes, (code: ErrorCode) => errors[code].status);
  return {
    [response.status]: {
      description: response.description,
      headers: {
        ...responseHeaders.always,
        ...responseHeaders.rate,
        ...(isWork ? responseHeaders.work : {}),
        ...(response.kind === "picture" ? responseHeaders.picture : {}),
        ...(response.ranges ? responseHeaders.ranges : {}),
        ...(charges ? creditHeaders() : {}),
      },
      ...(content ? { content } : {}),
    },
    ...(response.ranges
      ? {
          206: {
            description: "With `Range`: the part of the picture.",
            headers: {
              ...responseHeaders.always,
              ...responseHeaders.rate,
              ...responseHeaders.picture,
              ...responseHeaders.ranges,
              ...responseHeaders.part,
              ...creditHeaders(),
            },
            content: pictureTypes,
          },
        }
      : {}),
    ...(isWork
      ? {
          202: {
            description: "With `Prefer: respond-async`: the job, still in progress.",
            headers: {
              Location: { description: "The URL of the job.", schema: { type: "string" } },
              ...responseHeaders.always,
              ...responseHeaders.rate,
              ...responseHeaders.work,
              ...(charges ? creditHeaders() : {}),
            },
            content: { "application/json": { schema: refTo("Job") } },
          },
        }
      : {}),
    ...(form && "output_url" in urlFieldsOf(form, accepts)
      ? {
          204: {
            description: "With `output_url`: the result was sent to it.",
            headers: {
              ...responseHeaders.always,
              ...responseHeaders.rate,
              ...creditHeaders(),
              "X-Report": responseHeaders.picture["X-Report"],
              "X-Confidence": responseHeaders.picture["X-Confidence"],
              "X-Incomplete": responseHeaders.picture["X-Incomplete"],
              "X-Likeness": responseHeaders.picture["X-Likeness"],
            },
          },
        }
      : {}),
    ...(response.kind === "events"
      ? {
          204: {
            description: "The job has ended, and its last event was already received.",
            headers: { ...responseHeaders.always, ...responseHeaders.rate },
          },
        }
      : {}),
    ...Object.fromEntries(
      [...byStatus].map(([status, ofStatus]) => [
        status,
        {
          description: ofStatus.map((code) => `${code}: ${detailOf(code)}`).join(" "),
          headers: {
            ...responseHeaders.always,
            ...responseHeaders.rate,
            ...(isRetryLater(status) ? responseHeaders.problem : {}),
            ...(status === 416 ? responseHeaders.part : {}),
          },
          content: { "application/problem+json": { schema: refTo("Problem") } },
        },
      ]),
    ),
  };
}

/** Statuses whose responses can have `Retry-After`. 409 is the status for an unfinished job. */
const isRetryLater = (status: number): boolean => status === 409 || status === 429 || status === 503;

const securityOf: Record<Endpoint["access"], Json[]> = {
  anybody: [],
  "visitor-or-person": [{}, { bearer: [] }],
  "guest-or-person": [{}, { bearer: [] }],
  person: [{ bearer: [] }],
};

/** The OpenAPI 3.1 document of the whole API, generated from the endpoints' rows. Includes all fields unless `accepts` excludes some. */
export function openApiDocument({
  origin,
  version,
  accepts = { urls: true, webhooks: true },
  name = productName,
}: {
  origin: string;
  version: string;
  accepts?: Accepts;
  /** The product's name, as set by the operator. */
  name?: string;
}): Json {
  const paths: Record<string, Json> = {};
  for (const [name, row] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    if (row.onlyIn === "service" && isPrivate()) continue;
    const body = requestBody(row, accepts);
    const at = `/api${row.path}`;
    paths[at] = {
      ...paths[at],
      [row.method.toLowerCase()]: {
        operationId: name,
        tags: [row.tag],
        summary: row.summary,
        ...(row.description ? { description: row.description } : {}),
        parameters: parameters(row),
        ...(body ? { requestBody: body } : {}),
        responses: responses(row, accepts),
        security: securityOf[row.access],
        ...(row.access === "anybody" ? {} : { "x-scope": scopeOf(row) }),
        "x-codeSamples": [{ lang: "Shell", label: "curl", source: curlExample(row, origin) }],
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: `${name} API`,
      version,
      description: `Pictures in, pictures out.${isPrivate() ? "" : " Without a token or a key you are a guest with a small allowance."}`,
      license: { name: "MIT", identifier: "MIT" },
      contact: { name, url: `${origin}/contact` },
    },
    servers: [{ url: origin }],
    tags: tags.filter((name) => name !== "Subscriptions" || !isPrivate()).map((name) => ({ name })),
    paths,
    components: {
      schemas: namedSchemas(),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "An API key (`tt_live_…`), or an ID token of the configured OpenID Connect issuer.",
        },
      },
    },
  };
}
