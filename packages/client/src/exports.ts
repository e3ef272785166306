// Types and errors of both entries.
export type { AskOptions, TintypeOptions } from "./connection.ts";
export { type ErrorCode, TintypeError } from "./error.ts";
export type { FileBytes } from "./file-input.ts";
export type { EventOptions, Job, JobEvent } from "./job-events.ts";
export type { OperationName, RecipeChoice, RecipeStep, WorkOf } from "./operations.ts";
export type { Report, ReportRow, Result } from "./result.ts";
export type { JobPage, Page, Quote, QuoteRequest, Recipe, TintypeClient, Usage, UsageHistory } from "./tintype.ts";
export type { CallOptions, Progress } from "./work.ts";
