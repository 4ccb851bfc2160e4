import { randomBytes } from "node:crypto";
import { z } from "zod";
import { describeProblem, problemsIn } from "../../argument-problems";
import { asSeconds, isInterruption, type Moment } from "../../service/clock";
import { knownFrom, nextFrom, ProviderError } from "../../service/errors";
import { checkBaseUrl } from "../../service/setting-names";
import type { Deployment } from "../shared/deployment";
import { type IntentLink, isWithinADay, type ReplacedIntent } from "../shared/launch-intents";
import { heirMayBeSkipped } from "../shared/ownership";
import type { Lifecycle } from "../shared/lifecycle";
import {
  type Confirmed,
  declaredName,
  describeCampaign,
  kind,
  objectName,
  oneAtATime,
  schema,
  toStateFromList,
} from "./campaign";
import { findDeclared, type ListedCampaign, listedKeys, lookFor, objectionToAge, sameValue } from "./campaign-list";
import { deleteCampaign, pauseCampaign } from "./changes";
import { type ListRead, nextSearch, type Search, type SearchEnd } from "./protocol";

/*
 * Step 0 of the protocol. Pulumi does not save a create that is interrupted. So a campaign that launches registers a
 * launch intent before itself: a resource that only holds, in state, what is about to be launched. When it leaves the
 * stack without its campaign, it looks for a campaign that a dead command launched.
 */

const intentSchema = schema.pick({
  appId: true,
  campaignName: true,
  campaignType: true,
  dailyBudgetMicros: true,
  landingPage: true,
  geoTargets: true,
  phoneNumber: true,
  // For policy packs: they see the intents of all campaigns before the first launch.
  paused: true,
  deletionPolicy: true,
  campaignId: true,
});

export type Inputs = z.output<typeof intentSchema>;

export interface State extends Inputs {
  /** The campaign that is launched under this intent keeps it in its state. */
  nonce: string;
  /** In ISO 8601, by the clock of the machine that wrote it. */
  writtenAt: string;
  /** The same by the service's clock. Unknown where the command had not heard from the service yet. */
  writtenServiceTime?: string | undefined;
  /** The campaign list of the service that it was written for. */
  readBy: string;
  /** The intents that it replaced within a day. */
  replaced?: readonly ReplacedIntent[] | undefined;
}

/** What names the campaign in a list. A change makes another intent, so that it does not overwrite the record of this one. */
const intended = ["appId", ...listedKeys] as const;

/** What a campaign gets of its intent. */
export type Link = IntentLink & Pick<State, (typeof intended)[number]>;
export const linkedOutputs: readonly (keyof Link)[] = [
  "nonce",
  "writtenAt",
  "writtenServiceTime",
  "readBy",
  "replaced",
  ...intended,
];

/**
 * The date, by the service's clock, since when an earlier, interrupted command may have launched the declared campaign.
 * Undefined if none can have.
 */
export function launchedSince(declared: Inputs, deployment: Deployment): number | undefined {
  const { intents } = deployment;
  const campaign = declaredName(declared);
  const replaced = intents.linkOf(campaign)?.replaced ?? [];
  // The campaign of a closed one was in state, so what came before it was dealt with.
  const closed = replaced.findLastIndex((intent) => intents.isClosed(intent, intent.campaign));
  const first = replaced
    .slice(closed + 1)
    .find(({ values }) => differingFromIntent(values as Link, declared).length === 0);
  const intent = first ?? intents.fromEarlierCommand(campaign);
  return intent && writtenSince(intent, deployment);
}

type Written = Pick<State, "writtenAt" | "writtenServiceTime">;

/**
 * When an intent was written: the later of the two times, because one that is too early makes older campaigns of others its
 * own. Without a service time, it is taken as written by this machine, whose clock is compared with the service's.
 */
function writtenSince({ writtenAt, writtenServiceTime }: Written, { service }: Deployment): number {
  const here = Date.parse(writtenAt);
  const there = writtenServiceTime === undefined ? service.serviceTime(here) : Date.parse(writtenServiceTime);
  return Math.max(here, there ?? here);
}

function intendedIn(state: State): Partial<State> {
  return Object.fromEntries(intended.map((key) => [key, state[key]]));
}

/** The arguments of a campaign that are not those of its intent. */
export function differingFromIntent(link: Link, inputs: Inputs): string[] {
  return intended.filter((key) => !isIntended(key, link, inputs));
}

/** For Node programs, where the class declares the intent. */
export const howToKeepEqual =
  "A transform must change both. Where ignoreChanges keeps an old value, declare that value";

/** Why a campaign must not be launched, or stay, under this intent. At preview a new one is not known yet. */
export function conflictWithIntent(
  { deletionPolicy: own = "delete" }: Inputs,
  intent: IntentLink | undefined,
): string | undefined {
  if (intent === undefined) return undefined;
  const { deletionPolicy: intended = "delete", campaignId } = intent;
  if (campaignId !== undefined)
    return "has a LaunchIntent with a campaignId, which is for adopted campaigns and remembers no launch. Remove campaignId from the LaunchIntent";
  // Policy "retain" ends nothing, and is that of a campaign with the option retainOnDelete.
  return intended === own || intended === "retain"
    ? undefined
    : `has the deletionPolicy "${own}", and its LaunchIntent has "${intended}", which would decide after an interrupted launch. Give both the same. ${howToKeepEqual}`;
}

const whenLeftOut: Partial<Inputs> = { geoTargets: [] };

function isIntended(key: (typeof intended)[number], link: Link, inputs: Inputs): boolean {
  const [one, other] = [link, inputs].map((values) => values[key] ?? whenLeftOut[key]);
  // At preview a value may be wrong, which the campaign reports.
  const isComparable = one !== undefined && other !== undefined && intentSchema.shape[key].safeParse(other).success;
  return key === "appId" || !isComparable ? one === other : sameValue(key, one as never, other as never);
}

export const launchIntentLifecycle: Lifecycle<Inputs, State> = {
  kind: "LaunchIntent",
  purpose: "Remembers a launch before it is sent",
  // Its campaign has the same arguments, and reports what is wrong with them.
  inputs: z.object(
    Object.fromEntries(Object.keys(intentSchema.shape).map((key) => [key, z.unknown().optional()])),
  ) as unknown as typeof intentSchema,
  outputs: ["nonce", "writtenAt", "writtenServiceTime", "readBy", "replaced"],
  // It holds the names of campaigns, which may be secrets of the program.
  secretOutputs: ["replaced"],
  replacedBy: [...intended, "campaignId"],
  equal: {
    ...Object.fromEntries(
      intended.map((key) => [key, (state: State, inputs: Inputs): boolean => isIntended(key, state, inputs)]),
    ),
    // An intent that does nothing stays one.
    campaignId: (state, { campaignId }) => (state.campaignId === undefined) === (campaignId === undefined),
  },
  requiredOperations: () => [],
  objectName: ({ nonce }) => `launch intent ${nonce}`,
  idOf: ({ nonce }) => nonce,

  beforeReplace: (state, inputs, { intents }) => {
    const { nonce, writtenAt, writtenServiceTime, replaced = [], campaignId } = state;
    if (campaignId === undefined && intentSchema.safeParse(inputs).success)
      intents.recordPredecessors(declaredName(inputs), [
        ...replaced,
        { nonce, writtenAt, writtenServiceTime, campaign: declaredName(state), values: intendedIn(state) },
      ]);
  },
  beforeKeep: (state, inputs, { intents }) => {
    const { replaced = [] } = state;
    const { deletionPolicy, campaignId } = inputs;
    intents.remember({ ...state, deletionPolicy, campaignId });
    if (intentSchema.safeParse(inputs).success) intents.recordReplacedBefore(declaredName(inputs), replaced);
  },

  create(inputs, { clock, service, intents }) {
    const valid = requireValid(inputs);
    const nonce = randomBytes(8).toString("hex");
    const now = clock.now();
    const serviceTime = service.serviceTime(now);
    const replaced = intents
      .predecessorsOf(declaredName(valid))
      .filter(({ writtenAt }) => isWithinADay(writtenAt, now));
    intents.markWritten(nonce);
    const state: State = {
      ...valid,
      nonce,
      writtenAt: new Date(now).toISOString(),
      writtenServiceTime: serviceTime === undefined ? undefined : new Date(serviceTime).toISOString(),
      readBy: service.endpoints.mark("campaign.list"),
      replaced: replaced.length === 0 ? undefined : replaced,
    };
    intents.remember(state);
    return Promise.resolve(state);
  },
  read: (state) => Promise.resolve(state),
  update: (state, { paused, deletionPolicy, campaignId }) =>
    Promise.resolve({ ...state, paused, deletionPolicy, campaignId }),

  async delete(state, deployment) {
    const isDone = state.campaignId !== undefined || deployment.intents.isClosed(state, declaredName(state));
    if (isDone) return;
    requireServiceOf(state, deployment);
    requireSuccessor(state, deployment);
    requireNoSkippedHeir(state, deployment);
    await conclude(await search(state, deployment), state, deployment);
  },
};

/** Only the service for which an intent was written can show what was launched under it. */
export function requireServiceOf(intent: IntentLink, { service }: Deployment): void {
  if (service.endpoints.isOfThisService(intent.readBy)) return;
  throw new ProviderError({
    what: `MONEY MAY BE MOVING: an earlier command may have launched the ${declaredName(intent as Link)} at another base URL. No request was sent.`,
    next: [checkBaseUrl, forgetting(intent)],
  });
}

/** Where a command sees the intent that replaces this one, and not the campaign of both, the search would end that campaign. */
function requireSuccessor(state: State, { intents, declarations }: Deployment): void {
  const successors = intents.successorsOf(state.nonce);
  if (successors.length === 0 || successors.some((campaign) => declarations.has(kind, campaign))) return;
  throw new ProviderError({
    what: `An earlier LaunchIntent of the ${objectName(state)} leaves the stack, and this command leaves out the campaign itself. Nothing was ended.`,
    next: ["Run `pulumi up` without --target and --exclude, or give the URNs of both."],
  });
}

/** The search would end a campaign that a resource adopts which was skipped in this command. */
function requireNoSkippedHeir(state: State, { failure }: Deployment): void {
  if (state.deletionPolicy === "retain" || !failure.isSeen) return;
  throw new ProviderError({
    what: `MONEY MAY BE MOVING: an earlier command may have launched the ${objectName(state)}, and ${heirMayBeSkipped}. Nothing was ended.`,
    next: ["Fix the failure, and run the same command again.", forgetting(state)],
  });
}

/** A replaced intent has the URN of the one that replaced it, so that only the id tells them apart. */
function forgetting({ nonce }: IntentLink): string {
  return `If nothing of yours was launched: \`pulumi state delete\` with the URN of the LaunchIntent, which \`pulumi stack --show-urns\` prints. If Pulumi finds several, choose the one with the id ${nonce}.`;
}

function requireValid(inputs: Inputs): Inputs {
  const { data, error } = intentSchema.safeParse(inputs);
  if (data !== undefined) return data;
  throw new ProviderError({
    what: "The arguments of the AdCampaign are wrong.",
    known: problemsIn(intentSchema, inputs, error.issues).map(describeProblem),
  });
}

/** Watches the list for a campaign that a dead command may have launched. */
async function search(state: State, deployment: Deployment): Promise<SearchEnd> {
  const { clock, settings, log } = deployment;
  const settle = settings.launchSettleSeconds * 1000;
  log(
    `An earlier command may have launched the ${objectName(state)}, whose LaunchIntent leaves the stack. Watching the campaign list for ${asSeconds(settle)}.`,
  );
  let at: Search = { is: "searching", until: clock.now() + settle, wait: 0 };
  try {
    while (at.is === "searching") {
      await clock.sleep(at.wait);
      at = nextSearch(at, await readList(state, deployment));
    }
  } catch (error) {
    throw isInterruption(clock, error) ? searchInterrupted(state, error) : error;
  }
  return at;
}

function searchInterrupted(state: State, error: unknown): ProviderError {
  return new ProviderError({
    what: `MONEY MAY BE MOVING: an earlier command may have launched the ${objectName(state)}, and the search for it did not end. Nothing was ended.`,
    known: knownFrom(error),
    next: ["Run the same command again.", forgetting(state)],
  });
}

function readList(state: State, deployment: Deployment): Promise<ListRead> {
  return lookFor(state.appId, deployment, "fresh", (rows, began) =>
    findDeclared(
      rows.filter((row) => !isManaged(row, state, deployment)),
      state,
      (row) => objectionTo(row, state, deployment) ?? objectionToOld(row, began),
    ),
  );
}

function objectionTo(row: ListedCampaign, state: State, deployment: Deployment): string | undefined {
  const object = objectName({ ...state, campaignId: row.id });
  if (deployment.claims.isInDoubt(object)) return "named in another error of this command";
  // Its resource was skipped: it would manage the campaign otherwise.
  if (deployment.declarations.has(kind, object)) return "declared by its campaignId";
  if (deployment.readById.has(object)) return "read by the program with get";
  return objectionToAge(row, writtenSince(state, deployment));
}

/** Whether the campaign is young enough for the intent to take it for its own. */
export function mayBeOf(intent: Written, createdDate: string | undefined, deployment: Deployment): boolean {
  return objectionToAge({ created_date: createdDate }, writtenSince(intent, deployment)) === undefined;
}

function objectionToOld({ created_date }: ListedCampaign, { at, serviceAt = at }: Moment): string | undefined {
  return isWithinADay(String(created_date), Math.max(at, serviceAt))
    ? undefined
    : `created ${String(created_date)}, more than a day ago`;
}

/**
 * Whether a resource of this deployment manages the campaign, or did before this command. Not one that Pulumi retains when
 * it is replaced, so that the policy `retain` names it.
 */
function isManaged({ id }: ListedCampaign, state: State, { claims }: Deployment): boolean {
  const object = objectName({ ...state, campaignId: id });
  const isLeft = claims.isReplaced(object) && !claims.isEnded(object) && !claims.has(object);
  return claims.isKnown(object) && !(isLeft && state.deletionPolicy === "retain");
}

async function conclude(end: SearchEnd, state: State, deployment: Deployment): Promise<void> {
  if (end.is === "nothing-found") return;
  const campaigns = end.is === "found" ? [end.campaign] : end.campaigns;
  const ids = campaigns.map(({ id }) => id).join(", ");
  if (state.deletionPolicy === "retain" && campaigns.length > 0) {
    deployment.log(`The ${objectName(state)} leaves the stack. ${ids} of this name may go on spending.`);
    return;
  }
  if (end.is === "found") return endInterrupted(end.campaign, state, deployment);
  const isListed = campaigns.length > 0;
  const why = isListed ? `this command cannot tell whether that is ${ids}` : "the campaign list could not be read";
  throw new ProviderError({
    what: `MONEY MAY BE MOVING: an earlier command may have launched the ${objectName(state)}, and ${why}.`,
    known: end.why.known,
    next: [
      ...(end.why.next ?? []),
      isListed
        ? "If one of them is yours, delete it in the service, or adopt it by its campaignId. Then run the same command again."
        : "Then run the same command again.",
      forgetting(state),
    ],
  });
}

/** Ends a campaign that a dead command launched and nothing declares any more, as its deletionPolicy says. */
async function endInterrupted(found: ListedCampaign, state: State, deployment: Deployment): Promise<void> {
  const { log, service } = deployment;
  await oneAtATime(state, deployment, async () => {
    // While this waited, a resource may have adopted or ended it.
    if (isManaged(found, state, deployment)) return;
    const campaign: Confirmed = toStateFromList(state, found, {}, service);
    const isPaused = state.deletionPolicy === "pause";
    log(
      `The ${describeCampaign(campaign)} has the name and the values of a launch that an earlier command announced and did not save. Nothing declares it any more, so it is ${isPaused ? "paused" : "deleted"}.`,
    );
    try {
      await (isPaused ? pauseCampaign : deleteCampaign)(campaign, deployment);
    } catch (error) {
      throw new ProviderError({
        what: `MONEY MAY BE MOVING: the ${describeCampaign(campaign)} was not ${isPaused ? "paused" : "deleted"}. An earlier command announced a launch with its name and values, and nothing declares it any more.`,
        known: knownFrom(error),
        next: [...nextFrom(error), "Run the same command again.", forgetting(state)],
      });
    }
  });
}
