import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

/** The digest of a file, streamed: `hex` for SHA-256 and MD5, `base64` for npm's SHA-512 integrity. */
export async function digestFile(
  path: string,
  { algorithm, encoding }: { algorithm: "md5" | "sha256" | "sha512"; encoding: "hex" | "base64" },
): Promise<string> {
  const hash = createHash(algorithm);
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer);
  return hash.digest(encoding);
}

export type Expected = { sha256?: string | undefined; sizeBytes?: number | undefined };

/** What is wrong with a file, in words for the operator; undefined if it matches. */
export async function faultOf(path: string, { sha256, sizeBytes }: Expected): Promise<string | undefined> {
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile()) return "there is no such file";
  if (sizeBytes !== undefined && facts.size !== sizeBytes) return `it has ${facts.size} bytes instead of ${sizeBytes}`;
  if (sha256 === undefined) return undefined;
  const found = await digestFile(path, { algorithm: "sha256", encoding: "hex" });
  return found === sha256.toLowerCase() ? undefined : `its sha256 is ${found} instead of ${sha256}`;
}
