// The API over fetch, typed by the rows; for browsers and Node.
export * from "./create-api.ts";
export * from "./problem.ts";
export * from "./read-problem.ts";
