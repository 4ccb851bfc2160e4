import { z } from "zod";

/** What an audit came to, in the exit code of the command and in words. */
export interface Outcome {
  /** 0: nothing is known against what ships. 1: something is. 2: the registry could not be asked. */
  code: 0 | 1 | 2;
  words: string;
}

const report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      range: z.string(),
      via: z.array(z.union([z.string(), z.object({ title: z.string() })])),
    }),
  ),
});

/** Reads what `npm audit --json` printed. Whatever is no report is a failure to ask, never a clean audit. */
export function outcomeOf(printed: string): Outcome {
  const json = parsed(printed);
  const result = report.safeParse(json);
  if (!result.success) {
    const { message } = z.object({ message: z.string() }).catch({ message: "it printed no report" }).parse(json);
    return {
      code: 2,
      words: `Nothing was audited, because the registry could not be asked (${withoutHost(message)}). Run it where the registry has npm's audit endpoint.`,
    };
  }
  const found = Object.entries(result.data.vulnerabilities).map(
    ([name, { severity, range, via }]) =>
      `${name} ${range} (${severity}): ${via.map((one) => (typeof one === "string" ? one : one.title)).join("; ")}`,
  );
  return found.length === 0
    ? { code: 0, words: "No vulnerability is known of what ships." }
    : { code: 1, words: found.join("\n") };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Which registry a machine uses is nobody else's business. */
function withoutHost(message: string): string {
  return message.replace(/\bhttps?:\/\/[^/\s]+/g, "");
}
