import assert from "node:assert/strict";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { objectName, type State } from "../../provider/resources/ad-campaign/campaign";
import { launchIntentLifecycle, type State as Intent } from "../../provider/resources/ad-campaign/intent";
import { ServiceClient } from "../../provider/service/client";
import { ProviderError } from "../../provider/service/errors";
import { Transport } from "../../provider/service/transport";
import type { Campaign } from "../../simulator";
import { type Bench, driven, leftBy } from "./deployment";

export type { State } from "../../provider/resources/ad-campaign/campaign";

const lifecycle = driven(adCampaignLifecycle);
const intents = driven(launchIntentLifecycle);

/** A campaign with its launch intent, which is written now unless an earlier command has written it. */
export const campaign = {
  ...lifecycle,
  create: async (inputs: object, bench: Bench): Promise<State> => {
    if (!("campaignId" in inputs)) await intend(inputs, bench);
    return lifecycle.create(inputs, bench);
  },
};

/** Writes the launch intent of a campaign, or gives the campaign the one that an earlier command wrote. */
export async function intend(inputs: object, bench: Bench, earlier?: Intent): Promise<Intent> {
  const names = Object.keys(launchIntentLifecycle.inputs.shape);
  const values = Object.fromEntries(Object.entries(inputs).filter(([name]) => names.includes(name)));
  const intent = earlier ?? (await intents.create(values, bench));
  const campaign = objectName({ ...(inputs as State), campaignId: undefined });
  if (earlier !== undefined || bench.intents.linkOf(campaign) === undefined) bench.intents.link(campaign, intent);
  return intent;
}

/** The next command after one that wrote the intent of a campaign and was killed. */
export async function afterKill(bench: Bench, inputs: object = declared): Promise<Bench> {
  const intent = await intend(inputs, bench);
  const next = bench.later();
  await intend(inputs, next, intent);
  return next;
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
