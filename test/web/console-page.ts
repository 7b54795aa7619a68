import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Signs in at a console with an access file. */
export async function signInTo(page: Page, operatorUrl: string, accessFile: string): Promise<void> {
  await page.goto(`${operatorUrl}/console/#/overview`);
  await page.setInputFiles("input[type=file]", accessFile);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

/** Shows a page of the console and waits until it has read what it shows. */
export async function show(page: Page, path: string): Promise<void> {
  // The page's own listener came first: what it reads is marked when this one is called.
  await page.evaluate(`new Promise((resolve) => {
    const address = ${JSON.stringify(`#/${path}`)};
    if (location.hash === address) return resolve();
    addEventListener("hashchange", () => resolve(), { once: true });
    location.hash = address;
  })`);
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
}

/** Opens an action's dialog. */
export async function openDialog(page: Page, label: string): Promise<Locator> {
  await page
    .getByRole("button", { name: `${label} …` })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  return dialog;
}

/** Fills the fields of an open dialog by their names, and gives what it says when it was done. */
export async function complete(
  dialog: Locator,
  fields: Readonly<Record<string, string>> = {},
  confirm?: string,
): Promise<string> {
  for (const [name, value] of Object.entries(fields)) {
    const field = dialog.locator(`[name="${name}"]`).first();
    if ((await field.evaluate((element) => element.nodeName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  if (confirm !== undefined) await dialog.getByLabel(/^Type .* to confirm$/).fill(confirm);
  await dialog.locator("button[type=submit]").click();
  const said = await dialog.locator(".outcome > .notice").innerText();
  await dialog.getByRole("button", { name: /^(Close|Cancel)$/ }).click();
  await dialog.waitFor({ state: "detached" });
  return said;
}

/** Does an action by its dialog; gives what it says when it was done. */
export async function act(
  page: Page,
  label: string,
  fields: Readonly<Record<string, string>> = {},
  confirm?: string,
): Promise<string> {
  return await complete(await openDialog(page, label), fields, confirm);
}
