import type { z } from "zod";
import type { ControlRoute } from "./control/route";
import type { Handlers } from "./handler";
import type { AllObjects, Simulator, SimulatorOptions, StoredObjects } from "./types";

/** One kind of object that the service holds: what it stores, its operations and its control routes. */
export interface Area {
  open(context: {
    options: SimulatorOptions;
    /** The service's clock. */
    now: () => number;
    /** The objects of all areas. Only handlers may use them: they are complete after every area is open. */
    objects: StoredObjects;
  }): {
    /** The area's methods of `Simulator.objects`. */
    objects: Partial<StoredObjects>;
    handlers: Handlers;
    /** The area's entry in `Simulator.objects.all()`. */
    snapshot?: () => Partial<AllObjects>;
    /** Replaces the area's objects by objects that `Simulator.objects.all()` returned. It may keep what it is given. */
    restore?: (objects: AllObjects) => void;
    /** The area's other members of `Simulator`. */
    controls?: Partial<Pick<Simulator, "advertising" | "deliver">>;
  };
  /** The shape of the area's entry in `Simulator.objects.all()`. */
  exported?: { readonly [Name in keyof AllObjects]?: z.ZodType<AllObjects[Name]> };
  controlRoutes: readonly ControlRoute[];
}
