import { z } from "zod";

/** More problems than a message shows are not looked for: a list of nothing but wrong rows would cost a minute to describe. */
const enoughProblems = 6;

/** A list of rows, of which the first wrong ones are named and the rest is left alone. */
export function every<Row extends z.ZodType>(row: Row) {
  return z.array(z.unknown()).transform((items, context): z.output<Row>[] => {
    const rows: z.output<Row>[] = [];
    let problems = 0;
    for (const [index, item] of items.entries()) {
      const { success, data, error } = row.safeParse(item);
      if (success) rows.push(data);
      else
        for (const { path, message } of error.issues) {
          context.addIssue({ code: "custom", path: [index, ...path], message });
          if (++problems === enoughProblems) return z.NEVER;
        }
    }
    return problems === 0 ? rows : z.NEVER;
  });
}
