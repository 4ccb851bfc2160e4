/**
 * `npm run record-plans`: rewrites test/cli/plans/ with the output of the real Pulumi CLI for stacks against the simulator. Run it
 * when a new CLI prints plans in another form.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { format } from "prettier";
import { startSimulator } from "../../simulator";
import { assertDone, assertFailed, PulumiProject, type Run } from "../harness/engine";
import { install, uninstall, workFolder } from "../harness/installation";
import { after, reviewedStack } from "../harness/reviewed-stack";

const folder = resolve(__dirname, "..", "..", "test", "cli", "plans");

/** A stack that shows what resource options, a rename and a refresh change in a plan. */
const webhooks = `
  const apps = require("pulumi-workspace-apps");
  const webhook = (name, args, options) => new apps.Webhook(name, {
    agentId: "agent-support", targetUrl: "https://hooks.example.com/", events: ["message.completed"],
    description: name, ...args }, options);
`;

async function main(): Promise<void> {
  await mkdir(folder, { recursive: true });
  await install();
  try {
    await recordEveryRisk();
    await recordOptions();
    await recordInterrupted();
    await recordExample();
  } finally {
    await uninstall();
  }
}

async function recordEveryRisk(): Promise<void> {
  const simulator = await startSimulator();
  const stack = await reviewedStack(simulator);
  await save(
    "destroy",
    await stack.pulumi("destroy", "--preview-only", "--json", "--show-replacement-steps", "--non-interactive"),
  );
  await stack.write(after);
  await save("every-risk", await stack.plan());
  await simulator.close();
}

async function recordOptions(): Promise<void> {
  const simulator = await startSimulator();
  const config = { "workspace-apps:endpoints": `{"webhook.delete": "DELETE /hooks/{agent_id}/{webhook_id}"}` };
  const same = `${webhooks} webhook("drifted", {}); webhook("vanished", {});`;
  const stack = await PulumiProject.create({
    program: `${same}
      webhook("protected", {}, { protect: true });
      webhook("retained", {}, { retainOnDelete: true });
      webhook("retained-and-replaced", {}, { retainOnDelete: true });
      webhook("old-name", {});
      webhook("deleted", {});`,
    baseUrl: simulator.url,
    config,
  });
  assertDone(await stack.up());
  const idOf = (name: string): string =>
    simulator.objects.webhooks("agent-support").find(({ description }) => description === name)?.id ?? "";
  const rest = `${same}
    webhook("retained-and-replaced", { agentId: "agent-sales" }, { retainOnDelete: true });
    webhook("new-name", { webhookId: ${JSON.stringify(idOf("old-name"))}, overwrite: true });`;
  await stack.write(`${rest} webhook("protected", {});`);
  await save("options", await stack.plan());
  await stack.write(rest);
  await save("protected", await stack.preview());
  simulator.objects.changeWebhook("agent-support", idOf("drifted"), { disabled_at: "2026-01-01T00:00:00Z" });
  simulator.objects.removeWebhook("agent-support", idOf("vanished"));
  await save("refresh", await stack.pulumi("refresh", "--preview-only", "--json", "--non-interactive"));
  await stack.write(`${rest} webhook("protected", {});`);
  await save("refreshed-first", await stack.plan("--refresh"));
  await simulator.close();
}

/** A launch that failed, so that the state knows what was to be launched but no campaign. */
async function recordInterrupted(): Promise<void> {
  const simulator = await startSimulator();
  const program = (campaignName: string): string => `
    const apps = require("pulumi-workspace-apps");
    new apps.AdCampaign("spring", { appId: "app-shop", campaignName: "${campaignName}", campaignType: "SMART",
      dailyBudgetMicros: 5_000_000, landingPage: "https://shop.example.com/" });`;
  const stack = await PulumiProject.create({ program: program("Spring sale"), baseUrl: simulator.url });
  simulator.fault({ operation: "campaign.launch", then: { status: 402, body: { detail: "No card" } } });
  assertFailed(await stack.up(), /No campaign was launched/);
  await save("interrupted", await stack.plan());
  await stack.write(program("Summer sale"));
  await save("interrupted-renamed", await stack.plan());
  await stack.write(`require("pulumi-workspace-apps");`);
  await save("interrupted-reverted", await stack.plan());
  await simulator.close();
}

/** The plan whose report is in docs/guides/review.md. */
async function recordExample(): Promise<void> {
  const simulator = await startSimulator();
  simulator.objects.putWebhook("agent-sales", { id: "wh_orders" });
  const program = (campaigns: string, rotateSecret: string, fields: object, more: string): string => `
    const apps = require("pulumi-workspace-apps");
    const campaign = (name, args) => new apps.AdCampaign(name, { appId: "app-shop", campaignName: name,
      campaignType: "SMART", landingPage: "https://shop.example.com/", ...args });
    const webhook = (name, args) => new apps.Webhook(name, { targetUrl: "https://hooks.example.com/",
      events: ["message.completed"], ...args });
    ${campaigns}
    campaign("evergreen", { dailyBudgetMicros: 20_000_000 });
    webhook("replies", { agentId: "agent-support", signed: true, rotateSecret: "${rotateSecret}" });
    new apps.EntityRecord("vat", { appId: "app-shop", entityName: "TaxRate", fields: ${JSON.stringify(fields)} });
    ${more}`;
  const stack = await PulumiProject.create({
    program: program(
      `campaign("spring", { dailyBudgetMicros: 5_000_000 }); campaign("winter", { dailyBudgetMicros: 12_500_000 });`,
      "2026-01",
      { country: "DE", percent: 19 },
      `new apps.TestFlow("checkout", { appId: "app-shop", definition: { name: "Checkout" } });`,
    ),
    baseUrl: simulator.url,
  });
  assertDone(await stack.up());
  await stack.write(
    program(
      `campaign("spring", { dailyBudgetMicros: 8_000_000 });`,
      "2026-02",
      { country: "DE" },
      `new apps.IgnoredFinding("test-key", { appId: "app-shop", fingerprint: "3f2a9c" });
       webhook("orders", { agentId: "agent-sales", webhookId: "wh_orders", overwrite: true });`,
    ),
  );
  await save("example", await stack.plan());
  await simulator.close();
}

/** Parts that a review does not read, or that differ between machines. */
const unread = new Set([
  ...["__provider", "additionalSecretOutputs", "created", "custom", "detailedDiff", "duration", "parent"],
  ...["propertyDependencies", "sourcePosition", "stackTrace", "type"],
]);

async function save(name: string, { stdout }: Run): Promise<void> {
  const plan = JSON.stringify(JSON.parse(stdout), (key, value: unknown) => (unread.has(key) ? undefined : value));
  const text = plan.replaceAll(workFolder(), "/work");
  await writeFile(join(folder, `${name}.json`), await format(text, { parser: "json", printWidth: 120 }));
  process.stdout.write(`${name}.json\n`);
}

void main();
