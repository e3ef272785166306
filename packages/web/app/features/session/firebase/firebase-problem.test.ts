import { ConnectionLost } from "@tintype/contract/api";
import { FirebaseError } from "firebase/app";
import { expect, test } from "vitest";
import { sentenceFor } from "../sentences.ts";
import { translate } from "./firebase-problem.ts";

const failing = (code: string) => translate(Promise.reject(new FirebaseError(`auth/${code}`, "Firebase: Error")));
const sentenceOf = async (code: string) =>
  sentenceFor(await failing(code).catch((problem: unknown) => problem), { fallback: "Login failed" });

test.each([
  "invalid-credential",
  "email-already-in-use",
  "weak-password",
  "too-many-requests",
  "popup-closed-by-user",
  "network-request-failed",
])("auth/%s is a sentence of ours", async (code) => {
  const sentence = await sentenceOf(code);
  expect(sentence).not.toMatch(/firebase|auth\//i);
  expect(sentence).not.toBe("Login failed");
});

test("an unknown problem is the fallback, and a broken connection is no refusal", async () => {
  expect(await sentenceOf("something-new")).toBe("Login failed");
  await expect(failing("network-request-failed")).rejects.toBeInstanceOf(ConnectionLost);
});

test("credentials that do not fit mean the current password where it is asked for again", async () => {
  const asked = Promise.reject(new FirebaseError("auth/invalid-credential", "Firebase: Error"));
  await expect(translate(asked, { wrong: "wrong-password" })).rejects.toMatchObject({ code: "wrong-password" });
});
