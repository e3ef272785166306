import { limitConcurrency } from "../../../../lib/limit-concurrency.ts";
import { fieldValue, formFields } from "../../state/form-fields.ts";
import { hasFrame, stepsOf } from "../../state/frame.ts";
import type { Order } from "../../state/order.ts";
import { isRecipe } from "../../state/steps.ts";

/** Names a file's content. The same bytes have the same fingerprint in every tab and on every visit. */
export type Fingerprints = {
  of(file: File): Promise<string>;
  /** The fingerprint where it is computed already. */
  known(file: File): string | undefined;
};

export function createFingerprints(): Fingerprints {
  const begun = new WeakMap<File, Promise<string>>();
  const computed = new WeakMap<File, string>();
  const limit = limitConcurrency(1); // each file is read whole into memory
  return {
    of(file) {
      const found = begun.get(file);
      if (found) return found;
      const made = limit(() => fingerprintOf(file)).then((fingerprint) => {
        computed.set(file, fingerprint);
        return fingerprint;
      });
      begun.set(file, made);
      return made;
    },
    known: (file) => computed.get(file),
  };
}

/** SHA-256 of the content. Plain http addresses have no Web Crypto: there the file's facts stand for its content. */
async function fingerprintOf(file: File): Promise<string> {
  const facts = `${file.name}/${file.size}/${file.lastModified}`;
  if (!crypto.subtle) return facts;
  try {
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
  } catch {
    return facts; // the file went away or does not fit into memory: sending it will tell
  }
}

/** Files that an order names besides the picture. */
export const filesIn = ({ tool, settings }: Pick<Order, "tool" | "settings">): readonly File[] =>
  Object.values(formFields(tool, settings)).filter((value) => typeof value !== "string");

/**
 * Names one piece of work: the picture's content, the tool, and every option that differs from its default. Two submits of
 * the same key would make the same result twice. A form that gets one more field keeps its keys.
 */
export function workKey(order: Order, file: File, fingerprint: (file: File) => string): string {
  const { tool, settings, steps, cursor, frame } = order;
  const { source_format: _, ...fields } = formFields(tool, settings); // the server judges by content
  const named = Object.entries(fields)
    .filter(([name, value]) => value !== fieldValue(tool, {}, name))
    .map(([name, value]) => [name, typeof value === "string" ? value : fingerprint(value)]);
  const framed = hasFrame(frame) ? [["steps", stepsOf(frame)]] : [];
  const around = isRecipe(order) ? [steps.slice(0, cursor), steps.slice(cursor + 1)] : [];
  return JSON.stringify([tool, Object.fromEntries([...named, ...framed]), fingerprint(file), ...around]);
}
