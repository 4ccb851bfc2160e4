/* The states that releases of this package left, with the programs and the content of the service: `npm run record-state`. */
import path from "node:path";
import type { Simulator } from "../../simulator";
import type { StoredResource } from "../../tools/harness/engine";
import type { Content } from "./kind-fixtures";

export const recordedStates = path.resolve(__dirname, "../fixtures/states");

export interface Recorded {
  /** Where the service was. */
  baseUrl: string;
  content: Content;
  /** As `pulumi stack export` wrote it. */
  state: { deployment: { resources: StoredResource[] } };
}

export function programFile(version: string, name: string): string {
  return path.join(recordedStates, version, `${name}.js`);
}

export function contentOf({ objects }: Simulator): Content {
  const all = objects.all();
  const accounts = Object.fromEntries(
    Object.keys(all.campaigns).flatMap((appId) => {
      const account = objects.advertisingAccount(appId);
      return account === undefined ? [] : [[appId, account]];
    }),
  );
  return { ...all, accounts };
}
