import { writeFile } from "node:fs/promises";
import path from "node:path";
import { run } from "../../cli/review/run";
import type { OperationId } from "../../provider/service/operations";
import type { Campaign, LoggedRequest, Webhook } from "../../simulator";
import type { PulumiProject } from "../harness/engine";

/* Compares what `workspace-apps review` said about a plan with what the `up` then asked of the service. */

export interface Risk {
  category: string;
  text: string;
  resources: { name: string; kind: string }[];
}

export interface Report {
  exitCode: number;
  unseen: string[];
  incomplete: string[];
  risks: Risk[];
  spend: { apps: { app: string | null; before: Amount; after: Amount }[] };
}

interface Amount {
  micros: string;
  /** How many budgets the plan does not show. */
  notKnown: number;
}

/** Reviews the plan of a stack with every gate. `preview`: more options of the preview. */
export async function reviewPlanOf(stack: PulumiProject, ...preview: string[]): Promise<Report> {
  const [plan, state] = [path.join(stack.folder, "plan.json"), path.join(stack.folder, "state.json")];
  await writeFile(state, exportOf(await stack.rawState()));
  const { stdout, output } = await stack.plan(...preview);
  await writeFile(plan, stdout);
  try {
    return await reviewFiles(plan, state, "--fail-on", "any");
  } catch (error) {
    throw new Error(`The review failed for this preview:\n${output}`, { cause: error });
  }
}

/** The output of `pulumi stack export` for the state of a file backend. Starting the CLI for it takes a second. */
function exportOf(rawState: string): string {
  const { version, checkpoint } = JSON.parse(rawState) as { version: number; checkpoint: { latest: object } };
  return JSON.stringify({ version, deployment: checkpoint.latest });
}

/** The report of `workspace-apps review`. */
async function reviewFiles(plan: string, state: string, ...gates: string[]): Promise<Report> {
  let printed = "";
  await run([plan, "--state", state, "--format", "json", ...gates], {
    out: (text) => (printed += text),
    err: () => undefined,
  });
  return JSON.parse(printed) as Report;
}

/** The facts by which a request is judged, beside the report. */
export interface Known {
  /** The names of the resources that may have launched or found the campaign of a request, or the coding session. */
  readonly launchedBy: (request: LoggedRequest) => readonly string[];
  /** The webhook of a request as it was before the command. */
  readonly webhookOf: (request: LoggedRequest) => Webhook | undefined;
  /** The campaign of a request as it was before the command. */
  readonly campaignOf: (request: LoggedRequest) => Campaign | undefined;
}

/** Whether a line of the report announces a request. */
type Announces = (risk: Risk, request: LoggedRequest, known: Known) => boolean;

/**
 * Requests that a gate must not miss, and the line that announces them. A changed webhook matters only if it delivers
 * more.
 */
const gated: Partial<Record<OperationId, readonly Announces[]>> = {
  "campaign.delete": [deletingCampaign],
  "test.delete": [naming("permanent-delete", "flow_id")],
  "record.delete": [naming("permanent-delete", "entity_id")],
  "webhook.delete": [naming("permanent-delete", "webhook_id")],
  "campaign.launch": [launching],
  "codingSession.launch": [launching],
  "campaign.resume": [resuming],
  "webhook.update": [switchingOn, sendingMore],
  "tracking.bootstrap": [ofCategory("unremovable")],
};

/** The requests that launched, resumed, deleted permanently or made a webhook deliver more without being announced. */
export function unannounced({ risks }: Report, requests: readonly LoggedRequest[], known: Known): LoggedRequest[] {
  return requests
    .filter(isCarriedOut)
    .filter((request) =>
      (request.operation === undefined ? [] : (gated[request.operation] ?? [])).some(
        (announces) => !risks.some((risk) => announces(risk, request, known)),
      ),
    );
}

/** Whether a line is about money or a permanent deletion. */
export function isGated({ category }: Risk): boolean {
  return ["permanent-delete", "launch", "spend"].includes(category);
}

/** The lines about money and deletions that no request followed. */
export function falseAlarms({ risks }: Report, requests: readonly LoggedRequest[], known: Known): Risk[] {
  const done = requests.filter(isCarriedOut);
  const isFollowed = (risk: Risk): boolean =>
    done.some(
      (request) =>
        request.operation !== undefined &&
        gated[request.operation]?.some((announces) => announces(risk, request, known)),
    );
  return risks.filter((risk) => isGated(risk) && !isFollowed(risk));
}

/** Only a clear refusal counts as not carried out: an uncertain response may follow a request that was. */
function isCarriedOut({ status }: LoggedRequest): boolean {
  return typeof status !== "number" || status < 400 || status === 409 || status >= 500;
}

function ofCategory(category: string): Announces {
  return (risk) => risk.category === category;
}

function naming(category: string, parameter: string): Announces {
  return (risk, { parameters }) => risk.category === category && risk.text.includes(`"${parameters[parameter] ?? ""}"`);
}

/** The review does not know the id of a campaign that an interrupted command launched, only its app. */
function deletingCampaign(risk: Risk, request: LoggedRequest, known: Known): boolean {
  const isLookedFor = risk.text.startsWith("an earlier command may have launched");
  return naming("permanent-delete", isLookedFor ? "app_id" : "campaign_id")(risk, request, known);
}

function launching(risk: Risk, request: LoggedRequest, known: Known): boolean {
  return risk.category === "launch" && risk.resources.some(({ name }) => known.launchedBy(request).includes(name));
}

/** A campaign that an interrupted command launched is used, and may be resumed. */
function resuming(risk: Risk, request: LoggedRequest, known: Known): boolean {
  const isFound = risk.text.endsWith("then that campaign is used") && launching(risk, request, known);
  return isFound || naming("spend", "campaign_id")(risk, request, known);
}

function switchingOn(risk: Risk, request: LoggedRequest, known: Known): boolean {
  const { enabled } = request.body as { enabled?: boolean };
  const isSwitchedOn = enabled === true && known.webhookOf(request)?.disabled_at !== null;
  return !isSwitchedOn || naming("webhook-switch", "webhook_id")(risk, request, known);
}

function sendingMore(risk: Risk, request: LoggedRequest, known: Known): boolean {
  const { events = [] } = request.body as { events?: string[] };
  const had = known.webhookOf(request)?.events ?? [];
  return events.every((event) => had.includes(event)) || naming("webhook-target", "webhook_id")(risk, request, known);
}
