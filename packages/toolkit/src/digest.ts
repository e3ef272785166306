import { createHash } from "node:crypto";

export const digestForm = /^[0-9a-f]{64}$/;

export const digest = (content: Uint8Array | string): string => createHash("sha256").update(content).digest("hex");
