import type { OperationId } from "../../provider/service/operations";
import type { RequestFault } from "../../simulator";
import type { Chance } from "../simulate/chance";

/*
 * Possible faults of a request. A 404 is not included, because it means that an object is gone. Failing lists of
 * created objects are not either: without them a client cannot tell whether a lost creation was carried out, and says
 * so.
 */

const writes: readonly OperationId[] = [
  "webhook.create",
  "webhook.update",
  "webhook.delete",
  "record.create",
  "record.update",
  "record.delete",
  "test.create",
  "test.update",
  "test.delete",
  "folderItem.add",
  "folderItem.remove",
  "finding.ignore",
  "finding.restore",
  "campaign.launch",
  "campaign.pause",
  "campaign.delete",
];

const reads: readonly OperationId[] = [
  "webhook.get",
  "record.get",
  "test.get",
  "folderItem.list",
  "scan.get",
  "campaign.list",
];

/** Nothing was done. */
const refusals: readonly RequestFault["then"][] = [
  { status: 403, body: { detail: "Not allowed." } },
  { status: 429, headers: { "retry-after": "1" } },
];

/** The request may or may not have been carried out. */
const uncertain: readonly RequestFault["then"][] = [
  "reset",
  "hang",
  { status: 500, body: { detail: "Something broke." } },
  { status: 502, body: "<html>Bad gateway</html>", contentType: "text/html" },
  { status: 409, body: "" },
  { status: 200, body: '{"id": "cut o' },
];

export function drawFaults(chance: Chance): RequestFault[] {
  return [...writes, ...reads].filter(() => chance.next() < 0.2).map((operation) => drawFault(operation, chance));
}

function drawFault(operation: OperationId, chance: Chance): RequestFault {
  const isUncertain = chance.next() < 0.75;
  const endings = isUncertain ? uncertain : refusals;
  return {
    operation,
    then: endings[chance.between(0, endings.length - 1)] ?? "reset",
    commit: isUncertain && chance.next() < 0.5,
    skip: chance.between(0, 1),
    times: chance.between(1, 2),
  };
}
