import { interruptedLaunch } from "./kinds/ad-campaign";
import { listed, type Phrase, phrase, words } from "./phrase";
import { mayBeSet } from "./hidden-values";
import type { Change, Finding, ReviewContext } from "./kind-review";
import { type Category, categoryNames } from "./risk-categories";
import { type OperationId, operations } from "../../provider/service/operations";
import { callsOf, type Paths } from "./assumed-paths";
import {
  deletionPolicyAfter,
  deletionPolicyBefore,
  isAdopted,
  isUnfinishedCreate,
  kindOf,
  mayBeAdopted,
} from "./changes";
import { isSeenBy, type Transfers } from "./transfers";

/** One line of the report. */
export interface Risk {
  readonly category: Category;
  /** The resources that it is about: one, except for `assumed-path`. */
  readonly resources: readonly Change[];
  /** Follows the resource's name. Stands alone for `assumed-path`. */
  readonly text: Phrase;
}

/** Everything that a reviewer should know, most dangerous first. `interrupted`: campaigns that are looked for. */
export function risksOf(
  changes: readonly Change[],
  interrupted: readonly Change[],
  transfers: Transfers,
  context: ReviewContext,
  paths: Paths,
): readonly Risk[] {
  const risks = [
    ...interrupted.map((change): Risk => ({
      ...interruptedLaunch(change.before, deletionPolicyBefore(change)),
      resources: [change],
    })),
    ...changes.flatMap((change): Risk[] =>
      findingsOf(change, transfers, context).map((finding) => ({ ...finding, resources: [change] })),
    ),
    ...assumedPathRisks([...changes, ...interrupted], transfers, paths),
  ];
  const sortKey = ({ category, resources }: Risk): [number, string] => [
    categoryNames.indexOf(category),
    category === "assumed-path" ? "" : (resources[0]?.name ?? ""),
  ];
  return risks.sort((one, other) => compare(sortKey(one), sortKey(other)));
}

function findingsOf(change: Change, transfers: Transfers, context: ReviewContext): Finding[] {
  if (isUnfinishedCreate(change)) return unfinishedFindings(change, transfers, context);
  switch (change.action) {
    case "create":
      return createdFindings(change, transfers, context);
    case "replace":
      return [...deletedFindings(change, transfers, context), ...createdFindings(change, transfers, context)];
    case "delete":
      return deletedFindings(change, transfers, context);
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
        { category: "gone", text: phrase`${objectBefore(change)} is gone; the next \`pulumi up\` creates it again` },
      ];
  }
}

/** An earlier command may have created the object, and nobody knows its id. */
function unfinishedFindings(change: Change, transfers: Transfers, context: ReviewContext): Finding[] {
  const mayExist = words("may exist already, because the response to its create was lost");
  if (change.action === "update")
    return [
      {
        category: "adoption",
        text: phrase`${mayExist}; \`pulumi up\` looks for it, and creates it only if there is none`,
      },
      ...createdFindings(change, transfers, context),
    ];
  const left: Finding = { category: "left-behind", text: phrase`${mayExist}; nothing is deleted` };
  return change.action === "replace" ? [left, ...createdFindings(change, transfers, context)] : [left];
}

function createdFindings(change: Change, transfers: Transfers, context: ReviewContext): Finding[] {
  const kind = kindOf(change).review;
  const previous = transfers.previousOwnerOf(change);
  if (previous !== undefined) return transferredFindings(change, previous, context);
  const created = isAdopted(change) ? [] : (kind.created?.(change, context) ?? []);
  if (!mayBeAdopted(change)) return [...created];
  const later = deletionPolicyAfter({ ...change, before: { origin: "adopted" } });
  const ends = words(later === "delete" ? `; a later destroy ${kind.deleting ?? "deletes it"}` : "");
  const is = words(change.isImported ? "is imported" : isAdopted(change) ? "is adopted" : "may be adopted");
  return [
    ...created,
    { category: "adoption", text: phrase`${kind.object(change.after)} ${is}${comparison(change)}${ends}` },
    ...(kind.adopted?.(change, undefined, context) ?? []),
  ];
}

/** The effect of adoption on an object that differs from its declaration. */
function comparison(change: Change): Phrase {
  if (!change.isImported && !("overwrite" in kindOf(change).lifecycle.inputs.shape)) return words("");
  return mayBeSet(change.after["overwrite"]) && !change.isImported
    ? words(", and changed where it differs from what is declared")
    : words(" and not changed; `pulumi up` fails if it differs from what is declared");
}

/** For an object that another resource managed until now. */
function transferredFindings(change: Change, previous: Change, context: ReviewContext): Finding[] {
  const kind = kindOf(change).review;
  const differing = kind.contradicting?.(previous.before, change.after) ?? [];
  if (differing.length > 0) {
    const text = phrase`\`pulumi up\` will refuse it: ${objectBefore(previous)}, previously managed by ${previous.name}, has another ${listed(differing)}`;
    return [{ category: "adoption", text }];
  }
  return [
    {
      category: "adoption",
      text: phrase`continues to manage ${objectBefore(previous)}, previously managed by ${previous.name}`,
    },
    ...(kind.adopted?.(change, previous.before, context) ?? []),
    ...unmanaged({ ...change, before: previous.before }),
  ];
}

function deletedFindings(change: Change, transfers: Transfers, context: ReviewContext): Finding[] {
  // Reported with the resource that manages the object from now on.
  if (change.isPendingReplacement || transfers.newOwnerOf(change) !== undefined) return [];
  const finding = kindOf(change).review.deleted?.(change, deletionPolicyBefore(change), context);
  if (finding === undefined) return [];
  const { action, reasons } = change;
  const rival = transfers.rivalOf(change);
  const adopted = rival === undefined ? words("") : rivalry(rival, change);
  const why = reasons.length === 0 ? words("") : phrase` (changed: ${listed(reasons)})`;
  const replaced = action === "replace" ? phrase`is replaced${why}: ` : words("");
  return [{ ...finding, text: phrase`${replaced}${finding.text}${adopted}` }];
}

function rivalry(rival: Change, change: Change): Phrase {
  return isSeenBy(rival, change)
    ? phrase`, unless ${rival.name} adopts it before that`
    : phrase`, although ${rival.name} adopts it: resources of different providers do not know of each other`;
}

/** Arguments that are removed from the program and keep their value in the service. */
function unmanaged(change: Change): Finding[] {
  const { before, after } = change;
  const { lifecycle, review } = kindOf(change);
  const names = (lifecycle.leftAlone ?? []).filter((name) => before[name] !== undefined && after[name] === undefined);
  const fields = review.leftAlone === undefined ? [] : review.leftAlone(before, after);
  if (fields === undefined)
    return [
      {
        category: "unmanaged-field",
        text: words("its fields are hidden, so the plan does not show whether one of them is removed from the program"),
      },
    ];
  const all = [...names, ...fields];
  if (all.length === 0) return [];
  return [
    {
      category: "unmanaged-field",
      text: phrase`${listed(all)} of ${objectBefore(change)}: stays unchanged in the service`,
    },
  ];
}

/** For an object that was protected from deletion, and no longer is. */
function unprotected(change: Change): Finding[] {
  const isPermanentDelete =
    kindOf(change).review.deleted?.(change, "delete", withoutSpend)?.category === "permanent-delete";
  const isDeletedLater =
    isPermanentDelete && deletionPolicyBefore(change) !== "delete" && deletionPolicyAfter(change) === "delete";
  return [
    ...(change.wasProtected && !change.isProtected
      ? [{ category: "later-delete", text: phrase`${objectBefore(change)} is no longer protected` } as const]
      : []),
    ...(isDeletedLater
      ? [
          {
            category: "later-delete",
            text: phrase`${objectBefore(change)}: its deletion policy was ${deletionPolicyBefore(change)}`,
          } as const,
        ]
      : []),
  ];
}

const withoutSpend: ReviewContext = { daily: () => words("") };

function objectBefore(change: Change): Phrase {
  return kindOf(change).review.object(change.before);
}

/** One line for each operation, because many resources depend on the same few paths. */
function assumedPathRisks(changes: readonly Change[], transfers: Transfers, paths: Paths): Risk[] {
  const dependents = new Map<OperationId, Change[]>();
  for (const change of changes)
    for (const id of assumedBy(change, transfers, paths)) {
      const others = dependents.get(id);
      if (others === undefined) dependents.set(id, [change]);
      else others.push(change);
    }
  return [...dependents]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, resources]) => ({
      category: "assumed-path",
      resources,
      text: phrase`${id} (${operations[id].endpoint}): ${listed([...new Set(resources.map(({ name }) => name))])}`,
    }));
}

function assumedBy(change: Change, transfers: Transfers, paths: Paths): ReadonlySet<OperationId> {
  const assumed = callsOf(change, transfers).filter((call) => paths.isAssumed(call));
  return new Set(assumed.map(({ operation }) => operation));
}

function compare([one, oneName]: [number, string], [other, otherName]: [number, string]): number {
  if (one !== other) return one - other;
  return oneName < otherName ? -1 : oneName > otherName ? 1 : 0;
}
