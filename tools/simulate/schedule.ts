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

export type StackNumber = 0 | 1;

export interface Command {
  stack: StackNumber;
  kind: "up" | "up --skip-preview" | "up --refresh" | "preview" | "refresh" | "destroy" | "destroy --refresh";
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
  stack: StackNumber;
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
  /** The program of both stacks at the start. */
  program: readonly Declaration[];
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
const stack = fc.constantFrom<StackNumber>(0, 0, 0, 1);
const which = fc.nat(1);

const declared = { appId: appIds, campaignName: names, dailyBudgetMicros: budgets, paused, deletionPolicy: policies };

/** One campaign or two, never two of one name in one app. */
const programs = fc.array(fc.record(declared), { minLength: 1, maxLength: 2, size: "max" }).map((campaigns) => {
  const program = campaigns.map((campaign, index) => ({ resource: `campaign-${String(index + 1)}`, ...campaign }));
  return hasDuplicates(program) ? program.slice(0, 1) : program;
});

export function hasDuplicates(
  campaigns: readonly Declaration[],
  nameOf = ({ campaignName, resource }: Declaration): string => campaignName ?? resource,
): boolean {
  const all = campaigns.map((declared) => `${declared.appId} ${nameOf(declared)}`);
  return new Set(all).size < all.length;
}

/** Undefined this many times more often. */
function rarely<T>(times: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: times, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

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

const commands: fc.Arbitrary<Command> = fc.record({
  stack,
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<Command["kind"]>("up", "preview", "refresh", "refresh", "destroy") },
    { weight: 2, arbitrary: fc.constantFrom<Command["kind"]>("up --refresh", "up --refresh", "destroy --refresh") },
    { weight: 8, arbitrary: fc.constant<Command["kind"]>("up --skip-preview") },
  ),
  target: rarely(9, fc.record({ which, withIntent: fc.boolean() })),
  replace: rarely(14, fc.record({ which, what: fc.constantFrom("campaign", "intent", "both") })),
  repeats: fc.constantFrom(0, 0, 0, 0, 1, 2),
  usesSecondToken: rarely(11, fc.constant(true)).map((isTrue) => isTrue === true),
  aheadMilliseconds: fc.constantFrom(0, 0, 0, 0, 7_200_000, -7_200_000),
  begins: fc.constantFrom(0, 0, 100, 1_000, 10_000),
  faults: fc.oneof(fc.constant<Fault[]>([]), faults, faults),
  crash: rarely(2, crashes),
});

/** One command, or one of each stack at the same time: a second one of a stack would find it locked. */
const runs: fc.Arbitrary<Step> = fc.tuple(commands, rarely(1, commands)).map(([first, second]) => ({
  is: "run",
  commands: second === undefined ? [first] : [first, { ...second, stack: first.stack === 0 ? 1 : 0 }],
}));

const wordedEdits: Edit["change"][] = [
  ...(["remove", "remove", "add", "rename", "rename with an alias", "revert", "revert"] as const),
  ...(["declare its own campaignId", "leave campaignId out"] as const),
];

const edits: fc.Arbitrary<Edit> = fc.record({
  stack,
  which,
  change: fc.oneof(
    { weight: 4, arbitrary: fc.record({ dailyBudgetMicros: budgets }) },
    { weight: 2, arbitrary: fc.record({ campaignName: names }) },
    { weight: 2, arbitrary: fc.record({ appId: appIds }) },
    { weight: 2, arbitrary: fc.record({ paused }) },
    { weight: 2, arbitrary: fc.record({ deletionPolicy: policies }) },
    { weight: 8, arbitrary: fc.constantFrom(...wordedEdits) },
  ),
});

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: runs },
  { weight: 6, arbitrary: fc.record({ is: fc.constant("edit"), edit: edits }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("wait"), seconds: fc.constantFrom(1, 40, 120, 901, 4_000) }) },
  fc.record({ is: fc.constant("person"), does: fc.constantFrom("pause", "resume", "remove"), which } as const),
  fc.record({ is: fc.constant("lag"), launches: lags, changes: lags }),
  fc.record({ is: fc.constant("tracking verifies"), appId: fc.constantFrom(...apps) }),
);

/** A launch that was killed, or that is uncertain: what follows it is the hardest part. */
const killed = fc
  .record({
    point: fc.constantFrom("sent", "committed", "answered"),
    what: fc.constantFrom("host", "command"),
  } as const)
  .map(({ point, what }): Command => ({ ...plainUp, crash: { at: "campaign.launch", nth: 1, point, what } }));
const uncertain = fc.constantFrom<Fault["carriedOut"]>("never", "before", "late").map((carriedOut): Command => {
  return { ...plainUp, faults: [{ operation: "campaign.launch", nth: 1, times: 1, carriedOut, then: "409" }] };
});
const beginnings = fc.oneof(
  runs,
  fc.oneof(killed, uncertain).map((command): Step => ({ is: "run", commands: [command] })),
);

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  chance: fc.nat(),
  quarantineSeconds: fc.constantFrom(900, 900, 90),
  isTrackingPending: fc.boolean(),
  isSecondTokenBlind: fc.boolean(),
  maxAppDailyBudgetMicros: rarely(4, fc.constantFrom(6_000_000, 10_000_000)),
  program: programs,
  steps: fc
    .tuple(beginnings, fc.array(steps, { maxLength: 9, size: "max" }))
    .map(([first, others]) => [first, ...others]),
  ending: fc.constantFrom("up", "up", "removal", "destroy"),
});
