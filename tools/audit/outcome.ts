import { z } from "zod";

/** The result of an audit: the exit code of the command, and a message. */
export interface Outcome {
  /** 0: no known vulnerability. 1: at least one. 2: the audit could not be made. */
  code: 0 | 1 | 2;
  message: string;
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

/** Reads the output of `npm audit --json`. An unreadable result must not be treated as no findings. */
export function outcomeOf(printed: string): Outcome {
  const json = parsed(printed);
  const result = report.safeParse(json);
  if (!result.success) {
    const { message } = z.object({ message: z.string() }).catch({ message: "no report was printed" }).parse(json);
    return {
      code: 2,
      message: `Nothing was audited: the registry gave no report (${withoutHost(message)}). Use a registry that has npm's audit endpoint.`,
    };
  }
  const found = Object.entries(result.data.vulnerabilities).map(
    ([name, { severity, range, via }]) =>
      `${name} ${range} (${severity}): ${via.map((one) => (typeof one === "string" ? one : one.title)).join("; ")}`,
  );
  return found.length === 0
    ? { code: 0, message: "No known vulnerabilities in the run-time dependencies." }
    : { code: 1, message: found.join("\n") };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The log may be public, and the address of a private registry is not. */
function withoutHost(message: string): string {
  return message.replace(/\bhttps?:\/\/[^/\s]+/g, "");
}
