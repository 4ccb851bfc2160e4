import assert from "node:assert/strict";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { OperationId, Simulator } from "../../simulator";
import { assertDone, assertFailed, companionChanges, type PulumiProject } from "../../tools/harness/engine";
import { ownProvider } from "../../tools/harness/own-provider";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { adopted } from "../support/adopted";
import { asStored, declared as declaredCampaign } from "../support/campaigns";
import { onSimulator } from "../support/on-simulator";
import { newRequests } from "../support/requests";
import { assertFailedWith } from "../support/steps";

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

  it("by the option import changes nothing, and is refused for a wrong id and for other values in every command", async () => {
    simulator.objects.putWebhook("agent-1", stored);
    simulator.objects.putCampaign("app-1", { id: "theirs", ...asStored });
    const declaring = (hook: object, spring: object, id = "agent-1/wh_1"): string =>
      programOf(`
        new apps.Webhook("replies", { ...webhook, ...${JSON.stringify(hook)} }, { import: "${id}" });
        const args = { ...campaign, deletionPolicy: "delete", ...${JSON.stringify(spring)} };
        new apps.AdCampaign("spring", args, { import: "app-1/theirs" });`);
    const stack = await project(declaring({}, {}, "wh_1"), { form });
    assertFailed(
      await stack.preview(),
      /"wh_1" is not the id of a Webhook\. No request was sent\.[^]*Give agentId\/webhookId\./,
    );
    const refused =
      /The webhook wh_1 of agent agent-1 was not imported: an import changes nothing, and the program declares another value for description\./;
    // Without a preview, Pulumi saves the import before it compares.
    await stack.write(declaring({ description: "other" }, {}));
    assertFailed(await stack.up("--continue-on-error"), refused);
    assertFailed(await stack.preview(), refused);

    await stack.write(declaring({ deletionPolicy: "retain" }, { dailyBudgetMicros: 6_000_000 }));
    assertFailed(
      await stack.preview(),
      /please remove the `import` declaration from your program.*has no LaunchIntent/s,
    );
    // The first declaration of an argument that the list does not show.
    const logo = { logoUrl: "https://shop.example.com/logo.png" };
    assertDone(await stack.apply(declaring({ deletionPolicy: "retain" }, logo)), { update: 2 });
    assert.deepEqual(writesOf(simulator), []);
  });

  it("by get reads an object beside the resource that manages it, and leaves a campaign running in place of its declaration", async () => {
    simulator.objects.putWebhook("agent-1", { ...stored, description: "found" });
    const program = (spring: string): string =>
      programOf(`
        exports.found = apps.Webhook.get("seen", "agent-1/wh_1").description;
        new apps.Webhook("managed", { ...webhook, description: "found", webhookId: "wh_1" });
        ${spring}`);
    const stack = await project(program('new apps.AdCampaign("spring", campaign);'), { form });
    assertDone(await stack.up());
    assert.match((await stack.pulumi("stack", "output", "found")).output, /found/);
    const [{ id } = assert.fail("no campaign")] = simulator.objects.campaigns("app-1");
    const taken = await stack.apply(program(`apps.AdCampaign.get("spring", "app-1/${id}");`));
    assert.equal(taken.code, 0, taken.output);
    assert.match(taken.output, /is not deleted: the program reads it with get, and no longer manages it/);
    assertDone(await stack.destroy());
    assert.deepEqual(writesOf(simulator), ["campaign.launch"]);
  });
});

describe("In the packaged form, a program", () => {
  const { simulator, project } = onSimulator();

  it("is told which lines of Pulumi.yaml are missing, is served by the package that it imports, and knows at preview what an update keeps", async () => {
    const declared = (description: string): string =>
      programOf(`
      const hook = new apps.Webhook("replies", { ...webhook, description: "${description}", signed: true });
      exports.known = pulumi.all([hook.webhookId, hook.createdDate, hook.hasSecret]).apply((all) => all.length);`);
    const stack = await project(declared("one"), { form });
    const file = (name: string): string => path.join(stack.folder, name);
    const settings = await readFile(file("Pulumi.yaml"), "utf8");
    await writeFile(file("Pulumi.yaml"), "name: tested\nruntime: nodejs\n");
    assertFailed(
      await stack.pulumi("preview", "--non-interactive"),
      /plugins:\s+providers:\s+- name: workspace-apps\s+path: node_modules\/pulumi-workspace-apps\/plugin/,
    );
    assert.deepEqual(simulator.requests, []);

    await cp(file("node_modules/pulumi-workspace-apps/plugin"), file("other/plugin"), { recursive: true });
    await mkdir(file("other/dist/provider/pulumi/packaged"), { recursive: true });
    await writeFile(file("other/dist/provider/pulumi/packaged/main.js"), 'throw new Error("of another package")');
    await writeFile(file("Pulumi.yaml"), settings.replace(/path: .*/, "path: other/plugin"));
    assertDone(await stack.up());

    await stack.write(declared("two"));
    const preview = await stack.pulumi("preview", "--diff", "--non-interactive");
    assertDone(preview);
    assert.match(preview.output, /~ description: "one" => "two"/);
    assert.doesNotMatch(preview.output, /unknown|output</);
    assertDone(await stack.destroy());
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

  it("ends its wait at once and saves what it left open, and awaits the response to a launch that was sent", async () => {
    const launching = `
      new apps.AdCampaign("watched", campaign);
      new apps.AdCampaign("awaited", { ...campaign, appId: "app-2" });`;
    const stack = await project(programOf(launching), { form, environment });
    const launchOf = (app_id: string) => ({ operation: "campaign.launch", parameters: { app_id } }) as const;
    simulator.fault({ ...launchOf("app-1"), commit: true, then: { status: 409, body: {} } });
    // The list lags behind, so that the launch is watched for five minutes.
    const hidden = { times: 50, then: { status: 200, body: [] } } as const;
    simulator.fault({ operation: "campaign.list", parameters: { app_id: "app-1" }, ...hidden });
    simulator.fault({ ...launchOf("app-2"), then: "pass", delayMilliseconds: 6_000 });
    const launches = (): number => simulator.requests.filter(({ operation }) => operation === "campaign.launch").length;
    const saved = async (): Promise<unknown> =>
      (await stack.stored("AdCampaign")).map(({ outputs }) => [outputs?.["appId"], outputs?.["launchState"]]).sort();

    const up = stack.start("up");
    await until(() => launches() === 2);
    await setTimeout(1_500);
    process.kill(up.pid, "SIGINT");
    assertFailed(await up.ended, /MONEY MAY BE MOVING[^]*The command was interrupted/);
    assert.deepEqual(await saved(), [
      ["app-1", "unconfirmed"],
      ["app-2", "confirmed"],
    ]);
    simulator.clearFaults();
    assertDone(await stack.up());
    assert.deepEqual(await saved(), [
      ["app-1", "confirmed"],
      ["app-2", "confirmed"],
    ]);
    assert.equal(launches(), 2);
  });

  it("by customTimeouts says so, and the next one continues", async () => {
    // Each has its own time, so that none can take another's.
    const hook = (name: string, description: string): string => `
      new apps.Webhook("${name}", { ...webhook, description: "${description}" },
        { customTimeouts: { create: "2s", update: "3s", delete: "4s" } });`;
    const limit = (operation: OperationId): void => {
      simulator.fault({ operation, times: 20, then: { status: 429, headers: { "retry-after": "30" } } });
    };
    const over = (seconds: number): RegExp =>
      new RegExp(`The step did not finish within the ${String(seconds)} s that customTimeouts allows`);
    const stack = await project(programOf(hook("old", "one")), { form, environment });
    assertDone(await stack.up(), { create: 1 });
    limit("webhook.create");
    limit("webhook.update");
    await stack.write(programOf(hook("old", "two") + hook("new", "new")));
    const run = await stack.up("--continue-on-error");
    assertFailedWith("new", run, over(2));
    assertFailedWith("old", run, over(3));
    simulator.clearFaults();
    limit("webhook.delete");
    assertFailed(await stack.destroy(), over(4));
    assert.deepEqual(
      simulator.objects.webhooks("agent-1").map(({ description }) => description),
      ["one"],
    );
  });
});
