import { z } from "zod";
import { piecesOf } from "./pieces";
import { turn } from "./turns";

/** More problems than a message shows are not looked for: a list of nothing but wrong rows would cost a minute to describe. */
const enoughProblems = 6;

/**
 * A list of rows, of which the first wrong ones are named and the rest is left alone. A large one, which only a large
 * body has, is checked in the pieces in which it was read: that can be awaited only.
 */
export function every<Row extends z.ZodType>(row: Row) {
  // Not z.array, which makes a copy first: a large list is known by its identity, and all of it would be one piece.
  return z.unknown().transform((items, context): z.output<Row>[] | Promise<z.output<Row>[]> => {
    if (!Array.isArray(items)) {
      context.addIssue({ code: "invalid_type", expected: "array", input: items });
      return z.NEVER;
    }
    const list = items as unknown[];
    const rows: z.output<Row>[] = [];
    let problems = 0;
    /** Whether to go on. */
    const take = (index: number, { success, data, error }: z.ZodSafeParseResult<z.output<Row>>): boolean => {
      if (success) rows.push(data);
      else
        for (const { path, message } of error.issues) {
          context.addIssue({ code: "custom", path: [index, ...path], message });
          if (++problems === enoughProblems) return false;
        }
      return true;
    };
    const checked = (): z.output<Row>[] => (problems === 0 ? rows : z.NEVER);
    const pieces = piecesOf(list);
    if (pieces === undefined) {
      for (const [index, item] of list.entries()) if (!take(index, row.safeParse(item))) break;
      return checked();
    }
    const inTurns = async (): Promise<z.output<Row>[]> => {
      let index = 0;
      for (const end of pieces) {
        for (; index < end; index++) {
          const item = list[index];
          const isLarge = typeof item === "object" && item !== null && piecesOf(item) !== undefined;
          if (!take(index, isLarge ? await row.safeParseAsync(item) : row.safeParse(item))) return checked();
        }
        await turn();
      }
      return checked();
    };
    return inTurns();
  });
}
