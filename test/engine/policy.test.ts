import assert from "node:assert/strict";
import { copyFile, mkdtemp, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
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

describe("The policy pack", () => {
  const { simulator, project } = onSimulator();

  /** The output as a pipeline shows it. */
  const run = async (stack: PulumiProject, command: string[], given?: object): Promise<Run> =>
    stack.pulumi(...command, "--non-interactive", "--policy-pack", await pack(given));
  const preview = (stack: PulumiProject, given: object = settings): Promise<Run> => run(stack, ["preview"], given);
  const up = (stack: PulumiProject): Promise<Run> => run(stack, ["up", "--yes", "--skip-preview"], settings);

  it("accepts a stack that follows every rule", async () => {
    const kept = await preview(await project(program()));
    assertDone(kept);
    assert.doesNotMatch(kept.output, /mandatory|advisory/);
  });

  it("rejects a stack that breaks every rule, and names each", async () => {
    const breaks = {
      webhook: { targetUrl: "https://hooks.example.com/other?token=hidden-token", signed: false },
      campaign: { landingPage: "https://shop.example.com.example.net/" },
      second: { dailyBudgetMicros: 4_000_001 },
      protect: false,
    };
    const refused = await preview(await project(program(breaks)));
    for (const [rule, says] of Object.entries({
      "daily-spend":
        /AdCampaign "(spring|summer)" brings the daily spend of stack dev to USD 10\.000001, above its cap of USD 10\.00 a day\. Counted so far: spring, summer\./,
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
      /AdCampaign "summer" brings the daily spend of stack dev to USD 15\.00, above its cap of USD 10\.00 a day/,
    );
    assert.deepEqual(
      simulator.objects.launches("app-1").map(({ campaign_name }) => campaign_name),
      ["Spring sale"],
    );
    // The currency of the service's account is compared with the configuration.
    await stack.write(program());
    const inEuros = { ...settings, "daily-spend": { caps: { dev: { EUR: 10_000_000 } } } };
    assertFailed(
      await preview(stack, inEuros),
      /AdCampaign "spring" spends in USD, but was counted against the cap in EUR/,
    );
  });

  it("does not run without its settings", async () => {
    assertFailed(await preview(await project(program()), {}), /caps is required/);
  });

  it("of the example checks the campaign example, whose tsconfig was not written for it", async () => {
    const stack = await exampleProject("campaign", simulator.url);
    const refused = await run(stack, ["preview", "--config", "released=true", "--config", "dailyBudget=6"]);
    assertFailed(refused, /to USD 6\.00, above its cap of USD 5\.00 a day/);
  });
});
