import fc from "fast-check";

/** The operations whose requests can fail. */
export const faultyOperations = [
  "campaign.launch",
  "campaign.list",
  "campaign.readiness",
  "campaign.delete",
  "campaign.pause",
  "campaign.resume",
] as const;
export type FaultyOperation = (typeof faultyOperations)[number];

/** How a request ends for the client: a status in place of the service's own response, or no response. */
const endings = [
  ...["not sent", "reset", "no answer", "half a list"],
  ...["400", "401", "402", "403", "404", "422", "302", "405", "409", "500"],
  ...["429", "429 with Retry-After 20", "429 with Retry-After 3600", "503 with Retry-After 5"],
  ...["409 that names another campaign", "502 as HTML", "200 as HTML", "200 cut off", "200 of another shape"],
];

const page = "<!doctype html><title>Bad gateway</title><h1>502</h1>";
const bodies: Record<string, string> = {
  "409 that names another campaign": '{"campaign": {"id": "cmp_0", "status": "ENABLED"}}',
  "502 as HTML": page,
  "200 as HTML": page,
  "200 cut off": '{"campaign": {"id": "cm',
  "200 of another shape": '{"ok": true}',
};

export function responseOf(ending: string): { status: number; text: string; headers: Record<string, string> } {
  const [, seconds] = /Retry-After (\d+)/.exec(ending) ?? [];
  const headers = seconds === undefined ? {} : { "retry-after": seconds };
  return { status: Number.parseInt(ending), text: bodies[ending] ?? JSON.stringify({ message: ending }), headers };
}

export type Outcome = "done" | "postponed" | "refused" | "uncertain";

/** The conclusion that a client may draw about a request. */
export function outcomeOf(ending: string): Outcome {
  if (/^(not sent|429)/.test(ending)) return "postponed";
  return /^(400|401|402|403|404|422)$/.test(ending) ? "refused" : "uncertain";
}

/** The fate of requests of one operation in one command. */
export interface Fault {
  operation: FaultyOperation;
  /** The first request that fails, counted from 1, and how many fail in a row. */
  nth: number;
  times: number;
  /** `late`: at any time after the client has its ending. */
  carriedOut: "never" | "before" | "late";
  then: string;
}

function faultsOf(operation: FaultyOperation): fc.Arbitrary<Fault> {
  const isRead = operation === "campaign.list" || operation === "campaign.readiness";
  const isLaunch = operation === "campaign.launch";
  const names = endings.filter((name) => name !== "half a list" || operation === "campaign.list");
  const fault = (carriedOut: Fault["carriedOut"], then: readonly string[]): fc.Arbitrary<Fault> =>
    fc.record({
      operation: fc.constant(operation),
      nth: fc.constantFrom(1, 1, 1, 2, 3),
      // A read is sent five times before it fails.
      times: isLaunch ? fc.constantFrom(1, 1, 2) : fc.constantFrom(1, 1, 2, 5, 20),
      carriedOut: fc.constant(carriedOut),
      then: fc.constantFrom(...then),
    });
  // A client believes a 200 that says that a campaign was deleted, paused or resumed.
  const never = fault(
    "never",
    names.filter((name) => isRead || isLaunch || !name.startsWith("200")),
  );
  if (isRead) return never;
  const before = fault(
    "before",
    names.filter((name) => outcomeOf(name) === "uncertain"),
  );
  if (!isLaunch) return fc.oneof(never, before);
  return fc.oneof(never, before, before, fault("late", ["no answer", "reset", "502 as HTML", "409"]));
}

export const faults: fc.Arbitrary<Fault[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: faultsOf("campaign.launch") },
    { weight: 3, arbitrary: faultsOf("campaign.list") },
    { weight: 1, arbitrary: faultsOf("campaign.readiness") },
    { weight: 4, arbitrary: faultsOf("campaign.delete") },
    { weight: 4, arbitrary: faultsOf("campaign.pause") },
    { weight: 1, arbitrary: faultsOf("campaign.resume") },
  ),
  { minLength: 1, maxLength: 3, size: "max" },
);

/**
 * Where a command is killed, and which of its processes. A request is killed before it is sent, on its way to the
 * service, after the service acted, and after its response. `save` counts what the engine saves, and kills before it
 * does.
 */
export interface Crash {
  at: FaultyOperation | "save";
  nth: number;
  point: "before" | "sent" | "committed" | "answered";
  what: "host" | "command" | "command but its host";
}

export const crashes: fc.Arbitrary<Crash> = fc.record({
  at: fc.constantFrom("campaign.launch", "campaign.launch", "campaign.launch", "save", "save", ...faultyOperations),
  nth: fc.constantFrom(1, 1, 1, 2, 2, 3, 4),
  point: fc.constantFrom("before", "sent", "committed", "answered"),
  what: fc.constantFrom("host", "host", "command", "command", "command but its host"),
});
