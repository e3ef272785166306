import { type ErrorCode, errors } from "@tintype/contract";
import {
  curlExample,
  type Endpoint,
  type EndpointName,
  endpoints,
  openApiDocument,
  tags,
} from "@tintype/contract/schemas";
import { brand } from "../../lib/brand.ts";
import { type Field, fieldsOf } from "./fields.ts";
import { programExamples } from "./program-examples.ts";
import { quickStart } from "./quick-start.ts";

export type Call = {
  name: EndpointName;
  method: string;
  path: string;
  summary: string;
  description: string | undefined;
  access: Endpoint["access"];
  /** The request's fields: in the path, the query, headers, a form or a JSON body. */
  sent: { place: string; fields: Field[] }[];
  response: { status: number; description: string; mediaType: string | undefined; fields: Field[] };
  errors: ErrorCode[];
  curl: string;
};

/** The whole reference as plain data, generated from the contract: the schemas stay out of the browser's bundle. */
export function readReference(origin: string) {
  const document = openApiDocument({ origin, version: "1", name: brand.name }) as OpenApi;
  const rows = Object.entries(endpoints) as [EndpointName, Endpoint][]; // the keys are the names
  return {
    quickStart: quickStart(origin),
    programs: programExamples(origin),
    groups: tags.map((group) => ({
      group,
      calls: rows.filter(([, row]) => row.tag === group).map(([name, row]) => callOf({ name, row, origin, document })),
    })),
    errors: (Object.keys(errors) as ErrorCode[]).map((code) => ({ code, ...errors[code] })), // its keys are the codes
  };
}
export type Reference = ReturnType<typeof readReference>;

/** The parts of an OpenAPI document that are read here. */
type Schema = Parameters<typeof fieldsOf>[0];
type Content = Record<string, { schema: Schema }>;
type OpenApi = {
  components: { schemas: Record<string, Schema> };
  paths: Record<
    string,
    Record<
      string,
      {
        parameters: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
        requestBody?: { content: Content };
        responses: Record<string, { content?: Content }>;
      }
    >
  >;
};

type CallSource = { name: EndpointName; row: Endpoint; origin: string; document: OpenApi };

function callOf({ name, row, origin, document }: CallSource): Call {
  const described = document.paths[`/api${row.path}`]?.[row.method.toLowerCase()];
  if (!described) throw new Error(`The document has no ${row.method} ${row.path}`);
  const { schemas } = document.components;
  const [responseType, responseContent] =
    Object.entries(described.responses[row.response.status]?.content ?? {})[0] ?? [];
  return {
    name,
    method: row.method,
    path: `/api${row.path}`,
    summary: row.summary,
    description: row.description,
    access: row.access,
    sent: [
      ...Object.entries(Object.groupBy(described.parameters, (parameter) => parameter.in)).map(([place, all = []]) => ({
        place: placeNames[place] ?? place,
        fields: all.flatMap((one) =>
          fieldsOf(
            {
              type: "object",
              properties: { [one.name]: { ...one.schema, ...(one.description && { description: one.description }) } },
              required: one.required ? [one.name] : [],
            },
            { schemas },
          ),
        ),
      })),
      ...Object.entries(described.requestBody?.content ?? {}).map(([type, { schema }]) => ({
        place: type === "application/json" ? "JSON body" : "Form fields",
        fields: fieldsOf(schema, { schemas }),
      })),
    ],
    response: {
      status: row.response.status,
      description: row.response.description,
      mediaType: row.response.kind === "picture" ? "an image, or application/zip" : responseType,
      fields:
        responseType === "application/json" && responseContent ? fieldsOf(responseContent.schema, { schemas }) : [],
    },
    errors: [...row.errors],
    curl: curlExample(row, origin),
  };
}

const placeNames: Record<string, string> = { path: "In the path", query: "In the query", header: "Headers" };
