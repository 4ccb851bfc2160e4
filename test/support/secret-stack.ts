/* A program with a secret on every possible path, and the service's response for each. */
import type { OperationId } from "../../provider/service/operations";
import type { Simulator } from "../../simulator";
import type { Canaries } from "./canaries";

/** Characters that JSON, URLs and shells escape. */
const awkward = ` "ü\\/+%&=`;

export type Secrets = ReturnType<typeof makeSecrets>;

export function makeSecrets(canaries: Canaries) {
  return {
    accessToken: canaries.make("access token", "+/="),
    apiKey: canaries.make("API key", "._~"),
    targetUrl: `https://hooks.example.com/?key=${canaries.make("target URL", "ü")}`,
    driftedUrl: `https://hooks.example.com/?key=${canaries.make("target URL set by somebody else")}`,
    description: canaries.make("description of a webhook", awkward),
    field: canaries.make("record field", awkward),
    nested: canaries.make("record field inside others", awkward),
    whole: canaries.make("record whose fields are all secret", awkward),
    found: canaries.make("record field as found at adoption", awkward),
    driftedField: canaries.make("record field set by somebody else", awkward),
    definition: canaries.make("definition of a test", awkward),
    prompt: canaries.make("prompt of a coding session", awkward),
    phone: canaries.make("phone number of a campaign"),
    rerun: canaries.make("rerun of a tracking", awkward),
    connection: canaries.make("value of a connection", awkward),
    query: canaries.make("argument of a look-up"),
    control: canaries.make("control", awkward),
  };
}

/** LABEL changes the resources, RUN only the controls. */
export const program = `
  const pulumi = require("@pulumi/pulumi");
  const apps = require("pulumi-workspace-apps");
  const { secret } = pulumi;
  const secrets = JSON.parse(process.env["SECRETS"]);
  const { LABEL: label, RUN: run } = process.env;
  const app = "app-1";

  const hook = new apps.Webhook("hook", { agentId: "agent-1", targetUrl: secret(secrets.targetUrl),
    events: ["message.completed"], description: secret(secrets.description + label), signed: true, rotateSecret: label });
  const at = { appId: app, entityName: "Account" };
  const made = new apps.EntityRecord("made", { ...at, fields: {
    label, pin: secret(secrets.field), login: { codes: ["x", secret(secrets.nested)] } } });
  const whole = new apps.EntityRecord("whole", { ...at, fields: secret({ label, pin: secrets.whole }) });
  const adopted = new apps.EntityRecord("adopted", { ...at, recordId: "found", fields: { pin: label }, deletionPolicy: "restore" });
  const test = new apps.TestFlow("test", { appId: app, definition: { label, password: secret(secrets.definition) } });
  const campaign = new apps.AdCampaign("campaign", { appId: app, campaignName: "Sale", campaignType: "SMART",
    dailyBudgetMicros: 5_000_000, landingPage: "https://shop.example.com/", phoneNumber: secret(secrets.phone),
    paused: label !== "one" });
  const session = new apps.CodingSession("session", { appId: app, title: "Task", prompt: secret(secrets.prompt) });
  const tracking = new apps.ConversionTracking("tracking", { appId: app, rerun: secret(secrets.rerun + label) });
  new apps.FolderMembership("membership", { folderId: "folder", appId: app });
  new apps.IgnoredFinding("finding", { appId: app, fingerprint: "f" });

  // Not code of this package: only Pulumi prints its secrets. One is changed, one is replaced.
  class Control extends pulumi.dynamic.Resource {
    constructor(name, args) {
      super(
        { create: async (outs) => ({ id: "1", outs }), update: async (id, olds, outs) => ({ outs }) },
        name,
        { ...args, pin: secret(secrets.control) },
      );
    }
  }
  const controls = [new Control("changed-control", { run }), new Control("new-control-" + run, {})];

  const hidden = { appId: secret(secrets.query) };
  const answers = {
    members: apps.getMembersOutput({ search: secret(secrets.query) }),
    campaigns: apps.getCampaignsOutput(hidden),
    campaign: apps.getCampaignOutput({ appId: app, campaignId: "cmp-read" }),
    webhook: apps.getWebhookOutput({ agentId: "agent-1", webhookId: secret("wh-read") }),
    targets: apps.getGeoTargetsOutput({ appId: app, query: secret(secrets.query) }),
    themes: apps.getSearchThemesOutput({ appId: app, businessName: secret(secrets.query) }),
    terms: apps.getSearchTermsOutput(hidden),
    assets: apps.getAdAssetsOutput(hidden),
    scan: apps.getSecurityScanOutput(hidden),
    fields: apps.getConnectorFieldsOutput({ appId: app, integrationType: "example-crm" }),
    stats: apps.getUserStatsOutput(hidden),
    run: apps.explainRunOutput({ appId: app, workflowId: "w", runId: secret("r") }),
  };
  module.exports = { hook, made, whole, adopted, test, campaign, session, tracking, controls, ...answers };
`;

/** Fills the service before the first command. */
export function furnish({ objects }: Simulator, secrets: Secrets): void {
  objects.putRecord("app-1", "Account", { id: "found", pin: secrets.found });
  objects.putCampaign("app-1", { id: "cmp-read" });
  objects.putWebhook("agent-1", { id: "wh-read", target_url: secrets.targetUrl });
  objects.setConnection("app-1", "example-crm", { subdomain: secrets.connection });
  objects.putWorkflowRun("app-1", "w", "r", { status: "failed" });
}

/** The next response of each operation is a refusal that repeats the credentials and the secrets of the object. */
export function refuse(simulator: Simulator, secrets: Secrets, operations: readonly OperationId[], status = 403): void {
  for (const operation of operations) {
    const detail = ["Refused", ...credentials(secrets), ...ownedBy(operation, secrets)].join(" | ");
    simulator.fault({ operation, then: { status, body: { detail } } });
  }
}

function credentials({ accessToken, apiKey }: Secrets): string[] {
  return [accessToken, apiKey, encodeURIComponent(accessToken), JSON.stringify(apiKey)];
}

/** The secrets of a record depend on which one is read: test/resources/secrecy.test.ts. */
function ownedBy(operation: OperationId, { targetUrl, definition, prompt }: Secrets): string[] {
  const [kind = ""] = operation.split(".");
  const own: Record<string, string[]> = {
    webhook: [targetUrl, new URL(targetUrl).href],
    test: [definition],
    codingSession: [prompt],
  };
  return own[kind] ?? [];
}
