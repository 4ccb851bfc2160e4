import assert from "node:assert/strict";
import { copyFile, mkdtemp, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { baseName } from "../../provider/resources/ad-campaign/campaign-name";
import { assertDone, assertFailed, type PulumiProject, type Run } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";
import { exampleProject } from "../support/examples";
import { installedProject, workFolder } from "../../tools/harness/installation";

const example = path.resolve(__dirname, "../../examples/policy");

/** The example's policy pack, with the packed tarball installed as in a separate project. */
async function pack(settings?: object): Promise<string> {
  const folder = await mkdtemp(path.join(workFolder(), "policy-"));
  for (const file of ["PulumiPolicy.yaml", "index.js", "package.json", "settings.json"])
    await copyFile(path.join(example, file), path.join(folder, file));
  if (settings !== undefined) await writeFile(path.join(folder, "settings.json"), JSON.stringify(settings));
  await symlink(path.join(installedProject(), "node_modules"), path.join(folder, "node_modules"));
  return folder;
}

/** All rules, for the stack of the tests. */
const settings = {
  "daily-spend": { caps: { dev: { USD: 10_000_000 } } },
  "protected-in-stacks": { stacks: ["dev"] },
  "approved-landing-pages": { approved: ["shop.example.com"] },
  "approved-webhook-targets": { approved: ["hooks.example.com/team"] },
};

/** A program that follows all rules, with these changes. */
function program({ webhook = {}, campaign = {}, second = {}, protect = true } = {}): string {
  const webhookArgs = {
    agentId: "agent-1",
    targetUrl: "https://hooks.example.com/team/replies?token=hidden-token",
    events: ["message.completed"],
    signed: true,
    ...webhook,
  };
  const campaignArgs = {
    appId: "app-1",
    campaignName: "Spring sale",
    campaignType: "SMART",
    dailyBudgetMicros: 6_000_000,
    landingPage: "https://shop.example.com/spring",
    ...campaign,
  };
  const secondArgs = { ...campaignArgs, campaignName: "Summer sale", dailyBudgetMicros: 4_000_000, ...second };
  return `
    const apps = require("pulumi-workspace-apps");
    const options = { protect: ${String(protect)} };
    const replies = new apps.Webhook("replies", ${JSON.stringify(webhookArgs)});
    new apps.AdCampaign("spring", ${JSON.stringify(campaignArgs)}, options);
    new apps.AdCampaign("summer", ${JSON.stringify(secondArgs)}, options);
    new apps.TestFlow("checkout", { appId: "app-1", definition: { name: "Checkout" } }, options);
  `;
}

/** A program of campaigns on one app, by their names and budgets. */
function campaigns(declared: Record<string, number>, rest = ""): string {
  return `
    const apps = require("pulumi-workspace-apps");
    for (const [name, budget] of Object.entries(${JSON.stringify(declared)}))
      new apps.AdCampaign(name, {
        appId: "app-1",
        campaignName: name,
        campaignType: "SMART",
        dailyBudgetMicros: apps.micros(budget),
        landingPage: "https://shop.example.com/",
      }, { protect: true });
    ${rest}
  `;
}

describe("The policy pack", () => {
  const { simulator, project } = onSimulator();

  /** The output as a pipeline shows it. */
  const run = async (stack: PulumiProject, command: string[], given?: object): Promise<Run> =>
    stack.pulumi(...command, "--non-interactive", "--policy-pack", await pack(given));
  const preview = (stack: PulumiProject): Promise<Run> => run(stack, ["preview"], settings);
  const up = (stack: PulumiProject, ...more: string[]): Promise<Run> =>
    run(stack, ["up", "--yes", "--skip-preview", ...more], settings);
  const launched = (): unknown[] =>
    simulator.objects.launches("app-1").map(({ campaign_name }) => baseName(campaign_name));

  it("accepts a stack that follows every rule", async () => {
    const kept = await preview(await project(program()));
    assertDone(kept);
    assert.doesNotMatch(kept.output, /mandatory|advisory/);
  });

  it("rejects a stack that breaks every rule with secret values, and names each", async () => {
    const breaks = {
      webhook: { targetUrl: "https://hooks.example.com/other?token=hidden-token", signed: false },
      campaign: { landingPage: "https://shop.example.com.example.net/" },
      second: { dailyBudgetMicros: 4_000_001 },
      protect: false,
    };
    const secret = (_: string, kind: string, name: string, args: string): string =>
      `new apps.${kind}(${name}, secret(${args})`;
    const declared = program(breaks).replace(/new apps\.(\w+)\(("\w+"), (\{.*\})/g, secret);
    const refused = await preview(
      await project(`
        const secret = (args) =>
          Object.fromEntries(Object.entries(args).map(([key, value]) => [key, require("@pulumi/pulumi").secret(value)]));
        ${declared}
      `),
    );
    for (const [rule, says] of Object.entries({
      "daily-spend":
        // The two are registered at the same time, so that either may be the second.
        /With AdCampaign "(spring|summer)", the daily spend of stack dev is USD 10\.000001, above its cap of USD 10\.00 a day\. Counted so far: spring, summer\./,
      "protected-in-stacks": /AdCampaign "spring" is not protected[^]*TestFlow "checkout" is not protected/,
      "approved-landing-pages": /landingPage of AdCampaign "spring" is not on an approved host \(shop\.example\.com\)/,
      "approved-webhook-targets":
        /targetUrl of Webhook "replies" is not on an approved host \(hooks\.example\.com\/team\)/,
      "signed-webhooks": /Webhook "replies" is not declared as signed\. Set signed: true/,
    })) {
      assertFailed(refused, says);
      assert.match(refused.output, new RegExp(`\\[mandatory\\] +${rule}`));
    }
    assert.doesNotMatch(refused.output, /advisory|hidden-token/);
    assert.equal(simulator.requests.length, 0);
  });

  it("warns about an unknown budget at preview, and rejects it during the up before it is launched", async () => {
    // The budget comes from a webhook that does not exist yet.
    const unknown = program().replace(
      '"dailyBudgetMicros":4000000',
      '"dailyBudgetMicros": replies.webhookId.apply((id) => (id === "" ? 1 : 9000000))',
    );
    const stack = await project(unknown);
    const planned = await preview(stack);
    assertDone(planned);
    assert.match(planned.output, /\[advisory\] +unknown-values/);
    assert.match(
      planned.output,
      /dailyBudgetMicros of AdCampaign "summer" is not known yet, so daily-spend did not check it/,
    );
    assertFailed(
      await up(stack),
      /With AdCampaign "summer", the daily spend of stack dev is USD 15\.00, above its cap of USD 10\.00 a day/,
    );
    assert.deepEqual(launched(), ["Spring sale"]);
  });

  it("counts a campaign of the state that --target leaves out, and not a new one", async () => {
    const stack = await project(campaigns({ a: 6 }));
    assertDone(await up(stack));
    const rest = `
      new apps.Webhook("w", { agentId: "agent-1", targetUrl: "https://hooks.example.com/team", events: [], signed: true });
      new apps.TestFlow("t", { appId: "app-1", definition: {} });
    `;
    // A resource that --target leaves out has no arguments that a rule could judge.
    await stack.write(campaigns({ a: 6, b: 6 }, rest));
    const left = await up(stack, "--target", "**::a");
    assertDone(left);
    assert.doesNotMatch(left.output, /mandatory|advisory/);
    assertFailed(await up(stack, "--target", "**::b"), /the daily spend of stack dev is USD 12\.00, above its cap of/);
    assert.deepEqual(launched(), ["a"]);
  });

  it("refuses a setting that does not exist, in the file of --policy-pack-config too, without a stack trace", async () => {
    const stack = await project(program());
    const file = path.join(stack.folder, "policy-settings.json");
    await writeFile(file, JSON.stringify({ "daily-spend": { cap: { dev: { USD: 1 } } } }));
    const refused = await run(stack, ["preview", "--policy-pack-config", file], settings);
    assertFailed(refused, /Unknown setting "cap" of daily-spend\. Did you mean "caps"\?/);
    assert.doesNotMatch(refused.output, /^ +at /m);
  });

  it("of the example checks the campaign example, whose tsconfig was not written for it", async () => {
    const stack = await exampleProject("campaign", simulator.url);
    const refused = await run(stack, ["preview", "--config", "released=true", "--config", "dailyBudget=6"]);
    assertFailed(refused, /is USD 6\.00, above its cap of USD 5\.00 a day/);
  });
});
