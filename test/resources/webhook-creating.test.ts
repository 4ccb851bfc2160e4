import assert from "node:assert/strict";
import { type Bench, leftBy, startBench, unchanged } from "../support/deployment";
import { declared, isUnfinished, live, requests, webhook } from "../support/webhooks";

describe("Webhook", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  describe("creating", () => {
    it("sends the declared values, reads back once, and stores what the service added", async () => {
      const state = await webhook.create({ ...declared, description: "Replies" }, bench);
      const [only] = live(bench);
      assert.deepEqual(requests(bench), [
        `webhook.create {"target_url":"https://hooks.example.com/replies","events":["message.completed"],"description":"Replies"}`,
        "webhook.get",
      ]);
      assert.equal(state.webhookId, only?.id);
      assert.equal(state.hasSecret, false);
      assert.equal(state.enabled, true);
      assert.equal(state.origin, undefined);
      assert.match(state.createdDate ?? "", /Z$/);
    });

    it("sends by update what the create request cannot express", async () => {
      const state = await webhook.create({ ...declared, enabled: false, signed: true }, bench);
      assert.deepEqual(requests(bench).slice(2), [`webhook.update {"enabled":false,"signing":"rotate"}`]);
      assert.equal(state.enabled, false);
      assert.match(state.secret ?? "", /^whsec_/);
      assert.notEqual(live(bench)[0]?.disabled_at, null);
    });

    it("keeps a secret that the service generates by itself, and does not rotate it", async () => {
      const { id } = bench.simulator.objects.putWebhook("agent-1", {
        target_url: declared.targetUrl,
        events: declared.events,
        has_secret: true,
      });
      bench.simulator.fault({
        operation: "webhook.create",
        then: { status: 201, body: { id, secret: "from-create" } },
      });
      const state = await webhook.create({ ...declared, signed: true }, bench);
      assert.equal(state.secret, "from-create");
      assert.deepEqual(requests(bench).slice(1), ["webhook.get"]);
    });

    it("generates a secret for the first rotateSecret", async () => {
      const state = await webhook.create({ ...declared, rotateSecret: "1" }, bench);
      assert.match(state.secret ?? "", /^whsec_/);
    });

    it("keeps the webhook in state when a later step fails, and the next update finishes it", async () => {
      bench.simulator.fault({ operation: "webhook.update", then: { status: 402, body: { detail: "Upgrade" } } });
      const { state, message } = await leftBy(webhook.create({ ...declared, signed: true, description: "d" }, bench));
      assert.match(message, /402\..*The service said: Upgrade.*higher plan tier/s);
      assert.equal(state.webhookId, live(bench)[0]?.id);
      assert.equal(state.hasSecret, false);
      requests(bench);
      const healed = await webhook.update(state, { ...declared, signed: true, description: "d" }, bench.later());
      assert.deepEqual(requests(bench), [`webhook.update {"signing":"rotate"}`]);
      assert.equal(healed.hasSecret, true);
      assert.equal(live(bench).length, 1);
    });

    it("keeps the webhook in state when it cannot be read back", async () => {
      bench.simulator.fault({ operation: "webhook.get", times: 5, then: { status: 500 } });
      const { state } = await leftBy(webhook.create(declared, bench));
      assert.equal(state.webhookId, live(bench)[0]?.id);
      assert.equal(isUnfinished(state), true);
      requests(bench);
      await webhook.update(state, declared, bench.later());
      assert.deepEqual(requests(bench), ["webhook.get"], "the next up reads it back");
    });

    it("says when the assumed read does not exist, and gets the values from the documented update", async () => {
      bench.simulator.fault({ operation: "webhook.get", then: { status: 405 } });
      const state = await webhook.create(declared, bench);
      assert.match(bench.said.join(), /path of webhook\.get is assumed.*workspace-apps:endpoints/s);
      assert.deepEqual(requests(bench).slice(1), ["webhook.get", "webhook.update {}"]);
      await webhook.update(state, { ...declared, deletionPolicy: "retain" }, bench);
      assert.deepEqual(requests(bench), [], "a changed deletionPolicy is still saved without a request");
    });

    it("creates nothing when it is refused", async () => {
      bench.simulator.fault({ operation: "webhook.create", then: { status: 403 } });
      await assert.rejects(webhook.create(declared, bench), /403.*editor of the agent/s);
      assert.equal(live(bench).length, 0);
      assert.equal(requests(bench).length, 1);
    });
  });

  describe("creating once", () => {
    it("uses its own webhook when the response was lost", async () => {
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      const state = await webhook.create(declared, bench);
      assert.equal(live(bench).length, 1);
      assert.equal(state.webhookId, live(bench)[0]?.id);
      assert.equal(state.origin, undefined, "it is this stack's own, so destroy deletes it");
      assert.deepEqual(
        requests(bench).map((request) => request.split(" ")[0]),
        ["webhook.create", "webhook.list", "webhook.get"],
      );
      assert.deepEqual(await webhook.preview(state, declared, bench.later()), unchanged);
      await webhook.delete(state, bench.later());
      assert.deepEqual(live(bench), []);
    });

    for (const status of [409, 500, 502, 504])
      it(`does not treat a ${String(status)} as a refusal`, async () => {
        bench.simulator.fault({
          operation: "webhook.create",
          commit: true,
          then: { status, body: "nothing was done" },
        });
        await webhook.create(declared, bench);
        assert.equal(live(bench).length, 1);
      });

    it("creates once more when a complete list shows that nothing was created", async () => {
      bench.simulator.fault({ operation: "webhook.create", then: "reset" });
      await webhook.create(declared, bench);
      assert.equal(live(bench).length, 1);
      assert.equal(requests(bench).filter((request) => request.startsWith("webhook.create")).length, 2);
    });

    it("stops after the second uncertain response, and says how to continue", async () => {
      bench.simulator.fault({ operation: "webhook.create", times: 2, then: { status: 500 } });
      await assert.rejects(
        webhook.create(declared, bench),
        /a copy of this webhook may exist.*give its id as webhookId/s,
      );
      assert.equal(requests(bench).filter((request) => request.startsWith("webhook.create")).length, 2);
    });

    it("only looks for the webhook when the engine repeats an uncertain create", async () => {
      bench.simulator.fault({ operation: "webhook.create", times: 2, then: { status: 500 } });
      await assert.rejects(webhook.create(declared, bench));
      requests(bench);
      await assert.rejects(
        webhook.create(declared, bench),
        /a copy of this webhook may exist.*The list does not show the webhook, so nothing was sent again.*webhookId/s,
      );
      assert.deepEqual(requests(bench), ["webhook.list", "webhook.list", "webhook.list"]);
      bench.simulator.objects.putWebhook("agent-1", { target_url: declared.targetUrl, events: declared.events });
      const state = await webhook.create(declared, bench);
      assert.equal(state.webhookId, live(bench)[0]?.id);
      assert.deepEqual(requests(bench), ["webhook.list", "webhook.get"]);
    });

    it("continues with its own webhook when the engine repeats the creates of two equal declarations", async () => {
      bench.simulator.fault({ operation: "webhook.get", times: "always", then: { status: 500 } });
      await Promise.all([leftBy(webhook.create(declared, bench)), leftBy(webhook.create(declared, bench))]);
      bench.simulator.clearFaults();
      const [one, two] = await Promise.all([webhook.create(declared, bench), webhook.create(declared, bench)]);
      assert.notEqual(one.webhookId, two.webhookId);
      assert.equal(live(bench).length, 2);
      assert.match(
        bench.said.join(),
        /An earlier attempt of this command created the webhook wh_.*; continuing with it/,
      );
    });

    it("finds a webhook that the list shows late", async () => {
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      bench.simulator.fault({ operation: "webhook.list", then: { status: 200, body: [] } });
      await webhook.create(declared, bench);
      assert.equal(live(bench).length, 1);
    });

    it("does not adopt an equal webhook that existed before", async () => {
      const fields = { target_url: declared.targetUrl, events: declared.events };
      bench.simulator.objects.putWebhook("agent-1", { ...fields, created_date: "2020-01-01T00:00:00Z" });
      bench.simulator.fault({ operation: "webhook.create", then: "reset" });
      await webhook.create(declared, bench);
      assert.equal(live(bench).length, 2);
    });

    it("does not adopt a webhook with other values", async () => {
      bench.simulator.objects.putWebhook("agent-1", { target_url: declared.targetUrl, events: ["message.created"] });
      bench.simulator.fault({ operation: "webhook.create", then: "reset" });
      await webhook.create(declared, bench);
      assert.equal(live(bench).length, 2);
    });

    it("does not adopt the webhook of an equal declaration whose response is still pending", async () => {
      const both = { ...declared, events: ["message.created", "message.completed"] };
      const reversed = { ...declared, events: ["message.completed", "message.created"] };
      bench.simulator.fault({ operation: "webhook.create", then: "reset" });
      const [one, two] = await Promise.all([webhook.create(both, bench), webhook.create(reversed, bench)]);
      assert.notEqual(one.webhookId, two.webhookId);
      assert.equal(live(bench).length, 2);
    });

    it("says that a copy may exist also when the second attempt is refused", async () => {
      bench.simulator.fault({ operation: "webhook.create", then: { status: 500 } });
      bench.simulator.fault({ operation: "webhook.create", then: { status: 403 } });
      await assert.rejects(
        webhook.create(declared, bench),
        /a copy of this webhook may exist.*403.*The first attempt may have been carried out/s,
      );
      assert.match(bench.said.join(), /the list does not show the webhook; sending it once more/);
    });

    it("asks the user to decide when there are several candidates", async () => {
      const one = bench.simulator.objects.putWebhook("agent-1", {
        target_url: declared.targetUrl,
        events: declared.events,
      });
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      await assert.rejects(webhook.create(declared, bench), new RegExp(`Several objects could be it: ${one.id}, wh_`));
      assert.equal(requests(bench).filter((request) => request.startsWith("webhook.create")).length, 1);
    });

    it("creates nothing more when the list cannot be read", async () => {
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      bench.simulator.fault({
        operation: "webhook.list",
        then: { status: 200, body: { webhooks: [], has_more: true } },
      });
      await assert.rejects(webhook.create(declared, bench), /may exist.*cannot be read to its end/s);
      assert.equal(live(bench).length, 1);
    });

    it("assigns each of two equal declarations its own webhook, also when both responses are lost", async () => {
      bench.simulator.fault({ operation: "webhook.create", times: 2, commit: true, then: "reset" });
      const [one, two] = await Promise.all([webhook.create(declared, bench), webhook.create(declared, bench)]);
      assert.notEqual(one.webhookId, two.webhookId);
      assert.deepEqual(
        live(bench)
          .map(({ id }) => id)
          .sort(),
        [one.webhookId, two.webhookId].sort(),
      );
    });
  });
});
