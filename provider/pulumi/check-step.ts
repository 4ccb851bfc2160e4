import type { Problem } from "../argument-problems";
import { canonicalJson } from "../resources/shared/compare";
import type { Deployment } from "../resources/shared/deployment";
import type { Lifecycle } from "../resources/shared/lifecycle";
import { withoutUndefined } from "../serializable";
import {
  adoptionProblems,
  creationProblems,
  declarationProblems,
  problemsInCommand,
  problemsOf,
  withDefaults,
} from "./check";
import { identityKey, nameIn } from "./hidden-inputs";
import { type Properties, visible } from "./saved";

/** Facts that a host knows of a resource besides its values. */
export interface Declaration {
  /** `project/stack/[parent/]name`, or nothing where that does not matter. */
  readonly place: string;
  /** The resource's own name. */
  readonly name: string;
  /** Digits that only this resource has. */
  readonly resourceDigits?: string | undefined;
}

/** Fills in defaults, and reports every problem of the inputs at once. `checked`: the inputs that were checked. */
export function checkStep<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  checked: Set<string>,
) {
  const { namedBy, needsResourceDigits } = lifecycle;
  /** By place, the names that resources keep. A replacement is checked once more, without what it was declared with. */
  const keptNames = new Map<string, Partial<Inputs>>();
  const named = (earlier: Partial<Inputs>, { place }: Declaration, isNew: boolean): Partial<Inputs> => {
    if (namedBy === undefined) return earlier;
    if (!isNew) keptNames.set(place, { [namedBy]: earlier[namedBy] } as Partial<Inputs>);
    return isNew ? (keptNames.get(place) ?? earlier) : earlier;
  };
  return (
    olds: Properties,
    news: Properties,
    declaration: Declaration,
    deployment: Deployment | undefined,
  ): { inputs: Properties; problems: Problem[] } => {
    const earlier = visible(olds) as Partial<Inputs>;
    const isNew = Object.keys(olds).length === 0;
    const given = visible(news) as Inputs;
    const inputs = withoutUndefined(withDefaults(lifecycle, given, declaration, named(earlier, declaration, isNew)));
    checked.add(canonicalJson(inputs));
    const problems = allProblems(lifecycle, inputs as Inputs, isNew ? undefined : earlier, declaration, deployment);
    const { resourceDigits } = declaration;
    const isGiven = needsResourceDigits === true && resourceDigits !== undefined;
    return { inputs: isGiven ? { ...inputs, [identityKey]: resourceDigits } : inputs, problems };
  };
}

function allProblems<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  inputs: Inputs,
  earlier: Partial<Inputs> | undefined,
  { place }: Declaration,
  deployment: Deployment | undefined,
): Problem[] {
  const problems = problemsOf(lifecycle, inputs, deployment?.settings, earlier);
  if (problems.length > 0 || deployment === undefined) return problems;
  const ofNew =
    earlier === undefined
      ? [...creationProblems(lifecycle, inputs, deployment), ...adoptionProblems(lifecycle, inputs, deployment)]
      : [];
  return [
    ...ofNew,
    ...declarationProblems(lifecycle, inputs, deployment, nameIn(place)),
    ...problemsInCommand(lifecycle, inputs, place, earlier, deployment),
  ];
}
