import { z } from "zod";

/** More than a message shows. To describe 300,000 wrong rows would take a minute. */
const maxProblems = 6;

/** A list of rows. Like `z.array`, but it stops at the first few problems. */
export function rowsOf<Row extends z.ZodType>(row: Row) {
  return z.array(z.unknown()).transform((items, context): z.output<Row>[] => {
    const rows: z.output<Row>[] = [];
    let problems = 0;
    for (const [index, item] of items.entries()) {
      const { success, data, error } = row.safeParse(item);
      if (success) rows.push(data);
      else
        for (const { path, message } of error.issues) {
          context.addIssue({ code: "custom", path: [index, ...path], message });
          if (++problems === maxProblems) return z.NEVER;
        }
    }
    return problems === 0 ? rows : z.NEVER;
  });
}
