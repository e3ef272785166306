/** A field as a person reads it. Inside another one its name says so: `files[].name`. */
export type Field = { name: string; type: string; isRequired: boolean; standard: string | undefined; note: string };

type Schema = {
  type?: string | undefined;
  format?: string | undefined;
  enum?: readonly unknown[] | undefined;
  const?: unknown;
  minimum?: number | undefined;
  maximum?: number | undefined;
  maxLength?: number | undefined;
  default?: unknown;
  description?: string | undefined;
  contentMediaType?: string | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: readonly string[] | undefined;
  items?: Schema | undefined;
  anyOf?: readonly Schema[] | undefined;
  oneOf?: readonly Schema[] | undefined;
};

/** A JSON schema's fields in rows, those of objects inside it among them. */
export function fieldsOf(schema: Schema, inside = ""): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, raw]) => {
    const one = plain(raw);
    const name = inside + key;
    const row: Field = {
      name,
      type: typeOf(one),
      isRequired: schema.required?.includes(key) ?? false,
      standard: one.default === undefined ? undefined : String(one.default),
      note: raw.description ?? one.description ?? "",
    };
    const variants = one.oneOf?.flatMap((variant) => fieldsOf(variant, `${name}.`)) ?? [];
    const below = one.items ? fieldsOf(plain(one.items), `${name}[].`) : fieldsOf(one, `${name}.`);
    return [row, ...below, ...variants.filter((field, at) => variants.findIndex((f) => f.name === field.name) === at)];
  });
}

/** What may be null is what it is otherwise; `typeOf` says the null. */
function plain(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== "null");
  if (!others?.[0] || others.length !== 1) return schema;
  return { ...schema, ...others[0], anyOf: schema.anyOf };
}

function typeOf(schema: Schema): string {
  const canBeNull = schema.anyOf?.some(({ type }) => type === "null");
  return canBeNull ? `${bareTypeOf(schema)} or null` : bareTypeOf(schema);
}

function bareTypeOf({
  type,
  format,
  enum: values,
  const: only,
  minimum,
  maximum,
  maxLength,
  contentMediaType,
  items,
  oneOf,
  anyOf,
}: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map(String).join(" | ");
  if (contentMediaType) return "file";
  if (type === "array")
    return items?.contentMediaType ? "files" : `list of ${items ? typeOf(plain(items)) : "anything"}`;
  if (oneOf) return "object";
  if (!type && anyOf) return anyOf.map((one) => typeOf(one)).join(" | ");
  if (format === "date-time") return "date and time (UTC)";
  if (type === "integer" || type === "number") return numberType({ type, minimum, maximum });
  if (type === "string" && maxLength) return `text, up to ${maxLength.toLocaleString("en")} letters`;
  return { string: "text", boolean: "true | false", object: "object" }[type ?? ""] ?? "any";
}

/** Safe integers' own bounds say nothing. */
const isTold = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

function numberType({
  type,
  minimum,
  maximum,
}: {
  type: string;
  minimum?: number | undefined;
  maximum?: number | undefined;
}): string {
  const word = type === "integer" ? "whole number" : "number";
  if (isTold(minimum) && isTold(maximum)) return `${word}, ${minimum} to ${maximum.toLocaleString("en")}`;
  return isTold(minimum) ? `${word}, ${minimum} or more` : word;
}
