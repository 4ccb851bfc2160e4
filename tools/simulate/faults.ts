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

/** Endings that prove that nothing was done. None of them can end a request that was carried out. */
const refusals = {
  "not sent": "not sent",
  "400": answer(400),
  "401": answer(401),
  "402": answer(402),
  "403": answer(403, { code: "read_only_credential_route_not_allowed" }),
  "404": answer(404, { code: "campaign_not_found", message: "There is no such campaign." }),
  "404 as HTML": answer(404, page),
  "422": answer(422, { detail: [{ loc: ["body"], msg: "Field required", type: "missing" }] }),
  "429": answer(429),
  "429 with Retry-After 20": answer(429, "", { "retry-after": "20" }),
  "429 with Retry-After 3600": answer(429, "", { "retry-after": "3600" }),
} as const satisfies Record<string, Ending>;

/** Endings that say nothing about what was done. */
const uncertain = {
  reset: "reset",
  "no answer": "no answer",
  "302": answer(302, "", { location: "https://elsewhere.example.com/" }),
  "409": answer(409, { code: "launch_timed_out", message: "Timed out after being sent: it may be live." }),
  "409 with an empty body": answer(409, ""),
  "409 as HTML": answer(409, page),
  "409 in German": answer(409, { meldung: "Zeitüberschreitung: Die Kampagne läuft womöglich schon." }),
  "409 that says that nothing was launched": answer(409, { message: "Nothing was launched. Please try again." }),
  "409 that names another campaign": answer(409, { campaign: { id: "cmp_0", status: "ENABLED" } }),
  "500": answer(500),
  "502 as HTML": answer(502, page),
  "503": answer(503, { code: "payment_provider_unavailable" }),
  "503 with Retry-After 5": answer(503, "", { "retry-after": "5" }),
  "200 as HTML": answer(200, page),
  "200 cut off": answer(200, '{"campaign": {"id": "cm'),
  "200 of another shape": answer(200, { ok: true }),
  "200 with an empty body": answer(200, ""),
  "half a list": "half a list",
} as const satisfies Record<string, Ending>;

const endings = { ...refusals, ...uncertain };
export type EndingName = keyof typeof endings;

export function endingOf(name: EndingName): Ending {
  return endings[name];
}

/** Whether the ending proves that the request was not carried out. */
export function isRefusal(name: EndingName): boolean {
  return Object.hasOwn(refusals, name);
}

/** What happens to requests of one operation in one command. */
export interface Fault {
  operation: FaultyOperation;
  /** The first request that fails, counted from 1, and how many fail in a row. */
  nth: number;
  times: number;
  /** `late`: after the client has its ending, and before a quarantine is over. */
  carriedOut: "never" | "before" | "late";
  then: EndingName;
}

/** Responses of a documented operation that every client believes. If they lied, no client could tell. */
const believed: Partial<Record<FaultyOperation, readonly EndingName[]>> = {
  "campaign.delete": ["200 of another shape", "200 with an empty body"],
};

function faultsOf(operation: FaultyOperation): fc.Arbitrary<Fault> {
  const isList = operation === "campaign.list";
  const names = (from: object): EndingName[] =>
    (Object.keys(from) as EndingName[]).filter((name) => isList || name !== "half a list");
  const unbelieved = (name: EndingName): boolean => believed[operation]?.includes(name) !== true;
  const fault = (carriedOut: Fault["carriedOut"], then: readonly EndingName[]): fc.Arbitrary<Fault> =>
    fc.record({
      operation: fc.constant(operation),
      nth: fc.constantFrom(1, 1, 1, 2, 2, 3),
      // A read is sent five times before it fails.
      times: operation === "campaign.launch" ? fc.constant(1) : fc.constantFrom(1, 1, 1, 2, 5, 20),
      carriedOut: fc.constant(carriedOut),
      then: fc.constantFrom(...then),
    });
  return fc.oneof(
    fault("never", [...names(refusals), ...names(uncertain)].filter(unbelieved)),
    fault("before", names(uncertain)),
    // Only a refresh could find a late pause or resume, whatever the client does.
    ...(operation === "campaign.launch" ? [fault("late", ["no answer", "reset", "502 as HTML", "409"])] : []),
  );
}

export const faults: fc.Arbitrary<Fault[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: faultsOf("campaign.launch") },
    { weight: 3, arbitrary: faultsOf("campaign.list") },
    { weight: 1, arbitrary: faultsOf("campaign.readiness") },
    { weight: 4, arbitrary: faultsOf("campaign.delete") },
    { weight: 3, arbitrary: faultsOf("campaign.pause") },
    { weight: 1, arbitrary: faultsOf("campaign.resume") },
  ),
  { minLength: 1, maxLength: 4, size: "max" },
);

/** Where a command is killed, and which of its processes: the host alone, the whole command, or all but its host. */
export interface Crash {
  operation: FaultyOperation;
  nth: number;
  /** Before the request is sent; after the service carried it out; after its response, before anything is saved. */
  point: "before" | "committed" | "answered";
  what: "host" | "command" | "command but its host";
}

export const crashes: fc.Arbitrary<Crash> = fc.record({
  operation: fc.oneof(
    { weight: 4, arbitrary: fc.constant<FaultyOperation>("campaign.launch") },
    { weight: 3, arbitrary: fc.constantFrom(...faultyOperations) },
  ),
  nth: fc.constantFrom(1, 1, 1, 2, 2, 3),
  point: fc.constantFrom("before", "committed", "answered"),
  what: fc.constantFrom("host", "command", "command but its host"),
});
