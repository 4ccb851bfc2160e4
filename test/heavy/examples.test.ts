import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { seen } from "../support/deployment";
import { assertDone, assertFailed, type PulumiProject } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";
import { exampleProject, fileOfExample } from "../support/examples";

describe("The example", () => {
  const { simulator } = onSimulator();

  const project = (example: string, files?: Parameters<typeof exampleProject>[2]): Promise<PulumiProject> =>
    exampleProject(example, simulator.url, files);

  /** The program of the example with one passage changed, as a user would edit it. */
  async function changed(example: string, before: string, after: string): Promise<string> {
    const program = await readFile(fileOfExample(example, "index.ts"), "utf8");
    assert.ok(program.includes(before), `examples/${example} does not contain ${before}`);
    return program.replace(before, after);
  }

  it("quickstart signs its webhook, keeps the app in its folder, and sends only a changed label", async () => {
    const webhooks = (): unknown[] =>
      simulator.objects.webhooks("agent-support").map(({ description, has_secret }) => [description, has_secret]);
    const stack = await project("quickstart");
    assertDone(await stack.up(), { create: 2 });
    assert.deepEqual(webhooks(), [["Replies to the help desk", true]]);
    assert.deepEqual(simulator.objects.folderItems("folder-team"), ["app-shop"]);
    simulator.clearRequests();
    assertDone(await stack.up("--config", "label=Replies for the night shift"), { update: 1, same: 1 });
    assert.deepEqual(seen(simulator), ['webhook.update {"description":"Replies for the night shift"}']);
    assertDone(await stack.destroy(), { delete: 2 });
    assert.deepEqual([webhooks(), simulator.objects.folderItems("folder-team")], [[], []]);
  });

  it("campaign stays paused until it is released, and is protected while it runs", async () => {
    const statuses = (): string[] => simulator.objects.campaigns("app-shop").map(({ status }) => status);
    const stack = await project("campaign");
    assertDone(await stack.up("--config", "dailyBudget=5"), { create: 1 });
    assert.deepEqual(statuses(), ["PAUSED"]);
    assertDone(await stack.up("--config", "released=true"), { update: 1 });
    assert.deepEqual(statuses(), ["ENABLED"]);
    assertFailed(await stack.destroy(), /protect/);
    assertDone(await stack.up("--config", "released=false"), { update: 1 });
    assert.deepEqual(statuses(), ["PAUSED"]);
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(statuses(), ["REMOVED"]);
    assert.equal(simulator.objects.launches().length, 1);
  });

  it("records keeps the records of its list, keeps a secret out of the state, and restores a borrowed record", async () => {
    const key = "key-of-the-carrier";
    const held = (entity: string, ...names: string[]): unknown[] =>
      simulator.objects.records("app-shop", entity).map((record) => names.map((name) => record[name]));
    const rates = (): string[] => held("TaxRate", "country", "percent").map(String).sort();
    const updates = (): unknown[] =>
      simulator.requests.filter(({ operation }) => operation === "record.update").map(({ body }) => body);

    const { id } = simulator.objects.putRecord("app-shop", "Banner", { text: "Welcome", until: "2027-01-01" });
    const stack = await project("records");
    assertDone(await stack.pulumi("config", "set", "--secret", "carrierKey", key));
    assertDone(await stack.up("--config", `banner=${id}`), { create: 5 });
    assert.deepEqual(rates(), ["AT,20", "DE,19", "FR,20"]);
    assert.deepEqual(held("Carrier", "account_key"), [[key]]);
    assert.deepEqual(held("Banner", "text", "until"), [["Free shipping in May", "2027-01-01"]]);
    assert.ok(!(await stack.rawState()).includes(key));

    assertDone(await stack.apply(await changed("records", "percent: 19", "percent: 16")), { update: 1, same: 4 });
    assert.deepEqual(rates(), ["AT,20", "DE,16", "FR,20"]);
    assert.deepEqual(updates(), [{ text: "Free shipping in May" }, { percent: 16 }]);

    assertDone(await stack.destroy(), { delete: 5 });
    assert.deepEqual([rates(), held("Carrier", "name")], [[], []]);
    assert.deepEqual(held("Banner", "text", "until"), [["Welcome", "2027-01-01"]]);
  });

  it("upkeep keeps a test, ignores findings, runs tracking on request, and launches a session for each task", async () => {
    const appId = "app-shop";
    const steps = (): unknown[] => simulator.objects.tests(appId).map(({ definition }) => definition["steps"]);
    const ignored = (): string[] => simulator.objects.ignoredFindings(appId).sort();
    const goals = (): number => simulator.objects.conversionGoals(appId).length;
    const sessions = (): number => simulator.objects.codingSessions(appId).length;

    const stack = await project("upkeep");
    const output = async (name: string): Promise<string> => (await stack.pulumi("stack", "output", name)).output.trim();
    assertDone(await stack.up(), { create: 5 });
    assert.deepEqual(steps(), [["Put a mug into the cart", "Pay with the test card", "Expect a receipt"]]);
    assert.deepEqual(ignored(), ["41be07aa", "9f2c4a7d"]);
    assert.deepEqual([await output("trackingSkipped"), goals(), sessions()], ["no_ads_account", 0, 1]);

    simulator.objects.putAdvertisingAccount(appId);
    await stack.write(await changed("upkeep", "Expect a receipt", "Expect two receipts"));
    assertDone(await stack.up("--config", "trackingRun=2", "--config", "task=Shorten the product texts."));
    assert.match(await output("trackingPrompt"), /^Install tag-/);
    assert.deepEqual(steps(), [["Put a mug into the cart", "Pay with the test card", "Expect two receipts"]]);
    assert.deepEqual([goals(), sessions()], [10, 2]);

    assertDone(await stack.destroy(), { delete: 5 });
    assert.deepEqual([steps(), ignored(), goals(), sessions()], [[], [], 10, 2]);
  });

  it("javascript runs as an ES module, awaits a look-up at its top level, and stores the result in a record", async () => {
    const emails = (): unknown[] =>
      simulator.objects.records("app-shop", "SupportContacts").map(({ emails }) => emails);
    const joined = simulator.objects
      .members()
      .filter(({ role, status }) => /owner|admin/.test(role) && status === "joined");
    const before = joined.map(({ email }) => email);
    assert.equal(before.length, 2);

    const stack = await project("javascript", { program: "index.js", settings: ["jsconfig.json"] });
    assertDone(await stack.up(), { create: 2 });
    assert.deepEqual(emails(), [before]);
    const [webhook] = simulator.objects.webhooks("agent-support");
    assert.equal(webhook?.has_secret, true);

    simulator.objects.putMember({ email: "new@example.com", role: "admin" });
    assertDone(await stack.up(), { update: 1, same: 1 });
    assert.deepEqual(emails(), [[...before, "new@example.com"]]);

    assertDone(await stack.destroy(), { delete: 2 });
    assert.deepEqual([emails(), simulator.objects.webhooks()], [[], []]);
  });
});
