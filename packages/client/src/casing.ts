// JavaScript uses `maxBytes`, the API `max_bytes`.

type CamelKey<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelKey<Tail>>}` : Key;

/** API data with keys in camelCase. */
export type Camel<Value> = Value extends Blob
  ? Value
  : Value extends readonly (infer Item)[]
    ? Camel<Item>[]
    : Value extends object
      ? { [Key in keyof Value as CamelKey<Key> & PropertyKey]: Camel<Value[Key]> }
      : Value;

const renamed = (value: unknown, rename: (key: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [rename(key), renamed(inner, rename)]));
};

/** `{ max_bytes: 1 }` becomes `{ maxBytes: 1 }`, at every depth. */
export const toCamel = <Value>(data: Value): Camel<Value> =>
  renamed(data, (key) => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())) as Camel<Value>; // as `Camel` describes

export const toSnakeKey = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `{ maxBytes: 1 }` becomes `{ max_bytes: 1 }`, at every depth: the form of a recipe in files and in other programs. */
export const toSnake = (data: unknown): unknown => renamed(data, toSnakeKey);
