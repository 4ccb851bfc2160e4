import { z } from "zod";
import type { ControlRoute } from "../control/route";
import type { Handlers } from "../handler";
import type { AllObjects, ClockControls, Simulator, SimulatorOptions, StoredObjects } from "../types";
import { assets } from "./assets";
import { campaigns } from "./campaigns";
import { codingSessions } from "./coding-sessions";
import { connectors } from "./connectors";
import { folders } from "./folders";
import { geoTargets } from "./geo-targets";
import { members } from "./members";
import { records } from "./records";
import { scans } from "./scans";
import { searchTerms } from "./search-terms";
import { searchThemes } from "./search-themes";
import { tests } from "./tests";
import { tracking } from "./tracking";
import { userStats } from "./user-stats";
import { webhooks } from "./webhooks";
import { workflowRuns } from "./workflow-runs";

/** The one list of areas. The help lists the control routes in this order. */
const areas = [
  webhooks,
  folders,
  campaigns,
  records,
  tests,
  scans,
  tracking,
  codingSessions,
  members,
  geoTargets,
  searchThemes,
  searchTerms,
  assets,
  connectors,
  userStats,
  workflowRuns,
];

export const areaControlRoutes: readonly ControlRoute[] = areas.flatMap(({ controlRoutes }) => controlRoutes);

/** The names that `Simulator.objects.all()` returns, and that an import must have. */
export const allObjects: z.ZodType<AllObjects> = z.strictObject(
  merged(areas.flatMap((area) => ("exported" in area ? [area.exported] : []))),
);

/** All areas together. */
export interface Areas extends Pick<Simulator, "advertising" | "deliver"> {
  objects: StoredObjects;
  handlers: Handlers;
}

export function openAreas(options: SimulatorOptions, clock: Pick<ClockControls, "now" | "advance">): Areas {
  const objects = {} as StoredObjects;
  const opened = areas.map(({ open }) => open({ options, now: clock.now, objects }));
  const complete: StoredObjects = {
    ...merged(opened.map((area) => area.objects)),
    all: () => merged(opened.flatMap((area) => ("snapshot" in area ? [area.snapshot()] : []))),
    replaceAll: (unchecked) => {
      const given = structuredClone(allObjects.parse(unchecked));
      // A list leaves out objects from the future, and they spend nothing.
      const ahead = latestCreation(given) - clock.now();
      if (ahead > 0) clock.advance(ahead);
      for (const area of opened) if ("restore" in area) area.restore(given);
    },
  };
  return {
    objects: Object.assign(objects, complete),
    handlers: merged(opened.map(({ handlers }) => handlers)),
    ...merged(opened.flatMap((area) => ("controls" in area ? [area.controls] : []))),
  };
}

/** When the youngest object was created, in milliseconds since 1970. */
function latestCreation({ webhooks, campaigns, records, tests }: AllObjects): number {
  const lists = [webhooks, campaigns, tests, ...Object.values(records)].flatMap((byOwner) =>
    Object.values<{ created_date: string }[]>(byOwner),
  );
  return lists.flat().reduce((latest, { created_date }) => Math.max(latest, Date.parse(created_date)), 0);
}

/** So that the compiler notices when no area provides a method of `StoredObjects`. */
type Merged<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

function merged<One extends object>(all: readonly One[]): Merged<One> {
  return Object.assign({}, ...all) as Merged<One>;
}
