// Facts, and the types of data that goes over the network. Nothing imported from here loads zod.
export * from "./facts/about-lead.ts";
export * from "./facts/brand.ts";
export * from "./facts/countries.ts";
export * from "./facts/desk.ts";
export { DomainError } from "./facts/domain-error.ts";
export * from "./facts/email.ts";
export * from "./facts/error.ts";
export * from "./facts/escape-html.ts";
export * from "./facts/exif-orientation.ts";
export * from "./facts/format.ts";
export * from "./facts/format-day.ts";
export * from "./facts/gst.ts";
export * from "./facts/job-state.ts";
export * from "./facts/kept-pictures.ts";
export * from "./facts/key.ts";
export * from "./facts/legal-text.ts";
export * from "./facts/locale.ts";
export { lossNames, lossOf } from "./facts/losses.ts";
export * from "./facts/mode.ts";
export * from "./facts/nearest-name.ts";
export {
  type ActiveContent,
  isNoteCode,
  type MetadataGroup,
  metadataGroups,
  type Note,
  noteText,
} from "./facts/notes.ts";
export { keepsFormat } from "./facts/operations/convert.ts";
export { cropRatios, maxStraightenDegrees } from "./facts/operations/crop.ts";
export * from "./facts/operations/index.ts";
export type { AuxiliaryFile, Field, OperationManifest } from "./facts/operations/manifest.ts";
export {
  maxPreviewMegapixels,
  previewedOperations,
  previewedSteps,
  wholePreviewPx,
} from "./facts/operations/preview.ts";
export { backgroundProfiles, manualComesLater, manualProfile } from "./facts/operations/remove-background.ts";
export { paddingPx, resizeMethods } from "./facts/operations/resize.ts";
export {
  bestQualityWithin,
  type MetadataChoice,
  metadataChoices,
  type Place,
  placeLabels,
  sharesBefore,
} from "./facts/operations/shared-fields.ts";
export * from "./facts/operations/time-limits.ts";
export { scaleFactors, upscaleModels } from "./facts/operations/upscale.ts";
export { readWidths } from "./facts/operations/web-set.ts";
export * from "./facts/payment-sheet.ts";
export * from "./facts/picture-html.ts";
export * from "./facts/plan.ts";
export * from "./facts/plan-facts.ts";
export * from "./facts/presets.ts";
export {
  isReasonCode,
  isStillOnly,
  type Reason,
  reasonText,
  type StillOnlyTask,
  type UnreadJpegCoding,
  type UnreadKind,
} from "./facts/reasons.ts";
export * from "./facts/recipe-price.ts";
export * from "./facts/report.ts";
export * from "./facts/result-names.ts";
export * from "./facts/scope.ts";
export { type Stage, stages, stageText } from "./facts/stages.ts";
export * from "./facts/straighten.ts";
export * from "./facts/subscription.ts";
export * from "./facts/text.ts";
export * from "./facts/zip.ts";
export type { ContactForm, CreditLine, PublicConfig, UserInfo } from "./schemas/account.ts";
export type { ChangeQuote, Transaction } from "./schemas/billing.ts";
export type {
  AuditEntry,
  ContactMessage,
  CreditFigure,
  DeskCredits,
  DeskDelivery,
  DeskFigures,
  DeskGrantedPlan,
  DeskJob,
  DeskJobCounts,
  DeskMail,
  DeskNetwork,
  DeskPayment,
  DeskPerson,
  DeskSession,
  FiguresSpan,
  FoundJob,
  FoundPerson,
  Invitation,
  ListedPerson,
  RevenueFigure,
  SubscriptionFigure,
} from "./schemas/desk.ts";
export type { BillingDetails, Invoice } from "./schemas/invoice.ts";
export type { Credits, Job, JobEvent, JobFile, Report } from "./schemas/job.ts";
export type { ApiKey, CreatedApiKey } from "./schemas/key.ts";
export type { Problem } from "./schemas/openapi-schemas.ts";
export type { Quote, QuotedFile } from "./schemas/quote.ts";
export type { Receipt } from "./schemas/receipt.ts";
export type { ChosenRecipe, Recipe, RecipeStep, WrittenStep } from "./schemas/recipe.ts";
export type { Usage, UsageRow } from "./schemas/usage.ts";
export type {
  Webhook,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEvent,
  WebhookSecret,
  WebhookWithSecret,
} from "./schemas/webhook.ts";
