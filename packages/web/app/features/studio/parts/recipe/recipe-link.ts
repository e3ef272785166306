import type { WrittenStep } from "@tintype/contract";
import { chooseStep, type Plan } from "../../state/steps.ts";

/** Leads the fragment of an address that carries a recipe. A fragment stays in the browser: no server reads it. */
export const recipeMark = "#recipe=";
/** Six steps with every option take half of it. */
const longest = 4000;

/** `/#recipe=…`: the steps as JSON in base64url. */
export function writeLink(steps: readonly WrittenStep[], origin: string): string {
  const bytes = new TextEncoder().encode(JSON.stringify(steps));
  const text = btoa(String.fromCharCode(...bytes));
  return `${origin}/${recipeMark}${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The steps of an address's fragment; undefined where they are none that the studio can show. Anybody can write a link. */
export function readLink(hash: string): Plan | undefined {
  if (!hash.startsWith(recipeMark) || hash.length > longest) return undefined;
  try {
    const text = atob(hash.slice(recipeMark.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const steps: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const isList = Array.isArray(steps) && steps.every((step) => typeof step === "object" && step !== null);
    return isList ? chooseStep(steps) : undefined;
  } catch {
    return undefined; // no base64, no UTF-8 or no JSON
  }
}
