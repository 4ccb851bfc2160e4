import assert from "node:assert/strict";
import { doctor } from "../../../cli/doctor/run";
import type { Check, DoctorReport, OperationCheck } from "../../../cli/doctor/report";
import { type Clock, systemClock } from "../../../provider/service/clock";
import type { OperationId } from "../../../provider/service/operations";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../../simulator";

interface Examined extends DoctorReport {
  ok: boolean;
  summary: Record<string, number>;
}

export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

export type Environment = Record<string, string>;

/** Runs the command with its own environment. */
export async function run(environment: Environment, args: string[], clock: Clock = systemClock): Promise<Run> {
  let [stdout, stderr] = ["", ""];
  const output = { out: (text: string) => (stdout += text), err: (text: string) => (stderr += text) };
  const code = await doctor(args, output, { environment, clock });
  return { code, stdout, stderr };
}

/** Runs it with `--json`, and finds its checks by name. */
export async function examined(environment: Environment, args: string[] = [], clock?: Clock) {
  const { code, stdout, stderr } = await run(environment, ["--json", ...args], clock);
  const report = JSON.parse(stdout) as Examined;
  assert.equal(report.ok, code === 0);
  for (const finding of [...report.checks, ...report.operations])
    assert.equal(
      finding.fix !== undefined && finding.cause !== undefined,
      finding.state === "fail" || finding.state === "warn",
      `what is not in order has a fix and a cause: ${JSON.stringify(finding)}`,
    );
  return {
    code,
    report,
    stderr,
    check: (name: string): Check =>
      report.checks.find(({ check }) => check === name) ?? assert.fail(`no check ${name} in ${stdout}`),
    operation: (id: OperationId): OperationCheck =>
      report.operations.find(({ operation }) => operation === id) ?? assert.fail(`no operation ${id} in ${stdout}`),
    failed: (): string[] => [
      ...report.checks.filter(({ state }) => state === "fail").map(({ check }) => check),
      ...report.operations.filter(({ state }) => state === "fail").map(({ operation }) => operation),
    ],
  };
}

export function environmentOf(baseUrl: string, more: Environment = {}): Environment {
  return { WORKSPACE_APPS_BASE_URL: baseUrl, WORKSPACE_APPS_ACCESS_TOKEN: "full-access-token", ...more };
}

/** All ids except those that lists show. */
export const ids = [
  ...["--id", "app_id=app-1", "--id", "agent_id=agent-1", "--id", "folder_id=folder-1", "--id", "entity_name=Task"],
  ...["--id", "integration_type=crm"],
];

/** Responses from the specification for reads that belong to no resource. */
const lookUps: Partial<Record<OperationId, unknown>> = {
  "member.list": {
    members: [],
    next_cursor: null,
    has_more: false,
    total: 0,
    monthly_limit: null,
    default_member_credit_limit: null,
  },
  "geoTarget.search": [],
  "searchTerm.report": [],
  "asset.list": { session: [] },
  "connector.fields": { fields: [], connection_config: {} },
  "userStats.get": { active_users: 1, live_users: 0, inactive_7d: 0, inactive_30d: 0 },
};

/** A service with one object of each kind, on which every read succeeds. */
export async function healthySimulator(
  options: SimulatorOptions = {},
  leftOut: readonly OperationId[] = [],
): Promise<Simulator & { sessionId: string }> {
  const simulator = await startSimulator(options);
  simulator.objects.putWebhook("agent-1");
  simulator.objects.putRecord("app-1", "Task", { title: "a private value" });
  simulator.objects.putTest("app-1");
  simulator.objects.putCampaign("app-1");
  simulator.objects.addFolderItem("folder-1", "app-1");
  const sessionId = await launchSession(simulator.url);
  simulator.clearRequests();
  for (const [id, body] of Object.entries(lookUps) as [OperationId, unknown][])
    if (!leftOut.includes(id)) simulator.fault({ operation: id, times: "always", then: { status: 200, body } });
  // Its live values keep changing.
  return Object.defineProperties({ sessionId }, Object.getOwnPropertyDescriptors(simulator)) as Simulator & {
    sessionId: string;
  };
}

async function launchSession(url: string): Promise<string> {
  const headers = {
    authorization: "Bearer full-access-token",
    "content-type": "application/json",
    "idempotency-key": "doctor",
  };
  const body = JSON.stringify({ prompt: "p", title: "t" });
  const answer = await fetch(`${url}/api/apps/app-1/coding-sessions`, { method: "POST", headers, body });
  return ((await answer.json()) as { id: string }).id;
}
