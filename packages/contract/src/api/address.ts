import type { deskEndpoints } from "../schemas/endpoints/desk.ts";
import type { endpoints } from "../schemas/endpoints/index.ts";

// Only types are imported from the schemas: the browser loads neither them nor zod, and the compiler checks every address and
// response against the rows.

type Rows = typeof endpoints & typeof deskEndpoints;
type EndpointName = keyof Rows;
type AddressOf<Name extends EndpointName> = `${Rows[Name]["method"]} ${Rows[Name]["path"]}`;

/** A call of the API, as `"GET /jobs/{id}"`. */
export type Address = { [Name in EndpointName]: AddressOf<Name> }[EndpointName];

type RowAt<A extends Address> = {
  [Name in EndpointName]: A extends AddressOf<Name> ? Rows[Name] : never;
}[EndpointName];

/** A call's parsed JSON response, or `undefined` if the row has no JSON body. */
export type AnswerTo<A extends Address> =
  RowAt<A> extends { response: { body: { _zod: { output: infer Output } } } } ? Output : undefined;

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** Values for the `{name}` parameters of an address. */
export type AddressParams<A extends Address> = [ParameterNames<A>] extends [never]
  ? { params?: undefined }
  : { params: Record<ParameterNames<A>, string | number> };

/** `splitAddress("GET /jobs/{id}", { id: "a/b" })` is `{ method: "GET", path: "/jobs/a%2Fb" }`. */
export function splitAddress(address: Address, params: Record<string, string | number> = {}) {
  const [method, path] = address.split(" ") as [string, string]; // every Address has exactly one space
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? ""))),
  };
}
