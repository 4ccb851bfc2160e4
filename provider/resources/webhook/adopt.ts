import { parseUrl } from "../../service/urls";
import { readingOperation, readWebhook } from "../../service/webhooks";
import { type Difference, hidden, presence, requireNoDifference } from "../shared/adoption";
import type { Step } from "../shared/deployment";
import { readToAdopt } from "../shared/evidence";
import type { Imported } from "../shared/lifecycle";
import { type Address, type Inputs, objectName, secretsOf, type State, toState } from "./webhook";
import { applyChanges, type Patch, patchFor } from "./write";

/* Adopting and importing a webhook. */

/** An import declares none of these yet, so the state gets the service's values. */
const nothingDeclared = { targetUrl: "", events: [], enabled: true };

/** The webhook to import, as a program would declare it. */
export async function readImported(address: Address, step: Step): Promise<Imported<Inputs, State>> {
  const found = await readToManage({ ...address, ...nothingDeclared }, address.webhookId, step);
  return { state: { ...found, signed: found.hasSecret ? true : undefined }, leftOut: ["rotateSecret"] };
}

/** The webhook of now, in the words of the declaration where they mean the same. */
async function readToManage(declared: Inputs, webhookId: string, { service, evidence }: Step): Promise<State> {
  const address = { agentId: declared.agentId, webhookId };
  const wire = await readToAdopt(objectName(address), () => readWebhook(service, address, secretsOf(declared)));
  evidence.shownBy(readingOperation(service));
  return toState(declared, wire, { webhookId, origin: "adopted" });
}

/** Adopts an existing webhook. With `overwrite`, it sends what differs. An existing secret is never rotated. */
export async function adopt(inputs: Inputs, webhookId: string, step: Step): Promise<State> {
  const found = await readToManage(inputs, webhookId, step);
  const adopted: State = { ...found, rotateSecret: inputs.rotateSecret };
  const differing = Object.keys(patchFor(adopted, inputs)) as (keyof Patch)[];
  const differences = differing.map((name) => differenceIn[name](adopted, inputs));
  requireNoDifference(objectName(adopted), differences, inputs);
  return applyChanges(adopted, inputs, step.service);
}

/** How a difference is shown, by the field that an update would send. */
const differenceIn: { readonly [Name in keyof Patch]-?: (found: State, declared: Inputs) => Difference } = {
  target_url: (found, declared) => ({
    name: "targetUrl",
    found: originOf(found.targetUrl),
    declared: originOf(declared.targetUrl),
  }),
  events: (found, declared) => ({
    name: "events",
    found: found.events.join(", "),
    declared: declared.events.join(", "),
  }),
  description: (found, declared) => ({
    name: "description",
    found: presence(found.description),
    declared: presence(declared.description),
  }),
  enabled: (found, declared) => ({ name: "enabled", found: String(found.enabled), declared: String(declared.enabled) }),
  signing: (found, declared) => ({ name: "signed", found: String(found.hasSecret), declared: String(declared.signed) }),
};

/** The rest of a target may be a key. */
function originOf(url: string): string {
  const origin = parseUrl(url)?.origin;
  return origin === undefined ? hidden : `${origin}/${hidden}`;
}
