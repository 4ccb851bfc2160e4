import { isDeepStrictEqual } from "node:util";
import { hiddenInputs } from "../../provider/pulumi/hidden-inputs";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { Hidden } from "./hidden-values";
import { listed, type Phrase, phrase, words } from "./phrase";
import type { Change } from "./kind-review";
import { withNewUrns } from "./aliases";
import { pathsFrom } from "./assumed-paths";
import { changesIn } from "./changes";
import { unlistedIn } from "./engine-order";
import { interruptedLaunches } from "./interrupted-launches";
import type { Plan } from "./plan";
import { type Risk, risksOf } from "./risks";
import { type Spend, spendOf } from "./spend";
import type { StateResource } from "../stack-state";
import { unseenBy } from "./state";
import { type Transfers, transfersIn } from "./transfers";

/** The meaning of a plan. */
export interface Review {
  /** `project/stack`. Undefined if the plan has no step. */
  readonly stack: string | undefined;
  /** Why a part of the plan could not be reviewed. Empty if all of it was. */
  readonly incomplete: readonly Phrase[];
  /** The parts that the review could not see, because an option or the state was left out. No gate can be judged then. */
  readonly unseen: readonly Phrase[];
  /** How many resources of this package the plan changes. */
  readonly changed: number;
  readonly spend: Spend;
  readonly risks: readonly Risk[];
  /** Changes without a risk, with the arguments that change. */
  readonly others: readonly { readonly change: Change; readonly changedArguments: readonly string[] }[];
  /** The number of unchanged resources that the plan does not list. The sums are without their campaigns. */
  readonly unlisted: number;
  /** The number of resources that a refresh found changed. Its plan does not show which, or how. */
  readonly drifted: number;
}

/** Reviews a plan. Settings that are not in the stack's configuration are read from the environment. */
export function reviewOf(
  printed: Plan,
  state: readonly StateResource[] | undefined,
  environment: NodeJS.ProcessEnv = {},
): Review {
  const plan = withNewUrns(printed);
  const { changes, companions, unsupported } = changesIn(plan);
  const unlisted = unlistedIn(plan.steps, plan.unchanged);
  const transfers = transfersIn(changes);
  const spend = spendOf(changes, transfers);
  const interrupted = interruptedLaunches(changes, companions);
  const risks = risksOf(changes, interrupted, transfers, { daily: spend.daily }, pathsFrom(plan, environment));
  return {
    stack: plan.stack,
    incomplete: [
      ...failures(plan),
      ...unsupported.map(({ name, what }) => phrase`${name}: this version does not support ${what}`),
    ],
    unseen: unseenBy(plan, state),
    changed: changes.filter(({ action }) => action !== "same" && action !== "gone").length,
    spend,
    risks,
    others: othersIn(changes, transfers, risks),
    unlisted,
    drifted: plan.drifted,
  };
}

/** The review of a plan that cannot be read. */
export function unreadableReview(reason: string): Review {
  const emptyPlan = {
    stack: undefined,
    config: {},
    steps: [],
    errors: { count: 0, urns: [] },
    maybeCorrupt: false,
    unchanged: 0,
    drifted: 0,
  };
  return { ...reviewOf(emptyPlan, []), incomplete: [words(reason)] };
}

/** A change that only depends on an assumed path has no other risk, so it is listed here too. */
function othersIn(changes: readonly Change[], transfers: Transfers, risks: readonly Risk[]): Review["others"] {
  const risky = new Set(
    risks.filter(({ category }) => category !== "assumed-path").flatMap(({ resources }) => resources),
  );
  return changes
    .filter((change) => change.action !== "same" && change.action !== "gone" && !risky.has(change))
    .filter((change) => transfers.newOwnerOf(change) === undefined)
    .map((change) => ({ change, changedArguments: changedArguments(change) }));
}

/** The arguments whose values differ, or may differ because they are hidden. */
function changedArguments({ action, before, after, reasons }: Change): string[] {
  if (action !== "update") return [...reasons];
  const isSame = (name: string): boolean => isDeepStrictEqual(before[name], after[name]);
  const names = Object.keys(after).filter((name) => !isSame(name) || after[name] instanceof Hidden);
  return names.filter((name) => !hiddenInputs.includes(name));
}

/** An error message may contain a secret, so only the resource that it is about is reported. */
function failures({ errors, maybeCorrupt }: Plan): Phrase[] {
  // A campaign and its launch intent have the same name.
  const names = [...new Set(errors.urns.map((urn) => partsOfUrn(urn).name))];
  const about = names.length === 0 ? words("") : phrase` (about ${listed(names)})`;
  const count = errors.count === 1 ? "an error" : `${String(errors.count)} errors`;
  return [
    ...(errors.count > 0
      ? [phrase`the preview failed with ${words(count)}${about}; run the same command without \`--json\` to see why`]
      : []),
    ...(maybeCorrupt ? [words("Pulumi reports that the plan may be corrupt")] : []),
  ];
}
