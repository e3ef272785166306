import { type NodeFile, nodePlatform } from "./node-platform.ts";
import { type TintypeClient, type TintypeConstructor, tintypeOn } from "./tintype.ts";

export * from "./exports.ts";
export { explainNetworkError } from "./network-error.ts";
export { requirePrivateNetwork } from "./node-private-network.ts";
export type FileInput = NodeFile;

/**
 * A client for Node.js. Pictures may be paths.
 *
 * @example
 * const t = new Tintype({ key, baseUrl: "https://pictures.example.com" });
 * const { blob, report, credits } = await t.compress("photo.jpg", { maxBytes: 150_000 });
 */
export const Tintype: TintypeConstructor<FileInput> = tintypeOn(nodePlatform);
export type Tintype = TintypeClient<FileInput>;
