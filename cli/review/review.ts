import { pathsFrom } from "./assumptions";
import { changesIn, partsOfUrn } from "./changes";
import { listed, type Phrase, say, words } from "./phrase";
import type { Plan } from "./plan";
import { type Risk, risksOf } from "./risks";
import { type Spend, spendOf } from "./spend";
import { takeoversIn } from "./takeovers";

/** What a plan means. */
export interface Review {
  /** Why not all of the plan could be judged; empty when all could. */
  readonly incomplete: readonly Phrase[];
  /** How many resources of this package the plan changes. */
  readonly changed: number;
  readonly spend: Spend;
  readonly risks: readonly Risk[];
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
  return {
    incomplete: [
      ...failures(plan),
      ...notUnderstood.map(({ name, what }) => say`${name}: ${what} is not known to this version`),
    ],
    changed: changes.filter(({ action }) => action !== "same" && action !== "gone").length,
    spend,
    risks: risksOf(changes, takeovers, spend, pathsFrom(plan.config, environment)),
    unlisted: plan.unlisted,
    drifted: plan.drifted,
  };
}

/** Where there is no plan to judge. */
export function notJudged(why: string): Review {
  const nothing = {
    config: {},
    steps: [],
    errors: { count: 0, urns: [] },
    maybeCorrupt: false,
    unlisted: 0,
    drifted: 0,
  };
  return { ...reviewOf(nothing), incomplete: [words(why)] };
}

/** The words of an error may hold anything, a secret too: only what it is about is said. */
function failures({ errors, maybeCorrupt }: Plan): Phrase[] {
  const names = errors.urns.map((urn) => partsOfUrn(urn).name);
  const about = names.length === 0 ? words("") : say` (about ${listed(names)})`;
  const count = errors.count === 1 ? "an error" : `${String(errors.count)} errors`;
  return [
    ...(errors.count > 0 ? [say`the preview failed with ${words(count)}${about}: its log says why`] : []),
    ...(maybeCorrupt ? [words("Pulumi says that it may be corrupt")] : []),
  ];
}
