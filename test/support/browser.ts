import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { type Simulator, startSimulator } from "../../simulator";
import { launchChromium } from "../../tools/browser/chromium";
import { type Look, newWindow, openSimulatorPage } from "../../tools/browser/simulator-page";

/** Tells the test of everything that the content security policy blocked. */
const reportViolations = `document.addEventListener("securitypolicyviolation", (event) => {
  reportViolation(event.violatedDirective + " " + event.blockedURI);
});`;

/**
 * A simulator for each test of a suite, and real browser windows on its page. A test fails if a script of the page
 * fails, or if the content security policy had to block something.
 */
export function inBrowser() {
  let browser: Browser;
  let simulator: Simulator;
  let faults: string[] = [];
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser.close());
  beforeEach(async () => {
    faults = [];
    simulator = await startSimulator();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    await simulator.close();
    assert.deepEqual(faults, []);
  });

  const window = async (look: Look): Promise<Page> => {
    const page = await newWindow(browser, look);
    await page.exposeBinding("reportViolation", (_, violation: string) => faults.push(violation));
    await page.addInitScript(reportViolations);
    page.on("pageerror", (error) => faults.push(String(error)));
    return page;
  };

  return {
    /** The simulator of the current test. */
    simulator: new Proxy({} as Simulator, { get: (_, key) => Reflect.get(simulator, key) as unknown }),
    /** Starts the simulator of the current test again, on the same port and with nothing in it. */
    restart: async (): Promise<void> => {
      const { port } = simulator;
      await simulator.close();
      simulator = await startSimulator({ port });
    },
    /** An empty window. */
    window,
    /** The simulator's page in a new window, live. */
    open: async (look: Look = { width: 1600 }): Promise<Page> => openSimulatorPage(await window(look), simulator.url),
    /** The requests that the content security policy blocked so far, and the errors of scripts. Forgets them. */
    takeFaults: (): string[] => faults.splice(0),
  };
}

/** A request to the service as a program sends it. */
export function ask({ url }: Simulator, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${url}${path}`, {
    method,
    headers: { authorization: "Bearer full-access-token", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
