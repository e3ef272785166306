import { limitConcurrency } from "../../../../lib/limit-concurrency.ts";
import { fieldValue, formFields } from "../../state/form-fields.ts";
import { hasFrame, stepsOf } from "../../state/frame.ts";
import type { Order } from "../../state/order.ts";
import { isRecipe } from "../../state/steps.ts";
import { createWorkerCall } from "../intake/worker-call.ts";
import { sha256 } from "./sha-256.ts";

/** Identifies a file by its content. The same bytes have the same fingerprint in every tab and on every visit. */
export type Fingerprints = {
  of(file: File): Promise<string>;
  /** The fingerprint if it has been computed. */
  known(file: File): string | undefined;
};

export function createFingerprints(): Fingerprints {
  const pending = new WeakMap<File, Promise<string>>();
  const computed = new WeakMap<File, string>();
  const limit = limitConcurrency(1); // each call reads a whole file into memory
  const callWorker = createWorkerCall<Blob, string>(
    () => new Worker(new URL("./fingerprint.worker.ts", import.meta.url), { type: "module" }),
  );
  return {
    of(file) {
      const found = pending.get(file);
      if (found) return found;
      const computing = limit(() => fingerprintOf(file, callWorker)).then((fingerprint) => {
        computed.set(file, fingerprint);
        return fingerprint;
      });
      pending.set(file, computing);
      return computing;
    },
    known: (file) => computed.get(file),
  };
}

/** SHA-256 of the content. Web Crypto is missing on plain http origins, where name, size and date identify the file. */
async function fingerprintOf(file: File, callWorker: (file: File) => Promise<string | undefined>): Promise<string> {
  const facts = `${file.name}/${file.size}/${file.lastModified}`;
  if (!crypto.subtle) return facts;
  try {
    return (await callWorker(file)) ?? (await sha256(file));
  } catch {
    return facts; // the file is gone or does not fit into memory: sending it will report that
  }
}

/** The files of an order other than the picture. */
export const filesIn = ({ tool, settings }: Pick<Order, "tool" | "settings">): readonly File[] =>
  Object.values(formFields(tool, settings)).filter((value) => typeof value !== "string");

/**
 * Identifies a unit of work by the picture's content, the tool and every option that differs from its default. Two submits with
 * the same key produce the same result. Adding a field to a form does not change existing keys.
 */
export function workKey(order: Order, file: File, fingerprint: (file: File) => string): string {
  const { tool, settings, steps, cursor, frame } = order;
  const { source_format: _, ...fields } = formFields(tool, settings); // the server detects the format from the content
  const options = Object.entries(fields)
    .filter(([name, value]) => value !== fieldValue(tool, {}, name))
    .map(([name, value]) => [name, typeof value === "string" ? value : fingerprint(value)]);
  const framed = hasFrame(frame) ? [["steps", stepsOf(frame)]] : [];
  const otherSteps = isRecipe(order) ? [steps.slice(0, cursor), steps.slice(cursor + 1)] : [];
  return JSON.stringify([tool, Object.fromEntries([...options, ...framed]), fingerprint(file), ...otherSteps]);
}
