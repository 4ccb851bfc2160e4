import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { LoggedRequest, Simulator } from "../../simulator";
import { pulumi, up } from "./command";
import type { Story } from "./story";

const agent = "agent-support";
const quickstart = resolve(__dirname, "..", "..", "examples", "quickstart", "index.ts");

/** The life of the quickstart's webhook. */
export const webhookStory: Story = {
  title: "A webhook, from its creation to its end",
  steps: [
    {
      look: "Preview. Look at the plan: a webhook and a folder membership to create, and no request yet.",
      program: readFileSync(quickstart, "utf8"),
      commands: [pulumi("preview")],
      promise: "the preview plans both resources and sends no request",
      found: ({ printed, requests }) => ({
        planned: printed.match(/(?<=:)(Webhook|FolderMembership) [\w-]+ create\b/g)?.toSorted(),
        requests,
      }),
      expected: { planned: ["FolderMembership shop-in-team create", "Webhook replies create"], requests: [] },
    },
    {
      look: "Up. Look at the requests that create both and sign the webhook, and at the signing secret, which is shown as [secret].",
      commands: [up()],
      promise: "the service holds one webhook and one app in the folder, and the signing secret stays hidden",
      found: ({ printed, requests, simulator }) => ({
        ...held(simulator),
        created: writtenOperations(requests),
        secret: /signingSecret: (.*)/.exec(printed)?.[1],
      }),
      expected: {
        webhooks: ["Replies to the help desk, on"],
        apps: ["app-shop"],
        created: ["folderItem.add", "webhook.create", "webhook.update"],
        secret: "[secret]",
      },
    },
    {
      look: "One field changes: the label. Look at the PATCH: it carries the description and nothing else.",
      commands: [up("--diff", "--config", "label=Replies for the night shift")],
      promise: "only the description was sent",
      found: ({ requests }) => writes(requests),
      expected: [["webhook.update", { description: "Replies for the night shift" }]],
    },
    {
      look: "Drift. 20 deliveries have failed, so the service has turned the webhook off. Look for enabled: true => false.",
      meanwhile: failDeliveries,
      commands: [pulumi("refresh", "--yes", "--skip-preview", "--diff")],
      promise: "the refresh finds the webhook turned off, and only reads",
      found: ({ printed, requests }) => ({ change: /~ enabled *: (.*)/.exec(printed)?.[1], writes: writes(requests) }),
      expected: { change: "true => false", writes: [] },
    },
    {
      look: "Up again, to repair it. Look at the PATCH: it carries enabled and nothing else.",
      commands: [up("--diff")],
      promise: "only enabled was sent, and the webhook is on again",
      found: ({ requests, simulator }) => ({ writes: writes(requests), webhooks: held(simulator).webhooks }),
      expected: { writes: [["webhook.update", { enabled: true }]], webhooks: ["Replies for the night shift, on"] },
    },
    {
      look: "Destroy. Look at the two DELETE requests. Afterwards the service has none of these objects.",
      commands: [pulumi("destroy", "--yes", "--skip-preview")],
      promise: "nothing is left in the service",
      found: ({ requests, simulator }) => ({ ...held(simulator), deleted: writtenOperations(requests) }),
      expected: { webhooks: [], apps: [], deleted: ["folderItem.remove", "webhook.delete"] },
    },
  ],
};

function failDeliveries(simulator: Simulator): void {
  for (const { id } of simulator.objects.webhooks(agent)) {
    for (let failure = 0; failure < 20; failure++) simulator.deliver(agent, id, { ok: false, status: 500 });
  }
}

function held({ objects }: Simulator) {
  return {
    webhooks: objects
      .webhooks(agent)
      .map(({ description, disabled_at }) => `${String(description)}, ${disabled_at === null ? "on" : "off"}`),
    apps: objects.folderItems("folder-team"),
  };
}

/** The operations that changed something. */
function writtenOperations(requests: readonly LoggedRequest[]): string[] {
  return requests.flatMap(({ method, operation }) => (method === "GET" ? [] : [String(operation)])).sort();
}

function writes(requests: readonly LoggedRequest[]): unknown[] {
  return requests.filter(({ method }) => method !== "GET").map(({ operation, body }) => [operation, body]);
}
