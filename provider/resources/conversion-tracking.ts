import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Lifecycle } from "../engine/lifecycle";
import { type Kind, registration } from "../engine/resource";
import { briefTraces } from "../engine/traces";
import type { Service } from "../service/client";
import type { Answer } from "../service/operations";
import { flag, identifier, text } from "../arguments";
import { claim } from "./ownership";

/** Which app, and when to run again. */
export interface ConversionTrackingArgs {
  /** The app whose conversions are counted. A change replaces. */
  appId: pulumi.Input<string>;
  /**
   * Whether the instruction also wires each enabled conversion mapping; false installs only the base tag. A change runs
   * it again.
   * @default false
   */
  wireEvents?: pulumi.Input<boolean>;
  /** Any text; a change of it runs it again. */
  rerun?: pulumi.Input<string>;
}

const inputs = z.strictObject({
  appId: identifier(),
  wireEvents: flag().default(false),
  rerun: text().min(1, "must not be empty: leave it out to run once").optional(),
});

type Inputs = z.output<typeof inputs>;

interface State extends Inputs {
  composerPrompt: string;
  conversionId?: string | undefined;
  actionsCreatedOrExisting?: number | undefined;
  wiredMappings?: number | undefined;
  skippedReason?: string | undefined;
}

export const conversionTrackingLifecycle: Lifecycle<Inputs, State> = {
  inputs,
  defaults: () => ({ wireEvents: false }),
  declares: [{ properties: ["appId"], object: claimOf }],
  replacedBy: ["appId"],
  creatingNeeds: () => [{ operation: "tracking.bootstrap", instead: "Without it no conversion goals can be created." }],
  claimOf,
  idOf: ({ appId }) => appId,
  inputsOf: ({ appId, wireEvents, rerun }) => ({ appId, wireEvents, rerun }),

  create(inputs, deployment) {
    claim(deployment, claimOf(inputs));
    return run(inputs, deployment.service);
  },

  // The service has no read of it: what is known is what the last run answered.
  read: (state) => Promise.resolve(state),

  async update(state, inputs, { service }) {
    const asked = inputs.rerun !== undefined && inputs.rerun !== state.rerun;
    return asked || inputs.wireEvents !== state.wireEvents
      ? run(inputs, service)
      : { ...state, ...inputs, rerun: inputs.rerun };
  },

  delete(state, { say }) {
    // A skipped run made none.
    if (state.skippedReason === undefined)
      say(
        `The conversion goals of app ${state.appId} stay in its advertising account: the service cannot remove them. They leave the stack only.`,
      );
    return Promise.resolve();
  },
};

async function run(inputs: Inputs, service: Service): Promise<State> {
  const answer = await service.call("tracking.bootstrap", {
    parameters: { app_id: inputs.appId },
    body: { wire_events: inputs.wireEvents },
  });
  return stateOf(inputs, answer);
}

/** From wire to state. What a skipped call leaves out stays absent. */
function stateOf({ appId, wireEvents, rerun }: Inputs, wire: Answer<"tracking.bootstrap">): State {
  return {
    appId,
    wireEvents,
    rerun,
    composerPrompt: wire.composer_prompt,
    conversionId: wire.conversion_id ?? undefined,
    actionsCreatedOrExisting: wire.actions_created_or_existing ?? undefined,
    wiredMappings: wire.wired_mappings ?? undefined,
    skippedReason: wire.skipped_reason ?? undefined,
  };
}

function claimOf({ appId }: Pick<Inputs, "appId">): string {
  return `conversion tracking of app ${appId}`;
}

const kind: Kind = {
  name: "ConversionTracking",
  outputs: [
    ...Object.keys(inputs.shape),
    "composerPrompt",
    "conversionId",
    "actionsCreatedOrExisting",
    "wiredMappings",
    "skippedReason",
  ],
};

/**
 * The standard conversion goals of an app's advertising account, and the instruction that installs their tracking.
 *
 * Creates the goals that are missing. **They cannot be removed through the service:** destroy only takes them out of the
 * stack. An app without an advertising account is no failure: `skippedReason` is then `no_ads_account`. A change of
 * `wireEvents` or `rerun` runs it again, a change of `appId` replaces.
 *
 * ```ts
 * const tracking = new apps.ConversionTracking("tracking", { appId: "app-1", wireEvents: true });
 * export const prompt = tracking.composerPrompt;
 * ```
 */
export class ConversionTracking extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly wireEvents: pulumi.Output<boolean>;
  declare readonly rerun: pulumi.Output<string | undefined>;
  /** The instruction for the AI that installs tracking; empty when `skippedReason` is set. */
  declare readonly composerPrompt: pulumi.Output<string>;
  /** The conversion tag's id in the prompt; empty when the prompt tells the AI to look it up; absent when skipped. */
  declare readonly conversionId: pulumi.Output<string | undefined>;
  /** How many goals the account has after the call; absent when skipped. */
  declare readonly actionsCreatedOrExisting: pulumi.Output<number | undefined>;
  /**
   * How many mappings the prompt wires. With `wireEvents` and no enabled mapping: the number of conversion categories
   * offered. Above 0 means that there is wiring guidance; absent when skipped.
   */
  declare readonly wiredMappings: pulumi.Output<number | undefined>;
  /** `no_ads_account` when nothing was done because the app has no advertising account. */
  declare readonly skippedReason: pulumi.Output<string | undefined>;

  constructor(name: string, args: ConversionTrackingArgs, options?: pulumi.CustomResourceOptions) {
    using traces = briefTraces();
    try {
      super(...registration(kind, name, args, options));
    } catch (error) {
      throw traces.extended(error);
    }
  }
}
