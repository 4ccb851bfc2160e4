import assert from "node:assert/strict";
import { type KindName, kindNames, kinds } from "../../provider/registry";
import type { Credential } from "../../simulator";
import { type Bench, driven, startBench } from "../support/deployment";
import { kindFixtures, prepared } from "../support/kind-fixtures";

const kind = "personal-token";
const credentials: Credential[] = [
  { value: "full-access-token", kind },
  { value: "limited", kind, apps: ["another-app"] },
];

/**
 * What each kind does when its app is outside the token's apps. The specification says 404 for folder item removal; for
 * the others the answer is an assumption of the simulator.
 */
const outcomes: Record<KindName, { refresh: Outcome; destroy: Outcome }> = {
  Webhook: { refresh: "gone on evidence", destroy: "gone on evidence" },
  AdCampaign: { refresh: "fails", destroy: "fails" },
  // Its list no longer shows the app, and showed it before.
  FolderMembership: { refresh: "gone on evidence", destroy: "fails" },
  EntityRecord: { refresh: "gone on evidence", destroy: "gone on evidence" },
  TestFlow: { refresh: "gone on evidence", destroy: "fails" },
  IgnoredFinding: { refresh: "fails", destroy: "fails" },
  ConversionTracking: { refresh: "sends nothing", destroy: "sends nothing" },
  CodingSession: { refresh: "sends nothing", destroy: "sends nothing" },
};

/**
 * `gone on evidence`: the endpoint that showed the object to this stack before answers that it is not there. Where no
 * endpoint ever showed it, the same answer is an error.
 */
type Outcome = "fails" | "gone on evidence" | "sends nothing";

describe("With a token that is limited to other apps,", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench({}, { credentials });
  });
  afterEach(() => bench.close());

  const limited = (): Bench => bench.later({ accessToken: "limited" });
  const held = (): string => JSON.stringify(bench.simulator.objects.all());

  for (const name of kindNames) {
    const resource = driven(kinds[name].lifecycle);
    const { args } = kindFixtures[name];
    const { refresh, destroy } = outcomes[name];
    const check = async (outcome: Outcome, step: (bench: Bench) => Promise<unknown>): Promise<void> => {
      const before = held();
      bench.simulator.clearRequests();
      if (outcome === "fails") await assert.rejects(step(limited()));
      else await step(limited());
      assert.equal(bench.simulator.requests.length === 0, outcome === "sends nothing");
      assert.equal(held(), before, "nothing changes in the service");
    };

    it(`${name} is not created, and nothing is left in state`, async () => {
      const before = held();
      const next = limited();
      const created = prepared(name, args, next).then((all) => resource.create(all, next));
      await assert.rejects(created, ({ name: error }: Error) => error !== "PartialFailure");
      assert.equal(held(), before);
    });

    it(`${name}: refresh ${refresh}, destroy ${destroy}`, async () => {
      const state = await resource.create(await prepared(name, args, bench), bench);
      await check(refresh, (later) => resource.read(state, later));
      await check(destroy, (later) => resource.delete(state, later));
    });

    if (refresh === "gone on evidence")
      it(`${name}: fails where nothing showed the object before`, async () => {
        const state = { ...(await resource.create(await prepared(name, args, bench), bench)), readBy: undefined };
        await check("fails", (later) => resource.read(state, later));
        await check("fails", (later) => resource.delete(state, later));
      });
  }
});
