import fc from "fast-check";
import { type Crash, crashes, type Fault, faults } from "./faults";

/** A campaign as a program declares it. */
export interface Declaration {
  /** The resource's name in the program. */
  resource: string;
  /** Its earlier name, which the option `aliases` gives. */
  alias?: string | undefined;
  appId: string;
  campaignName?: string | undefined;
  dailyBudgetMicros: number;
  paused?: boolean | undefined;
  deletionPolicy?: "delete" | "pause" | "retain" | undefined;
  /** Adopts this campaign. */
  campaignId?: string | undefined;
}

export interface Command {
  stack: number;
  kind: "up" | "up --skip-preview" | "preview" | "refresh" | "destroy";
  /** `--target`: one resource, with its intent or alone. */
  target?: { which: number; withIntent: boolean } | undefined;
  /** `up --replace`: one resource, its intent, or both. */
  replace?: { which: number; what: "campaign" | "intent" | "both" } | undefined;
  /** How often an error hook repeats a step of a campaign that failed. */
  repeats: number;
  /** Uses the stack's second token. */
  usesSecondToken: boolean;
  /** How far the clock of the machine is ahead. */
  aheadMilliseconds: number;
  /** Milliseconds after the beginning of the step. */
  begins: number;
  faults: Fault[];
  crash?: Crash | undefined;
}

/** A change of a program. `which` chooses one of its resources. */
export interface Edit {
  stack: number;
  which: number;
  change:
    | Partial<Pick<Declaration, "dailyBudgetMicros" | "appId" | "campaignName" | "paused" | "deletionPolicy">>
    | "remove"
    | "add"
    | "rename"
    | "rename with an alias"
    /** To what the program was before its last change. */
    | "revert"
    | "declare its own campaignId"
    | "leave campaignId out";
}

export type Step =
  | { is: "run"; commands: Command[] }
  | { is: "edit"; edit: Edit }
  | { is: "wait"; seconds: number }
  /** A person acts in the service. */
  | { is: "person"; does: "pause" | "resume" | "remove"; which: number }
  /** The list shows launches and changes only after these times. */
  | { is: "lag"; launches: number; changes: number }
  | { is: "tracking verifies"; appId: string };

/** Everything that happens in one world. */
export interface Schedule {
  /** Decides latencies, jitter and keys. */
  chance: number;
  quarantineSeconds: number;
  /** Whether the service holds new campaigns until tracking verifies. */
  isTrackingPending: boolean;
  /** Whether the second token sees empty lists, and may do nothing. */
  isSecondTokenBlind: boolean;
  maxAppDailyBudgetMicros?: number | undefined;
  /** Of both stacks, at the start. */
  program: Declaration[];
  steps: Step[];
  /** The last two commands of each stack: `up`, `up` without any campaign, or destroy. */
  ending: "up" | "removal" | "destroy";
}

export const apps = ["app-1", "app-2"];
export const settleSeconds = 30;
/** A list that lags longer than the package watches it cannot be helped. */
const lags = fc.constantFrom(0, 0, 2_000, 10_000, 20_000);

const budgets = fc.constantFrom(1_000_000, 5_000_000, 9_000_000);
const appIds = fc.constantFrom("app-1", "app-1", "app-2");
const names = fc.constantFrom(undefined, "Spring sale", "Summer sale");
const policies = fc.constantFrom<Declaration["deletionPolicy"]>(undefined, undefined, "delete", "pause", "retain");
const paused = fc.constantFrom(undefined, undefined, true, false);
const stack = fc.constantFrom(0, 0, 0, 1);
const which = fc.nat(1);

const declarations = fc.record({
  appId: appIds,
  campaignName: names,
  dailyBudgetMicros: budgets,
  paused,
  deletionPolicy: policies,
});

/** One campaign or two, never two of one name in one app. */
const programs: fc.Arbitrary<Declaration[]> = fc
  .array(declarations, { minLength: 1, maxLength: 2, size: "max" })
  .map((campaigns) => campaigns.map((campaign, index) => ({ resource: `campaign-${String(index + 1)}`, ...campaign })))
  .map((campaigns) => (hasDuplicates(campaigns) ? campaigns.slice(0, 1) : campaigns));

export function hasDuplicates(campaigns: readonly Declaration[]): boolean {
  const all = campaigns.map(({ appId, campaignName, resource }) => `${appId} ${campaignName ?? resource}`);
  return new Set(all).size < all.length;
}

function rarely<T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

const commands: fc.Arbitrary<Command> = fc.record({
  stack,
  kind: fc.constantFrom<Command["kind"]>(
    ...(["up", "preview", "refresh", "refresh", "destroy", "destroy"] as const),
    ...(Array(8).fill("up --skip-preview") as "up --skip-preview"[]),
  ),
  target: rarely(9, fc.record({ which, withIntent: fc.boolean() })),
  replace: rarely(14, fc.record({ which, what: fc.constantFrom("campaign", "intent", "both") })),
  repeats: fc.constantFrom(0, 0, 0, 0, 1, 2),
  usesSecondToken: fc.constantFrom(...(Array(11).fill(false) as boolean[]), true),
  aheadMilliseconds: fc.constantFrom(0, 0, 0, 0, 7_200_000, -7_200_000),
  begins: fc.constantFrom(0, 0, 100, 1_000, 10_000),
  faults: fc.oneof({ weight: 1, arbitrary: fc.constant<Fault[]>([]) }, { weight: 2, arbitrary: faults }),
  crash: rarely(2, crashes),
});

const edits: fc.Arbitrary<Edit> = fc.record({
  stack,
  which,
  change: fc.oneof(
    { weight: 4, arbitrary: fc.record({ dailyBudgetMicros: budgets }) },
    { weight: 2, arbitrary: fc.record({ campaignName: names }) },
    { weight: 2, arbitrary: fc.record({ appId: appIds }) },
    { weight: 2, arbitrary: fc.record({ paused }) },
    { weight: 2, arbitrary: fc.record({ deletionPolicy: policies }) },
    {
      weight: 8,
      arbitrary: fc.constantFrom<Edit["change"]>(
        "remove",
        "remove",
        "add",
        "rename",
        "rename with an alias",
        "revert",
        "revert",
        "declare its own campaignId",
        "leave campaignId out",
      ),
    },
  ),
});

const runs: fc.Arbitrary<Step> = fc.record({
  is: fc.constant("run"),
  commands: fc.array(commands, { minLength: 1, maxLength: 2 }).map(onePerStack),
});

/** A second command of one stack would find it locked. */
function onePerStack([first, second]: Command[]): Command[] {
  return [first, second].flatMap((command, index) =>
    command === undefined
      ? []
      : [index === 0 || first === undefined ? command : { ...command, stack: 1 - first.stack }],
  );
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: runs },
  { weight: 6, arbitrary: fc.record({ is: fc.constant("edit"), edit: edits }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("wait"), seconds: fc.constantFrom(1, 40, 120, 901, 4_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant("person"),
      does: fc.constantFrom("pause" as const, "resume" as const, "remove" as const),
      which,
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("lag"), launches: lags, changes: lags }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("tracking verifies"), appId: fc.constantFrom(...apps) }) },
);

/** `pulumi up` without anything special. */
export const plainUp: Command = {
  stack: 0,
  kind: "up --skip-preview",
  repeats: 0,
  usesSecondToken: false,
  aheadMilliseconds: 0,
  begins: 0,
  faults: [],
};

/** A launch that was killed, or that is uncertain: what follows it is the hardest part. */
const beginnings: fc.Arbitrary<Step> = fc
  .record({
    point: fc.constantFrom("sent", "committed", "answered"),
    what: fc.constantFrom("host", "command"),
    isKilled: fc.boolean(),
    carriedOut: fc.constantFrom("never", "before", "late"),
  } as const)
  .map(({ point, what, isKilled, carriedOut }) => {
    const crash: Crash = { at: "campaign.launch", nth: 1, point, what };
    const fault: Fault = { operation: "campaign.launch", nth: 1, times: 1, carriedOut, then: "409" };
    return { is: "run", commands: [{ ...plainUp, ...(isKilled ? { crash } : {}), faults: isKilled ? [] : [fault] }] };
  });

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  chance: fc.nat(),
  quarantineSeconds: fc.constantFrom(900, 900, 90),
  isTrackingPending: fc.boolean(),
  isSecondTokenBlind: fc.boolean(),
  maxAppDailyBudgetMicros: rarely(4, fc.constantFrom(6_000_000, 10_000_000)),
  program: programs,
  // Without a first run, nothing else has anything to act on.
  steps: fc
    .tuple(fc.oneof(runs, beginnings), fc.array(steps, { maxLength: 9, size: "max" }))
    .map(([first, others]) => [first, ...others]),
  ending: fc.constantFrom("up", "up", "removal", "destroy"),
});
