import assert from "node:assert/strict";
import type { dynamic } from "@pulumi/pulumi";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { resourceDigitsKey, placeKey } from "../../provider/pulumi/hidden-inputs";
import { type AnyLifecycle, kinds } from "../../provider/registry";
import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import type { Lifecycle } from "../../provider/resources/shared/lifecycle";
import { asStored, declared as declaredCampaign, held, intend } from "../support/campaigns";
import { type Bench, startBench } from "../support/deployment";
import { prepared } from "../support/kind-fixtures";
import { declared as declaredWebhook } from "../support/webhooks";

type Properties = Record<string, unknown>;
type Host = Required<dynamic.ResourceProvider<Properties, Properties>>;

function hostOf<Inputs extends object, State extends object>(lifecycle: Lifecycle<Inputs, State>, bench: Bench): Host {
  return dynamicProvider(lifecycle, () => bench) as Host;
}

/** The kinds whose objects pass to an heir by their id. */
const byId = {
  Webhook: {
    args: declaredWebhook as Properties,
    idKey: "webhookId",
    failing: "webhook.get",
    live: ({ simulator }: Bench) => simulator.objects.webhooks("agent-1").length,
  },
  EntityRecord: {
    args: { appId: "app-1", entityName: "TaxRate", fields: { country: "DE" } },
    idKey: "recordId",
    failing: "record.get",
    live: ({ simulator }: Bench) => simulator.objects.records("app-1", "TaxRate").length,
  },
  TestFlow: {
    args: { appId: "app-1", definition: { name: "Checkout" } },
    idKey: "flowId",
    failing: "test.get",
    live: ({ simulator }: Bench) => simulator.objects.tests("app-1").length,
  },
  AdCampaign: {
    args: declaredCampaign as Properties,
    idKey: "campaignId",
    failing: "campaign.list",
    live: (bench: Bench) => held(bench).filter((campaign) => campaign.endsWith("ENABLED")).length,
  },
} as const;

describe("An object that was removed from the program", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  for (const [kind, { args, idKey, failing, live }] of Object.entries(byId))
    describe(`as ${kind}`, () => {
      const lifecycle: AnyLifecycle = kinds[kind as keyof typeof byId];
      let next: Bench;
      let host: Host;
      let state: Properties;
      let id: string;
      beforeEach(async () => {
        const inputs = await prepared(kind as keyof typeof byId, args, bench);
        ({ id, outs: state = {} } = await hostOf(lifecycle, bench).create({
          ...inputs,
          [resourceDigitsKey]: "1f0c9a2",
        }));
        next = bench.later();
        host = hostOf(lifecycle, next);
      });
      afterEach(() => next.service.close());

      const declare = async (name: string, more: Properties = {}): Promise<Properties> => {
        const place = { [placeKey]: `project/stack/${name}` };
        const { inputs = {}, failures } = await host.check({}, { ...args, ...more, ...place });
        assert.deepEqual(failures, []);
        return inputs;
      };
      const fail = async (inputs: Properties): Promise<void> => {
        next.simulator.fault({ operation: failing, times: 5, then: { status: 403 } });
        await assert.rejects(host.create(inputs));
        next.simulator.clearFaults();
      };

      it("is not deleted when its heir was declared and did not adopt it", async () => {
        await declare("heir", { [idKey]: id });
        await assert.rejects(host.delete(id, state), {
          message: new RegExp(
            `^The [\\w ]+ ${id} of .* was not deleted: "heir" declares it by its ${idKey}, and has not adopted it\\. \\[WA1312\\]\\n {2}- Fix the error of "heir", or of what it depends on, and run \`pulumi up\` again`,
          ),
        });
        assert.equal(live(bench), 1);
      });

      it("is not deleted when its heir failed", async () => {
        await fail(await declare("heir", { [idKey]: id }));
        await assert.rejects(host.delete(id, state), { message: /was not deleted/ });
        assert.equal(live(bench), 1);
      });

      it("is deleted where nothing declares it, also when another resource failed", async () => {
        await fail({ ...args, [idKey]: "elsewhere" });
        await host.delete(id, state);
        assert.equal(live(bench), 0);
      });

      it("is removed from the stack where it is retained anyway", async () => {
        await declare("heir", { [idKey]: id });
        await host.delete(id, { ...state, deletionPolicy: "retain" });
        assert.equal(live(bench), 1);
      });

      it("is deleted where nothing declares it and only another deletion failed", async () => {
        await declare("other", { [idKey]: "elsewhere" });
        next.simulator.fault({ operation: failing.replace(/\.\w+$/, ".delete") as never, then: { status: 403 } });
        await assert.rejects(host.delete(id, state), { message: /403/ });
        await host.delete(id, state);
        assert.equal(live(bench), 0);
      });
    });

  describe("as the launch intent of a campaign that an interrupted command launched", () => {
    let next: Bench;
    let written: Properties;
    beforeEach(async () => {
      written = { ...(await intend(declaredCampaign, bench)) };
      const name = `Spring sale-${String(written["key"])}00000`;
      bench.simulator.objects.putCampaign("app-1", { ...asStored, campaign_name: name });
      next = bench.later();
    });
    afterEach(() => next.service.close());

    it("does not delete a campaign that a skipped heir declares by its campaignId", async () => {
      const adopting = { ...declaredCampaign, campaignId: "cmp_1", [placeKey]: "project/stack/heir" };
      await hostOf(kinds.AdCampaign, next).check({}, adopting);
      await hostOf(launchIntentLifecycle, next).delete("intent", written);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    });
  });
});

describe("An object that two resources of a stack manage", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const lifecycle = kinds.Webhook;
  /** The state of the resource that created the webhook. */
  const first = async (): Promise<Properties> => {
    const { outs = {}, id } = await hostOf(lifecycle, bench).create({
      ...declaredWebhook,
      [resourceDigitsKey]: "1f0c9a2",
    });
    const [created] = bench.simulator.objects.webhooks("agent-1");
    bench.simulator.objects.removeWebhook("agent-1", id);
    bench.simulator.objects.putWebhook("agent-1", { ...created, id: "wh_first" });
    return { ...outs, webhookId: "wh_first" };
  };
  const second = { ...declaredWebhook, webhookId: "wh_first", [placeKey]: "project/stack/second" };
  const unchanged = async (host: Host, state: Properties): Promise<unknown> => {
    const { inputs = {} } = await host.check({ ...declaredWebhook }, { ...declaredWebhook });
    return host.diff("wh_first", state, inputs);
  };
  const twice =
    /^The webhook wh_first of agent agent-1 is managed by two resources of this stack\. Nothing was changed\. \[WA1311\]\n {2}- Declare it once\. If one of the two is the new name of the other, give the old name in the option aliases, and leave out the id\.\n {2}- Otherwise remove one of them from the program and run `pulumi up` without --target and --exclude, or run `pulumi state delete --force '<URN>'` for it: the object stays\. `pulumi stack --show-urns` shows the URN\. Do not use `pulumi destroy --target`: that may delete it\.$/;

  it("is refused at preview where both are seen, whichever comes first", async () => {
    const state = await first();
    const [one, other] = [bench.later(), bench.later()];
    const host = hostOf(lifecycle, one);
    await host.check({}, second);
    await assert.rejects(unchanged(host, state), { message: twice });
    const otherHost = hostOf(lifecycle, other);
    await unchanged(otherHost, state);
    const { failures } = await otherHost.check({}, second);
    assert.deepEqual(
      failures?.map(({ reason }) => reason),
      [
        "webhookId names the webhook wh_first of agent agent-1, which another resource of this stack manages. Declare it once. If one of the two is the new name of the other, give the old name in the option aliases [WA1311]",
      ],
    );
    for (const { service } of [one, other]) await service.close();
  });

  it("is refused where both are in state by now, also without the id", async () => {
    const state = await first();
    const adopting = bench.later();
    const { outs: adopted = {} } = await hostOf(lifecycle, adopting).create({
      ...declaredWebhook,
      webhookId: "wh_first",
    });
    const next = bench.later();
    const host = hostOf(lifecycle, next);
    await unchanged(host, state);
    await unchanged(host, state);
    await assert.rejects(unchanged(host, adopted), { message: twice });
    for (const { service } of [adopting, next]) await service.close();
  });

  it("may pass to the second where the first is about to be replaced", async () => {
    const state = await first();
    const next = bench.later();
    const host = hostOf(lifecycle, next);
    const moved = { ...declaredWebhook, agentId: "agent-2" };
    const { inputs = {} } = await host.check({ ...declaredWebhook }, moved);
    await host.diff("wh_first", state, inputs);
    assert.deepEqual((await host.check({}, second)).failures, []);
    await next.service.close();
  });

  it("is told once in a command that adopts, how the first must leave", async () => {
    for (const id of ["a", "b"])
      bench.simulator.objects.putWebhook("agent-1", {
        id,
        target_url: declaredWebhook.targetUrl,
        events: declaredWebhook.events,
      });
    bench.simulator.objects.putTest("app-1", { id: "flow_1" });
    const host = hostOf(lifecycle, bench);
    for (const webhookId of ["a", "b"]) await host.create({ ...declaredWebhook, webhookId });
    await hostOf(kinds.TestFlow, bench).create({ appId: "app-1", flowId: "flow_1" });
    assert.deepEqual(bench.said, [
      "This command adopts objects that exist already. If another resource of this stack manages one of them, do not destroy that resource: it would delete the object. If it was renamed, give its old name in the option aliases instead of the id. Otherwise run `pulumi state delete --force '<URN>'` for it. `pulumi stack --show-urns` shows the URN.",
    ]);
  });

  it("is not told to a command that adopts nothing", async () => {
    await first();
    assert.deepEqual(bench.said, []);
  });
});
