import { startSimulator } from "../../simulator";
import { launchChromium } from "../browser/chromium";
import { newWindow, openSimulatorPage, showAdoptedLaunch } from "../browser/simulator-page";
import { PulumiProject, programOf } from "../harness/engine";
import { linesOf, type PageText, sourcesOfPage } from "./page-text";

const campaign = {
  appId: "app-shop",
  campaignName: "Spring sale",
  campaignType: "SMART",
  dailyBudgetMicros: 5_000_000,
  landingPage: "https://shop.example.com/",
};

/** The simulator's page after a launch that was answered with 409, when the campaign was adopted. */
export async function pageCapture(): Promise<{ png: Buffer; text: PageText }> {
  const simulator = await startSimulator();
  const browser = await launchChromium();
  try {
    const page = await newWindow(browser, { width: 1440, height: 900 });
    await openSimulatorPage(page, simulator.url);
    const stack = await PulumiProject.create({
      form: "dynamic",
      program: programOf("AdCampaign", campaign),
      baseUrl: simulator.url,
    });
    await showAdoptedLaunch(page, stack);
    const png = await page.screenshot();
    // New objects are marked for some seconds, so a text that is read in between has it or not.
    await page.locator("[data-mark]").first().waitFor({ state: "detached" });
    const texts = await page.locator("header, main").allInnerTexts();
    return { png, text: { sources: await sourcesOfPage(), lines: texts.flatMap(linesOf) } };
  } finally {
    await browser.close();
    await simulator.close();
  }
}
