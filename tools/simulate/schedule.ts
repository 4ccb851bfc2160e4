import fc from "fast-check";
import { type Crash, crashes, type Fault, faults } from "./faults";

/** One resource of a program. */
export interface Declaration {
  /** Its name in the program. */
  resource: string;
  /** Its earlier name in the program, which the option `aliases` gives. */
  alias?: string | undefined;
  appId: string;
  campaignName: string;
  dailyBudgetMicros: number;
  businessName?: string | undefined;
  paused?: boolean | undefined;
  deletionPolicy?: "delete" | "pause" | "retain" | undefined;
  /** Adopts this campaign. */
  campaignId?: string | undefined;
}

export interface Program {
  campaigns: Declaration[];
  /** Every campaign depends on the one before it, so that they are created one after the other. */
  isChained: boolean;
}

export interface Command {
  stack: number;
  kind: "up" | "up without preview" | "refresh" | "destroy" | "preview" | "preview of a refresh";
  /** `up --target`: one resource of the program, with its launch intent or without. */
  target?: { which: number; withIntent: boolean } | undefined;
  /** Milliseconds after the beginning of the step. */
  begins: number;
  faults: Fault[];
  crash: Crash | undefined;
}

/** A change of a program. `which` chooses one of the resources that the program has then. */
export interface Edit {
  stack: number;
  which: number;
  change:
    | { dailyBudgetMicros: number }
    | { businessName: string | undefined }
    | { campaignName: number }
    | { appId: string }
    | { paused: boolean | undefined }
    | { deletionPolicy: Declaration["deletionPolicy"] }
    | "remove"
    | "add"
    | "rename the resource"
    | "rename the resource with aliases"
    /** To what the program was before its last change. */
    | "revert"
    | "swap names with the next"
    /** The id of the live campaign of its name, as an error about an unconfirmed launch advises. */
    | "declare its id"
    | "leave its id out";
}

export type Step =
  | { is: "run"; commands: Command[] }
  | { is: "edit"; edit: Edit }
  | { is: "wait"; seconds: number }
  /** `pulumi state delete` of a campaign and its launch intent. `which` chooses one of those in the state. */
  | { is: "state delete"; stack: number; which: number }
  /** A person acts in the service. */
  | { is: "person"; does: "pause" | "resume" | "remove"; which: number }
  /** The list shows nothing newer than this. */
  | { is: "lag"; milliseconds: number }
  /** Launches are answered with 409. */
  | { is: "billing hold"; on: boolean };

/** Everything that happens in one world. */
export interface Schedule {
  /** Decides latencies and jitter. */
  chance: number;
  settleSeconds: number;
  quarantineSeconds: number;
  programs: Program[];
  steps: Step[];
}

export const apps = ["app-1", "app-2"];
/** No client can keep its promises when two stacks declare one campaign. So each stack has names of its own. */
export const namesOf: readonly (readonly string[])[] = [
  ["Spring sale", "Summer sale", "Autumn sale", "Winter sale"],
  ["Easter", "Halloween"],
];
/** The longest lag of a list: shorter than the default settle time. */
const longestLag = 20_000;

const budgets = fc.constantFrom(1_000_000, 5_000_000, 9_000_000);
const policies = fc.constantFrom(undefined, undefined, undefined, "delete", "pause", "retain");
const paused = fc.constantFrom(undefined, undefined, true, false);
const businessNames = fc.constantFrom(undefined, "Shop", "Store");
const stack = fc.constantFrom(0, 0, 0, 1);
const which = fc.nat(2);

function programs(stack: number, most: number): fc.Arbitrary<Program> {
  const names = namesOf[stack] ?? [];
  return fc.record({
    campaigns: fc
      .array(
        fc.record({
          appId: fc.constantFrom(...apps),
          dailyBudgetMicros: budgets,
          businessName: businessNames,
          paused,
          deletionPolicy: policies,
        }),
        { minLength: 1, maxLength: most, size: "max" },
      )
      .map((campaigns) =>
        campaigns.map((campaign, index) => ({
          resource: `campaign-${String(index + 1)}`,
          campaignName: names[index] ?? "",
          ...campaign,
        })),
      ),
    isChained: fc.boolean(),
  });
}

function commands(kinds: fc.Arbitrary<Command["kind"]>): fc.Arbitrary<Command> {
  return fc.record({
    stack,
    kind: kinds,
    target: fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.record({ which, withIntent: fc.constantFrom(true, true, false) }) },
    ),
    begins: fc.constantFrom(0, 0, 100, 1_000, 10_000),
    faults: fc.oneof({ weight: 1, arbitrary: fc.constant<Fault[]>([]) }, { weight: 3, arbitrary: faults }),
    crash: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: crashes }),
  });
}

const mainKinds = fc.constantFrom<Command["kind"]>(
  "up",
  "up without preview",
  "up without preview",
  "up without preview",
  "up without preview",
  "up without preview",
  "refresh",
  "destroy",
);
const allKinds = fc.constantFrom<Command["kind"]>(
  "up",
  "up without preview",
  "refresh",
  "destroy",
  "preview",
  "preview of a refresh",
);

const edits: fc.Arbitrary<Edit> = fc.record({
  stack,
  which,
  change: fc.oneof(
    { weight: 4, arbitrary: fc.record({ dailyBudgetMicros: budgets }) },
    { weight: 1, arbitrary: fc.record({ businessName: businessNames }) },
    { weight: 2, arbitrary: fc.record({ campaignName: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ appId: fc.constantFrom(...apps) }) },
    { weight: 2, arbitrary: fc.record({ paused }) },
    { weight: 2, arbitrary: fc.record({ deletionPolicy: policies }) },
    {
      weight: 6,
      arbitrary: fc.constantFrom<Edit["change"]>(
        "remove",
        "add",
        "rename the resource",
        "rename the resource with aliases",
        "revert",
        "revert",
        "swap names with the next",
        "declare its id",
        "leave its id out",
      ),
    },
  ),
});

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      is: fc.constant("run"),
      commands: fc
        .tuple(
          commands(mainKinds),
          fc.oneof(
            { weight: 3, arbitrary: fc.constant<Command[]>([]) },
            { weight: 1, arbitrary: fc.array(commands(allKinds), { minLength: 1, maxLength: 2, size: "max" }) },
          ),
        )
        .map(([first, others]) => [first, ...others]),
    }),
  },
  { weight: 8, arbitrary: fc.record({ is: fc.constant("edit"), edit: edits }) },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constant("wait"), seconds: fc.constantFrom(1, 10, 45, 120, 600, 901, 4_000, 9_000) }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("state delete"), stack, which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant("person"),
      does: fc.constantFrom<"pause" | "resume" | "remove">("pause", "resume", "remove"),
      which,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant("lag"), milliseconds: fc.constantFrom(0, 2_000, 10_000, longestLag) }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("billing hold"), on: fc.boolean() }) },
);

const randomSteps = fc.array(steps, { minLength: 1, maxLength: 10, size: "max" });

/** In seconds. */
const longestQuarantine = 900;

/** A launch that is carried out and not saved: what follows it is the hardest part. */
const killedLaunch: fc.Arbitrary<Step> = fc
  .record({
    operation: fc.constant("campaign.launch"),
    nth: fc.constantFrom(1, 1, 2),
    point: fc.constantFrom("committed", "answered"),
    what: fc.constantFrom("host", "command", "command but its host"),
  } as const satisfies { [Key in keyof Crash]: fc.Arbitrary<Crash[Key]> })
  .map((crash) => ({
    is: "run",
    commands: [{ stack: 0, kind: "up without preview", target: undefined, begins: 0, faults: [], crash }],
  }));

/** The first launch is killed, or one that follows the quarantine of an uncertain one. */
const beginnings: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 2, arbitrary: killedLaunch.map((step) => [step]) },
  {
    weight: 1,
    arbitrary: killedLaunch.map((step): Step[] => {
      const lost: Fault = { operation: "campaign.launch", nth: 1, times: 1, carriedOut: "never", then: "409" };
      const first: Command = { stack: 0, kind: "up without preview", begins: 0, faults: [lost], crash: undefined };
      return [{ is: "run", commands: [first] }, { is: "wait", seconds: longestQuarantine + 1 }, step];
    }),
  },
);

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  chance: fc.nat(),
  settleSeconds: fc.constantFrom(30, 30, 5, 0),
  quarantineSeconds: fc.constantFrom(longestQuarantine, longestQuarantine, 90),
  programs: fc.tuple(programs(0, 3), programs(1, 1)),
  steps: fc.oneof(
    { weight: 2, arbitrary: randomSteps },
    { weight: 1, arbitrary: fc.tuple(beginnings, randomSteps).map(([first, others]) => [...first, ...others]) },
  ),
});
