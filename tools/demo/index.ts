/**
 * `npm run demo`: runs the quickstart against the simulator with the real CLI. Each step says what to look at, shows the
 * output of the CLI and the requests that the service received, and fails when its promise does not hold.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type LoggedRequest, type Simulator, startSimulator } from "../../simulator";
import { ensureEngine } from "../engine";
import { run } from "../engine/run";
import { interruptible } from "./interruption";
import { linkExamples } from "./link-examples";
import { ThrowAwayStack } from "./pulumi";

const checkout = resolve(__dirname, "..", "..");
const agent = "agent-support";

interface Step {
  /** The line that is printed first. */
  readonly look: string;
  /** What happens to the service behind Pulumi's back before the command. */
  readonly meanwhile?: (simulator: Simulator) => void;
  readonly command: readonly string[];
  /** What must be true afterwards. `holds` checks it. */
  readonly promise: string;
  readonly holds: (seen: Seen) => boolean;
}

interface Seen {
  readonly printed: string;
  readonly requests: readonly LoggedRequest[];
  readonly simulator: Simulator;
}

const steps: Step[] = [
  {
    look: "Preview. Look at the plan: a webhook and a folder membership to create, and no request yet.",
    command: ["preview"],
    promise: "the preview plans both resources and sends no request",
    holds: ({ printed, requests }) =>
      printed.includes(":Webhook replies create") &&
      printed.includes(":FolderMembership shop-in-team create") &&
      requests.length === 0,
  },
  {
    look: "Up. Look at the requests that create both, and at the signing secret, which is shown as [secret].",
    command: ["up", "--yes", "--skip-preview"],
    promise: "the service holds one webhook and one app in the folder, and the signing secret stays hidden",
    holds: ({ printed, simulator: { objects } }) =>
      objects.webhooks(agent).length === 1 &&
      isDeepStrictEqual(objects.folderItems("folder-team"), ["app-shop"]) &&
      printed.includes("signingSecret: [secret]"),
  },
  {
    look: "One field changes: the label. Look at the PATCH: it carries the description and nothing else.",
    command: ["up", "--yes", "--skip-preview", "--diff", "--config", "label=Replies for the night shift"],
    promise: "only the description was sent",
    holds: ({ requests }) => onlyWrite(requests, { description: "Replies for the night shift" }),
  },
  {
    look: "Drift. 20 deliveries have failed, so the service has turned the webhook off. Look for enabled: true => false.",
    meanwhile: failDeliveries,
    command: ["refresh", "--yes", "--skip-preview", "--diff"],
    promise: "the refresh finds the webhook turned off, and only reads",
    holds: ({ printed, requests }) => /~ enabled *: true => false/.test(printed) && writes(requests).length === 0,
  },
  {
    look: "Up again, to repair it. Look at the PATCH: it carries enabled and nothing else.",
    command: ["up", "--yes", "--skip-preview", "--diff"],
    promise: "only enabled was sent, and the webhook is on again",
    holds: ({ requests, simulator: { objects } }) =>
      onlyWrite(requests, { enabled: true }) && objects.webhooks(agent)[0]?.disabled_at === null,
  },
  {
    look: "Destroy. Look at the two DELETE requests. Afterwards the service has none of these objects.",
    command: ["destroy", "--yes", "--skip-preview"],
    promise: "nothing is left in the service",
    holds: ({ simulator: { objects } }) =>
      objects.webhooks().length === 0 && objects.folderItems("folder-team").length === 0,
  },
];

async function demonstrate(signal: AbortSignal): Promise<void> {
  const started = performance.now();
  const simulator = await startSimulator();
  const folder = await mkdtemp(join(tmpdir(), "workspace-apps-demo-"));
  try {
    const { bin, version } = await ensureEngine({ say });
    say("Compiling the package, as the quickstart imports it.");
    await run(process.execPath, ["tools/build.js"], { cwd: checkout, signal });
    await linkExamples();
    const stack = await ThrowAwayStack.create({
      project: checkout,
      folder,
      bin,
      environment: { WORKSPACE_APPS_BASE_URL: simulator.url, WORKSPACE_APPS_ACCESS_TOKEN: "full-access-token" },
      show: (line) => {
        if (line.trim() !== "") say(`   | ${line.trimEnd()}`);
      },
      colour: process.stdout.isTTY && process.env["NO_COLOR"] === undefined,
      signal,
    });
    say(`The service is simulated on ${simulator.url}; Pulumi ${version} runs examples/quickstart, with its state`);
    say(`and configuration in ${folder}.`);
    for (const [index, step] of steps.entries()) {
      say(`\n${String(index + 1)}/${String(steps.length)} ${step.look}`);
      await take(step, stack, simulator);
    }
    say(`\nDone in ${((performance.now() - started) / 1000).toFixed(0)} s: every promise was checked.`);
  } finally {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function take(step: Step, stack: ThrowAwayStack, simulator: Simulator): Promise<void> {
  step.meanwhile?.(simulator);
  simulator.clearRequests();
  say(`   $ pulumi ${step.command.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" ")}`);
  const printed = await stack.pulumi(...step.command);
  const { requests } = simulator;
  say(requests.length === 0 ? "   The service received no request." : "   The service received:");
  for (const { method, path, body, status } of requests) {
    const sent = body === undefined ? "" : ` ${JSON.stringify(body)}`;
    say(`   > ${method} ${path}${sent} -> ${String(status)}`);
  }
  if (!step.holds({ printed, requests, simulator })) throw new Error(`this promise does not hold: ${step.promise}`);
  say(`   Checked: ${step.promise}.`);
}

function failDeliveries(simulator: Simulator): void {
  for (const { id } of simulator.objects.webhooks(agent)) {
    for (let failure = 0; failure < 20; failure++) simulator.deliver(agent, id, { ok: false, status: 500 });
  }
}

function writes(requests: readonly LoggedRequest[]): LoggedRequest[] {
  return requests.filter(({ method }) => method !== "GET");
}

function onlyWrite(requests: readonly LoggedRequest[], body: object): boolean {
  const [first, ...others] = writes(requests);
  return first?.operation === "webhook.update" && isDeepStrictEqual(first.body, body) && others.length === 0;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

interruptible(demonstrate).catch((error: unknown) => {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode ??= 1;
});
