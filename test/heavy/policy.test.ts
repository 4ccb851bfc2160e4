import assert from "node:assert/strict";
import { copyFile, mkdtemp, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { baseName } from "../../provider/resources/ad-campaign/identity";
import { assertDone, assertFailed, type PulumiProject, type Run } from "../../tools/harness/engine";
import { reviewFiles } from "../../tools/gates/judge";
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

/** A program of campaigns on one app. Each entry is a name, and its budget, more arguments and options as source text. */
function campaigns(declared: Record<string, string>, rest = ""): string {
  return `
    const apps = require("pulumi-workspace-apps");
    const declare = (name, budget, more = {}, options = {}) => new apps.AdCampaign(name, {
      appId: "app-1",
      campaignName: name,
      campaignType: "SMART",
      dailyBudgetMicros: apps.micros(budget),
      landingPage: "https://shop.example.com/",
      ...more,
    }, { protect: true, ...options });
    ${Object.entries(declared)
      .map(([name, terms]) => `const ${name} = declare("${name}", ${terms});`)
      .join("\n")}
    ${rest}
  `;
}

describe("The policy pack", () => {
  const { simulator, project } = onSimulator();

  /** The output as a pipeline shows it. */
  const run = async (stack: PulumiProject, command: string[], given?: object): Promise<Run> =>
    stack.pulumi(...command, "--non-interactive", "--policy-pack", await pack(given));
  const preview = (stack: PulumiProject, given: object = settings): Promise<Run> => run(stack, ["preview"], given);
  const upWith = (stack: PulumiProject, given: object, ...more: string[]): Promise<Run> =>
    run(stack, ["up", "--yes", "--skip-preview", ...more], given);
  const up = (stack: PulumiProject, ...more: string[]): Promise<Run> => upWith(stack, settings, ...more);
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
    // The currency of the service's account is compared with the configuration.
    await stack.write(program());
    const inEuros = { ...settings, "daily-spend": { caps: { dev: { EUR: 10_000_000 } } } };
    assertFailed(
      await preview(stack, inEuros),
      /AdCampaign "spring" spends in USD, but was counted against the cap in EUR/,
    );
  });

  it("launches no campaign that exceeds the cap together with those that the program registers before it", async () => {
    const stack = await project(campaigns({ a: "6" }));
    assertDone(await up(stack));
    await stack.write(campaigns({ a: "6", b: "6, {}, { dependsOn: a }" }));
    const above =
      /the daily spend of stack dev is USD 12\.00, above its cap of USD 10\.00 a day\. Counted so far: a, b\./;
    assertFailed(await preview(stack), above);
    assertFailed(await up(stack), above);
    assert.deepEqual(launched(), ["a"]);
  });

  it("counts a campaign that waits for another one too late without a preview, but maxAppDailyBudgetMicros does", async () => {
    const stack = await project(campaigns({ a: "6" }));
    assertDone(await up(stack));
    await stack.write(campaigns({ b: "6", a: "6, {}, { dependsOn: b }" }));
    const above = /the daily spend of stack dev is USD 12\.00/;
    assertFailed(await preview(stack), above);
    const setting = "workspace-apps:maxAppDailyBudgetMicros";
    assertDone(await stack.pulumi("config", "set", setting, "10000000"));
    assertFailed(await up(stack), /above the limit of 10\.00/);
    assert.deepEqual(launched(), ["a"]);
    assertDone(await stack.pulumi("config", "rm", setting));
    assertFailed(await up(stack), above);
    assert.deepEqual(launched(), ["a", "b"]);
  });

  it("refused what --target leaves out for arguments that it did not receive", async () => {
    const stack = await project(campaigns({ a: "6" }));
    assertDone(await up(stack));
    const rest = `
      new apps.Webhook("w", { agentId: "agent-1", targetUrl: "https://hooks.example.com/team", events: [], signed: true });
      new apps.TestFlow("t", { appId: "app-1", definition: {} });
    `;
    await stack.write(campaigns({ a: "6, { paused: true }", b: "6" }, rest));
    const paused = await up(stack, "--target", "**::a");
    assertDone(paused);
    assert.doesNotMatch(paused.output, /mandatory|advisory/);
    await stack.write(campaigns({ a: "6", b: "6" }, rest));
    // What the command creates is judged, and so is what is in state.
    assertDone(await up(stack, "--target", "**::a"));
    assertFailed(await up(stack, "--target", "**::b"), /the daily spend of stack dev is USD 12\.00/);
    assert.deepEqual(launched(), ["a"]);
  });

  it("does not see a campaign that is removed and retained, but the review and maxAppDailyBudgetMicros count it", async () => {
    const given = { ...settings, "protected-in-stacks": "disabled" };
    const stack = await project(campaigns({ a: '6, { deletionPolicy: "retain" }, { protect: false }' }));
    assertDone(await upWith(stack, given));
    await stack.write(campaigns({ b: "6" }));
    assertDone(await preview(stack, given));
    const [state, plan] = [path.join(stack.folder, "state.json"), path.join(stack.folder, "plan.json")];
    await writeFile(state, await stack.exportState());
    await writeFile(plan, (await stack.plan()).stdout);
    const exitCode = async (limit: string): Promise<number> =>
      (await reviewFiles(plan, state, "--max-daily-spend", limit)).exitCode;
    assert.deepEqual([await exitCode("11.99"), await exitCode("12")], [4, 0]);
    assertDone(await stack.pulumi("config", "set", "workspace-apps:maxAppDailyBudgetMicros", "10000000"));
    assertFailed(await upWith(stack, given), /above the limit of 10\.00/);
    assert.deepEqual(launched(), ["a"]);
  });

  it("does not run without its settings", async () => {
    assertFailed(await preview(await project(program()), {}), /caps is required/);
  });

  it("demands a deletionPolicy, which holds for a destroy with --ignore-protect", async () => {
    const demanding = (protection: string): object => ({
      ...settings,
      "protected-in-stacks": { stacks: ["dev"], protection },
    });
    const stack = await project(campaigns({ a: "6" }));
    assertFailed(await preview(stack, demanding("both")), /protection must be one of/);
    assertFailed(
      await preview(stack, demanding("protect-and-policy")),
      /AdCampaign "a" declares no deletionPolicy that keeps it\..* Declare deletionPolicy: "retain" or "pause"\./,
    );
    await stack.write(campaigns({ a: '6, { deletionPolicy: "pause" }' }));
    assertDone(await upWith(stack, demanding("protect-and-policy")));
    const statuses = (): unknown[] => simulator.objects.campaigns("app-1").map(({ status }) => status);
    assertFailed(await stack.destroy(), /protected/);
    assert.deepEqual(statuses(), ["ENABLED"]);
    assertDone(await stack.destroy("--ignore-protect"));
    assert.deepEqual(statuses(), ["PAUSED"]);
  });

  it("printed a stack trace for an enforcement level that does not exist", async () => {
    const refused = await preview(await project(program()), { ...settings, "signed-webhooks": "off" });
    assertFailed(refused, /Unknown enforcement level "off" of signed-webhooks\. Use one of "advisory"/);
    assert.doesNotMatch(refused.output, /^ +at /m);
  });

  it("asked for the settings of a rule that is disabled", async () => {
    const stack = await project(program({ second: { dailyBudgetMicros: 9_000_000 } }));
    assertDone(await preview(stack, { ...settings, "daily-spend": "disabled" }));
  });

  it("accepted a setting that does not exist, in the file of --policy-pack-config", async () => {
    const stack = await project(program());
    const file = path.join(stack.folder, "policy-settings.json");
    await writeFile(file, JSON.stringify({ "daily-spend": { cap: { dev: { USD: 1 } } } }));
    const refused = await run(stack, ["preview", "--policy-pack-config", file], settings);
    assertFailed(refused, /Unknown setting "cap" of daily-spend\. Did you mean "caps"\?/);
  });

  it("of the example checks the campaign example, whose tsconfig was not written for it", async () => {
    const stack = await exampleProject("campaign", simulator.url);
    const refused = await run(stack, ["preview", "--config", "released=true", "--config", "dailyBudget=6"]);
    assertFailed(refused, /is USD 6\.00, above its cap of USD 5\.00 a day/);
  });
});
