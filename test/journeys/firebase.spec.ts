import { expect } from "@playwright/test";
import { type StandIn, startFirebase } from "./firebase.ts";
import { test } from "./journey.ts";
import { originOf, startOwnServer } from "./own-server.ts";
import { somebody, usageOn } from "./people.ts";

// The same build on a server configured for Firebase: the real SDK in a browser, against a fake backend.
const home = originOf(1);
let firebase: StandIn;
let server: Awaited<ReturnType<typeof startOwnServer>>;

test.beforeAll(async () => {
  firebase = await startFirebase({ projectId: "journeys" });
  server = await startOwnServer("firebase", {
    origin: home,
    env: {
      FIREBASE_PROJECT_ID: "journeys",
      FIREBASE_API_KEY: "any",
      FIREBASE_EMULATOR_URL: firebase.url,
      OIDC_JWKS_URL: `${firebase.url}/jwks`,
    },
  });
});
test.afterAll(async () => {
  await server.close();
  await firebase.close();
});

test("Firebase by configuration alone: sign up with a name, tabs, a wrong password, a new one, and the end", async ({
  page,
  context,
}) => {
  const { name, email, password } = somebody("Fay Fire");
  await page.goto(`${home}/about`);
  await page.getByRole("button", { name: "Get Started" }).click();
  const dialog = page.getByRole("dialog", { name: "Tintype" });
  const fill = async (fields: Record<string, string>) => {
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value);
  };
  await dialog.getByRole("tab", { name: "Sign Up" }).click();
  await fill({ "Full Name": name, Email: email, Password: "short", "Confirm Password": "short" });
  await dialog.getByRole("button", { name: "Sign Up" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("This password is too easy to guess. Please choose a longer one.");
  await fill({ Password: password, "Confirm Password": password });
  await dialog.getByRole("button", { name: "Sign Up" }).click();
  await expect(page.getByRole("button", { name: "Account of Fay Fire" })).toBeVisible();
  await expect(usageOn(page)).toHaveAttribute("aria-valuetext", "0 of 100");

  const other = await context.newPage();
  await other.goto(`${home}/account`);
  await expect(other.getByRole("heading", { name: "Fay Fire" })).toBeVisible();
  await page.getByRole("button", { name: "Account of Fay Fire" }).click();
  await page.getByRole("button", { name: "Log Out" }).click();
  await expect(other).toHaveURL(`${home}/`);
  await other.close();

  await page.getByRole("button", { name: "Get Started" }).click();
  await fill({ Email: email, Password: "not this one" });
  await dialog.getByRole("button", { name: "Log In", exact: true }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Wrong email or password.");
  await fill({ Password: password });
  await dialog.getByRole("button", { name: "Log In", exact: true }).click();
  await expect(dialog).toBeHidden();

  await page.goto(`${home}/account`);
  await page.getByRole("button", { name: "Update Password" }).click();
  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("New password", { exact: true }).fill("another horse 2");
  await page.getByLabel("Confirm new password").fill("another horse 2");
  await page.getByRole("dialog").getByRole("button", { name: "Update Password" }).click();
  await expect(page.getByText("Your password has been changed.")).toBeVisible();

  await page.getByRole("button", { name: "Delete Account" }).click();
  await page.getByLabel("Enter your email to confirm").fill(email);
  await page.getByRole("dialog").getByRole("button", { name: "Delete Account" }).click();
  await expect(page).toHaveURL(`${home}/`);
  expect(firebase.asked).toContain("delete");
});
