// Types and errors of both entry points.
export { toSnake } from "./casing.ts";
/** `AskOptions`: the name of `RequestOptions` in 1.0. */
export type { RequestOptions as AskOptions, RequestOptions, TintypeOptions } from "./connection.ts";
export { type ErrorCode, TintypeError } from "./error.ts";
export type { FileBytes } from "./file-input.ts";
export type { EventOptions, Job, JobEvent } from "./job-events.ts";
export type { EditOptions, OperationName, RecipeChoice, RecipeStep, WorkOf } from "./operations.ts";
export type { Report, ReportRow, Result } from "./result.ts";
export type {
  CreatedKey,
  CreatedWebhook,
  DeliveryPage,
  JobPage,
  KeyList,
  NewKey,
  Overlap,
  Page,
  Quote,
  QuoteRequest,
  Recipe,
  TintypeClient,
  Usage,
  UsageHistory,
  WebhookList,
} from "./tintype.ts";
export type { CallOptions, Progress } from "./work.ts";
export { readZip, type ZipEntry } from "./zip.ts";
