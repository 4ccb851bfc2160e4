import { type OperationId, operations } from "../../provider/service/operations";
import { callsOf, type Paths } from "./assumptions";
import { type Category, categoryNames } from "../../provider/resources/shared/risk-categories";
import type { Change, Finding, ReviewContext } from "../../provider/resources/shared/review";
import { endingOf, isAdopted, kindOf, laterEndingOf } from "./changes";
import { Hidden, type Values } from "../../provider/resources/shared/hidden-values";
import { listed, type Phrase, phrase, words } from "../../provider/resources/shared/phrase";
import type { Takeovers } from "./takeovers";

/** One line of the report. */
export interface Risk {
  readonly category: Category;
  /** The resources that it is about; one, but for the assumed paths. */
  readonly resources: readonly Change[];
  /** Follows the resource's name, or stands alone where there are several. */
  readonly text: Phrase;
}

/** Everything that a reviewer must know, most dangerous first. */
export function risksOf(
  changes: readonly Change[],
  takeovers: Takeovers,
  context: ReviewContext,
  paths: Paths,
): readonly Risk[] {
  const risks = [
    ...changes.flatMap((change): Risk[] =>
      findingsOf(change, takeovers, context).map((finding) => ({ ...finding, resources: [change] })),
    ),
    ...assumptions(changes, takeovers, paths),
  ];
  const place = ({ category, resources }: Risk): [number, string] => [
    categoryNames.indexOf(category),
    category === "assumed-path" ? "" : (resources[0]?.name ?? ""),
  ];
  return risks.sort((one, other) => compare(place(one), place(other)));
}

function findingsOf(change: Change, takeovers: Takeovers, context: ReviewContext): Finding[] {
  switch (change.action) {
    case "create":
      return begun(change, takeovers, context);
    case "replace":
      return [...ended(change, takeovers, context), ...begun(change, takeovers, context)];
    case "delete":
      return ended(change, takeovers, context);
    case "update":
      return [
        ...(kindOf(change).review.updated?.(change, context) ?? []),
        ...unmanaged(change),
        ...unprotected(change),
      ];
    case "same":
      return [...(kindOf(change).review.unchanged?.(change, context) ?? []), ...unprotected(change)];
    case "gone":
      return [
        { category: "gone", text: phrase`${objectBefore(change)} is gone: the next \`pulumi up\` makes it again` },
      ];
  }
}

function begun(change: Change, takeovers: Takeovers, context: ReviewContext): Finding[] {
  const kind = kindOf(change).review;
  const former = takeovers.formerOf(change);
  if (former !== undefined) return inherited(change, former, context);
  if (!isAdopted(change)) return [...(kind.created?.(change, context) ?? [])];
  const later = laterEndingOf({ ...change, before: { origin: "adopted" } });
  const ends = later === "delete" ? words("; a later destroy deletes it") : words("");
  return [
    { category: "adoption", text: phrase`${kind.object(change.after)} is adopted${ends}` },
    ...(kind.adopted?.(change, undefined, context) ?? []),
  ];
}

/** What goes on with an object that was another resource's. */
function inherited(change: Change, former: Change, context: ReviewContext): Finding[] {
  const kind = kindOf(change).review;
  const other = kind.contradicting?.(former.before, change.after) ?? [];
  if (other.length > 0) {
    const text = phrase`is refused by the \`pulumi up\`: ${objectBefore(former)}, until now ${former.name}, has another ${listed(other)}`;
    return [{ category: "adoption", text }];
  }
  return [
    { category: "adoption", text: phrase`goes on with ${objectBefore(former)}, until now ${former.name}` },
    ...(kind.adopted?.(change, former.before, context) ?? []),
    ...unmanaged({ ...change, before: former.before }),
  ];
}

function ended(change: Change, takeovers: Takeovers, context: ReviewContext): Finding[] {
  const heir = takeovers.heirOf(change);
  // Said with the one that goes on with it.
  if (heir !== undefined) return [];
  const finding = kindOf(change).review.deleted?.(change, endingOf(change), context);
  if (finding === undefined) return [];
  const { action, reasons } = change;
  return action === "replace"
    ? [{ ...finding, text: phrase`is replaced (changed: ${listed(reasons)}): ${finding.text}` }]
    : [finding];
}

/** What leaves the program and keeps its value in the service. */
function unmanaged(change: Change): Finding[] {
  const { before, after } = change;
  const { leftAlone = [], inputs } = kindOf(change).lifecycle;
  const names = leftAlone.filter((name) => before[name] !== undefined && after[name] === undefined);
  const fields = "fields" in inputs.shape ? fieldsThatLeft(before, after) : [];
  if (fields === undefined)
    return [
      {
        category: "unmanaged-field",
        text: words("its fields are hidden, so it cannot be seen whether one of them leaves the program"),
      },
    ];
  const all = [...names, ...fields];
  if (all.length === 0) return [];
  return [{ category: "unmanaged-field", text: phrase`${listed(all)} of ${objectBefore(change)}: left as it is` }];
}

function fieldsThatLeft(before: Values, after: Values): string[] | undefined {
  const [old, next] = [before["fields"] ?? {}, after["fields"] ?? {}];
  if (old instanceof Hidden || next instanceof Hidden) return undefined;
  return Object.keys(old).filter((name) => !Object.hasOwn(next, name));
}

/** What kept the object from being deleted, and no longer does. */
function unprotected(change: Change): Finding[] {
  const isPermanent = kindOf(change).review.deleted?.(change, "delete", silent)?.category === "permanent-delete";
  const isDeletedLater = isPermanent && endingOf(change) !== "delete" && laterEndingOf(change) === "delete";
  return [
    ...(change.wasProtected && !change.isProtected
      ? [{ category: "later-delete", text: phrase`${objectBefore(change)} is no longer protected` } as const]
      : []),
    ...(isDeletedLater
      ? [
          {
            category: "later-delete",
            text: phrase`${objectBefore(change)}: its policy was ${endingOf(change)}`,
          } as const,
        ]
      : []),
  ];
}

const silent: ReviewContext = { daily: () => words("") };

function objectBefore(change: Change): Phrase {
  return kindOf(change).review.object(change.before);
}

/** One line for each operation: with many resources the same few paths are assumed for all of them. */
function assumptions(changes: readonly Change[], takeovers: Takeovers, paths: Paths): Risk[] {
  const resting = new Map<OperationId, Change[]>();
  for (const change of changes)
    for (const id of new Set(callsOf(change, takeovers))) {
      if (!paths.isAssumed(id)) continue;
      const others = resting.get(id);
      if (others === undefined) resting.set(id, [change]);
      else others.push(change);
    }
  return [...resting]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, resources]) => ({
      category: "assumed-path",
      resources,
      text: phrase`${id} (${operations[id].endpoint}): ${listed(resources.map(({ name }) => name))}`,
    }));
}

function compare([one, oneName]: [number, string], [other, otherName]: [number, string]): number {
  if (one !== other) return one - other;
  return oneName < otherName ? -1 : oneName > otherName ? 1 : 0;
}
