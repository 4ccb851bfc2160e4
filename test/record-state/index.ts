/**
 * `npm run record-state`: writes test/fixtures/states/<version>/, the states that this version of the package leaves
 * behind, with the programs and the content of the service. Run it once for each release: every later version is tested
 * with them.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { format } from "prettier";
import packageJson from "../../package.json";
import { type Simulator, startSimulator } from "../../simulator";
import { assertDone, assertFailed, PulumiProject } from "../../tools/harness/engine";
import { install, uninstall, workFolder } from "../../tools/harness/installation";
import { contentOf, programFile, type Recorded, recordedStates } from "../support/recorded-states";
import { declarations, furnish } from "../support/stack-program";

const folder = resolve(recordedStates, packageJson.version);

async function main(): Promise<void> {
  if (existsSync(folder))
    throw new Error(`The states of ${packageJson.version} are recorded already, and those of a release never change.`);
  await mkdir(folder, { recursive: true });
  await install();
  try {
    await recordSettled();
    await recordUnsettled();
  } finally {
    await uninstall();
  }
}

/** Every kind of resource, created and adopted. Another LABEL changes each that can be changed in place. */
const settled = `
  const pulumi = require("@pulumi/pulumi");
  const apps = require("pulumi-workspace-apps");
  const label = process.env["LABEL"] ?? "recorded";
  const made = {};
  ${declarations()}
`;

async function recordSettled(): Promise<void> {
  const simulator = await startSimulator();
  furnish(simulator.objects);
  const stack = await begin("settled", settled, simulator);
  assertDone(await stack.up());
  await save("settled", stack, simulator);
}

/** No response arrives, so that every change stays open. */
async function recordUnsettled(): Promise<void> {
  const simulator = await startSimulator();
  const { objects } = simulator;
  objects.putRecord("app-shop", "TaxRate", { id: "rec-adopted", country: "DE" });
  const stack = await begin("unsettled", await readFile(join(__dirname, "unsettled.js"), "utf8"), simulator);
  assertDone(await stack.up());

  objects.changeRecord("app-shop", "TaxRate", "rec-adopted", { country: "IT" });
  assertDone(await stack.refresh("--target", "**::changed-by-others"));

  const lost = { status: 503, body: { detail: "It timed out" } };
  const changes = ["webhook.update", "record.update", "test.update", "campaign.pause"] as const;
  const reads = ["webhook.get", "record.get", "test.get"] as const;
  for (const operation of [...changes, ...reads]) simulator.fault({ operation, times: "always", then: lost });
  // Longer than the list is watched after a launch, so that the new campaign is not listed in that time.
  simulator.fault({ operation: "campaign.list", lagMilliseconds: 3_000 });
  stack.environment["LABEL"] = "changed";
  const fail = async (words: RegExp, ...names: string[]): Promise<void> => {
    const targets = names.flatMap((name) => ["--target", `**::${name}`]);
    assertFailed(await stack.up("--continue-on-error", ...targets), words);
  };
  // One after the other, so that it is known which of them was launched.
  simulator.fault({ operation: "campaign.launch", commit: true, then: lost });
  await fail(/MONEY MAY BE MOVING/, "listed-late");
  simulator.fault({ operation: "campaign.launch", then: lost });
  await fail(/MONEY MAY BE MOVING/, "never-listed");
  // All except the record whose drift an `up` would repair.
  await fail(
    /may sign with a secret that nobody has seen|It is uncertain whether/,
    "pausing",
    "rotating",
    "changing-webhook",
    "changing-record",
    "changing-test",
  );
  await save("unsettled", stack, simulator);
}

async function begin(name: string, program: string, simulator: Simulator): Promise<PulumiProject> {
  const text = await format(program, { parser: "babel", printWidth: 120 });
  await writeFile(programFile(packageJson.version, name), text);
  return PulumiProject.create({
    program: text,
    baseUrl: simulator.url,
    environment: { LABEL: "recorded", WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0" },
  });
}

/** Without what differs between machines. No version of the package reads it. */
async function save(name: string, stack: PulumiProject, simulator: Simulator): Promise<void> {
  const { stdout } = await stack.pulumi("stack", "export");
  const state = JSON.parse(stdout, (key, value: unknown) =>
    ["stackTrace", "sourcePosition"].includes(key) ? undefined : value,
  ) as Recorded["state"];
  const recorded: Recorded = { baseUrl: simulator.url, content: contentOf(simulator), state };
  const text = JSON.stringify(recorded);
  if (text.includes(workFolder())) throw new Error(`${name} contains a path of this machine.`);
  await writeFile(join(folder, `${name}.json`), await format(text, { parser: "json", printWidth: 120 }));
  process.stdout.write(`${name}.json\n`);
  await simulator.close();
}

void main();
