export type { CardBehaviour } from "./cards.ts";
export type { PlanOnSale, SandboxSubscription } from "./entities.ts";
export { cancel, changePlan, dueAt, payAtCheckout, type Step, stepTo } from "./lifecycle.ts";
export type { RecordKind, RecordStore, SandboxRecord } from "./record-store.ts";
export { createSandbox, type Sandbox, sandboxKeys, sandboxPath } from "./sandbox.ts";
