import assert from "node:assert/strict";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import type { State } from "../../provider/resources/ad-campaign/campaign";
import { keyIn } from "../../provider/resources/ad-campaign/campaign-name";
import { launchIntentLifecycle, type State as Intent } from "../../provider/resources/ad-campaign/intent";
import { ServiceClient } from "../../provider/service/client";
import { ProviderError } from "../../provider/service/errors";
import { Transport } from "../../provider/service/transport";
import type { Campaign, RequestFault } from "../../simulator";
import { type Bench, driven, leftBy } from "./deployment";

export type { State } from "../../provider/resources/ad-campaign/campaign";

const lifecycle = driven(adCampaignLifecycle);
export const intents = driven(launchIntentLifecycle);

/** A campaign with its launch intent, which is written now unless an earlier command has written it. */
export const campaign = {
  ...lifecycle,
  create: async (inputs: object, bench: Bench, earlier?: Intent): Promise<State> => {
    if ("campaignId" in inputs) return lifecycle.create(inputs, bench);
    const { key } = await intend(inputs, bench, earlier);
    return lifecycle.create({ ...inputs, launchIntent: key }, bench);
  },
  /** An update of a campaign whose intent stays. */
  update: async (state: State, inputs: object, bench: Bench): Promise<State> => {
    if (state.launchIntent !== undefined) seeIntentOf(state, bench);
    return lifecycle.update(state, { launchIntent: state.launchIntent, ...inputs }, bench);
  },
};

/** Writes the launch intent of a campaign, or lets this command see the one that an earlier command wrote. */
export async function intend(inputs: object, bench: Bench, earlier?: Intent): Promise<Intent> {
  const { appId, deletionPolicy } = inputs as Partial<Intent>;
  const values = deletionPolicy === undefined ? { appId } : { appId, deletionPolicy };
  if (earlier === undefined) return intents.create(values, bench);
  launchIntentLifecycle.planned?.(earlier, values as Intent, false, bench);
  return earlier;
}

/** Lets this command see the intent of a campaign in the state, as the engine does before it comes to the campaign. */
function seeIntentOf({ appId, deletionPolicy, launchIntent: key = "", readBy }: State, bench: Bench): void {
  bench.launches.of(key).intent ??= { apps: [appId], deletionPolicy, readBy };
}

/** The next command after one that wrote the intent of a campaign and was killed, with that intent. */
export async function afterKill(bench: Bench, inputs: object = declared): Promise<{ bench: Bench; intent: Intent }> {
  const intent = await intend(inputs, bench);
  return { bench: bench.later(), intent };
}

/** The key in the launched name of a campaign that the service holds. */
export function keyOf({ campaign_name: name }: Campaign): string {
  return keyIn(name) ?? assert.fail(`${name} has no key`);
}

/** The minimum that a program declares. */
export const declared = {
  appId: "app-1",
  campaignName: "Spring sale",
  campaignType: "SMART",
  dailyBudgetMicros: 5_000_000,
  landingPage: "https://shop.example.com/",
};

/** The same campaign in the field names of the service. */
export const asStored = {
  campaign_name: "Spring sale",
  campaign_type: "SMART",
  daily_budget_micros: 5_000_000,
  landing_page: "https://shop.example.com/",
} satisfies Partial<Campaign>;

/** The operations that the service received since the last call, without their `campaign.`. */
export function requests({ simulator }: Bench): string[] {
  const all = simulator.requests.map(({ operation }) => String(operation).replace("campaign.", ""));
  simulator.clearRequests();
  return all;
}

/** Scripts a fault of the deployment that a test uses at that moment. */
export const faulting =
  (current: () => Bench) =>
  (operation: RequestFault["operation"], then: RequestFault["then"], more: Partial<RequestFault> = {}): void => {
    current().simulator.fault({ operation, then, ...more });
  };

/** The app's campaigns, as in `cmp_1 ENABLED`. */
export function held({ simulator }: Bench): string[] {
  return simulator.objects.campaigns("app-1").map(({ id, status }) => `${id} ${status}`);
}

/** The message of a refused step, which leaves nothing behind. */
export async function refusal(step: Promise<unknown>): Promise<string> {
  const error = await failure(step);
  assert.ok(error instanceof ProviderError, String(error));
  return error.message;
}

function failure(step: Promise<unknown>): Promise<unknown> {
  return step.then(
    () => assert.fail("the step should have failed"),
    (error: unknown) => error,
  );
}

/** A launch whose response was lost, and which the list did not show. `on`: the machine that launches. */
export async function unconfirmedLaunch(bench: Bench, inputs: object = declared, on = bench): Promise<State> {
  bench.simulator.fault({ operation: "campaign.launch", then: { status: 409, body: { detail: "It timed out" } } });
  const { state } = await leftBy(campaign.create(inputs, on));
  requests(bench);
  return state;
}

export type { State as Intent } from "../../provider/resources/ad-campaign/intent";

export const quarantine = 900_000;

/** The same deployment, in which the next launches fail on this machine. */
export function failingToSend(bench: Bench, times: number, error: () => Error): Bench {
  const transport = new Transport(bench.settings.baseUrl, 30_000);
  let left = times;
  const service = new ServiceClient(bench.settings, bench.clock, bench.log, {
    send: (request) => {
      if (request.path.endsWith("/launch") && left-- > 0) throw error();
      return transport.send(request);
    },
    close: () => transport.close(),
  });
  const close = async (): Promise<void> => {
    await service.close();
    await bench.close();
  };
  return { ...bench, service, close };
}
