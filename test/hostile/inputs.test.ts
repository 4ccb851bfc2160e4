import assert from "node:assert/strict";
import fc from "fast-check";
import { createDeployment } from "../../provider/resources/shared/deployment";
import { resourceDigitsKey, placeKey } from "../../provider/pulumi/hidden-inputs";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import type { Deployment } from "../../provider/resources/shared/deployment";
import { LookupFailure, LookupRun } from "../../provider/pulumi/lookup-run";
import { unknownValue } from "../../provider/serializable";
import { kindNames, kinds } from "../../provider/registry";
import { ServiceClient } from "../../provider/service/client";
import { ProviderError } from "../../provider/service/errors";
import type { OperationId } from "../../provider/service/operations";
import type { HttpAnswer, HttpRequest } from "../../provider/service/transport";
import { readSettings } from "../../provider/settings";
import { VirtualClock } from "../support/clock";
import { route } from "../support/in-memory";
import { kindFixtures, prepared } from "../support/kind-fixtures";
import { lookupFixtures } from "../support/lookup-fixtures";
import { validResponses } from "./valid-responses";
import { hostileInputs, pathsIn } from "./inputs";
import { assertPlain, assertUnpolluted } from "./prototypes";
import { runs, seed } from "./run-count";

/** A deployment with valid responses, and a count of its requests. */
function watched(): Deployment & { sent: () => number } {
  const given: Record<string, string> = {
    baseUrl: "https://service.example.com",
    accessToken: "token",
    maxDailyBudgetMicros: "9000000",
  };
  const settings = readSettings((key) => given[key], {});
  const clock = new VirtualClock();
  let sent = 0;
  const send = (request: HttpRequest): Promise<HttpAnswer> => {
    sent++;
    const operation: OperationId = route(request).operation;
    return Promise.resolve({ status: 200, headers: {}, text: JSON.stringify(validResponses[operation]) });
  };
  const service = new ServiceClient(settings, clock, () => undefined, { send, close: () => Promise.resolve() });
  return { ...createDeployment(service, settings, clock, () => undefined), sent: () => sent };
}

/** As in the whole host, only errors for users may be thrown. */
const isRefusal = (error: unknown): boolean => error instanceof ProviderError && error.message !== "";

describe("Hostile arguments", () => {
  afterEach(assertUnpolluted);

  for (const name of kindNames) {
    const lifecycle = kinds[name];
    const { allArgs: inputs } = kindFixtures[name];
    const declared = Object.keys(lifecycle.inputs.shape);
    const named = { [placeKey]: "project/stack/one" };

    it(`of ${name} are checked without an exception or a request, and problems are reported at their position`, async () => {
      let passed = 0;
      const first = watched();
      const { outs } = await dynamicProvider(lifecycle, () => first).create({
        ...(await prepared(name, inputs, first)),
        [resourceDigitsKey]: "1f0c9a2",
      });
      const state = outs as Record<string, unknown>;
      await fc.assert(
        fc.asyncProperty(hostileInputs(inputs), hostileInputs(inputs), fc.boolean(), async (given, earlier, isNew) => {
          const deployment = watched();
          const host = dynamicProvider(lifecycle, () => deployment);
          const checked = await host.check?.(isNew ? {} : earlier, { ...named, ...given });
          assert.ok(checked !== undefined);
          const paths = [...declared, ...pathsIn(given)].filter((path) => path !== "");
          for (const { property, reason } of checked.failures ?? []) {
            assert.equal(property, "", "so that the engine does not print a value");
            assert.ok(paths.some((path) => reason.startsWith(path)) || given["__proto__"] !== undefined, reason);
          }
          assertPlain(checked.inputs);
          // The engine continues only if there was no problem.
          if ((checked.failures ?? []).length === 0) {
            passed++;
            const answer = await Promise.resolve(host.diff?.("id", state, checked.inputs as typeof state)).catch(
              (error: unknown) => {
                if (!isRefusal(error)) throw error;
                return undefined;
              },
            );
            for (const key of answer?.replaces ?? []) assert.ok(declared.includes(key), key);
          }
          assert.equal(deployment.sent(), 0);
        }),
        { numRuns: runs(500), seed },
      );
      assert.ok(passed > runs(500) / 100, String(passed));
    });
  }

  it("of a wrong type are reported, also when they contain unknown values", async () => {
    for (const [name, property, reason] of [
      ["AdCampaign", "campaignName", "must be a string"],
      ["AdCampaign", "dailyBudgetMicros", "must be a whole number of micros"],
      ["AdCampaign", "extraFields", "must be an object"],
      ["Webhook", "enabled", "must be true or false"],
      ["Webhook", "deletionPolicy", "must be one of"],
      ["EntityRecord", "fields", "must be an object"],
      ["TestFlow", "definition", "must be an object"],
    ] as const) {
      const lifecycle = kinds[name];
      const { allArgs: inputs } = kindFixtures[name];
      const host = dynamicProvider(lifecycle, watched);
      for (const [value, count] of [
        [[unknownValue], 1],
        [unknownValue, 0],
      ] as const) {
        // As the class of a campaign gives it at the first preview.
        const intent = name === "AdCampaign" ? { launchIntent: unknownValue } : {};
        const checked = await host.check?.({}, { ...inputs, ...intent, [property]: value });
        const found = (checked?.failures ?? []).map((failure) => failure.reason);
        assert.equal(found.length, count, found.join());
        assert.ok(count === 0 || found[0]?.startsWith(`${property} ${reason}`), found.join());
      }
    }
  });

  it("that shadow an argument are reported, also while their value is unknown", async () => {
    const lifecycle = kinds.AdCampaign;
    const { allArgs: inputs } = kindFixtures.AdCampaign;
    const extraFields = { daily_budget_micros: unknownValue };
    const checked = await dynamicProvider(lifecycle, watched).check?.({}, { ...inputs, extraFields });
    assert.deepEqual(
      checked?.failures?.map(({ property, reason }) => `${property}: ${reason}`),
      [": extraFields.daily_budget_micros shadows the argument dailyBudgetMicros; give it there [WA1101]"],
    );
  });

  for (const { lookup, args } of lookupFixtures)
    it(`of ${lookup.name} are refused before any request, or accepted`, async () => {
      const log = { info: () => undefined, warn: () => undefined };
      const ends = { refused: 0, answered: 0 };
      await fc.assert(
        fc.asyncProperty(hostileInputs(args), async (given) => {
          const deployment = watched();
          const asking = new LookupRun(deployment.service, deployment.clock).run(lookup, given, log);
          const error: unknown = await asking.then(
            () => undefined,
            (reason: unknown) => reason,
          );
          if (deployment.sent() > 0) ends.answered++;
          else {
            assert.ok(error instanceof LookupFailure, String(error));
            assert.match(error.message, new RegExp(`^${lookup.name}: .*No request was sent\\. \\[WA1101\\]$`));
            ends.refused++;
          }
          assert.ok(error === undefined || error instanceof LookupFailure, String(error));
        }),
        { numRuns: runs(500), seed },
      );
      assert.ok(ends.refused > 0 && ends.answered > 0, JSON.stringify(ends));
    });
});
