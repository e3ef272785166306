import { formatNumber } from "../../lib/size.ts";

/** A field as shown to readers. The name of a nested one includes its parents: `files[].name`. */
export type Field = { name: string; type: string; isRequired: boolean; standard: string | undefined; note: string };

type Schema = {
  $ref?: string | undefined;
  type?: string | undefined;
  format?: string | undefined;
  enum?: readonly unknown[] | undefined;
  const?: unknown;
  minimum?: number | undefined;
  maximum?: number | undefined;
  maxLength?: number | undefined;
  default?: unknown;
  description?: string | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: readonly string[] | undefined;
  items?: Schema | undefined;
  anyOf?: readonly Schema[] | undefined;
  oneOf?: readonly Schema[] | undefined;
};

type Context = {
  /** Named schemas, for `$ref`. */
  schemas: Record<string, Schema>;
  /** The name of the parent field, with its dot. */
  inside?: string;
};

/** A JSON schema's fields in rows, including those of nested objects. */
export function fieldsOf(referring: Schema, { schemas, inside = "" }: Context): Field[] {
  const plain = (one: Schema) => withoutNull(resolve(one, schemas), schemas);
  const below = (one: Schema, name: string) => fieldsOf(one, { schemas, inside: name });
  const schema = resolve(referring, schemas);
  return Object.entries(schema.properties ?? {}).flatMap(([key, raw]) => {
    const one = plain(raw);
    const items = one.items && plain(one.items);
    const name = inside + key;
    const row: Field = {
      name,
      type: typeOf(items ? { ...one, items } : one),
      isRequired: schema.required?.includes(key) ?? false,
      standard: one.default === undefined ? undefined : String(one.default),
      note: raw.description ?? one.description ?? "",
    };
    const variants = one.oneOf?.flatMap((variant) => below(variant, `${name}.`)) ?? [];
    const inner = items ? below(items, `${name}[].`) : below(one, `${name}.`);
    return [row, ...inner, ...variants.filter((field, at) => variants.findIndex((f) => f.name === field.name) === at)];
  });
}

/** `#/components/schemas/Job` is the schema called Job. */
function resolve(schema: Schema, schemas: Context["schemas"]): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return (name && schemas[name]) || schema;
}

/** A nullable schema is shown as its other half; `typeOf` adds the null. */
function withoutNull(schema: Schema, schemas: Context["schemas"]): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== "null");
  if (!others?.[0] || others.length !== 1) return schema;
  return { ...schema, ...resolve(others[0], schemas), anyOf: schema.anyOf };
}

function typeOf(schema: Schema): string {
  const canBeNull = schema.anyOf?.some(({ type }) => type === "null");
  return canBeNull ? `${bareTypeOf(schema)} or null` : bareTypeOf(schema);
}

function bareTypeOf(schema: Schema): string {
  const { type, format, enum: values, const: only, maxLength, items, oneOf, anyOf } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map(String).join(" | ");
  if (format === "binary") return "file";
  if (type === "array") return items?.format === "binary" ? "files" : `list of ${items ? typeOf(items) : "anything"}`;
  if (oneOf) return "object";
  if (!type && anyOf) return anyOf.map((one) => typeOf(one)).join(" | ");
  if (format === "date-time") return "date and time (UTC)";
  if (type === "integer" || type === "number") return numberType(schema);
  if (type === "string" && maxLength) return `text, up to ${formatNumber(maxLength)} letters`;
  return { string: "text", boolean: "true | false", object: "object" }[type ?? ""] ?? "any";
}

/** The default bounds of safe integers are not worth stating. */
const isStated = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

function numberType({ type, minimum, maximum }: Schema): string {
  const word = type === "integer" ? "whole number" : "number";
  if (isStated(minimum) && isStated(maximum)) return `${word}, ${minimum} to ${formatNumber(maximum)}`;
  return isStated(minimum) ? `${word}, ${minimum} or more` : word;
}
