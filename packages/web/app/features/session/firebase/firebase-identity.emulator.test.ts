import { expect, test } from "vitest";
import { createFirebaseIdentity } from "./firebase-identity.ts";

const emulator = process.env["FIREBASE_EMULATOR_URL"] ?? "http://127.0.0.1:9099";
const projectId = "demo-tintype"; // "demo-": the emulator then makes no requests to Google

test("an account's whole life at Firebase's emulator", async () => {
  const identity = createFirebaseIdentity({
    provider: "firebase",
    google: true,
    options: { apiKey: "any", authDomain: "localhost", projectId },
    emulator_url: emulator,
  } as Parameters<typeof createFirebaseIdentity>[0]);
  const told: (string | undefined)[] = [];
  identity.onChange((person) => void told.push(person?.name));
  const email = `fay-${Date.now()}@example.com`;
  const refusal = (code: string) => expect.objectContaining({ name: "IdentityProblem", code });

  await expect(identity.signUp({ name: "Fay", email, password: "short" })).rejects.toEqual(
    refusal("password-too-short"),
  );
  await identity.signUp({ name: "Fay Fire", email, password: "a first horse" });
  expect(told.at(-1)).toBe("Fay Fire");
  expect(await identity.methods()).toEqual({ password: true, google: false });
  const claims = JSON.parse(Buffer.from((await identity.token())?.split(".")[1] ?? "", "base64url").toString());
  expect(claims).toMatchObject({
    name: "Fay Fire",
    email,
    aud: projectId,
    iss: `https://securetoken.google.com/${projectId}`,
  });

  await identity.changePassword({ current: "a first horse", next: "a second horse" });
  await expect(identity.changePassword({ current: "not this one", next: "a third horse" })).rejects.toEqual(
    refusal("wrong-password"),
  );
  await identity.signOut();
  expect(await identity.token()).toBeUndefined();
  await expect(identity.signUp({ name: "Eve", email, password: "another horse" })).rejects.toEqual(
    refusal("email-taken"),
  );
  await expect(identity.signIn({ email, password: "a first horse" })).rejects.toEqual(refusal("wrong-credentials"));

  await identity.requestPasswordReset("nobody@example.com");
  await identity.requestPasswordReset(email);
  const sent = await fetch(`${emulator}/emulator/v1/projects/${projectId}/oobCodes`);
  const { oobCodes } = (await sent.json()) as { oobCodes: { email: string; oobCode: string }[] };
  const token = oobCodes.findLast((code) => code.email === email)?.oobCode ?? "";
  await identity.resetPassword({ token, password: "a third horse" });
  await expect(identity.resetPassword({ token, password: "a fourth horse" })).rejects.toEqual(
    refusal("reset-link-spent"),
  );
  await identity.signIn({ email, password: "a third horse" });

  await identity.assertDeletable();
  await identity.deleteAccount();
  await expect(identity.signIn({ email, password: "a third horse" })).rejects.toEqual(refusal("wrong-credentials"));
});
