import { z } from "zod";
import { defaultLaunchQuarantineSeconds } from "../../provider/service/campaigns";
import { operations } from "../../provider/service/operations";
import { allObjects, areaControlRoutes } from "../areas";
import { faultSchema } from "../faults";
import { isoTime } from "../times";
import type { ClockControls } from "../types";
import { sendEvents } from "./event-stream";
import { presetRoutes } from "./presets";
import { type ControlRoute, numberInQuery, route } from "./route";

/** Far from where JavaScript's dates end. */
const tenYears = 10 * 365 * 24 * 60 * 60 * 1000;

function clockAnswer(clock: ClockControls) {
  return {
    now: isoTime(clock.now()),
    aheadMilliseconds: clock.aheadMilliseconds,
    quarantineMilliseconds: defaultLaunchQuarantineSeconds * 1000,
  };
}

/** The whole control interface. */
export const controlRoutes: readonly ControlRoute[] = [
  route({
    endpoint: "GET operations",
    description: "Returns every operation: its id, its endpoint, and whether the specification shows it.",
    handle: () => ({
      operations: Object.entries(operations).map(([id, { endpoint, documented }]) => ({ id, endpoint, documented })),
    }),
  }),
  route({
    endpoint: "GET requests",
    description:
      "Returns every request so far, or those after the one with this number: operation, path, body, `Idempotency-Key`, status, and how long it took. No credential is kept.",
    input: z.strictObject({ after: numberInQuery.optional() }),
    examples: [{ after: "10" }],
    handle: ({ requests }, { after = 0 }) => ({ requests: requests.filter(({ number }) => number > after) }),
  }),
  route({
    endpoint: "DELETE requests",
    description: "Forgets the requests so far.",
    handle: (controls) => {
      controls.clearRequests();
    },
  }),
  route({
    endpoint: "GET exchange",
    description:
      "Returns a request and its response with all headers and bodies. Credentials in headers, in the query and in the response read `[secret]`. Only the beginning of a long body is kept, and only the latest exchanges are.",
    input: z.strictObject({ number: numberInQuery }),
    examples: [{ number: "1" }],
    handle: (controls, { number }) => controls.exchange(number),
  }),
  route({
    endpoint: "GET events",
    description:
      "Streams server-sent events: `request` with each new or changed entry of the log, and `changed` with what else changed.",
    handle: (controls, _, outgoing) => {
      sendEvents(controls, outgoing);
    },
  }),
  ...presetRoutes,
  route({
    endpoint: "GET faults",
    description: "Returns the faults that still wait for requests.",
    handle: (controls) => ({ faults: controls.waitingFaults() }),
  }),
  route({
    endpoint: "POST faults",
    description:
      'Changes the next responses of an operation. `then` is a response (`status`, `body`, `headers`, `contentType`), `"reset"`, `"hang"`, `"pass"` or `"hold"`. Optional: `parameters`, `times`, `skip`, `commit`, `delayMilliseconds`. With `lagMilliseconds` instead of `then`, a list does not show younger objects.',
    input: faultSchema,
    examples: [
      { operation: "webhook.create", commit: true, then: "reset" },
      { operation: "webhook.update", times: 2, then: { status: 429, headers: { "retry-after": "3" } } },
      { operation: "webhook.list", lagMilliseconds: 5000 },
    ],
    handle: (controls, fault) => {
      controls.fault(fault);
    },
  }),
  route({
    endpoint: "DELETE faults",
    description: "Removes one fault, or all faults and lags.",
    input: z.strictObject({ number: numberInQuery.optional() }),
    examples: [{ number: "1" }],
    handle: (controls, { number }) => {
      if (number !== undefined) return { removed: controls.removeFault(number) };
      controls.clearFaults();
      return undefined;
    },
  }),
  route({
    endpoint: "POST release",
    description: 'Sends the responses that `"then": "hold"` keeps back. Responds with their number when they are sent.',
    handle: async (controls) => ({ released: await controls.release() }),
  }),
  route({
    endpoint: "GET clock",
    description:
      "Returns the service's time, how far it was moved ahead, and how long the quarantine of an uncertain launch is by default.",
    handle: ({ clock }) => clockAnswer(clock),
  }),
  route({
    endpoint: "POST clock",
    description: "Moves the service's clock forward.",
    input: z.strictObject({ advanceMilliseconds: z.number().nonnegative().max(tenYears) }),
    examples: [{ advanceMilliseconds: 60_000 }],
    handle: ({ clock }, { advanceMilliseconds }) => {
      clock.advance(advanceMilliseconds);
      return clockAnswer(clock);
    },
  }),
  route({
    endpoint: "POST reset",
    description:
      'Starts over: objects, requests, faults, rate limits and the clock are as at the start. Responses that `"then": "hold"` keeps back are never sent: their connections are reset.',
    handle: (controls) => {
      controls.reset();
    },
  }),
  route({
    endpoint: "GET objects",
    description:
      "Returns all objects: webhooks by agent, apps by folder, records by app and entity, other objects by app, and the members. With `workspace`, returns the objects of the workspace that a credential of this name has.",
    input: z.strictObject({ workspace: z.string().min(1).optional() }),
    examples: [{ workspace: "other" }],
    handle: ({ objects, workspace }, { workspace: name }) => (name === undefined ? objects : workspace(name)).all(),
  }),
  route({
    endpoint: "PUT objects",
    description:
      "Replaces all objects by what `GET objects` returned. If any value is invalid, nothing is changed. If an object was created later than the clock's time, the clock moves forward to its creation.",
    input: allObjects,
    examples: [
      {
        webhooks: {},
        folders: { f: ["a"] },
        campaigns: {},
        records: {},
        tests: {},
        scans: {},
        conversionGoals: { a: ["PURCHASE"] },
        codingSessions: {},
        members: [],
      },
    ],
    handle: ({ objects }, given) => {
      objects.replaceAll(given);
    },
  }),
  ...areaControlRoutes,
];
