import { z } from "zod";
import { flag, identifier, text } from "../../arguments";
import type { Report } from "../../service/errors";
import type { Answer } from "../../service/operations";
import type { Deployment, Step } from "../shared/deployment";
import { importing } from "../shared/importing";
import type { Imported, Lifecycle } from "../shared/lifecycle";
import { claimWhile, type Origin } from "../shared/ownership";

const schema = z.strictObject({
  appId: identifier(),
  wireEvents: flag().default(false),
  rerun: text().min(1, "must not be empty; leave it out to run once").optional(),
});

type Inputs = z.output<typeof schema>;

interface State extends Inputs {
  composerPrompt: string;
  conversionId?: string | undefined;
  actionsCreatedOrExisting?: number | undefined;
  wiredMappings?: number | undefined;
  skippedReason?: string | undefined;
  /** The run was skipped, and the program declares a campaign of the app, whose launch creates the account. */
  isAccountExpected?: true | undefined;
  /** `adopted` for an imported one, until it runs for the first time. */
  origin?: Origin | undefined;
}

export const conversionTrackingLifecycle: Lifecycle<Inputs, State> = {
  kind: "ConversionTracking",
  purpose: "Creates conversion goals, and the instruction that installs tracking",
  inputs: schema,
  outputs: ["composerPrompt", "conversionId", "actionsCreatedOrExisting", "wiredMappings", "skippedReason"],
  declares: [{ properties: ["appId"], object: objectName }],
  importing: importing(schema, {
    id: ["appId"],
    objectName,
    read: readImported,
    firstDeclared: "wireEvents and rerun are stored, and nothing was run. Change rerun to run it.",
  }),
  replacedBy: ["appId"],
  outputsChangedBy: (state, inputs) => (isRunAgain(state, inputs) ? conversionTrackingLifecycle.outputs : []),
  hasMoreToDo: (state, deployment) => deployment !== undefined && isDue(state, deployment),
  previewMessage: (state, _inputs, isReplaced, deployment) =>
    !isReplaced && isDue(state, deployment)
      ? `The ${objectName(state)} runs again. It was skipped (${noAccount}), and the program declares a campaign of this app.`
      : undefined,
  requiredOperations: () => [{ operation: "tracking.bootstrap" }],
  objectName,
  idOf: ({ appId }) => appId,

  create: (inputs, step) => claimWhile(step, objectName(inputs), () => run(inputs, step)),

  // The service cannot be asked for it: all that is known is the response to the last run.
  read: (state) => Promise.resolve(state),

  async update(state, inputs, step) {
    if (isRunAgain(state, inputs)) return run(inputs, step);
    return { ...state, ...inputs, rerun: inputs.rerun };
  },

  delete(state, { log }) {
    // A skipped run created none.
    if (state.skippedReason === undefined)
      log(
        `The conversion goals of app ${state.appId} stay in its advertising account: the service cannot remove them. They are only removed from the stack.`,
      );
    return Promise.resolve();
  },
};

const noAccount = "no_ads_account";

/** Whether a skipped run is worth another one. The service cannot be asked whether the account exists. */
function isDue({ appId, skippedReason, isAccountExpected }: State, { launches }: Deployment): boolean {
  return skippedReason === noAccount && (isAccountExpected === true || launches.apps.has(appId));
}

/** Any update runs a skipped one again. */
function isRunAgain(state: State, { rerun, wireEvents }: Inputs): boolean {
  if (state.skippedReason === noAccount) return true;
  return (rerun !== undefined && rerun !== state.rerun) || wireEvents !== state.wireEvents;
}

/** The service cannot be asked for it, and running it would create goals. */
function readImported({ appId }: Pick<Inputs, "appId">, { evidence, log }: Step): Promise<Imported<Inputs, State>> {
  log(
    `The ${objectName({ appId })} is imported without a request, because the service cannot be asked for it, not even whether the app exists. Its outputs stay empty until rerun changes.`,
  );
  evidence.shownBy("tracking.bootstrap");
  const state: State = { appId, wireEvents: false, composerPrompt: "", origin: "adopted" };
  return Promise.resolve({ state, leftOut: ["wireEvents", "rerun"] });
}

async function run(inputs: Inputs, { service, launches, evidence, warn }: Step): Promise<State> {
  const wire = await service.call("tracking.bootstrap", {
    parameters: { app_id: inputs.appId },
    body: { wire_events: inputs.wireEvents },
  });
  evidence.shownBy("tracking.bootstrap");
  const state = toState(inputs, wire);
  if (state.skippedReason !== noAccount) return state;
  warn(skipped(inputs));
  return launches.apps.has(inputs.appId) ? { ...state, isAccountExpected: true } : state;
}

function skipped({ appId }: Inputs): Report {
  return {
    code: "WA1820",
    what: `No conversion goals exist for app ${appId}: it has no advertising account (${noAccount}).`,
    next: [
      "Launch a campaign of this app first, which creates the account. Then run `pulumi up` again.",
      "If this program declares the campaign: give this resource the option dependsOn, so that it runs after the launch.",
      "If it does not: change rerun after the launch.",
    ],
  };
}

/** From wire to state. A skipped call leaves fields out, which stay absent. */
function toState({ appId, wireEvents, rerun }: Inputs, wire: Answer<"tracking.bootstrap">): State {
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

function objectName({ appId }: Pick<Inputs, "appId">): string {
  return `conversion tracking of app ${appId}`;
}
