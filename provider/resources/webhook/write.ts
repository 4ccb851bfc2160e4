import type { ServiceClient } from "../../service/client";
import { isUncertain, knownFrom, nextFrom } from "../../service/errors";
import { sameSet, sameUrl } from "../shared/compare";
import { everyArgument } from "../shared/lifecycle";
import { callFor, type Inputs, schema, type State, toState, type Wire } from "./webhook";
import { PartialFailure, savingOnFailure } from "../shared/partial-failure";

/* Changing a webhook. */

/** Sends only what differs, and returns what the service then holds. */
export async function applyChanges(state: State, inputs: Inputs, service: ServiceClient): Promise<State> {
  let current = state;
  let patch = patchFor(current, inputs);
  // A second pass for what changed meanwhile, such as the service turning the webhook off.
  for (let pass = 1; Object.keys(patch).length > 0; pass++) {
    if (pass === 3) throw new PartialFailure(current, notApplied(current, patch));
    const sent = send(current, patch, service);
    // The result of a first pass, a new secret above all, must survive the failure of a second.
    const done = `Webhook ${current.webhookId} was changed`;
    const wire = await (pass === 1 ? sent : savingOnFailure(current, done, () => sent));
    current = toState(inputs, wire, current);
    patch = patchFor(current, inputs);
  }
  return {
    ...current,
    ...everyArgument<Inputs, "webhookId">(schema, inputs, "webhookId"),
    secretRotation: undefined,
  };
}

/** The fields of an update: only those that change. */
export interface Patch {
  target_url?: string;
  events?: string[];
  description?: string | null;
  enabled?: boolean;
  signing?: "rotate" | "disable";
}

export function patchFor(state: State, inputs: Inputs): Patch {
  const signing = signingFor(state, inputs);
  return {
    ...(sameUrl(state.targetUrl, inputs.targetUrl) ? {} : { target_url: inputs.targetUrl }),
    ...(sameSet(state.events, inputs.events) ? {} : { events: inputs.events }),
    ...(state.description === inputs.description ? {} : { description: inputs.description ?? null }),
    ...(state.enabled === inputs.enabled ? {} : { enabled: inputs.enabled }),
    ...(signing === undefined ? {} : { signing }),
  };
}

/** The `signing` of an update; undefined where nothing about it changes. */
export function signingFor(
  state: Partial<State>,
  { signed, rotateSecret }: Partial<Inputs>,
): "rotate" | "disable" | undefined {
  const isLost = state.secretRotation === "uncertain";
  if (signed === false) return state.hasSecret || isLost ? "disable" : undefined;
  const isAsked = rotateSecret !== undefined && rotateSecret !== state.rotateSecret;
  return isAsked || isLost || (signed === true && !state.hasSecret) ? "rotate" : undefined;
}

/** Sends a change. The state remembers what an uncertain one leaves open: a rotation above all, whose secret may be lost. */
async function send(state: State, patch: Patch, service: ServiceClient): Promise<Wire> {
  const isRotation = patch.signing === "rotate";
  const uncertain = (known: readonly string[], next: readonly string[] = []): PartialFailure =>
    new PartialFailure(
      { ...state, unconfirmed: true, secretRotation: isRotation ? "uncertain" : state.secretRotation },
      {
        code: "WA1320",
        what: isRotation
          ? `Webhook ${state.webhookId} may sign with a secret that nobody has seen.`
          : `It is uncertain whether webhook ${state.webhookId} was changed.`,
        known,
        next: [
          ...next,
          isRotation
            ? "Run `pulumi up` again. It generates a secret that is kept."
            : "Run `pulumi up` again. It reads the webhook before it sends anything.",
        ],
      },
    );
  let wire: Wire;
  try {
    wire = await sendUpdate(state, patch, service);
  } catch (error) {
    throw isUncertain(error) ? uncertain(knownFrom(error), nextFrom(error)) : error;
  }
  if (isRotation && !wire.secret) throw uncertain(["The service answered the rotation without the new secret."]);
  return wire;
}

function notApplied({ webhookId }: State, patch: Patch) {
  return {
    code: "WA1321" as const,
    what: `The service answered 200, but webhook ${webhookId} still differs in ${Object.keys(patch).join(", ")}.`,
    next: ["Declare the value that the service keeps."],
  };
}

export function sendUpdate(state: State, patch: Patch, service: ServiceClient): Promise<Wire> {
  return service.call("webhook.update", {
    ...callFor(state),
    body: { ...patch },
    repeatable: patch.signing !== "rotate",
  });
}
