import { areaControlRoutes } from "../areas";
import { faultSchema } from "../faults";
import { type ControlRoute, route } from "./route";

/** The whole control interface. */
export const controlRoutes: readonly ControlRoute[] = [
  route({
    endpoint: "GET requests",
    description:
      "Returns every request so far: operation, path, body, `Idempotency-Key` and status. No credential is kept.",
    handle: ({ requests }) => ({ requests }),
  }),
  route({
    endpoint: "DELETE requests",
    description: "Forgets the requests so far.",
    handle: (controls) => {
      controls.clearRequests();
    },
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
    description: "Removes all faults and lags.",
    handle: (controls) => {
      controls.clearFaults();
    },
  }),
  route({
    endpoint: "POST release",
    description: 'Sends the responses that `"then": "hold"` keeps back. Responds with their number when they are sent.',
    handle: async (controls) => ({ released: await controls.release() }),
  }),
  route({
    endpoint: "GET objects",
    description:
      "Returns all webhooks by agent; apps by folder; campaigns, tests, scans, conversion goals and coding sessions by app; records by app and entity; and the members.",
    handle: ({ objects }) => objects.all(),
  }),
  ...areaControlRoutes,
];
