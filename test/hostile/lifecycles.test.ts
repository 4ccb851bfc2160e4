import { deepEqual as equalButForSignsOfZero } from "node:assert";
import assert from "node:assert/strict";
import { createDeployment } from "../../provider/resources/shared/deployment";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { resourceDigitsKey } from "../../provider/pulumi/hidden-inputs";
import type { Deployment } from "../../provider/resources/shared/deployment";
import { LookupFailure, LookupRun } from "../../provider/pulumi/lookup-run";
import { kindNames, kinds } from "../../provider/registry";
import { ServiceClient } from "../../provider/service/client";
import { ProviderError, ServiceError } from "../../provider/service/errors";
import type { OperationId } from "../../provider/service/operations";
import type { HttpAnswer, HttpRequest } from "../../provider/service/transport";
import { readSettings } from "../../provider/settings";
import { VirtualClock } from "../support/clock";
import { route } from "../support/in-memory";
import { kindFixtures, prepared } from "../support/kind-fixtures";
import { lookupFixtures } from "../support/lookup-fixtures";
import { answerWith, wrongs } from "./responses";
import { validResponses } from "./valid-responses";
import { assertPlain, assertUnpolluted } from "./prototypes";
import { runs, seed } from "./run-count";

/* The same responses for whole steps of resources and for look-ups: their results must be valid too. */

type Wrong = ReturnType<typeof wrongs>[number];

const good = (id: OperationId): HttpAnswer => ({ status: 200, headers: {}, text: JSON.stringify(validResponses[id]) });

/** A deployment with valid responses except for one request, and with `goesOn` for all later ones. */
function deployment(at = Infinity, wrong?: Wrong, goesOn = false): Deployment {
  const settings = readSettings(
    (key) => ({ baseUrl: "https://service.example.com", accessToken: "token" })[key as string],
    {},
  );
  const clock = new VirtualClock();
  let sent = 0;
  const send = (request: HttpRequest): Promise<HttpAnswer> => {
    const { operation } = route(request);
    const number = sent++;
    const isWrong = wrong !== undefined && (goesOn ? number >= at : number === at);
    return Promise.resolve(isWrong ? answerWith(operation, wrong) : good(operation));
  };
  const service = new ServiceClient(settings, clock, () => undefined, { send, close: () => Promise.resolve() });
  return createDeployment(service, settings, clock, () => undefined);
}

/** Fails unless the work ends with plain data, or with an error for users. */
async function assertEnds(work: Promise<unknown>): Promise<void> {
  let result: unknown;
  try {
    result = await work;
  } catch (error) {
    const isSaved = error instanceof Error && "properties" in error;
    const isForPeople =
      error instanceof ServiceError || error instanceof ProviderError || error instanceof LookupFailure;
    if (!isSaved && !isForPeople) throw error;
    if (isSaved) assertStorable(error.properties);
    return;
  }
  assertStorable(result);
}

/** The value must survive JSON: `undefined` or an infinite number would break the engine. */
function assertStorable(value: unknown): void {
  assertPlain(value);
  if (value !== undefined) equalButForSignsOfZero(JSON.parse(JSON.stringify(value)), value);
}

describe("A hostile response", () => {
  const made = wrongs(runs(600), seed + 2);
  afterEach(assertUnpolluted);

  for (const name of kindNames)
    it(`gives every step of ${name} a result or a readable error`, async () => {
      const lifecycle = kinds[name];
      const { allArgs, change } = kindFixtures[name];
      const earlier = deployment();
      const inputs = await prepared(name, allArgs, earlier);
      const first = await dynamicProvider(lifecycle, () => earlier).create({
        ...inputs,
        [resourceDigitsKey]: "1f0c9a2",
      });
      const state = first.outs as Record<string, unknown>;
      for (const [index, wrong] of made.entries()) {
        const current = deployment(wrong.place % 3, wrong, index % 2 === 0);
        const { launchIntent: key } = state;
        if (typeof key === "string")
          Object.assign(current.launches.of(key), { intent: earlier.launches.of(key).intent });
        const host = dynamicProvider(lifecycle, () => current);
        const steps = [
          () => host.create({ ...inputs, [resourceDigitsKey]: "1f0c9a2" }),
          () => host.read?.(first.id, { ...state }),
          () => host.update?.(first.id, { ...state }, { ...inputs, ...change }),
          () => host.delete?.(first.id, { ...state }),
        ];
        await assertEnds(Promise.resolve(steps[index % steps.length]?.()));
      }
    });

  for (const { lookup, args } of lookupFixtures)
    it(`gives ${lookup.name} a result or a readable error`, async () => {
      const log = { info: () => undefined, warn: () => undefined };
      const ask = ({ service, clock }: Deployment): Promise<unknown> =>
        new LookupRun(service, clock).run(lookup, args, log);
      await ask(deployment());
      for (const [index, wrong] of made.entries())
        await ask(deployment(0, wrong, index % 2 === 0)).catch((error: unknown) => {
          if (!(error instanceof LookupFailure)) throw error;
          assert.ok(error.message.startsWith(`${lookup.name}: `));
        });
    });
});
