import { z } from "zod";
import { campaignStatus } from "../../provider/service/shapes";
import { isRead, operations, parameterNames, type Parameters } from "../../provider/service/operations";
import { MissingObjectError } from "../collection";
import { faultParameters, faultTimes, operationId } from "../faults";
import { isoTime } from "../times";
import type { Fault, OperationId } from "../types";
import { type Controls, id, InvalidRequestError, route } from "./route";

/* Situations that people want to see, in words. All but the last three are ordinary faults. */

/** The target of a preset. */
interface Target {
  operation: OperationId;
  /** The path parameters of one object, or of those that a fault is for. */
  parameters?: Record<string, string> | undefined;
  times?: number | "always" | undefined;
}

interface Preset {
  id: string;
  words: string;
  /** The targets that it can be used with. */
  operations: readonly OperationId[];
  /** The kind of the one object that `parameters` must name, for a preset that changes it at once. */
  needsObject?: "object" | "webhook";
  put: (controls: Controls, target: Target) => void;
}

const all = Object.keys(operations) as OperationId[];
const writes = all.filter((operation) => !isRead(operation));
const lists = all.filter((operation) => operation.endsWith(".list"));

/** A preset that waits for requests, as the fault that a test would add. */
function waiting(preset: Pick<Preset, "id" | "words" | "operations">, fault: object): Preset {
  return {
    ...preset,
    put: (controls, { operation, parameters, times }) => {
      const where = parameters === undefined ? {} : { parameters };
      const often = times === undefined ? {} : { times };
      controls.fault({ operation, ...where, ...often, ...fault } as Fault);
    },
  };
}

/** The specification shows no body of a 409. */
const timedOut = { code: "ad_platform_timeout", message: "The request to the ad platform timed out after being sent." };
const rateLimited = { code: "rate_limit_exceeded", message: "Too many requests." };

/** As the service's own deletions would leave the object. Each returns whether it existed. */
const deletions: { readonly [Id in OperationId]?: (controls: Controls, named: Parameters<Id>) => boolean } = {
  "webhook.delete": ({ objects }, { agent_id, webhook_id }) => objects.removeWebhook(agent_id, webhook_id),
  "campaign.delete": ({ objects, clock }, { app_id, campaign_id }) => {
    const removed = { status: campaignStatus.removed, updated_date: isoTime(clock.now()) };
    objects.changeCampaign(app_id, campaign_id, removed);
    return true;
  },
  "folderItem.remove": ({ objects }, { folder_id, app_id }) => objects.removeFolderItem(folder_id, app_id),
  "record.delete": ({ objects }, { app_id, entity_name, entity_id }) =>
    objects.removeRecord(app_id, entity_name, entity_id),
  "test.delete": ({ objects }, { app_id, flow_id }) => objects.removeTest(app_id, flow_id),
};

const presets: readonly Preset[] = [
  waiting(
    { id: "launch-then-409", words: "Launch, then answer 409", operations: ["campaign.launch"] },
    { commit: true, then: { status: 409, body: timedOut } },
  ),
  waiting(
    { id: "409-without-launching", words: "Answer 409 without launching", operations: ["campaign.launch"] },
    { then: { status: 409, body: timedOut } },
  ),
  waiting(
    { id: "lose-answer", words: "Carry it out, lose the answer", operations: writes },
    { commit: true, then: "reset" },
  ),
  waiting(
    { id: "close-connection", words: "Close the connection without carrying it out", operations: all },
    { then: "reset" },
  ),
  waiting({ id: "list-lag", words: "The list lags 20 s", operations: lists }, { lagMilliseconds: 20_000 }),
  waiting(
    { id: "rate-limit", words: "Rate limit (429, retry after 3 s)", operations: all },
    { then: { status: 429, body: rateLimited, headers: { "retry-after": "3" } } },
  ),
  {
    id: "delete-behind",
    words: "Delete it behind Pulumi's back",
    operations: Object.keys(deletions) as OperationId[],
    needsObject: "object",
    put: (controls, { operation, parameters = {} }) => {
      const remove = deletions[operation] as (controls: Controls, named: Record<string, string>) => boolean;
      if (!remove(controls, parameters)) throw new MissingObjectError("There is no such object.");
    },
  },
  {
    id: "tracking-verified",
    words: "Conversion tracking verifies",
    operations: ["campaign.resume"],
    needsObject: "object",
    put: ({ objects, advertising }, { parameters: { app_id = "", campaign_id = "" } = {} }) => {
      if (objects.campaign(app_id, campaign_id) === undefined) throw new MissingObjectError("There is no such object.");
      advertising.trackingVerified(app_id);
    },
  },
  {
    id: "failed-deliveries",
    words: "20 failed deliveries",
    operations: ["webhook.update"],
    needsObject: "webhook",
    put: ({ objects, deliver }, { parameters: { agent_id = "", webhook_id = "" } = {} }) => {
      if (typeof objects.webhook(agent_id, webhook_id)?.disabled_at === "string")
        throw new InvalidRequestError(`Webhook ${webhook_id} is off, so it gets no deliveries. Turn it on first.`);
      for (let delivery = 1; delivery <= 20; delivery++) deliver(agent_id, webhook_id, { ok: false, status: 500 });
    },
  },
];

const presetId = z.string().transform((given, context): Preset => {
  const preset = presets.find((one) => one.id === given);
  if (preset !== undefined) return preset;
  context.addIssue(`must be one of ${presets.map((one) => one.id).join(", ")}`);
  return z.NEVER;
});

const choice = z
  .strictObject({
    preset: presetId,
    operation: operationId.optional(),
    parameters: faultParameters.optional(),
    times: faultTimes.optional(),
  })
  .transform(({ preset, operation: given, parameters, times }, context) => {
    const [only, ...others] = preset.operations;
    const operation = given ?? (others.length === 0 ? only : undefined);
    const report = (path: string, message: string): never => {
      context.addIssue({ code: "custom", path: [path], message });
      return z.NEVER;
    };
    if (operation === undefined || !preset.operations.includes(operation))
      return report("operation", `must be one of ${preset.operations.join(", ")}`);
    const names = parameterNames(operations[operation].endpoint);
    if (preset.needsObject !== undefined && names.some((name) => !id.safeParse(parameters?.[name]).success))
      return report("parameters", `must name one object: ${names.join(", ")}`);
    if (preset.needsObject !== undefined && times !== undefined)
      return report("times", "is only for presets that wait for requests; this one acts at once");
    return { preset, target: { operation, parameters, times } };
  });

export const presetRoutes = [
  route({
    endpoint: "GET presets",
    description:
      "Returns faults and changes that have a name, each with the operations that it can be used with. One with `needsObject` changes an object at once.",
    handle: () => ({
      presets: presets.map(({ put: _, ...shown }) => shown),
    }),
  }),
  route({
    endpoint: "POST presets",
    description:
      "Puts a preset in place. Needs `operation`, unless the preset has only one. The `parameters` are the path parameters of the requests that a fault is for (optional), or of the object. Only presets that wait for requests take `times`.",
    input: choice,
    examples: [
      { preset: "launch-then-409", parameters: { app_id: "a" }, times: 1 },
      { preset: "lose-answer", operation: "webhook.create" },
      { preset: "failed-deliveries", parameters: { agent_id: "a", webhook_id: "w" } },
    ],
    handle: (controls, { preset, target }) => {
      preset.put(controls, target);
    },
  }),
];
