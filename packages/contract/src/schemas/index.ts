// Endpoint rows and schemas: the server parses with them, and the OpenAPI document is generated from them. They load zod.
export * from "./curl-example.ts";
export * from "./endpoint.ts";
export { type DeskEndpoint, deskEndpoints } from "./endpoints/desk.ts";
export * from "./endpoints/index.ts";
export { invoiceSpan } from "./invoice.ts";
export { type JobList, job, jobList } from "./job.ts";
export * from "./openapi.ts";
export * from "./options.ts";
export * from "./quote.ts";
export * from "./receipt.ts";
export * from "./recipe.ts";
export * from "./usage.ts";
export { webSetFacts } from "./web-set.ts";
export { outwardUrl, webhookEvent, webhookEventTypes, webhookUrl } from "./webhook.ts";
