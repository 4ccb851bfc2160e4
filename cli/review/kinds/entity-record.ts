import { Hidden, type Values } from "../hidden";
import { type Phrase, say, shown } from "../phrase";
import type { Finding, Kind } from "./kind";

export const entityRecord: Kind = {
  identifiedBy: [["recordId", "entityName", "appId"]],
  adoptedBy: "recordId",
  leavesFieldsAlone: true,
  object,
  ended({ before }, policy): Finding {
    switch (policy) {
      case "retain":
        return { category: "left-behind", text: say`${object(before)} stays as it is` };
      case "restore":
        return {
          category: "left-behind",
          text: say`${object(before)} gets back the values found at adoption, where nobody changed them since`,
        };
      default:
        return {
          category: "permanent-delete",
          text: say`${object(before)} is deleted, also the fields that the program does not declare`,
        };
    }
  },
  calls: {
    make: () => ["record.create", "record.get"],
    adopt: () => ["record.get", "record.update"],
    change: (before, after) =>
      before["unconfirmed"] === true || isNewToAdopted(before, after)
        ? ["record.get", "record.update"]
        : ["record.update"],
    end(policy) {
      if (policy === "retain") return [];
      return policy === "restore" ? ["record.get", "record.update"] : ["record.delete"];
    },
  },
};

/** Whether a field of an adopted record is, or may be, managed from now on: its value is read first. */
function isNewToAdopted(before: Values, after: Values): boolean {
  const [old, next] = [before["fields"] ?? {}, after["fields"] ?? {}];
  if (before["origin"] !== "adopted") return false;
  return next instanceof Hidden || Object.keys(next).some((name) => !Object.hasOwn(old, name));
}

function object({ entityName, recordId, appId }: Values): Phrase {
  return say`${shown(entityName)} record ${shown(recordId)} of app ${shown(appId)}`;
}
