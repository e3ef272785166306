import { expect, type Locator, type Page } from "@playwright/test";

export type Somebody = { name: string; email: string; password: string };

let made = 0;
/** A person without an account. */
export function somebody(name = "Ann Lee"): Somebody {
  made += 1;
  return { name, email: `person-${process.pid}-${Date.now()}-${made}@example.com`, password: "correct horse 1" };
}

/** Signs up through the identity provider's endpoint. The next page opens signed in. */
export async function signedUp(page: Page, { origin }: { origin: string }): Promise<Somebody> {
  const person = somebody();
  const answer = await page.request.post("/idp/sign-up/email", { data: person, headers: { origin } });
  expect(answer.status()).toBe(200);
  await page.addInitScript(() => {
    // Only once, so that a journey that signs out stays signed out.
    if (sessionStorage.getItem("journey")) return;
    sessionStorage.setItem("journey", "begun");
    localStorage.setItem("tintype.session", "somebody");
  });
  return person;
}

/** Credits used, as the header shows them: `3 of 100`. */
export const usageOn = (page: Page): Locator => page.getByRole("banner").getByRole("meter", { name: "Credits used" });
