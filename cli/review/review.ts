import { isDeepStrictEqual } from "node:util";
import { pathsFrom } from "./assumptions";
import { partsOfUrn } from "../../provider/pulumi/urn";
import type { Change } from "../../provider/resources/shared/review";
import { changesIn } from "./changes";
import { Hidden } from "../../provider/resources/shared/hidden-values";
import { listed, type Phrase, phrase, words } from "../../provider/resources/shared/phrase";
import type { Plan } from "./plan";
import { type Risk, risksOf } from "./risks";
import { type Spend, spendOf } from "./spend";
import { type Takeovers, takeoversIn } from "./takeovers";

/** What a plan means. */
export interface Review {
  /** `project/stack`, where the plan says it. */
  readonly stack: string | undefined;
  /** Why not all of the plan could be judged; empty when all could. */
  readonly incomplete: readonly Phrase[];
  /** How many resources of this package the plan changes. */
  readonly changed: number;
  readonly spend: Spend;
  readonly risks: readonly Risk[];
  /** What the plan changes besides, with the arguments that change. */
  readonly others: readonly { readonly change: Change; readonly what: readonly string[] }[];
  /** Unchanged resources that the plan counts and does not list: their campaigns are in no sum. */
  readonly unlisted: number;
  /** Resources that a refresh found changed, of which the plan does not say which and how. */
  readonly drifted: number;
}

/** Judges a plan; the environment says what the stack's configuration does not. */
export function reviewOf(plan: Plan, environment: NodeJS.ProcessEnv = {}): Review {
  const { changes, notUnderstood } = changesIn(plan);
  const takeovers = takeoversIn(changes);
  const spend = spendOf(changes, takeovers);
  const risks = risksOf(changes, takeovers, spend, pathsFrom(plan.config, environment));
  return {
    stack: plan.stack,
    incomplete: [
      ...failures(plan),
      ...notUnderstood.map(({ name, what }) => phrase`${name}: ${what} is not known to this version`),
    ],
    changed: changes.filter(({ action }) => action !== "same" && action !== "gone").length,
    spend,
    risks,
    others: othersIn(changes, takeovers, risks),
    unlisted: plan.unlisted,
    drifted: plan.drifted,
  };
}

/** Where there is no plan to judge. */
export function notJudged(why: string): Review {
  const nothing = {
    stack: undefined,
    config: {},
    steps: [],
    errors: { count: 0, urns: [] },
    maybeCorrupt: false,
    unlisted: 0,
    drifted: 0,
  };
  return { ...reviewOf(nothing), incomplete: [words(why)] };
}

/** A path that is assumed says nothing of what a change does. */
function othersIn(changes: readonly Change[], takeovers: Takeovers, risks: readonly Risk[]): Review["others"] {
  const judged = new Set(
    risks.filter(({ category }) => category !== "assumed-path").flatMap(({ resources }) => resources),
  );
  return changes
    .filter((change) => change.action !== "same" && change.action !== "gone" && !judged.has(change))
    .filter((change) => takeovers.heirOf(change) === undefined)
    .map((change) => ({ change, what: differing(change) }));
}

/** The arguments whose values differ, or are hidden and may. */
function differing({ action, before, after, reasons }: Change): string[] {
  if (action !== "update") return [...reasons];
  const isSame = (name: string): boolean => isDeepStrictEqual(before[name], after[name]);
  const left = Object.keys(after).filter((name) => !isSame(name) || after[name] instanceof Hidden);
  return left.filter((name) => !name.startsWith("__"));
}

/** The words of an error may hold anything, a secret too: only what it is about is said. */
function failures({ errors, maybeCorrupt }: Plan): Phrase[] {
  const names = errors.urns.map((urn) => partsOfUrn(urn).name);
  const about = names.length === 0 ? words("") : phrase` (about ${listed(names)})`;
  const count = errors.count === 1 ? "an error" : `${String(errors.count)} errors`;
  return [
    ...(errors.count > 0
      ? [phrase`the preview failed with ${words(count)}${about}: the same command without \`--json\` says why`]
      : []),
    ...(maybeCorrupt ? [words("Pulumi says that it may be corrupt")] : []),
  ];
}
