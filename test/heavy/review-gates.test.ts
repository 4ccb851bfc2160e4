import assert from "node:assert/strict";
import { assertFailed, type PulumiProject } from "../../tools/harness/engine";
import { ownProvider } from "../../tools/harness/own-provider";
import { onSimulator } from "../support/on-simulator";
import { type Known, type Report, reviewPlanOf, unannounced } from "../../tools/gates/judge";
import { upUnlessHung } from "../../tools/gates/up-unless-hung";

/* Plans that passed the gates of 0.1.0 and then launched, resumed or deleted: each is a group of resources in its own app. */

const helpers = `
  const apps = require("pulumi-workspace-apps");
  const pulumi = require("@pulumi/pulumi");
  const campaign = (appId) => (name, args, options) => new apps.AdCampaign(name, { appId, campaignType: "SMART",
    dailyBudgetMicros: 4_000_000, landingPage: "https://shop.example.com/", campaignName: name, businessName: name,
    ...args }, options);
  const webhook = (args) => new apps.Webhook("secret-webhook", { agentId: "agent-1",
    targetUrl: "https://hooks.example.com/", ...args });
  const more = { dailyBudgetMicros: 5_000_000 };
`;

const before = `${helpers}
  new apps.TestFlow("pending", { appId: "app-1", definition: { name: "Checkout" } });
  campaign("app-12")("both", {}, { deleteBeforeReplace: false });
  const x2 = campaign("app-2")("x2"); campaign("app-2")("a2", { logoUrl: logoOf(x2) });
  const x3 = campaign("app-3")("x3"); campaign("app-3")("a3", { logoUrl: logoOf(x3) });
  const x4 = campaign("app-4")("x4"); campaign("app-4")("a4", {}, { deletedWith: x4 });
  const x5 = campaign("app-5")("x5"); campaign("app-5")("a5", {}, { deletedWith: x5 });
  const x6 = campaign("app-6")("x6"); campaign("app-6")("a6", {}, { deletedWith: x6 });
  campaign("app-7")("secret-pause", { paused: pulumi.secret(true) });
  webhook({ events: pulumi.secret(["message.created"]), enabled: pulumi.secret(false) });
  campaign("app-8")("refused", { dailyBudgetMicros: 1_000_000 });
  campaign("app-9")("unconfirmed", {}, { additionalSecretOutputs: ["launchState"] });
  function logoOf(other) { return other.campaignId.apply((id) => "https://shop.example.com/" + id + ".png"); }
`;

/** The first half of what a failed command did: a replacement without its deletion, and a deletion without its launch. */
const halfway = before
  .replace(`"pending", { appId: "app-1"`, `"pending", { appId: "app-10"`)
  .replace(`("both", {}`, `("both", { campaignName: "both, new" }`)
  .replace(`("refused", { dailyBudgetMicros: 1_000_000 }`, `("refused", { dailyBudgetMicros: 4_000_000 }`);

const after = `${helpers}
  const flow = new apps.TestFlow("pending", { appId: "app-10", definition: { name: "Checkout" } });
  campaign("app-12")("both", { campaignName: "both, new" }, { deleteBeforeReplace: false });
  campaign("app-2")("x2", more);
  campaign("app-3")("x3", more); campaign("app-3")("b3", { campaignName: "a3" });
  campaign("app-4")("x4", more);
  const x5 = campaign("app-5")("x5", more); campaign("app-5")("a5", more, { deletedWith: x5 });
  campaign("app-6")("a6", more);
  campaign("app-7")("secret-pause", { paused: pulumi.secret(false) });
  webhook({ events: pulumi.secret(["message.created", "message.completed"]), enabled: pulumi.secret(true) });
  campaign("app-8")("refused");
  campaign("app-9")("unconfirmed", {}, { additionalSecretOutputs: ["launchState"] });
  const made = new apps.TestFlow("new", { appId: "app-1", definition: { name: "Search" } });
  campaign("app-11")("unknown-id", { campaignId: made.flowId.apply(() => undefined) });
`;

const namesIn = ({ risks }: Report, category: string): string[] =>
  risks
    .filter((risk) => risk.category === category)
    .flatMap(({ resources }) => resources.map(({ name }) => name))
    .sort();

describe("The gates of workspace-apps review, with plans that passed once and should not have", () => {
  const { simulator, project } = onSimulator();
  const environment = {
    WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0",
    WORKSPACE_APPS_LAUNCH_QUARANTINE_SECONDS: "0",
  };

  const idOf = (app: string): string => simulator.objects.campaigns(app)[0]?.id ?? "";

  it("announce every launch, resume and permanent deletion of the up", async () => {
    const stack = await project(before, { environment });
    simulator.fault({ operation: "campaign.launch", parameters: { app_id: "app-9" }, then: { status: 409 } });
    assertFailed(await stack.up(), /MONEY MAY BE MOVING/);
    simulator.fault({ operation: "test.delete", then: { status: 403 } });
    simulator.fault({ operation: "campaign.delete", parameters: { app_id: "app-12" }, then: { status: 403 } });
    simulator.fault({ operation: "campaign.launch", parameters: { app_id: "app-8" }, then: { status: 400 } });
    simulator.fault({ operation: "campaign.launch", parameters: { app_id: "app-9" }, then: { status: 409 } });
    await stack.write(halfway);
    assertFailed(await upUnlessHung(stack, simulator, ["--continue-on-error"]), /No campaign was launched/);
    // Refusals of calls that the failed command did not begin.
    simulator.clearFaults();

    await stack.write(after);
    const report = await reviewPlanOf(stack);
    assert.deepEqual([report.incomplete, report.unseen], [[], []]);
    assert.deepEqual(namesIn(report, "permanent-delete"), [
      // Campaigns that an earlier command may have launched under the key of "refused" and "unconfirmed" with other arguments.
      ...["a2", "a3", "a4", "a5", "a6", "both", "pending", "refused", "unconfirmed", "x2", "x3", "x4", "x5", "x6"],
    ]);
    assert.deepEqual(namesIn(report, "launch"), [
      // "both" was refused: the campaign that it replaces was still live.
      ...["a5", "a6", "b3", "both", "refused", "unconfirmed", "unknown-id", "x2", "x3", "x4", "x5"],
    ]);
    assert.deepEqual(namesIn(report, "spend"), ["secret-pause"]);
    for (const category of ["webhook-switch", "webhook-target"])
      assert.deepEqual(namesIn(report, category), ["secret-webhook"]);

    // Spending goes from nothing to 4 where a replacement is pending.
    const [refused] = report.spend.apps.filter(({ app }) => app === "app-8");
    assert.deepEqual([refused?.before.micros, refused?.after.micros], ["0", "4000000"]);

    const output = await apply(stack, report, "--continue-on-error");
    // After a failure, a command with --continue-on-error deletes nothing that another resource might adopt.
    const requests = [...simulator.requests];
    // With this option, the replacement of "both" stays refused. And "a3" is live until the end of an up.
    const allowed = after.replace(", { deleteBeforeReplace: false }", "").replace('{ campaignName: "a3" }', "{}");
    await stack.write(allowed);
    await apply(stack, await reviewPlanOf(stack));
    const count = (operation: string): number =>
      [...requests, ...simulator.requests].filter((one) => one.operation === operation && one.status === 200).length;
    assert.deepEqual([count("test.delete"), count("campaign.resume")], [1, 1]);
    assert.ok(count("campaign.launch") >= 8, output);
  });

  /** Applies the program. Nothing may happen that the report does not announce. */
  async function apply(stack: PulumiProject, report: Report, ...options: string[]): Promise<string> {
    simulator.clearRequests();
    const webhooks = simulator.objects.webhooks();
    const { output } = await upUnlessHung(stack, simulator, options);
    // Each campaign is launched with the name of its resource as its businessName.
    const known: Known = {
      launchedBy: ({ body }) => [
        String((body as { campaign?: { business_name?: string } } | undefined)?.campaign?.business_name),
      ],
      webhookOf: ({ parameters }) => webhooks.find(({ id }) => id === parameters["webhook_id"]),
      campaignOf: () => undefined,
    };
    assert.deepEqual(unannounced(report, simulator.requests, known), [], output);
    return output;
  }

  it("let a renamed resource pass, and stop what is deleted with it or because its new owner is not known", async () => {
    const declaring = (...resources: string[]) => `${helpers}
      const provider = ${ownProvider('"own"')};
      ${resources.join("\n")}
    `;
    const flow = (appId: string) =>
      `const x = new apps.TestFlow("x", { appId: "${appId}", definition: {} }, { deleteBeforeReplace: true });`;
    const dependent = `campaign("app-1")("a", { logoUrl: x.flowId.apply((id) => "https://shop.example.com/" + id) });`;
    const spring = (name: string, more: string) =>
      `campaign("app-2")("${name}", { campaignName: "spring", businessName: "spring" }, ${more});`;
    const summer = (name: string, more: string) =>
      `campaign("app-3")("${name}", { campaignName: "summer", businessName: "summer", ${more} }, { provider });`;
    const stack = await project(declaring(flow("app-1"), dependent, spring("spring", "{}"), summer("summer", "")), {
      environment,
    });
    await stack.up();

    const renamed = spring("renamed", `{ aliases: [{ name: "spring" }] }`);
    await stack.write(declaring(flow("app-1"), dependent, renamed, summer("summer", "")));
    const pure = await reviewPlanOf(stack);
    assert.deepEqual([pure.exitCode, pure.risks], [0, []]);

    const adopted = summer("adopted", `campaignId: "${idOf("app-3")}"`);
    await stack.write(declaring(flow("app-9"), renamed, adopted));
    const replaced = ["--replace", "**::own"];
    const report = await reviewPlanOf(stack, ...replaced);
    assert.deepEqual([report.unseen, namesIn(report, "permanent-delete")], [[], ["a", "summer", "x"]]);
    await apply(stack, report, ...replaced);
    assert.deepEqual(
      simulator.requests.filter(({ operation }) => operation === "campaign.delete").map(({ status }) => status),
      [200, 200],
    );
  });
});
