import { expect, type Page } from "@playwright/test";
import { violationsOn } from "./accessibility.ts";
import { test } from "./journey.ts";
import { signedUp, somebody, usageOn } from "./people.ts";
import { jpeg } from "./pictures.ts";
import { studioOn } from "./studio-page.ts";

const dialogOn = (page: Page) => page.getByRole("dialog", { name: "Tintype" });
const getStarted = (page: Page) => page.getByRole("banner").getByRole("button", { name: "Get Started" });
const accountOn = (page: Page) => page.getByRole("button", { name: /^Account of/ });

async function fillSignUp(page: Page, { name, email, password }: ReturnType<typeof somebody>, confirmation = password) {
  const dialog = dialogOn(page);
  await dialog.getByRole("tab", { name: "Sign Up" }).click();
  await dialog.getByLabel("Full Name").fill(name);
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByLabel("Confirm Password").fill(confirmation);
}

test("a guest signs up, keeps the picture on the page, and each file counts in every open tab", async ({
  page,
  context,
}) => {
  const studio = studioOn(page);
  await studio.open();
  await studio.choose(await jpeg("a.jpg"));
  await getStarted(page).click();
  await fillSignUp(page, somebody("Ann Lee"), "another one");
  await dialogOn(page).getByRole("button", { name: "Sign Up" }).click();
  await expect(dialogOn(page).getByRole("alert")).toHaveText("Passwords do not match");
  await dialogOn(page).getByLabel("Confirm Password").fill("correct horse 1");
  await dialogOn(page).getByRole("button", { name: "Sign Up" }).click();
  await expect(dialogOn(page)).toBeHidden();
  await expect(usageOn(page)).toHaveAttribute("aria-valuetext", "0 of 100");

  const other = await context.newPage();
  await other.goto("/about");
  await expect(usageOn(other)).toHaveAttribute("aria-valuetext", "0 of 100");
  await expect(page.getByText("a.jpg", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Balanced" }).click();
  await studio.submit.click();
  await expect(usageOn(page)).toHaveAttribute("aria-valuetext", "1 of 100");
  await expect(usageOn(other)).toHaveAttribute("aria-valuetext", "1 of 100");

  await accountOn(other).click();
  await other.getByRole("button", { name: "Log Out" }).click();
  await expect(getStarted(other)).toBeVisible();
  await expect(getStarted(page)).toBeVisible();
});

test("a wrong password is a sentence, the dialog stays, and the right one lets in, by keyboard alone", async ({
  page,
  baseURL,
}) => {
  const { email, password } = await signedUp(page, { origin: String(baseURL) });
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: "Ann Lee" })).toBeVisible();
  await accountOn(page).click();
  await page.getByRole("button", { name: "Log Out" }).click();
  await expect(page).toHaveURL("/");

  await getStarted(page).focus();
  await page.keyboard.press("Enter");
  await expect(dialogOn(page).getByLabel("Email")).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type("not this one");
  await page.keyboard.press("Enter");
  await expect(dialogOn(page).getByRole("alert")).toHaveText("Wrong email or password.");
  await dialogOn(page).getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await expect(dialogOn(page)).toBeHidden();
  await expect(accountOn(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Account Settings" })).toBeFocused();
});

test("axe finds nothing in the dialog's states", async ({ page }) => {
  await page.goto("/about");
  await getStarted(page).click();
  const dialog = dialogOn(page);
  await dialog.getByLabel("Email").fill("nobody@example.com");
  await dialog.getByLabel("Password").fill("not this one");
  await dialog.getByRole("button", { name: "Log In", exact: true }).click();
  await expect(dialog.getByRole("alert")).not.toBeEmpty();
  expect(await violationsOn(page)).toEqual([]);
  await dialog.getByRole("tab", { name: "Sign Up" }).click();
  await expect(dialog.getByLabel("Full Name")).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await dialog.getByRole("tab", { name: "Log In" }).click();
  await dialog.getByRole("button", { name: "Forgot your password?" }).click();
  await expect(dialog.getByRole("button", { name: "Send link" })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
});

test("the password is changed with the present one, and the account is deleted by its email typed out", async ({
  page,
  baseURL,
}) => {
  const { email, password } = await signedUp(page, { origin: String(baseURL) });
  await page.goto("/account");
  await page.getByRole("button", { name: "Update Password" }).click();
  const update = page.getByRole("dialog", { name: "Update Password" });
  const change = async (current: string) => {
    await update.getByLabel("Current password").fill(current);
    await update.getByLabel("New password", { exact: true }).fill("another horse 2");
    await update.getByLabel("Confirm new password").fill("another horse 2");
    await update.getByRole("button", { name: "Update Password" }).click();
  };
  await change("not this one");
  await expect(update.getByRole("alert")).toHaveText("The current password is wrong.");
  expect(await violationsOn(page)).toEqual([]);
  await change(password);
  await expect(page.getByText("Your password has been changed.")).toBeVisible();

  await page.getByRole("button", { name: "Delete Account" }).click();
  const remove = page.getByRole("dialog", { name: "Delete Account" });
  await remove.getByLabel("Enter your email to confirm").fill("somebody@else.example");
  await remove.getByRole("button", { name: "Delete Account" }).click();
  await expect(remove.getByRole("alert")).toHaveText("This is not the email of your account.");
  expect(await violationsOn(page)).toEqual([]);
  await remove.getByLabel("Enter your email to confirm").fill(email.toUpperCase());
  await remove.getByRole("button", { name: "Delete Account" }).click();
  await expect(page).toHaveURL("/");
  await expect(getStarted(page)).toBeVisible();
});

test.describe("Google", () => {
  async function passGoogle(google: Page, login: string) {
    await google.getByPlaceholder("Enter any login").fill(login);
    await google.getByPlaceholder("and password").fill("anything");
    await google.getByRole("button", { name: "Sign-in" }).click();
    // The window closes itself, which can happen before Playwright has seen the navigation.
    await google.getByRole("button", { name: "Continue" }).click({ noWaitAfter: true });
  }

  test("signs in through a window of its own; one that is closed is told", async ({ page }) => {
    await page.goto("/about");
    await getStarted(page).click();
    const button = dialogOn(page).getByRole("button", { name: "Sign in with Google" });
    const [first] = await Promise.all([page.waitForEvent("popup"), button.click()]);
    await first.getByPlaceholder("Enter any login").waitFor();
    await first.close();
    await expect(dialogOn(page).getByRole("alert")).toHaveText(
      "The Google window was closed before you were signed in.",
    );
    const [window] = await Promise.all([page.waitForEvent("popup"), button.click()]);
    await passGoogle(window, `gail${Date.now()}`);
    await expect(page.getByRole("button", { name: "Account of Gail Google" })).toBeVisible();
    await expect(dialogOn(page)).toBeHidden();
    await page.goto("/account");
    await expect(page.getByRole("button", { name: "Delete Account" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Update Password" })).toBeHidden();
  });

  test("if windows are blocked the page itself goes there and comes back signed in", async ({ page }) => {
    await page.addInitScript(() => {
      window.open = () => null;
    });
    await page.goto("/about");
    await getStarted(page).click();
    await dialogOn(page).getByRole("button", { name: "Sign in with Google" }).click();
    await passGoogle(page, `gil${Date.now()}`);
    await expect(page).toHaveURL("/about");
    await expect(page.getByRole("button", { name: "Account of Gail Google" })).toBeVisible();
  });
});
