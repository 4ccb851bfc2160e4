import type { Browser, Locator, Page } from "playwright-core";
import { assertDone, type PulumiProject, type Run } from "../harness/engine";

/** How a page is looked at. */
export interface Look {
  width: number;
  /** @default 1000 */
  height?: number;
  /** @default "light" */
  scheme?: "light" | "dark";
  /** Pixels of a screenshot for each pixel of the page. @default 1 */
  scale?: number;
}

/** An empty window. */
export async function newWindow(browser: Browser, look: Look): Promise<Page> {
  const { width, height = 1000, scheme = "light", scale = 1 } = look;
  const viewport = { width, height };
  const context = await browser.newContext({ viewport, colorScheme: scheme, deviceScaleFactor: scale });
  return context.newPage();
}

/** Opens the page of a running simulator, and waits until it is live. */
export async function openSimulatorPage(page: Page, url: string): Promise<Page> {
  await page.goto(`${url}/__simulator/`);
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.getByRole("radio", { name: "Launch, then answer 409" }).waitFor();
  return page;
}

/** A fault as a person puts it in place on the page. */
export interface ChosenPreset {
  /** The preset's words. */
  preset: string;
  operation?: string;
  /** By the label of the field: `{ App: "app-1" }`. */
  parameters?: Record<string, string>;
  times?: number;
  /** Text of the option, for a preset that is about one object. */
  object?: string;
}

/** Puts a preset in place, with the page's own form. */
export async function choosePreset(page: Page, chosen: ChosenPreset): Promise<void> {
  const form = page.getByRole("form", { name: "Add a fault" });
  await form.getByRole("radio", { name: chosen.preset }).check();
  if (chosen.operation !== undefined) await form.getByLabel("Operation").selectOption(chosen.operation);
  for (const [label, value] of Object.entries(chosen.parameters ?? {}))
    await form.getByLabel(label, { exact: true }).fill(value);
  if (chosen.times !== undefined) await form.getByLabel("How many times").fill(String(chosen.times));
  if (chosen.object === undefined) {
    const before = await waitingFaults(page).count();
    await form.getByRole("button", { name: "Put it in place" }).click();
    await waitingFaults(page).nth(before).waitFor();
    return;
  }
  const option = form.getByLabel("Object").getByRole("option").filter({ hasText: chosen.object });
  await option.waitFor({ state: "attached" });
  await form.getByLabel("Object").selectOption((await option.getAttribute("value")) ?? "");
  await form.getByRole("button", { name: "Do it now" }).click();
}

/** The faults that the page lists as waiting. */
export function waitingFaults(page: Page): Locator {
  return page.getByRole("region", { name: "Waiting" }).getByRole("listitem");
}

/** The rows of the log that are in the document, newest first. */
export function requestRows(page: Page): Locator {
  return page.locator("#log-rows tr[data-number]");
}

/**
 * A good moment of the page, for tests and pictures. A launch is carried out and answered with 409, and `pulumi up`
 * adopts the live campaign without a second launch. The project's program must declare one campaign. Returns
 * when the page shows it.
 */
export async function showAdoptedLaunch(page: Page, stack: PulumiProject): Promise<Run> {
  await choosePreset(page, { preset: "Launch, then answer 409", operation: "campaign.launch" });
  const run = await stack.up();
  assertDone(run, { create: 1 });
  await requestRows(page).filter({ hasText: "409 Conflict" }).waitFor();
  await requestRows(page).filter({ hasText: "campaign.list" }).first().waitFor();
  await page.getByRole("table", { name: "Campaigns" }).getByText("ENABLED").waitFor();
  return run;
}
