import assert from "node:assert/strict";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { type OperationId, type Simulator, startSimulator } from "../../simulator";
import { assertDone, assertFailed, companionChanges, PulumiProject } from "../../tools/harness/engine";
import { ownProvider } from "../../tools/harness/own-provider";
import { forms } from "../../provider/pulumi/form";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { adopted } from "../support/adopted";
import { asStored, declared as declaredCampaign } from "../support/campaigns";
import { onSimulator } from "../support/on-simulator";
import { newRequests } from "../support/requests";

/* Behaviour that only the packaged form has, or that differs between the forms. */

const form = "packaged";
const webhook = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };
const stored = { id: "wh_1", target_url: webhook.targetUrl, events: ["message.created"] };

const programOf = (body: string): string => `
  const pulumi = require("@pulumi/pulumi");
  const apps = require("pulumi-workspace-apps");
  const webhook = ${JSON.stringify(webhook)};
  const campaign = ${JSON.stringify(declaredCampaign)};
  ${body}`;

const empty = programOf("");

const otherToken = { value: "other-token", kind: "personal-token" } as const;

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(50);
}

const writesOf = ({ requests }: Simulator): string[] =>
  requests.filter(({ method }) => method !== "GET").map(({ operation }) => String(operation));

describe("In the packaged form, importing", () => {
  const { simulator, project } = onSimulator();

  it("reads every object of the file that adopt writes, and a single one, and the printed program previews without a change", async () => {
    const { objects } = simulator;
    objects.putWebhook("agent-1", stored);
    objects.putCampaign("app-1", { id: "cmp_1", ...asStored });
    objects.addFolderItem("folder-1", "app-1");
    objects.putRecord("app-1", "Task", { id: "rec_1", title: "one" });
    objects.putTest("app-1", { id: "flow_1" });
    objects.setScan("app-1", { ignored_fingerprints: ["fp_1"] });
    const scopes = ["--agent", "agent-1", "--app", "app-1", "--folder", "folder-1", "--entity", "app-1/Task"];
    const stack = await project(empty, { form, file: "index.ts" });
    const file = (name: string): string => path.join(stack.folder, name);
    const importing = async (out: string, ...what: string[]): Promise<string> => {
      assertDone(await stack.pulumi("import", ...what, "--out", out, "--yes", "--protect=false"));
      return readFile(file(out), "utf8");
    };
    await writeFile(file("import.json"), await adopted(simulator, [...scopes, "--format", "import"]));
    const many = await importing("many.ts", "--file", "import.json");
    assert.match(many, /from "pulumi-workspace-apps\/packaged"/);
    const one = await importing("one.ts", "workspace-apps:index:ConversionTracking", "goals", "app-2");
    assert.deepEqual(writesOf(simulator), []);
    await stack.write(`${many}\n${one.replace(/^import .*$/gm, "")}`);
    const up = await stack.up();
    assertDone(up, { same: 7 });
    assert.deepEqual(writesOf(simulator), []);
    assertDone(await stack.destroy());
    assert.deepEqual(writesOf(simulator), [], "what was imported is retained");
  });

  it("of a campaign accepts the first declaration of what the list does not show, and never replaces it in silence", async () => {
    simulator.objects.putCampaign("app-1", { id: "cmp_1", ...asStored });
    const declaring = (more: object, options = ""): string =>
      programOf(
        `new apps.AdCampaign("spring", { ...campaign, campaignId: "cmp_1", ...${JSON.stringify(more)} }, {${options}});`,
      );
    const stack = await project(declaring({}, 'import: "app-1/cmp_1"'), { form });
    assertDone(await stack.up(), { import: 1 });
    assertDone(await stack.apply(declaring({ logoUrl: "https://shop.example.com/logo.png" })), { update: 1 });
    assertFailed(
      await stack.apply(declaring({ logoUrl: "https://shop.example.com/other.png" })),
      /differ in logoUrl, and that would replace it\. It is declared by its own campaignId/,
    );
    assert.deepEqual(writesOf(simulator), []);
  });

  it("refuses a wrong id, and a program that declares other values, in every command", async () => {
    simulator.objects.putWebhook("agent-1", stored);
    const importing = (id: string, more: object = {}): string =>
      programOf(`new apps.Webhook("replies", { ...webhook, ...${JSON.stringify(more)} }, { import: "${id}" });`);
    const stack = await project(importing("wh_1"), { form });
    assertFailed(
      await stack.preview(),
      /"wh_1" is not the id of a Webhook\. No request was sent\.[^]*Give agentId\/webhookId\./,
    );
    assert.deepEqual(simulator.requests, []);
    await stack.write(importing("agent-1/wh_1", { description: "other" }));
    const refused =
      /The webhook wh_1 of agent agent-1 was not imported: an import changes nothing, and the program declares another value for description\./;
    // Without a preview, Pulumi saves the import before it compares.
    assertFailed(await stack.up(), refused);
    assertFailed(await stack.preview(), refused);
    assertDone(await stack.apply(importing("agent-1/wh_1", { deletionPolicy: "retain" })), { update: 1 });
    assert.deepEqual(writesOf(simulator), []);
  });

  it("by get in place of its declaration leaves a campaign running, also at destroy", async () => {
    const stack = await project(programOf('new apps.AdCampaign("spring", campaign);'), { form });
    assertDone(await stack.up());
    const [{ id } = assert.fail("no campaign")] = simulator.objects.campaigns("app-1");
    await stack.write(programOf(`apps.AdCampaign.get("spring", "app-1/${id}");`));
    const taken = await stack.up();
    assert.equal(taken.code, 0, taken.output);
    assert.match(taken.output, /is not deleted: the program reads it with get, and no longer manages it/);
    assertDone(await stack.destroy());
    assert.deepEqual(
      simulator.objects.campaigns("app-1").map(({ status }) => status),
      ["ENABLED"],
    );
  });

  it("by get reads an object without managing it, also beside the resource that does", async () => {
    simulator.objects.putWebhook("agent-1", { ...stored, description: "found" });
    const stack = await project(
      programOf(`
        exports.found = apps.Webhook.get("seen", "agent-1/wh_1").description;
        new apps.Webhook("managed", { ...webhook, description: "found", webhookId: "wh_1" });`),
      { form },
    );
    assertDone(await stack.up());
    assert.match((await stack.pulumi("stack", "output", "found")).output, /found/);
    assertDone(await stack.destroy());
    assert.deepEqual(writesOf(simulator), []);
  });
});

for (const form of forms)
  describe(`A Provider in the ${form} form`, () => {
    let [here, there]: Simulator[] = [];
    before(async () => {
      [here, there] = [await startSimulator(), await startSimulator({ credentials: [otherToken] })];
    });
    after(() => Promise.all([here?.close(), there?.close()]));

    it("manages and reads another workspace, and gets nothing of the stack's configuration", async () => {
      assert.ok(here !== undefined && there !== undefined);
      const provider = (args: string): string =>
        programOf(`
        const eu = new apps.Provider("eu", { baseUrl: "${there?.url ?? ""}", ${args} });
        new apps.Webhook("here", webhook);
        new apps.AdCampaign("there", campaign, { provider: eu });
        const hook = new apps.Webhook("there", webhook, { provider: eu });
        exports.read = apps.getWebhookOutput({ agentId: "agent-1", webhookId: hook.webhookId }, { provider: eu }).targetUrl;`);
      const stack = await PulumiProject.create({
        program: provider('accessToken: "other-token"'),
        baseUrl: here.url,
        form,
        // Each would end the launch there.
        config: {
          "workspace-apps:apiKey": "personal-api-key",
          "workspace-apps:endpoints": '{"campaign.launch":"none"}',
          "workspace-apps:maxDailyBudgetMicros": "1",
        },
        environment: { WORKSPACE_APPS_MAX_APP_DAILY_BUDGET_MICROS: "1" },
      });
      assertDone(await stack.up());
      assert.equal(there.objects.campaigns("app-1").length, 1);
      assert.equal(here.objects.webhooks("agent-1").length, 1);
      assert.equal(there.objects.webhooks("agent-1").length, 1);
      assert.match((await stack.pulumi("stack", "output", "read")).output, /https:\/\/hooks\.example\.com\//);
      assert.ok(!(await stack.rawState()).includes("other-token"), "a token is in the state");
      assertDone(await stack.refresh());
      newRequests(there);
      assertFailed(
        await stack.apply(provider('accessToken: "other-token", maxDailyBudgetMicro: 1')),
        /Provider "eu": unknown argument "maxDailyBudgetMicro"\. Did you mean "maxDailyBudgetMicros"\?/,
      );
      assert.deepEqual(newRequests(there), []);
      assertDone(await stack.destroy());
      assert.equal(there.objects.webhooks("agent-1").length, 0);
    });

    it("is named in messages about its settings", async () => {
      assert.ok(here !== undefined && there !== undefined);
      const using = (body: string): string =>
        programOf(`
        const provider = new apps.Provider("eu", { baseUrl: "${there?.url ?? ""}", accessToken: "wrong-token" });
        ${body}`);
      const advice = "Set the Provider's accessToken\\.";
      const stack = await PulumiProject.create({
        program: using('new apps.Webhook("there", webhook, { provider });'),
        baseUrl: here.url,
        form,
      });
      const refused = await stack.up();
      assertFailed(refused, new RegExp(`Credential: the Provider's accessToken[^]*${advice}`));
      await stack.write(using("exports.total = apps.getMembersOutput({}, { provider }).total;"));
      assertFailed(await stack.preview(), new RegExp(`getMembers: [^]*${advice}`));
      assert.doesNotMatch(refused.output, /(Credential:|Set) workspace-apps:/);
    });

    it("whose token is not known yet lets look-ups wait, and refuses those that cannot", async () => {
      assert.ok(here !== undefined);
      const declared = (body: string): string =>
        programOf(`
        const hook = new apps.Webhook("hook", webhook);
        const accessToken = hook.webhookId.apply(() => "full-access-token");
        const eu = new apps.Provider("eu", { baseUrl: "${here?.url ?? ""}", accessToken });
        const parent = new pulumi.ComponentResource("tested:Group", "group", {}, { providers: [eu] });
        ${body}`);
      const waiting = 'exports.total = apps.getMembersOutput({}, { parent }).apply(({ total }) => "total " + total);';
      const stack = await PulumiProject.create({ program: declared(waiting), baseUrl: here.url, form });
      newRequests(here);
      assertDone(await stack.preview());
      assert.deepEqual(newRequests(here), []);
      await stack.write(declared("module.exports = async () => apps.getMembers({}, { parent });"));
      assertFailed(
        await stack.preview(),
        /getMembers: an argument of its Provider is not known yet\. Use the look-up's Output function\./,
      );
      assert.deepEqual(newRequests(here), []);
      await stack.write(declared(waiting));
      assertDone(await stack.up());
      assert.match((await stack.pulumi("stack", "output", "total")).output, /total \d/);
    });
  });

describe("In the packaged form, a program", () => {
  const { simulator, project } = onSimulator();

  it("is told which lines of Pulumi.yaml are missing", async () => {
    const stack = await project(programOf('new apps.Webhook("replies", webhook);'), { form });
    await writeFile(path.join(stack.folder, "Pulumi.yaml"), "name: tested\nruntime: nodejs\n");
    assertFailed(
      await stack.pulumi("preview", "--non-interactive"),
      /plugins:\s+providers:\s+- name: workspace-apps\s+path: node_modules\/pulumi-workspace-apps\/plugin/,
    );
    assert.deepEqual(simulator.requests, []);
  });

  it("is served by the package that it imports, whatever plugin Pulumi.yaml names", async () => {
    const stack = await project(programOf('new apps.Webhook("replies", webhook);'), { form });
    const file = (name: string): string => path.join(stack.folder, name);
    await cp(file("node_modules/pulumi-workspace-apps/plugin"), file("other/plugin"), { recursive: true });
    await mkdir(file("other/dist/provider/pulumi/packaged"), { recursive: true });
    await writeFile(file("other/dist/provider/pulumi/packaged/main.js"), 'throw new Error("of another package")');
    const settings = await readFile(file("Pulumi.yaml"), "utf8");
    await writeFile(file("Pulumi.yaml"), settings.replace(/path: .*/, "path: other/plugin"));
    assertDone(await stack.up());
    assertDone(await stack.destroy());
  });

  it("of another language names the launch intent that a Node program registered", async () => {
    const stack = await project(programOf('new apps.AdCampaign("spring", campaign);'), { form });
    assertDone(await stack.up());
    const raw = (more: string): string =>
      programOf(`
      const intent = new pulumi.CustomResource("workspace-apps:index:LaunchIntent", "spring", { appId: campaign.appId });
      new pulumi.CustomResource("workspace-apps:index:AdCampaign", "spring", { ...campaign, ${more} });`);
    await stack.write(raw(""));
    assertFailed(await stack.preview(), /has no LaunchIntent\. Declare one before it, and give its id as launchIntent/);
    await stack.write(raw("launchIntent: intent.id"));
    assertDone(await stack.up("--expect-no-changes"));
  });

  it("that still has the option import is not launched again, and told to remove it", async () => {
    simulator.objects.putCampaign("app-1", { ...asStored, id: "theirs" });
    const imported = (more: string): string =>
      programOf(`
      const args = { ...campaign, deletionPolicy: "delete", ${more} };
      new apps.AdCampaign("spring", args, { import: "app-1/theirs" });`);
    const stack = await project(imported(""), { form });
    assertDone(await stack.up());
    await stack.write(imported("dailyBudgetMicros: 6000000"));
    assertFailed(
      await stack.preview(),
      /please remove the `import` declaration from your program.*has no LaunchIntent/s,
    );
    // Pulumi refuses it itself, before it asks the plugin.
    assertFailed(await stack.up(), /may not be replaced; please remove the `import` declaration/);
    assert.deepEqual(
      simulator.objects.campaigns("app-1").map(({ id, status }) => [id, status]),
      [["theirs", "ENABLED"]],
    );
  });

  it("knows during a preview the outputs that an update does not change", async () => {
    const declared = (description: string): string =>
      programOf(`
      const hook = new apps.Webhook("replies", { ...webhook, description: "${description}", signed: true });
      exports.known = pulumi.all([hook.webhookId, hook.createdDate, hook.hasSecret]).apply((all) => all.length);`);
    const stack = await project(declared("one"), { form });
    assertDone(await stack.up());
    await stack.write(declared("two"));
    const preview = await stack.pulumi("preview", "--diff", "--non-interactive");
    assertDone(preview);
    assert.match(preview.output, /~ description: "one" => "two"/);
    assert.doesNotMatch(preview.output, /unknown|output</);
  });

  it("moves from the dynamic form without a request, and not back", async () => {
    const program = programOf(`
      new apps.Webhook("replies", { ...webhook, signed: true });
      new apps.AdCampaign("spring", campaign);
      const provider = ${ownProvider('"eu"')};
      new apps.Webhook("replies-eu", { ...webhook, agentId: "agent-eu" }, { provider });
      new apps.AdCampaign("spring-eu", { ...campaign, appId: "app-eu" }, { provider });`);
    const ids = async (stack: PulumiProject) => (await stack.stored()).map(({ id }) => id).sort();
    const before = await project(program, { form: "dynamic" });
    assertDone(await before.up(), { create: 4 });
    newRequests(simulator);
    const after = await before.copy({ form });
    await after.writeSettings("name: tested\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n");
    await after.write(program);
    const moved = await after.up();
    assertDone(moved, { same: 4 });
    assert.deepEqual(companionChanges(moved), { same: 2 });
    assert.deepEqual(newRequests(simulator), []);
    assert.deepEqual(await ids(after), await ids(before));
    const providers = (await after.stored()).map(({ type, provider = "" }) => {
      const { name } = partsOfUrn(provider);
      return `${type} of ${name.startsWith("eu::") ? "eu" : "the stack"}`;
    });
    assert.deepEqual(
      providers.sort(),
      ["AdCampaign", "LaunchIntent", "Webhook"].flatMap((kind) =>
        ["eu", "the stack"].map((name) => `workspace-apps:index:${kind} of ${name}`),
      ),
    );
    assert.doesNotMatch(await after.rawState(), /pulumi-nodejs/);
    const back = await after.copy({ form: "dynamic" });
    await back.write(program);
    assertFailed(
      await back.preview(),
      /A stack cannot move back to the dynamic form\. Import "pulumi-workspace-apps\/packaged" again/,
    );
    assertDone(await after.refresh("--expect-no-changes"));
    newRequests(simulator);
    assertDone(await after.destroy());
    assert.deepEqual(
      ["agent-1", "agent-eu"].flatMap((agent) => simulator.objects.webhooks(agent)),
      [],
    );
    assert.deepEqual(
      ["app-1", "app-eu"].flatMap((app) => simulator.objects.campaigns(app)).map(({ status }) => status),
      ["REMOVED", "REMOVED"],
    );
  });
});

describe("In the packaged form, an interrupted command", () => {
  const { simulator, project } = onSimulator();
  const environment = { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "300", WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS: "300" };
  const launching = programOf('new apps.AdCampaign("spring", campaign);');
  const unconfirmed = async (stack: PulumiProject): Promise<unknown> =>
    (await stack.stored("AdCampaign")).map(({ outputs }) => outputs?.["launchState"]);

  it("ends its wait at once, and saves what it left open", async () => {
    const stack = await project(launching, { form, environment });
    simulator.fault({ operation: "campaign.launch", commit: true, then: { status: 409, body: {} } });
    // The list lags behind, so that the launch is watched for five minutes.
    simulator.fault({ operation: "campaign.list", times: 50, then: { status: 200, body: [] } });
    const up = stack.start("up");
    await until(() => simulator.requests.some(({ operation }) => operation === "campaign.launch"));
    await setTimeout(1_500);
    process.kill(up.pid, "SIGINT");
    assertFailed(await up.ended, /MONEY MAY BE MOVING[^]*The command was interrupted/);
    assert.deepEqual(await unconfirmed(stack), ["unconfirmed"]);
    simulator.clearFaults();
    assertDone(await stack.up());
    assert.deepEqual(await unconfirmed(stack), ["confirmed"]);
    assert.equal(simulator.requests.filter(({ operation }) => operation === "campaign.launch").length, 1);
  });

  it("awaits the response to a launch that was sent, and saves the campaign", async () => {
    const stack = await project(launching, { form, environment });
    simulator.fault({ operation: "campaign.launch", then: "pass", delayMilliseconds: 3_000 });
    const up = stack.start("up");
    await until(() => simulator.requests.some(({ operation }) => operation === "campaign.launch"));
    process.kill(up.pid, "SIGINT");
    await up.ended;
    const [campaign] = await stack.stored("AdCampaign");
    assert.equal(campaign?.outputs?.["campaignId"], "cmp_1");
    assert.equal(simulator.objects.campaigns("app-1").length, 1);
  });

  it("by customTimeouts says so, and the next one continues", async () => {
    // Each has its own time, so that none can take another's.
    const hook = (description: string): string =>
      programOf(`
        const customTimeouts = { create: "2s", update: "3s", delete: "4s" };
        new apps.Webhook("replies", { ...webhook, description: "${description}" }, { customTimeouts });`);
    const limit = (operation: OperationId): void => {
      simulator.fault({ operation, times: 20, then: { status: 429, headers: { "retry-after": "30" } } });
    };
    const over = (seconds: number): RegExp =>
      new RegExp(`The step did not finish within the ${String(seconds)} s that customTimeouts allows`);
    const stack = await project(hook("one"), { form, environment });
    limit("webhook.create");
    assertFailed(await stack.up(), over(2));
    simulator.clearFaults();
    assertDone(await stack.up(), { create: 1 });
    limit("webhook.update");
    assertFailed(await stack.apply(hook("two")), over(3));
    limit("webhook.delete");
    assertFailed(await stack.destroy(), over(4));
    assert.deepEqual(
      simulator.objects.webhooks("agent-1").map(({ description }) => description),
      ["one"],
    );
  });
});
