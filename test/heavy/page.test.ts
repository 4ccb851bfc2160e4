import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { choosePreset, openSimulatorPage, requestRows, waitingFaults } from "../../tools/browser/simulator-page";
import { asStored } from "../support/campaigns";
import { ask, inBrowser } from "../support/browser";

const pictures = path.resolve(__dirname, "../../.cache/page");
const launch = { campaign: { ...asStored, business_name: "Shop" } };
const launchPath = "/api/apps/app-1/ads-platform/launch";
const statsPath = "/api/apps/app-1/analytics/stats/users";
const hooksPath = "/api/agents/agent-1/webhooks";
const hook = { target_url: "https://hooks.example.com/", events: ["message.created"] };

const table = (page: Page, name: string): Locator => page.getByRole("table", { name });
const drawer = (page: Page, title: string): Locator => page.getByRole("dialog", { name: title });

/** Waits until an element has a text. */
async function says(element: Locator, text: string | RegExp): Promise<void> {
  await element.filter({ hasText: text }).first().waitFor({ timeout: 60_000 });
}

/** Waits until a value is the expected one; fails with both. */
async function eventually<T>(read: () => Promise<T> | T, expected: T): Promise<void> {
  const end = Date.now() + 60_000;
  let last = await read();
  while (JSON.stringify(last) !== JSON.stringify(expected) && Date.now() < end) {
    await new Promise((done) => setTimeout(done, 50));
    last = await read();
  }
  assert.deepEqual(last, expected);
}

/** The page's work: changes of the document, elements and texts put into it, draws of the log, and frames. */
interface Work {
  mutations: number;
  added: number;
  draws: number;
  frames: number;
}

/** Counts what the page does from now on. `take` returns it, and begins again. */
async function countWork(page: Page): Promise<{ take: () => Promise<Work> }> {
  await page.evaluate(`
    const none = () => ({ mutations: 0, added: 0, draws: 0, frames: 0 });
    let work = none();
    const count = (records) => {
      for (const { addedNodes, attributeName } of records) {
        work.mutations++;
        for (const node of addedNodes) work.added += 1 + (node.querySelectorAll?.("*").length ?? 0);
        if (attributeName === "aria-rowcount") work.draws++;
      }
    };
    const observer = new MutationObserver(count);
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    const onFrame = () => {
      work.frames++;
      requestAnimationFrame(onFrame);
    };
    onFrame();
    window.takeWork = () => {
      count(observer.takeRecords());
      const taken = work;
      work = none();
      return taken;
    };`);
  return { take: () => page.evaluate<Work>("takeWork()") };
}

describe("The simulator's page", () => {
  const { simulator, open, window, restart, takeFaults } = inBrowser();

  describe("shows objects", () => {
    it("by kind, with their values", async () => {
      simulator.objects.putCampaign("app-1", { ...asStored, status: "PAUSED" });
      simulator.objects.putWebhook("agent-1", { id: "wh_1", consecutive_failures: 7 });
      simulator.objects.addFolderItem("folder-1", "app-in-folder");
      simulator.objects.putRecord("app-1", "Task", { id: "rec_1", title: "Call back" });
      simulator.objects.putTest("app-1", { id: "flow_1", definition: { name: "Checkout" } });
      simulator.objects.setScan("app-1", { status: "scanning", ignored_fingerprints: ["f-1"] });
      simulator.objects.setConversionGoals("app-1", ["Purchase"]);
      simulator.objects.putCodingSession("app-1", { id: "cs_1", state: "running" });
      const page = await open();
      const expected = [
        ["Campaigns", "Spring sale", "app-1", "PAUSED", "USD 5.00"],
        ["Webhooks", "https://example.com/hook", "agent-1", "on", "7 of 20"],
        ["Apps in folders", "app-in-folder", "folder-1"],
        ["Records", "rec_1", "app-1", "Task", '{"title":"Call back"}'],
        ["Tests", "Checkout", "app-1", "0 runs"],
        ["Security scans", "app-1", "scanning", "f-1"],
        ["Conversion goals", "Purchase", "app-1"],
        ["Coding sessions", "cs_1", "app-1", "running"],
      ];
      for (const [kind = "", name = "", ...values] of expected) {
        const row = table(page, kind).getByRole("row").filter({ hasText: name });
        for (const value of values) await row.getByRole("cell").filter({ hasText: value }).first().waitFor();
      }
      await page.getByRole("heading", { name: "Members" }).click();
      assert.equal(await table(page, "Members").getByRole("row").count(), 6);
    });

    it("as they change, marks those, and says each change once", async () => {
      const { id } = simulator.objects.putCampaign("app-1", asStored);
      const page = await window({ width: 1600 });
      await page.clock.install();
      await page.goto(`${simulator.url}/__simulator/`);
      const row = table(page, "Campaigns").getByRole("row").filter({ hasText: id });
      await says(row, "ENABLED");
      assert.equal(await page.locator("tr[data-mark]").count(), 0);
      simulator.objects.changeCampaign("app-1", id, { status: "PAUSED" });
      await says(row, "PAUSED");
      await says(row, "changed");
      await says(page.locator("#changes"), "Campaign Spring sale: changed.");
      assert.deepEqual(await row.locator("td[data-changed]").allTextContents(), ["PAUSED"]);
      await page.clock.fastForward(11_000);
      await eventually(() => page.locator("tr[data-mark]").count(), 0);
      simulator.objects.removeCampaign("app-1", id);
      await says(row, "removed");
      await page.clock.fastForward(11_000);
      await row.waitFor({ state: "detached" });
    });

    it("with what a campaign spent by the simulator's clock", async () => {
      simulator.objects.putCampaign("app-1", { ...asStored, daily_budget_micros: 240_000_000 });
      const page = await open();
      const spent = table(page, "Campaigns").getByRole("row").last().getByRole("cell").nth(4);
      await says(spent, "USD 240.00");
      simulator.clock.advance(24 * 60 * 60_000);
      await says(spent, "USD 480.00");
      await says(page.locator("#figure-spent"), "USD 480.00");
      await says(page.locator("#figure-budget"), "USD 240.00");
      await says(table(page, "Campaigns").getByRole("columnheader"), "Spent so far (simulated)");
    });

    it("without an amount of a campaign whose currency is not known", async () => {
      simulator.objects.putCampaign("app-1", asStored);
      const page = await window({ width: 1600 });
      await page.route("**/__simulator/spending", (route) => route.fulfill({ json: { campaigns: [] } }));
      await openSimulatorPage(page, simulator.url);
      const cells = table(page, "Campaigns").getByRole("row").last().getByRole("cell");
      await says(cells.first(), "Spring sale");
      assert.deepEqual((await cells.allTextContents()).slice(3, 5), ["–", "–"]);
      assert.equal(await page.locator("#figure-budget").textContent(), "–");
    });

    it("with all their fields when one is opened, and with messages and the focus in it, not behind it", async () => {
      simulator.objects.putWebhook("agent-1", { id: "wh_1", target_url: "https://hooks.example.com/" });
      const page = await open();
      await page.getByRole("button", { name: "https://hooks.example.com/" }).click();
      const details = drawer(page, "https://hooks.example.com/");
      const focused = (): Promise<string> => page.evaluate<string>("document.activeElement.textContent");
      await says(details, "consecutive_failures");
      await details.getByRole("button", { name: "20 failed deliveries" }).focus();
      await page.keyboard.press("Enter");
      await says(details.locator("dd"), "20");
      await says(details.getByRole("status"), "Done: 20 failed deliveries.");
      assert.equal(await focused(), "20 failed deliveries");
      assert.notEqual(simulator.objects.webhook("agent-1", "wh_1")?.disabled_at, null);
      await page.route("**/__simulator/presets", (route) =>
        route.fulfill({ status: 400, json: { error: "Not now." } }),
      );
      await details.getByRole("button", { name: "Delete it behind Pulumi's back" }).click();
      await says(details.getByRole("alert"), "Not now.");
      await page.unroute("**/__simulator/presets");
      await details.getByRole("button", { name: "Delete it behind Pulumi's back" }).click();
      await says(details, "The service no longer holds it.");
      await says(details.locator("#changes"), "Webhook https://hooks.example.com/: removed.");
      assert.equal(await focused(), "Close");
      simulator.objects.putWebhook("agent-1", { id: "wh_1", target_url: "https://hooks.example.com/" });
      await says(details, "consecutive_failures");
      await page.route("**/__simulator/clock", (route) => route.fulfill({ status: 400, json: { error: "Not now." } }));
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Advance by a minute" }).click();
      await says(page.getByRole("alert"), "Not now.");
    });

    it("a hundred of a kind at first, and says how many there are", async () => {
      for (let index = 0; index < 250; index++) simulator.objects.addFolderItem("folder-1", `app-${String(index)}`);
      const page = await open();
      await says(page.locator("summary"), "250 apps in folders");
      assert.equal(await table(page, "Apps in folders").getByRole("row").count(), 101);
      await page.getByRole("button", { name: "Show more (100 of 250 shown)" }).click();
      await eventually(() => table(page, "Apps in folders").getByRole("row").count(), 251);
    });
  });

  describe("stays quick", () => {
    it("with 4,000 requests: few rows in the document, one draw a frame, and little work for each", async () => {
      const many = async (from: number, to: number): Promise<void> => {
        for (let next = from; next < to; next += 50)
          await Promise.all(
            Array.from({ length: 50 }, (_, index) =>
              (next + index) % 400 === 0 ? ask(simulator, "GET", hooksPath) : ask(simulator, "GET", statsPath),
            ),
          );
      };
      await many(0, 2000);
      const page = await open();
      await says(page.locator("#requests-count"), "2,000 requests");
      const work = await countWork(page);
      await many(2000, 4000);
      await says(page.locator("#requests-count"), "4,000 requests");
      const maxRows = 60;
      /** Every row in the document is filled again, with some of the frame around them. */
      const assertLittle = ({ mutations, added, draws }: Work, maxDraws: number): void => {
        const did = `${String(draws)} draws, ${String(mutations)} mutations, ${String(added)} nodes added`;
        assert.ok(draws > 0 && draws <= maxDraws, did);
        assert.ok(mutations < draws * maxRows * 20 && added < draws * maxRows * 30, did);
      };
      const arrival = await work.take();
      assertLittle(arrival, arrival.frames + 1);
      assert.ok((await requestRows(page).count()) < maxRows);
      assert.equal(await page.locator("#log-table").getAttribute("aria-rowcount"), "4001");
      await page.evaluate("document.getElementById('log-scroll').scrollTop = 1e9");
      await requestRows(page).and(page.locator("[data-number='1']")).waitFor();
      assertLittle(await work.take(), 5);
      assert.ok((await requestRows(page).count()) < maxRows);
      await page.getByLabel("Filter").selectOption("webhook.list");
      await says(page.locator("#requests-count"), "10 of 4,000 requests");
      await eventually(() => requestRows(page).count(), 10);
      assertLittle(await work.take(), 5);
      assert.deepEqual(new Set(await requestRows(page).locator(".open").allTextContents()), new Set(["webhook.list"]));
    });

    it("when thousands of objects are imported at once", async () => {
      const page = await window({ width: 1600 });
      await page.clock.install();
      await openSimulatorPage(page, simulator.url);
      const work = await countWork(page);
      const before = simulator.objects.all();
      const apps = Array.from({ length: 4000 }, (_, index) => `app-${String(index)}`);
      simulator.objects.replaceAll({ ...before, folders: { "folder-1": apps } });
      const rows = table(page, "Apps in folders").getByRole("row");
      await says(page.locator("summary"), "4,000 apps in folders");
      await eventually(() => rows.count(), 201);
      await work.take();
      await page.clock.fastForward(11_000);
      await eventually(() => rows.count(), 101);
      const { mutations } = await work.take();
      assert.ok(mutations < 5000, `${String(mutations)} mutations`);
      simulator.objects.replaceAll(before);
      await says(page.locator("summary"), "0 apps in folders");
      await eventually(() => rows.count(), 201);
      await page.clock.fastForward(11_000);
      await page.locator("#kind-folders").waitFor({ state: "hidden" });
    });
  });

  describe("shows requests", () => {
    it("as they arrive: what was asked, the response, and whether the endpoint is documented", async () => {
      const page = await open();
      await says(page.locator("#requests"), "No requests yet");
      await ask(simulator, "POST", launchPath, launch);
      await ask(simulator, "POST", hooksPath, { ...hook, target_url: "nowhere" });
      const launched = requestRows(page).filter({ hasText: "campaign.launch" });
      for (const part of ["starts spending", `POST${launchPath}`, '"campaign_name":"Spring sale"', "200 OK", "ms"])
        await says(launched, part);
      await says(launched, "documented");
      await says(requestRows(page).filter({ hasText: "webhook.create" }), "422 Invalid");
      await says(requestRows(page).filter({ hasText: "webhook.create" }), "assumed");
      assert.deepEqual(
        await requestRows(page).locator(".open").allTextContents(),
        ["webhook.create", "campaign.launch"],
        "newest first",
      );
      await says(page.locator("#figure-launches"), "1");
    });

    it("with what they do to spending, as far as the response tells", async () => {
      const page = await open();
      const responses = [401, 409, 503, "reset"] as const;
      for (const then of responses) {
        simulator.fault({ operation: "campaign.launch", then: then === "reset" ? then : { status: then } });
        await ask(simulator, "POST", launchPath, launch).catch(() => undefined);
      }
      simulator.fault({ operation: "campaign.delete", then: { status: 403 } });
      await ask(simulator, "POST", launchPath, launch);
      const { id } = simulator.objects.campaigns()[0] ?? {};
      await ask(simulator, "DELETE", `/api/apps/app-1/ads-platform/campaigns/${String(id)}`);
      const said = async (): Promise<string[]> =>
        Promise.all(
          (await requestRows(page).all()).map(async (row) =>
            [
              await row.locator(".response").textContent(),
              ...(await row.locator(".operation .chip").allTextContents()),
            ].join(": "),
          ),
        );
      await eventually(said, [
        "403 Forbidden",
        "200 OK: starts spending",
        "Connection reset: can start spending",
        "503 Unavailable: can start spending",
        "409 Conflict: can start spending",
        "401 Unauthorized",
      ]);
    });

    it("in full when one is opened, with every credential as [secret], and from there the older and the newer", async () => {
      const page = await open();
      await ask(simulator, "GET", statsPath);
      await ask(simulator, "POST", launchPath, launch);
      await page.getByRole("button", { name: "campaign.launch" }).click();
      const details = drawer(page, "campaign.launch");
      await says(details, "[secret]");
      await says(details.getByRole("region", { name: "Body" }).first(), '"campaign_name": "Spring sale"');
      await says(details.getByRole("region", { name: "Body" }).last(), '"status": "ENABLED"');
      assert.doesNotMatch(await page.locator("main, dialog").allInnerTexts().then(String), /Bearer full-access-token/);
      await details.getByRole("button", { name: "Older" }).click();
      const older = drawer(page, "userStats.get");
      await says(older, "Request 1");
      assert.equal(await older.getByRole("button", { name: "Older" }).isDisabled(), true);
      await older.getByRole("button", { name: "Newer" }).click();
      await says(details, "Request 2");
      await page.keyboard.press("Escape");
      await details.waitFor({ state: "hidden" });
      assert.equal(await page.evaluate("document.activeElement.textContent"), "campaign.launch");
    });

    it("whose connection was reset, and whose response is still missing, as such", async () => {
      simulator.fault({ operation: "userStats.get", then: "reset" });
      simulator.fault({ operation: "userStats.get", then: "hold" });
      const page = await open();
      await ask(simulator, "GET", statsPath).catch(() => undefined);
      await says(requestRows(page), "Connection reset");
      const held = ask(simulator, "GET", statsPath);
      const row = requestRows(page).first();
      await says(row, "No response");
      await row.getByRole("button").click();
      await says(drawer(page, "userStats.get"), "No response was sent so far.");
      await simulator.release();
      assert.equal((await held).status, 200);
      await says(drawer(page, "userStats.get"), "active_users");
    });

    it("of one operation, of money, or with problems, when filtered", async () => {
      await ask(simulator, "POST", launchPath, launch);
      await ask(simulator, "GET", statsPath);
      await ask(simulator, "GET", "/nowhere");
      const page = await open();
      const filtered = async (label: string, expected: string[]): Promise<void> => {
        await page.getByLabel("Filter").selectOption({ label });
        await eventually(() => requestRows(page).locator(".open").allTextContents(), expected);
        if (label !== "All requests")
          await says(page.locator("#requests-count"), `${String(expected.length)} of 3 requests`);
      };
      await filtered("userStats.get", ["userStats.get"]);
      await filtered("Money: start or stop spending", ["campaign.launch"]);
      await filtered("Problems: errors, no response", ["unknown path"]);
      await filtered("All requests", ["unknown path", "userStats.get", "campaign.launch"]);
      await page.getByRole("button", { name: "Clear" }).click();
      await says(page.locator("#requests"), "No requests yet");
      assert.deepEqual(simulator.requests, []);
    });

    it("of the time after a reset only, though their numbers begin again", async () => {
      const page = await open();
      const operations = (): Promise<string[]> => requestRows(page).locator(".open").allTextContents();
      const twelve = (path: string): Promise<Response[]> =>
        Promise.all(Array.from({ length: 12 }, () => ask(simulator, "GET", path)));
      await ask(simulator, "POST", launchPath, launch);
      await twelve(statsPath);
      await eventually(async () => (await operations()).at(-1), "campaign.launch");
      await page.getByRole("button", { name: "campaign.launch" }).click();
      await says(drawer(page, "campaign.launch"), "200 OK");
      simulator.reset();
      await twelve(hooksPath);
      await eventually(operations, Array<string>(12).fill("webhook.list"));
      assert.equal(await requestRows(page).locator(".operation .chip").count(), 0);
      await says(drawer(page, "webhook.list"), "Request 1");
      await says(page.locator("#details-body"), `GET ${hooksPath}`);
    });

    it("without moving the one that has the focus, and offers the way to the new ones", async () => {
      for (let index = 0; index < 40; index++) await ask(simulator, "GET", statsPath);
      const page = await open();
      await requestRows(page).locator("button[tabindex='0']").focus();
      await page.keyboard.press("ArrowDown");
      const focused = "document.activeElement.closest('tr')?.dataset.number";
      const top = "document.activeElement.getBoundingClientRect().top";
      assert.equal(await page.evaluate(focused), "39");
      const before = await page.evaluate(top);
      for (let index = 0; index < 3; index++) await ask(simulator, "GET", statsPath);
      await says(page.locator("#log-newest"), "3 new requests");
      assert.deepEqual([await page.evaluate(focused), await page.evaluate(top)], ["39", before]);
      await page.getByRole("button", { name: "3 new requests" }).click();
      assert.equal(await page.evaluate(focused), "43");
      await page.locator("#log-newest").waitFor({ state: "hidden" });
    });
  });

  describe("puts faults in place", () => {
    it("for one operation, n times, or for one object, and lists them while they wait", async () => {
      const page = await open();
      await choosePreset(page, { preset: "Rate limit", operation: "userStats.get", times: 2 });
      await says(waitingFaults(page), "userStats.get");
      await says(waitingFaults(page), "2 times left");
      assert.equal((await ask(simulator, "GET", statsPath)).status, 429);
      await says(waitingFaults(page), "1 time left");
      assert.equal((await ask(simulator, "GET", statsPath)).status, 429);
      await page.getByText("No fault is waiting.").waitFor({ state: "visible" });
      await choosePreset(page, { preset: "Rate limit", operation: "userStats.get", parameters: { App: "app-2" } });
      await says(waitingFaults(page), "app_id app-2");
      assert.equal((await ask(simulator, "GET", statsPath)).status, 200);
      assert.equal((await ask(simulator, "GET", statsPath.replace("app-1", "app-2"))).status, 429);
    });

    it("and removes one, or all, also those that others put in place", async () => {
      const page = await open();
      simulator.fault({ operation: "webhook.list", lagMilliseconds: 5000 });
      await says(waitingFaults(page), "The list lags 5 s");
      await says(waitingFaults(page), "Until removed");
      for (const operation of ["userStats.get", "scan.get", "campaign.launch"])
        await choosePreset(page, { preset: "Close the connection", operation });
      await page.getByRole("button", { name: /^Remove: .*scan\.get$/ }).click();
      await eventually(() => waitingFaults(page).count(), 3);
      assert.deepEqual(
        simulator.waitingFaults().map(({ operation }) => operation),
        ["webhook.list", "userStats.get", "campaign.launch"],
      );
      await page.getByRole("button", { name: "Remove all" }).click();
      await page.getByText("No fault is waiting.").waitFor({ state: "visible" });
      assert.deepEqual(simulator.waitingFaults(), []);
    });
  });

  describe("controls the simulator", () => {
    it("advances the clock by a minute, and by the quarantine when it knows how long that is", async () => {
      const page = await window({ width: 1600 });
      await page.route("**/__simulator/clock", (route) => route.abort());
      await openSimulatorPage(page, simulator.url);
      const advance = page.getByRole("button", { name: "Advance by the quarantine" });
      assert.equal(await advance.isDisabled(), true);
      await page.unroute("**/__simulator/clock");
      simulator.clock.advance(1000);
      await eventually(() => advance.isEnabled(), true);
      await page.getByRole("button", { name: "Advance by the quarantine", description: /Pulumi's own clock/ }).click();
      await page.getByRole("button", { name: "Advance by a minute" }).click();
      await says(page.locator("#clock-ahead"), "16 min ahead");
      assert.equal(simulator.clock.aheadMilliseconds, 1000 + 16 * 60_000);
    });

    it("asks before it resets", async () => {
      simulator.objects.putCampaign("app-1", asStored);
      simulator.fault({ operation: "scan.get", then: "reset" });
      await ask(simulator, "GET", statsPath);
      const page = await open();
      const question = drawer(page, "Reset the simulator?");
      await page.getByRole("button", { name: "Reset", exact: true }).click();
      await question.getByRole("button", { name: "Cancel" }).click();
      await question.waitFor({ state: "hidden" });
      assert.equal(simulator.objects.campaigns().length, 1);
      await page.getByRole("button", { name: "Reset", exact: true }).click();
      await question.getByRole("button", { name: "Reset" }).click();
      await says(page.locator("#requests"), "No requests yet");
      await page.getByText("No fault is waiting.").waitFor({ state: "visible" });
      await says(page.locator("#objects"), "No program has made anything here yet");
      assert.deepEqual([simulator.objects.campaigns(), simulator.requests, simulator.waitingFaults()], [[], [], []]);
    });

    it("exports all objects to a file, and imports them again", async () => {
      simulator.objects.putCampaign("app-1", asStored);
      simulator.objects.putWebhook("agent-1", { id: "wh_1" });
      const exported = simulator.objects.all();
      const page = await open();
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Export" }).click();
      const file = await (await download).path();
      assert.equal((await download).suggestedFilename(), "simulator-objects.json");
      assert.deepEqual(JSON.parse(await readFile(file, "utf8")), exported);
      await restart();
      await says(page.locator("#objects"), "No program has made anything here yet");
      await importFile(page, file);
      await says(page.locator("#done"), "was imported.");
      assert.deepEqual(simulator.objects.all(), exported);
      await says(table(page, "Campaigns"), "Spring sale");
    });

    it("refuses to import anything else, and says why, and does not say that nothing was changed if the response was lost", async () => {
      simulator.objects.putCampaign("app-1", asStored);
      const page = await open();
      await mkdir(pictures, { recursive: true });
      const file = path.join(pictures, "not-objects.json");
      for (const [content, reason] of [
        ["{", "The file is not JSON."],
        ['{"webhooks": 5}', "webhooks"],
      ] as const) {
        await writeFile(file, content);
        await importFile(page, file);
        await says(page.getByRole("alert"), "not-objects.json was not imported. Nothing was changed.");
        await says(page.getByRole("alert"), reason);
      }
      assert.equal(simulator.objects.campaigns().length, 1);
      await page.getByRole("button", { name: "Dismiss" }).click();
      await page.getByRole("alert").waitFor({ state: "hidden" });

      await writeFile(file, JSON.stringify(simulator.objects.all()));
      await page.route("**/__simulator/objects", (route) => route.abort());
      await importFile(page, file);
      await says(page.getByRole("alert"), "It is not known whether not-objects.json was imported.");
    });

    async function importFile(page: Page, file: string): Promise<void> {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Import" }).click();
      await (await chooser).setFiles(file);
      await drawer(page, "Replace all objects?").getByRole("button", { name: "Replace" }).click();
    }
  });

  it("says when it is not connected, and connects again to a simulator that was restarted", async () => {
    await ask(simulator, "GET", statsPath);
    const page = await open();
    await says(page.locator("#requests-count"), "1 request");
    await restart();
    simulator.objects.addFolderItem("folder-new", "app-new");
    await says(table(page, "Apps in folders"), "app-new");
    await says(page.locator("#requests-count"), "0 requests");
    await simulator.close();
    await says(page.getByRole("status"), "Not connected");
    await says(page.locator("#disconnected"), "The simulator does not respond.");
    await page.getByRole("button", { name: "Advance by a minute" }).click();
    await says(page.getByRole("alert"), "The clock was not advanced. The simulator does not respond.");
    await restart();
    await says(page.getByRole("status"), "Connected");
    await page.locator("#disconnected").waitFor({ state: "hidden" });
  });

  it("reports an error of its own while it loads, instead of hiding it, and loads again", async () => {
    const page = await open();
    await page.route("**/__simulator/faults", (route) => route.fulfill({ json: { faults: [null] } }));
    simulator.fault({ operation: "scan.get", then: "reset" });
    await eventually(() => takeFaults().length, 1);
    await page.unroute("**/__simulator/faults");
    simulator.fault({ operation: "scan.get", then: "reset" });
    await eventually(() => waitingFaults(page).count(), 2);
  });

  it("shows the same in two tabs, whichever of them does something", async () => {
    const [one, other] = [await open(), await open({ width: 1000 })];
    await choosePreset(one, { preset: "Launch, then answer 409" });
    await says(waitingFaults(other), "campaign.launch");
    assert.equal((await ask(simulator, "POST", launchPath, launch)).status, 409);
    for (const page of [one, other]) {
      await says(requestRows(page), "409 Conflict");
      await says(table(page, "Campaigns"), "Spring sale");
      await page.getByText("No fault is waiting.").waitFor({ state: "visible" });
    }
    await other.getByRole("button", { name: "Advance by a minute" }).click();
    await says(one.locator("#clock-ahead"), "1 min ahead");
  });

  it("shows hostile names as text, everywhere", async () => {
    const hostile = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
    simulator.objects.putCampaign(hostile, { ...asStored, campaign_name: hostile, status: hostile, id: hostile });
    simulator.objects.putWebhook(hostile, { id: hostile, target_url: hostile, description: hostile });
    simulator.objects.putRecord(hostile, hostile, { id: hostile, [hostile]: hostile });
    simulator.objects.putMember({ email: hostile, full_name: hostile });
    const page = await open();
    await ask(simulator, "POST", launchPath, { campaign: { ...asStored, campaign_name: hostile } });
    await ask(simulator, "GET", `/api/apps/${encodeURIComponent(hostile)}/analytics/stats/users`);
    simulator.fault({ operation: "scan.get", parameters: { app_id: hostile }, then: { status: 500 } });
    await says(waitingFaults(page), hostile);
    await page.getByRole("heading", { name: "Members" }).click();
    await says(table(page, "Members"), hostile);
    await table(page, "Webhooks").getByRole("button").click();
    await says(drawer(page, hostile), "description");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "campaign.launch" }).click();
    await says(drawer(page, "campaign.launch").getByRole("region", { name: "Body" }), "onerror=");
    await page.keyboard.press("Escape");
    await page.getByRole("radio", { name: "Delete it behind Pulumi's back" }).check();
    assert.ok(
      (await page.locator("#fault-form").getByLabel("Object").locator("option").allTextContents()).some((text) =>
        text.includes(hostile),
      ),
    );
    assert.equal(await page.locator("img, main script").count(), 0);
    assert.equal(await page.title(), "Workspace Apps simulator");
  });

  it("could run no script of a stored value, even if one became markup", async () => {
    const page = await open();
    await page.evaluate(`document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=document.title='taken'>")`);
    await eventually(() => takeFaults().some((fault) => fault.startsWith("script-src")), true);
    assert.equal(await page.title(), "Workspace Apps simulator");
  });

  it("can be used with the keyboard alone: a fault is added, met, looked at and reset", async () => {
    const page = await open();
    const focused = (): Promise<string> =>
      page.evaluate<string>("document.activeElement.textContent || document.activeElement.name || ''");
    const tabTo = async (text: string): Promise<void> => {
      for (let presses = 0; presses < 60 && !(await focused()).startsWith(text); presses++)
        await page.keyboard.press("Tab");
      assert.ok((await focused()).startsWith(text), `Tab does not reach ${text}`);
    };
    await page.keyboard.press("Tab");
    await tabTo("Faults");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "solid");
    await tabTo("preset");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await tabTo("Put it in place");
    await page.keyboard.press("Enter");
    await says(waitingFaults(page), "campaign.launch");
    await ask(simulator, "POST", launchPath, launch);
    await says(requestRows(page), "409 Conflict");
    await tabTo("campaign.launch");
    await page.keyboard.press("Enter");
    await says(drawer(page, "campaign.launch"), "409 Conflict");
    await page.keyboard.press("Escape");
    assert.equal(await focused(), "campaign.launch");
    await tabTo("Reset");
    await page.keyboard.press("Enter");
    assert.equal(await focused(), "Cancel");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await says(page.locator("#requests"), "No requests yet");
  });

  it("has names for a screen reader", async () => {
    await ask(simulator, "POST", launchPath, launch);
    const page = await open();
    for (const name of ["Objects", "Requests", "Faults", "Service clock", "Waiting"])
      await page.getByRole("region", { name, exact: true }).first().waitFor();
    for (const [level, name] of [
      [1, "Simulator"],
      [2, "Objects"],
      [2, "Requests"],
      [2, "Faults"],
      [3, "Campaigns"],
    ] as const)
      await page.getByRole("heading", { level, name, exact: true }).waitFor();
    assert.deepEqual(await table(page, "Log of requests").getByRole("columnheader").allTextContents(), [
      "Time (UTC)",
      "Operation",
      "Method and path",
      "Body",
      "Response",
      "Took",
      "Endpoint",
    ]);
    assert.equal(await table(page, "Log of requests").getByRole("cell").count(), 7);
    await page
      .getByRole("region", { name: "Requests", exact: true })
      .getByRole("region", { name: "Scrollable log" })
      .waitFor();
    await page.getByRole("button", { name: "Clear the requests, in all tabs" }).waitFor();
    const unnamed = `[...document.querySelectorAll("button, select, input")].filter((control) =>
      control.checkVisibility() && !control.textContent && !control.ariaLabel && control.labels.length === 0).length`;
    assert.equal(await page.evaluate(unnamed), 0);
  });

  for (const [scheme, width] of [
    ["light", 400],
    ["dark", 1000],
    ["light", 1600],
  ] as const)
    it(`fits ${String(width)} pixels, and is readable in ${scheme}`, async () => {
      await manyThings();
      const page = await open({ width, scheme });
      await choosePreset(page, { preset: "Launch, then answer 409" });
      await choosePreset(page, { preset: "The list lags", operation: "campaign.list" });
      await ask(simulator, "POST", launchPath, launch);
      await says(requestRows(page), "409 Conflict");
      await looksRight(page, `${scheme}-${String(width)}`);
      await page.getByRole("button", { name: "campaign.launch" }).first().click();
      await says(drawer(page, "campaign.launch"), "[secret]");
      await looksRight(page, `${scheme}-${String(width)}-request`);
    });

  async function manyThings(): Promise<void> {
    const long = `app-${"long-".repeat(20)}`;
    simulator.objects.putCampaign("app-shop", { ...asStored, campaign_name: "Evergreen", daily_budget_micros: 20e6 });
    simulator.objects.putCampaign(long, { ...asStored, campaign_name: "Autumn", status: "PAUSED" });
    simulator.objects.putWebhook("agent-support", { description: "Replies to the help desk", consecutive_failures: 3 });
    simulator.objects.putWebhook("agent-support", { target_url: `https://hooks.example.com/${"x".repeat(150)}` });
    for (let failure = 0; failure < 20; failure++)
      simulator.deliver("agent-support", simulator.objects.webhooks()[1]?.id ?? "", { ok: false, status: 500 });
    simulator.objects.addFolderItem("folder-team", "app-shop");
    simulator.objects.putRecord("app-shop", "Product", { title: "Lamp", price: 30, text: "words ".repeat(60) });
    await ask(simulator, "GET", `${hooksPath}?${"long=".repeat(60)}`);
    await ask(simulator, "POST", hooksPath, hook);
    await ask(simulator, "POST", hooksPath, { ...hook, target_url: "http://localhost/" });
    await ask(simulator, "GET", "/favicon.ico");
    simulator.fault({ operation: "scan.get", then: "reset" });
    await ask(simulator, "GET", "/api/apps/app-shop/security/scan").catch(() => undefined);
  }

  /** Asserts that nothing is cut off at the side and that every text has enough contrast, and takes a picture. */
  async function looksRight(page: Page, name: string): Promise<void> {
    await mkdir(pictures, { recursive: true });
    // An opened part covers the window, not the whole page.
    const fullPage = !name.endsWith("request");
    await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage, animations: "disabled" });
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert.equal(await page.evaluate(overflow), 0, "the page scrolls sideways");
    assert.deepEqual(await page.evaluate(lowContrasts), []);
  }
});

/**
 * The texts in sight with less contrast than AA asks for, 4.5 to 1. Backgrounds are mixed from the ancestors down.
 * Disabled controls are exempt.
 */
const lowContrasts = `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const over = (colors) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((part) =>
      part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = new Set();
  const scope = document.querySelector("dialog[open]") ?? document.body;
  for (const element of scope.querySelectorAll("*")) {
    const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join("");
    if (text === "" || !element.checkVisibility() || element.closest(":disabled, option, script")) continue;
    const grounds = [];
    for (let at = element; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
    const ground = over(["Canvas", ...grounds]);
    const ink = over(["Canvas", ...grounds, getComputedStyle(element).color]);
    const [low, high] = [luminance(ground), luminance(ink)].sort((one, other) => one - other);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5) found.add(ratio.toFixed(2) + " " + element.className + " " + text.slice(0, 40));
  }
  return [...found];
})()`;
