import { differingFields, type Fields, sameMeaning } from "../../../provider/resources/shared/compare";
import { Hidden, isShown, mayBeSet, type Values } from "../hidden-values";
import { listed, type Phrase, phrase, shown, words } from "../phrase";
import type { Finding, KindReview } from "../kind-review";

export const entityRecordReview: KindReview = {
  object,
  created: ({ after }) => [
    {
      category: "record-write",
      text: phrase`${shown(after["entityName"])} record of app ${shown(after["appId"])} is created`,
    },
  ],
  updated: ({ before, after }) => written(before, after),
  leftAlone: removedFields,
  adopted({ after }, found) {
    if (!mayBeSet(after["overwrite"])) return [];
    return found === undefined
      ? [{ category: "record-write", text: phrase`${object(after)}: the declared fields that differ are written` }]
      : written(found, after);
  },
  contradicting({ fields: found }, { fields, overwrite }) {
    if (mayBeSet(overwrite) || !isShown(found) || !isShown(fields)) return [];
    return differingFields((fields ?? {}) as Fields, (found ?? {}) as Fields).map((name) => `fields.${name}`);
  },
  deleted({ before }, policy): Finding {
    switch (policy) {
      case "retain":
        return { category: "left-behind", text: phrase`${object(before)} stays unchanged` };
      case "restore":
        return {
          category: "left-behind",
          text: phrase`${object(before)} gets back the values found at adoption, where nobody changed them since`,
        };
      default:
        return {
          category: "permanent-delete",
          text: phrase`${object(before)} is deleted, also the fields that the program does not declare`,
        };
    }
  },
  calls: {
    create: () => ["record.get"],
    adopt: ({ overwrite }) => (mayBeSet(overwrite) ? ["record.update"] : []),
    update: (before, after) =>
      before["unconfirmed"] === true || isNewToAdopted(before, after)
        ? ["record.get", "record.update"]
        : ["record.update"],
    delete(policy) {
      if (policy === "retain") return [];
      return policy === "restore" ? ["record.get", "record.update"] : ["record.delete"];
    },
  },
};

/** The fields that are removed from the program. Undefined where they are hidden. */
function removedFields(before: Values, after: Values): string[] | undefined {
  const [old, next] = [before["fields"] ?? {}, after["fields"] ?? {}];
  if (old instanceof Hidden || next instanceof Hidden) return undefined;
  return Object.keys(old).filter((name) => !Object.hasOwn(next, name));
}

/** The fields that get another value, or may: two hidden values may differ. */
function written(before: Values, after: Values): Finding[] {
  const [old, next] = [before["fields"] ?? {}, after["fields"] ?? {}];
  const finding = (what: Phrase): Finding[] => [
    { category: "record-write", text: phrase`${object(before)}: ${what} is written` },
  ];
  if (old instanceof Hidden || next instanceof Hidden) return finding(words("what is hidden, if it changed,"));
  const names = Object.entries(next)
    .filter(([name, value]) => isHidden(value) || !sameMeaning(value, (old as Values)[name]))
    .map(([name]) => name);
  return names.length === 0 ? [] : finding(listed(names));
}

function isHidden(value: unknown): boolean {
  if (value instanceof Hidden) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(isHidden);
}

/** Whether a field of an adopted record is, or may be, managed from now on: its value is read first. */
function isNewToAdopted(before: Values, after: Values): boolean {
  const [old, next] = [before["fields"] ?? {}, after["fields"] ?? {}];
  if (before["origin"] !== "adopted") return false;
  return next instanceof Hidden || Object.keys(next).some((name) => !Object.hasOwn(old, name));
}

function object({ entityName, recordId, appId }: Values): Phrase {
  return phrase`${shown(entityName)} record ${shown(recordId)} of app ${shown(appId)}`;
}
