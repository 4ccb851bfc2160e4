import { unpassableNames } from "./pulumi/serializable";
import { unknownValue } from "./pulumi/unknown";

/** Whether Pulumi passes the value on unchanged: not names and texts of its own, nor texts that are not valid Unicode. */
export function isPassable(value: unknown): boolean {
  if (typeof value === "string") return !/\p{Surrogate}/u.test(value) && value !== unknownValue;
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(
    ([name, inner]) => !unpassableNames.includes(name) && isPassable(name) && isPassable(inner),
  );
}

/** Why a program cannot declare a value that is not passable. */
export const unpassable = "it has a name or a text that Pulumi cannot pass on unchanged";
