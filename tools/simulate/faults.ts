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

interface Answer {
  status: number;
  text: string;
  headers: Record<string, string>;
}

/** How a request ends for the client: a response in place of the service's own, or none. */
export type Ending = Answer | "not sent" | "reset" | "no answer" | "half a list";

function answer(status: number, body: unknown = { message: `Said ${String(status)}.` }, headers = {}): Answer {
  return { status, text: typeof body === "string" ? body : JSON.stringify(body), headers };
}

const page = "<!doctype html><title>Bad gateway</title><h1>502</h1>";

/** Endings after which the request may be sent again: nothing was done. */
const postponed = {
  "not sent": "not sent",
  "429": answer(429),
  "429 with Retry-After 20": answer(429, "", { "retry-after": "20" }),
  "429 with Retry-After 3600": answer(429, "", { "retry-after": "3600" }),
} as const satisfies Record<string, Ending>;

/** Endings that prove that nothing was done. */
const refused = {
  "400": answer(400),
  "401": answer(401),
  "402": answer(402),
  "403": answer(403, { code: "read_only_credential_route_not_allowed" }),
  "404": answer(404, { code: "campaign_not_found", message: "There is no such campaign." }),
  "422": answer(422, { detail: [{ loc: ["body"], msg: "Field required", type: "missing" }] }),
} as const satisfies Record<string, Ending>;

/** Endings that say nothing about what was done. */
const uncertain = {
  reset: "reset",
  "no answer": "no answer",
  "302": answer(302, "", { location: "https://elsewhere.example.com/" }),
  "405": answer(405),
  "409": answer(409, { code: "launch_timed_out", message: "Timed out after being sent: it may be live." }),
  "409 that says that nothing was done": answer(409, { message: "Nothing was launched. Please try again." }),
  "409 that names another campaign": answer(409, { campaign: { id: "cmp_0", status: "ENABLED" } }),
  "500": answer(500),
  "502 as HTML": answer(502, page),
  "503 with Retry-After 5": answer(503, "", { "retry-after": "5" }),
  "200 as HTML": answer(200, page),
  "200 cut off": answer(200, '{"campaign": {"id": "cm'),
  "200 of another shape": answer(200, { ok: true }),
  "half a list": "half a list",
} as const satisfies Record<string, Ending>;

const endings = { ...postponed, ...refused, ...uncertain };
export type EndingName = keyof typeof endings;

export function endingOf(name: EndingName): Ending {
  return endings[name];
}

export type Outcome = "launched" | "postponed" | "refused" | "uncertain";

/** What a client may conclude from an ending. */
export function outcomeOf(name: EndingName): Outcome {
  if (Object.hasOwn(postponed, name)) return "postponed";
  return Object.hasOwn(refused, name) ? "refused" : "uncertain";
}

/** What happens to requests of one operation in one command. */
export interface Fault {
  operation: FaultyOperation;
  /** The first request that fails, counted from 1, and how many fail in a row. */
  nth: number;
  times: number;
  /** `late`: after the client has its ending, at any time until the next quarantine is half over. */
  carriedOut: "never" | "before" | "late";
  then: EndingName;
}

function faultsOf(operation: FaultyOperation): fc.Arbitrary<Fault> {
  const isList = operation === "campaign.list";
  const names = (from: object): EndingName[] =>
    (Object.keys(from) as EndingName[]).filter((name) => isList || name !== "half a list");
  // A client believes a 200 that says that a campaign was deleted, paused or resumed.
  const isLie = (name: EndingName): boolean => operation !== "campaign.launch" && name.startsWith("200");
  const fault = (carriedOut: Fault["carriedOut"], then: readonly EndingName[]): fc.Arbitrary<Fault> =>
    fc.record({
      operation: fc.constant(operation),
      nth: fc.constantFrom(1, 1, 1, 2, 3),
      // A read is sent five times before it fails.
      times: operation === "campaign.launch" ? fc.constantFrom(1, 1, 2) : fc.constantFrom(1, 1, 2, 5, 20),
      carriedOut: fc.constant(carriedOut),
      then: fc.constantFrom(...then),
    });
  const never = fault(
    "never",
    names(endings).filter((name) => isList || !isLie(name)),
  );
  if (isList || operation === "campaign.readiness") return never;
  const before = fault("before", names(uncertain));
  if (operation !== "campaign.launch") return fc.oneof(never, before);
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
 * Where a command is killed, and which of its processes. A request is killed before it is sent, on its way to the service,
 * after the service acted, and after its response. `save` counts what the engine saves, and kills before it does.
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
