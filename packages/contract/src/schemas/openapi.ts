import { type ErrorCode, errors } from "../facts/error.ts";
import { formats, inputFormats } from "../facts/format.ts";
import { manifestOf } from "../facts/operations/index.ts";
import { productName } from "../facts/text.ts";
import { textsOf } from "../reference/operation-texts.ts";
import { curlExample } from "./curl-example.ts";
import { type Endpoint, scopeOf, tags } from "./endpoint.ts";
import { type EndpointName, endpoints } from "./endpoints/index.ts";
import { inputSchema, type Json, namedSchemas, outputSchema, refTo } from "./openapi-schemas.ts";

/** OpenAPI generators make a file parameter of `format: binary`, and of nothing else. */
const file: Json = { type: "string", format: "binary" };

const url: Json = { type: "string", format: "uri" };
const pictureUrls: Json = {
  type: "array",
  items: url,
  description: "Addresses of pictures that the server fetches, besides or in place of `files`.",
};
/** Fields of every operation, on a server that takes them. */
const urlFields = {
  image_url: pictureUrls,
  output_url: {
    ...url,
    description: "An address that takes the result by PUT, such as a presigned one; the answer then has no body.",
  },
  webhook_url: {
    ...url,
    description: "With `Prefer: respond-async`: an address that is told of the job's end, by Standard Webhooks.",
  },
} as const;
const takesUrls = (form: Endpoint["form"]) =>
  form?.files === "files" && (!form.task || form.task === "upload" || manifestOf(form.task).creditsPerFile > 0);

/** Whether this server takes addresses of pictures and of results, and tells addresses of the end of jobs. */
type Takes = { urls: boolean; webhooks: boolean };

function urlFieldsOf(form: Form, { urls, webhooks }: Takes): Partial<typeof urlFields> {
  if (!takesUrls(form)) return {};
  const { image_url, output_url, webhook_url } = urlFields;
  // A checked picture comes back with the answer, and nowhere else.
  const isChecked = form.task === "upload";
  return {
    ...(urls ? { image_url } : {}),
    ...(urls && !isChecked ? { output_url } : {}),
    ...(webhooks && !isChecked ? { webhook_url } : {}),
  };
}

function requestBody({ form, body, example }: Endpoint, takes: Takes): Json | undefined {
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
  const choices = choicesOf(form, takes);
  const schema = {
    type: "object",
    properties: { ...picturesOf(form), ...properties, ...extra, ...urlFieldsOf(form, takes) },
    required: [...(needsPictures(form, takes) ? [form.files] : []), ...required],
    ...(choices.length > 1 ? { allOf: choices.map((anyOf) => ({ anyOf })) } : {}),
    ...(choices.length === 1 ? { anyOf: choices[0] } : {}),
  };
  return { required: true, content: { "multipart/form-data": { schema } } };
}

type Form = NonNullable<Endpoint["form"]>;
function picturesOf({ files }: Form): Json {
  if (files === "none") return {};
  return {
    [files]:
      files === "files"
        ? { type: "array", items: file, minItems: 1, description: "The pictures." }
        : { ...file, description: "The picture." },
  };
}
/** An address, or a job that keeps the picture, can stand in for one that is sent. */
const needsPictures = (form: Form, { urls }: Takes) =>
  form.files !== "none" && !(urls && takesUrls(form)) && form.task !== "preview";

/** Of the fields of each choice at least one is there. */
function choicesOf(form: Form, { urls }: Takes): { required: string[] }[][] {
  const { oneOf, usual } = form.task ? manifestOf(form.task) : {};
  const choice = (names: readonly string[]) => names.map((name) => ({ required: [name] }));
  return [
    ...(form.task === "preview" ? [choice(["files", "of"])] : []),
    ...(urls && takesUrls(form) ? [choice(["files", "image_url"])] : []),
    ...(oneOf && !usual ? [choice(oneOf.fields)] : []),
  ];
}

const pathNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

function parameters({ path, query, form, answer }: Endpoint): Json[] {
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
      required: (required as string[]).includes(name), // JSON schema's own list of names
      schema,
    })),
    ...(form && form.files !== "file"
      ? [
          header(
            "Prefer",
            "`respond-async`: answer at once with 202 and the job. `wait=10`: after so many seconds. `return=representation`: a picture in place of the message that nothing was to be converted.",
          ),
          header(
            "Idempotency-Key",
            "The same key and request give the same answer and are charged once, for 24 hours.",
          ),
        ]
      : []),
    ...(answer.kind === "events"
      ? [header("Last-Event-ID", "The newest event that you have seen; the stream goes on after it.")]
      : []),
  ];
}

const integerHeader = (description: string) => ({ description, schema: { type: "integer" } });
/** The headers of an answer. */
const responseHeaders = {
  credits: {
    "X-Credits-Charged": integerHeader("Credits that the work took; 0 for a repeat under an Idempotency-Key."),
    "X-Credits-Remaining": integerHeader("Credits that are left in the present window."),
    "X-Credits-Limit": integerHeader("Credits of a whole window."),
  },
  picture: {
    "Content-Disposition": { description: "The result's name.", schema: { type: "string" } },
    "X-Report": { description: "One file: its line of the report, as JSON.", schema: { type: "string" } },
    "X-Job": {
      description: "The job's id, where the server keeps its pictures for edits or further previews.",
      schema: { type: "string" },
    },
    "X-Preview": {
      description:
        "A preview of an operation: as JSON the shown part's `left` and `top`, and of the whole result `width`, `height`, the estimated `size_bytes`, and the `quality` that max_bytes leads to.",
      schema: { type: "string" },
    },
    "X-Confidence": {
      description: "A removed background: how sure the result is, 0 to 1.",
      schema: { type: "number", minimum: 0, maximum: 1 },
    },
    "X-Candidates": integerHeader("A cut-out that can be cut in other ways: in how many, the result among them."),
    "X-Incomplete": {
      description: "A removed background: a large part of a person may be missing.",
      schema: { type: "string", enum: ["true"] },
    },
    "X-Likeness": {
      description:
        "Compress with `measure` or `min_likeness`: how like its original the result looks, as a score of SSIMULACRA 2.1, 100 at most.",
      schema: { type: "number", maximum: 100 },
    },
  },
  rate: {
    RateLimit: {
      description: 'Of each limit what is left, and the seconds until it is whole again: `"key";r=599;t=60`.',
      schema: { type: "string" },
    },
    "RateLimit-Policy": {
      description: 'Each limit: calls in so many seconds, `"key";q=600;w=60`.',
      schema: { type: "string" },
    },
  },
  work: {
    "Preference-Applied": { description: "The part of `Prefer` that was met.", schema: { type: "string" } },
  },
  always: { "X-Request-Id": { description: "Name it when you write to us.", schema: { type: "string" } } },
  problem: { "Retry-After": integerHeader("Seconds after which to try again.") },
} as const;

/** Of all input formats: a compressed SVG stays one, and upload answers with the picture that was sent. */
const pictureTypes = Object.fromEntries(
  [...inputFormats.map((format) => formats[format].mediaType), "application/zip"].map((type) => [
    type,
    { schema: file },
  ]),
);

function answerContent({ kind, file: fileType, body, message }: Endpoint["answer"]): Json | undefined {
  if (fileType) return { [fileType]: { schema: fileType === "text/csv" ? { type: "string" } : file } };
  if (kind === "picture")
    return { ...pictureTypes, ...(message ? { "application/json": { schema: refTo("Message") } } : {}) };
  if (kind === "events")
    // OpenAPI 3.1 has no word for the items of a stream (3.2's itemSchema is refused by generators): as elsewhere, the
    // schema is that of one event's data, and generated clients give it to each event.
    return { "text/event-stream": { schema: refTo("JobEvent") } };
  return body ? { "application/json": { schema: outputSchema(body) } } : undefined;
}

/** Calls that answer with work that was charged, or lead to it. */
const tellsCredits = ({ answer, form }: Endpoint) =>
  answer.kind === "picture" && (!form?.task || manifestOf(form.task).creditsPerFile > 0);

function responses(endpoint: Endpoint, takes: Takes): Json {
  const { answer, errors: codes, form } = endpoint;
  const content = answerContent(answer);
  const isWork = form !== undefined && form.files !== "file";
  const charges = tellsCredits(endpoint);
  const byStatus = Map.groupBy(codes, (code: ErrorCode) => errors[code].status);
  return {
    [answer.status]: {
      description: answer.description,
      headers: {
        ...responseHeaders.always,
        ...responseHeaders.rate,
        ...(isWork ? responseHeaders.work : {}),
        ...(answer.kind === "picture" ? responseHeaders.picture : {}),
        ...(charges ? responseHeaders.credits : {}),
      },
      ...(content ? { content } : {}),
    },
    ...(isWork
      ? {
          202: {
            description: "With `Prefer: respond-async`: the job, which goes on.",
            headers: {
              Location: { description: "The job's address.", schema: { type: "string" } },
              ...responseHeaders.always,
              ...responseHeaders.rate,
              ...responseHeaders.work,
              ...(charges ? responseHeaders.credits : {}),
            },
            content: { "application/json": { schema: refTo("Job") } },
          },
        }
      : {}),
    ...(form && "output_url" in urlFieldsOf(form, takes)
      ? {
          204: {
            description: "With `output_url`: the result has gone there.",
            headers: {
              ...responseHeaders.always,
              ...responseHeaders.rate,
              ...responseHeaders.credits,
              "X-Report": responseHeaders.picture["X-Report"],
              "X-Confidence": responseHeaders.picture["X-Confidence"],
              "X-Incomplete": responseHeaders.picture["X-Incomplete"],
              "X-Likeness": responseHeaders.picture["X-Likeness"],
            },
          },
        }
      : {}),
    ...(answer.kind === "events"
      ? { 204: { description: "The job has ended, and you have seen its last event." } }
      : {}),
    ...Object.fromEntries(
      [...byStatus].map(([status, ofStatus]) => [
        status,
        {
          description: ofStatus.map((code) => `${code}: ${errors[code].detail}`).join(" "),
          headers: {
            ...responseHeaders.always,
            ...(status === 429 ? responseHeaders.rate : {}),
            ...(isRetryLater(status) ? responseHeaders.problem : {}),
          },
          content: { "application/problem+json": { schema: refTo("Problem") } },
        },
      ]),
    ),
  };
}

/** Statuses of answers that can have `Retry-After`; 409 is that of a job that is not finished. */
const isRetryLater = (status: number): boolean => status === 409 || status === 429 || status === 503;

const securityOf: Record<Endpoint["access"], Json[]> = {
  anybody: [],
  "guest-or-person": [{}, { bearer: [] }],
  person: [{ bearer: [] }],
};

/** The OpenAPI 3.1 document of the whole API, made from the endpoints' rows. Unless `takes` says less, with all fields. */
export function openApiDocument({
  origin,
  version,
  takes = { urls: true, webhooks: true },
  name = productName,
}: {
  origin: string;
  version: string;
  takes?: Takes;
  /** The product's, as the operator calls it. */
  name?: string;
}): Json {
  const paths: Record<string, Json> = {};
  for (const [name, row] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    const body = requestBody(row, takes);
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
        responses: responses(row, takes),
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
      description: "Pictures in, pictures out. Without a token or a key you are a guest with a small allowance.",
      license: { name: "MIT", identifier: "MIT" },
      contact: { name, url: `${origin}/contact` },
    },
    servers: [{ url: origin }],
    tags: tags.map((name) => ({ name })),
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
