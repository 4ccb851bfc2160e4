import { z } from "zod";
import { anyObject, reportTo } from "./validation";

/* The parts of the shapes that an import must have. */

/** Values by name. Not `z.record`, which drops the name `__proto__`. */
export function byName<Value>(value: z.ZodType<Value>) {
  return anyObject.transform((given, context): Record<string, Value> => {
    const entries = Object.entries(given).map(([name, one]) => {
      const { data, error } = value.safeParse(one);
      reportTo(context, error, [name]);
      return [name, data] as const;
    });
    return Object.fromEntries(entries) as Record<string, Value>;
  });
}

/** A list in which no two values have the same key. */
export function listBy<Value>(key: (value: Value) => string, value: z.ZodType<Value>) {
  return z.array(value).superRefine((all, context) => {
    const keys = new Set<string>();
    const again = all.findIndex((one) => keys.size === keys.add(key(one)).size);
    if (again !== -1) context.addIssue({ code: "custom", path: [again], message: "is in the list twice" });
  });
}

/** The value exactly as given, if it has this shape: a shape with open names drops `__proto__`. */
export function unchanged<Value>(shape: z.ZodType<Value>) {
  return z.unknown().transform((given, context): Value => {
    reportTo(context, shape.safeParse(given).error);
    return given as Value;
  });
}
