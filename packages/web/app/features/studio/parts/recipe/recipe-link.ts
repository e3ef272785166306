import type { WrittenStep } from "@tintype/contract";
import { chooseStep, type Plan } from "../../state/steps.ts";

/** Prefix of a URL fragment that holds a recipe. Browsers do not send fragments to the server. */
export const recipeMark = "#recipe=";
/** Twice the length of six steps with every option. */
const maxLength = 4000;
/** Separates the steps from the name that the sender gave them. */
const nameMark = "&name=";
/** As long as a saved recipe's. Characters. */
export const maxNameLength = 60;

/** `/recipe#recipe=…` with the steps as JSON in base64url, and the name if there is one. */
export function writeLink(steps: readonly WrittenStep[], origin: string, name = ""): string {
  const bytes = new TextEncoder().encode(JSON.stringify(steps));
  const text = btoa(String.fromCharCode(...bytes));
  const written = text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${origin}/recipe${recipeMark}${written}${name.trim() && nameMark + encodeURIComponent(name.trim())}`;
}

/** The steps in a URL fragment; undefined unless the studio can show them. The input is untrusted: anyone can write a link. */
export function readLink(hash: string): Plan | undefined {
  if (!hash.startsWith(recipeMark) || hash.length > maxLength) return undefined;
  try {
    const [written = ""] = hash.slice(recipeMark.length).split(nameMark);
    const text = atob(written.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const steps: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const isList = Array.isArray(steps) && steps.every((step) => typeof step === "object" && step !== null);
    return isList ? chooseStep(steps) : undefined;
  } catch {
    return undefined; // invalid base64, UTF-8 or JSON
  }
}

/** The name in a URL fragment; empty if it has none or not a valid one. */
export function readLinkName(hash: string): string {
  try {
    return decodeURIComponent(hash.split(nameMark)[1] ?? "").slice(0, maxNameLength);
  } catch {
    return "";
  }
}
