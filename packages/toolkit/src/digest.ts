import { createHash } from "node:crypto";

export const digest = (content: Uint8Array | string): string => createHash("sha256").update(content).digest("hex");
