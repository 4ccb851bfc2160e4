import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import packageJson from "../../package.json";
import * as policy from "../../policy";
import * as provider from "../../provider";
import * as packaged from "../../provider/packaged";
import * as simulator from "../../simulator";
import { testedForm, testedProgram } from "../../tools/harness/form";
import { installedProject, projectFolder } from "../../tools/harness/installation";
import { kindFixtures } from "../support/kind-fixtures";
import { lookupFixtures } from "../support/lookup-fixtures";
import { sourceOf } from "../support/program-source";
import { declarations, lookupCalls } from "../support/stack-program";

/** As `pulumi new typescript` writes it. Without skipLibCheck, every declaration of the package is checked. */
const settings = {
  compilerOptions: {
    strict: true,
    outDir: "bin",
    target: "es2020",
    module: "commonjs",
    moduleResolution: "node",
    sourceMap: true,
    experimentalDecorators: true,
    pretty: true,
    noFallthroughCasesInSwitch: true,
    noImplicitReturns: true,
    forceConsistentCasingInFileNames: true,
  },
};

/** Every kind with every argument, and every look-up in both forms. */
const derived = [
  ...Object.entries(kindFixtures).map(([kind, { allArgs }]) => `new apps.${kind}("whole", ${sourceOf(allArgs)});`),
  ...lookupFixtures.map(({ lookup: { name }, args }) => `void apps.${name}(${sourceOf(args)});`),
  declarations(),
  lookupCalls(),
].join("\n");

const resources = `
const config = new pulumi.Config();
const appId = config.require("appId");
const event: apps.WebhookEvent = "message.completed";
const webhookArgs: apps.WebhookArgs = {
  agentId: config.require("agentId"),
  targetUrl: pulumi.interpolate\`https://\${config.requireSecret("host")}/replies\`,
  events: [event],
};
const workspace: apps.ProviderArgs = { baseUrl: "https://eu.example.com", accessToken: config.requireSecret("token") };
const provider = new apps.Provider("eu", { ...workspace, rateLimits: { "member.list": 5 }, documentedOnly: true });
const webhook = new apps.Webhook("replies", webhookArgs, { protect: true, provider });
const secret: pulumi.Output<string | undefined> = webhook.secret;
const fields = { name: "Mug", price: 5, tags: ["new"], webhook: webhook.id };
const record = new apps.EntityRecord("record", { appId, entityName: "Product", fields }, { dependsOn: webhook });
const campaign = new apps.AdCampaign(
  "spring",
  {
    appId,
    campaignName: "Spring sale",
    campaignType: "PERFORMANCE_MAX",
    dailyBudgetMicros: apps.micros(config.require("budget")),
    landingPage: "https://shop.example.com/",
    geoTargets: apps.getGeoTargetsOutput({ appId, query: "Zurich" }).targets.apply((all) => all.map((one) => one.resourceName)),
    extraFields: { anything: 1 },
  },
  { ignoreChanges: ["geoTargets"], parent: record },
);
const launchState: pulumi.Output<"confirmed" | "unconfirmed"> = campaign.launchState;

// A wrong argument must be an error of the compiler, or these declarations are worth nothing.
// @ts-expect-error
new apps.Webhook("wrong", { agentId: "a", targetUrl: "https://a.example", events: ["message.deleted"] });
// @ts-expect-error
new apps.AdCampaign("wrong", { appId });
// @ts-expect-error
apps.getMembers({ roles: ["king"] });
`;

const lookups = `
async function lookUps(): Promise<unknown[]> {
  const { members, total } = await apps.getMembers({ roles: ["owner"], lastActive: { gte: "2026-01-01" } }, { parent: record });
  const owners: string[] = members.map((member) => member.email);
  const { dailyBudgetMicros = 0 } = await apps.getCampaign({ appId, campaignId: "cmp_1" });
  const { terms } = await apps.getSearchTerms({ appId, startDate: "2026-01-01", endDate: "2026-01-31" });
  const { library = [] } = await apps.getAdAssets({ appId });
  const run = await apps.explainRun({ appId, workflowId: "w", runId: "r" });
  const explanation: string | undefined = run.outcome === "explained" ? run.explanation : run.explanation;
  const stats = await apps.getUserStats({ appId }).catch((error: unknown) => {
    if (error instanceof apps.LookupError) return undefined;
    throw error;
  });
  return [owners, total, dailyBudgetMicros + 1, terms[0]?.clicks, library[0]?.fields, explanation, stats?.activeUsers];
}

const found = {
  members: apps.getMembersOutput({ roles: ["owner", pulumi.output<apps.MemberRole>("admin")] }, { dependsOn: [webhook] }).members,
  lastError: apps.getWebhookOutput({ agentId: webhook.agentId, webhookId: webhook.webhookId }).lastError,
  terms: apps.getSearchTermsOutput({ appId, dateRange: pulumi.output<apps.SearchTermDateRange>("LAST_7_DAYS") }).terms,
  status: apps.getSecurityScanOutput({ appId, waitForScan: { timeoutSeconds: pulumi.output(5) } }).status,
};
`;

const simulated = `
async function simulated(): Promise<string[]> {
  const options: SimulatorOptions = { folders: [{ id: "folder-team" }], limits: { "member.list": 5 }, tracking: "pending" };
  const simulator: Simulator = await startSimulator({
    ...options,
    credentials: [...defaultCredentials],
    readOnlyOperations: [...readOnlyOperations],
  });
  const fault: Fault = { operation: "webhook.create", commit: true, then: "reset" };
  simulator.fault(fault);
  simulator.fault({ operation: "campaign.list", lagMilliseconds: 5_000 });
  simulator.fault({ operation: "webhook.update", times: 2, then: { status: 429, headers: { "retry-after": "3" } } });
  const hook = simulator.objects.putWebhook("agent", { description: "Replies" });
  simulator.deliver("agent", hook.id, { ok: false, status: 500 });
  simulator.objects.putMember({ email: "new@example.com", role: "admin" });
  simulator.objects.setScan("app-shop", { status: "up_to_date" });
  simulator.advertising.setBillingHold(true);
  const held: number = simulator.objects.launches("app-shop").length + (await simulator.release());
  const seen = simulator.requests.map(({ operation, status }) => \`\${operation} \${status} \${held}\`);
  simulator.clearRequests();
  simulator.clearFaults();
  await simulator.close();
  return [simulator.url, ...seen];
}
`;

/** Only the packaged form has this. */
const gettable = `
const read: apps.Webhook = apps.Webhook.get("read", "agent-1/wh_1", { provider });
made["read"] = read.targetUrl;
`;

const program = `
import * as pulumi from "@pulumi/pulumi";
import * as apps from "pulumi-workspace-apps";
import { defaultCredentials, readOnlyOperations, type Fault, type Simulator, type SimulatorOptions, startSimulator } from "pulumi-workspace-apps/simulator";
const label: string = "recorded";
const made: Record<string, unknown> = {};
${derived}${resources}${lookups}${simulated}${testedForm === "packaged" ? gettable : ""}
export = async () => ({ made, rest: [secret, launchState, found, await lookUps(), await simulated()] });
`;

const pack = `
import {
  approvedExtraFields,
  approvedLandingPages,
  approvedWebhookTargets,
  dailySpend,
  protectedInStacks,
  type Rule,
  servePolicyPack,
  signedWebhooks,
  workspaceAppsPolicies,
} from "pulumi-workspace-apps/policy";

const rules: Rule[] = [
  dailySpend(),
  protectedInStacks(),
  approvedLandingPages(),
  approvedExtraFields(),
  approvedWebhookTargets(),
  signedWebhooks(),
];
servePolicyPack("team", [...workspaceAppsPolicies(), ...workspaceAppsPolicies(rules)], {
  "daily-spend": { caps: { "*": { USD: 5_000_000 } } },
  "signed-webhooks": "advisory",
});
`;

const run = promisify(execFile);

/** The compiler's output for files of a project with the packed tarball installed. */
async function compile(files: Record<string, string>): Promise<string> {
  const folder = await projectFolder();
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ name: "program", main: "index.ts" }));
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ ...settings, files: Object.keys(files) }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const compiler = path.join(folder, "node_modules/typescript/bin/tsc");
  return run(process.execPath, [compiler, "--noEmit", "--pretty", "false"], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

describe("The declarations in the packed package", () => {
  it("are tested with everything that a program can call", () => {
    const called = [
      ...Object.keys(provider),
      ...Object.keys(packaged),
      ...Object.keys(simulator),
      ...Object.keys(policy),
    ];
    assert.deepEqual(
      called.filter((name) => !new RegExp(`\\b${name}\\b`).test(program + pack)),
      [],
    );
  });

  it("compile in a project of `pulumi new typescript` with no errors except those of Pulumi's policy SDK itself", async () => {
    const output = await compile({ "index.ts": testedProgram(program), "pack.ts": pack });
    // Pulumi's policy SDK (1.21.0) has errors in its own declarations, also without this package.
    assert.match(output, /^(\S+@pulumi\/policy\/\S+ error .*\n)*$/);
  });

  it("need no package except Pulumi's own, so that no other types are loaded", async () => {
    const root = path.join(installedProject(), "node_modules/pulumi-workspace-apps");
    const entries = [".", "./packaged", "./simulator", "./policy"] as const;
    const reached = new Set(entries.map((entry) => path.join(root, packageJson.exports[entry].types)));
    const needed: Record<string, string[]> = {};
    // The loop also visits items that are added to the set while it runs.
    for (const file of reached) {
      const text = (await readFile(file, "utf8")).replaceAll(/\/\*[\s\S]*?\*\//g, "");
      for (const [, imported = ""] of text.matchAll(/(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*"([^"]+)"/g)) {
        if (!imported.startsWith(".")) (needed[imported] ??= []).push(path.relative(root, file));
        else reached.add(await declarationsOf(path.resolve(path.dirname(file), imported)));
      }
    }
    assert.deepEqual(
      Object.entries(needed).filter(([name]) => !Object.keys(packageJson.peerDependencies).includes(name)),
      [],
    );
    assert.ok(needed["@pulumi/pulumi"] !== undefined && needed["@pulumi/policy"] !== undefined);
  });
});

async function declarationsOf(module: string): Promise<string> {
  const file = `${module}.d.ts`;
  return readFile(file).then(
    () => file,
    () => path.join(module, "index.d.ts"),
  );
}
