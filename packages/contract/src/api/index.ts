// The API over fetch, typed by the endpoints' rows, for browsers and Node.js.
export * from "./create-api.ts";
export * from "./problem.ts";
export * from "./read-problem.ts";
