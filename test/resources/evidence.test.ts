import assert from "node:assert/strict";
import type { Properties } from "../../provider/pulumi/saved";
import { type Steps, stepsOf } from "../../provider/pulumi/steps";
import { type KindName, kindNames, kinds } from "../../provider/registry";
import { ReportedError } from "../../provider/service/errors";
import { type Credential, defaultCredentials } from "../../simulator";
import { type Bench, driven, startBench } from "../support/deployment";
import { kindFixtures, prepared } from "../support/kind-fixtures";

/* A token or a base URL that has changed since proves nothing about an object. */

const credentials: Credential[] = [
  ...defaultCredentials,
  { value: "limited", kind: "personal-token", apps: ["another-app"] },
  { value: "new", kind: "personal-token" },
];

/** The service cannot be asked for these, and cannot remove them. */
const isNeverRead = (name: KindName): boolean => name === "ConversionTracking" || name === "CodingSession";

describe("An object that this stack created", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench({}, { credentials });
  });
  afterEach(() => bench.close());

  const held = (): string => JSON.stringify(bench.simulator.objects.all());

  for (const name of kindNames)
    describe(`of the kind ${name}`, () => {
      const { args } = kindFixtures[name];
      const resource = driven(kinds[name]);
      const declaration = { place: "project/stack/tested", name: "tested", resourceDigits: "1f0c9a2" };
      let steps: Steps;
      let inputs: Properties;
      let outputs: Properties;
      beforeEach(async () => {
        steps = stepsOf(kinds[name] as Parameters<typeof stepsOf>[0]);
        ({ inputs } = steps.check({}, await prepared(name, args, bench), declaration, bench));
        ({ outputs } = await steps.create(inputs, bench));
        bench.simulator.clearRequests();
      });

      const requestCount = (): number => bench.simulator.requests.length;

      for (const [token, whose] of [
        ["other-workspace-token", "of another workspace"],
        ["limited", "that is limited to other apps"],
      ] as const)
        describe(`with a token ${whose}`, () => {
          /** Another command with it. */
          const withToken = (): Bench => bench.later({ accessToken: token });
          const isRefused = async (step: Promise<unknown>): Promise<void> => {
            const before = held();
            if (isNeverRead(name)) await step;
            else await assert.rejects(step, ReportedError);
            assert.equal(held(), before, "nothing changes in the service");
          };

          it("is not gone for a refresh", () => isRefused(steps.read(outputs, withToken())));

          it("is not deleted for a destroy", () => isRefused(steps.delete(outputs, withToken())));

          if (name === "Webhook")
            it("is not disabled for a destroy", () =>
              isRefused(steps.delete({ ...outputs, deletionPolicy: "disable" }, withToken())));
        });

      if (!isNeverRead(name)) {
        it("is gone where its own token does not show it any more", async () => {
          await resource.delete(outputs, bench.later());
          assert.equal(await steps.read(outputs, bench.later()), undefined);
        });

        it("is gone where a new token does not show it any more that has shown it", async () => {
          const withNewToken = (): Bench => bench.later({ accessToken: "new" });
          const found = await steps.read(outputs, withNewToken());
          await resource.delete(outputs, bench.later());
          assert.equal(await steps.read(found?.outputs ?? {}, withNewToken()), undefined);
        });
      }

      it("at another base URL is neither previewed, read, changed nor deleted, and no request is sent", async () => {
        const elsewhere = (): Bench => bench.later({ baseUrl: bench.simulator.url.replace("127.0.0.1", "localhost") });
        const refusal =
          /was created or last read at another base URL\. No request was sent\. \[WA1401\]\n {2}- Check workspace-apps:baseUrl/;
        const preview = (): unknown => {
          const [there, news] = [elsewhere(), { ...inputs }];
          const checked = steps.check(outputs, news, declaration, there);
          return steps.diff(outputs, checked.inputs, () => there);
        };
        assert.throws(preview, refusal);
        await assert.rejects(steps.read(outputs, elsewhere()), refusal);
        await assert.rejects(steps.update(outputs, inputs, elsewhere()), refusal);
        if (isNeverRead(name)) await steps.delete(outputs, elsewhere());
        else await assert.rejects(steps.delete(outputs, elsewhere()), refusal);
        assert.equal(requestCount(), 0);
        // A resource that is only removed from the stack sends no request.
        if (name !== "AdCampaign") await steps.delete({ ...outputs, deletionPolicy: "retain" }, elsewhere());
        assert.equal(requestCount(), 0);
      });
    });
});
