import { browserPlatform } from "./browser-platform.ts";
import type { BrowserFile } from "./file-input.ts";
import { type TintypeClient, type TintypeConstructor, tintypeOn } from "./tintype.ts";

export * from "./exports.ts";
export type FileInput = BrowserFile;

/**
 * A client for browsers.
 *
 * @example
 * const t = new Tintype({ key, baseUrl: "https://pictures.example.com" });
 * const { blob, report, credits } = await t.compress(file, { maxBytes: 150_000 });
 */
export const Tintype: TintypeConstructor<FileInput> = tintypeOn(browserPlatform);
export type Tintype = TintypeClient<FileInput>;
