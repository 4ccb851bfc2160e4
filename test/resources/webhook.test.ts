import { unknownValue } from "../../provider/serializable";
import { argumentsIn } from "../../provider/resources/shared/lifecycle";
import assert from "node:assert/strict";
import { webhookLifecycle } from "../../provider/resources/webhook/lifecycle";
import type { State } from "../../provider/resources/webhook/webhook";
import { type Bench, leftBy, startBench, unchanged } from "../support/deployment";
import { declared, live, requests, webhook } from "../support/webhooks";

describe("Webhook", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  describe("refreshing", () => {
    const drifts: [string, object, Partial<State>][] = [
      ["target", { target_url: "https://elsewhere.example.com/" }, { targetUrl: "https://elsewhere.example.com/" }],
      ["events", { events: ["message.created"] }, { events: ["message.created"] }],
      ["description", { description: "theirs" }, { description: "theirs" }],
      ["enabled", { disabled_at: "2026-02-02T00:00:00Z" }, { enabled: false }],
      ["signing", { has_secret: false }, { signed: false, hasSecret: false }],
    ];
    for (const [what, fields, expected] of drifts)
      it(`finds drift of ${what}`, async () => {
        const state = await webhook.create({ ...declared, signed: true }, bench);
        bench.simulator.objects.changeWebhook("agent-1", state.webhookId, fields);
        const read = await webhook.read(state, bench);
        assert.ok(read);
        for (const [key, value] of Object.entries(expected)) assert.deepEqual(read[key as keyof State], value, key);
        const inputs = argumentsIn(webhookLifecycle, read) as Record<string, unknown>;
        for (const [key, value] of Object.entries(expected))
          if (key in inputs) assert.deepEqual(inputs[key], value, `${key} as an input`);
      });

    it("finds no difference when only live values changed", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.deliver("agent-1", state.webhookId, { ok: false, status: 500, body: "no" });
      bench.simulator.objects.changeWebhook("agent-1", state.webhookId, { updated_date: "2031-01-01T00:00:00Z" });
      assert.deepEqual(await webhook.read(state, bench), state);
    });

    it("finds that the service disabled it after 20 failures, and the next update enables it", async () => {
      const state = await webhook.create(declared, bench);
      for (let failure = 0; failure < 20; failure++)
        bench.simulator.deliver("agent-1", state.webhookId, { ok: false, status: 500 });
      const read = await webhook.read(state, bench);
      assert.equal(read?.enabled, false);
      requests(bench);
      await webhook.update(read, declared, bench);
      assert.deepEqual(requests(bench), [`webhook.update {"enabled":true}`]);
      assert.equal(live(bench)[0]?.consecutive_failures, 0);
    });

    it("removes a deleted webhook from state, after a 404 from a read that has worked before", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.objects.removeWebhook("agent-1", state.webhookId);
      assert.equal(await webhook.read(state, bench), undefined);
    });

    for (const then of [{ status: 404 }, { status: 404, body: "<html>default backend</html>" }, { status: 405 }])
      it(`does not treat a ${JSON.stringify(then)} of webhook.get as a deletion: the update still finds it`, async () => {
        const state = await webhook.create(declared, bench);
        bench.simulator.fault({ operation: "webhook.get", then });
        assert.deepEqual(await webhook.read(state, bench.later()), state);
      });

    it("does not treat a proxy's 404 pages as a deletion", async () => {
      const state = await webhook.create(declared, bench);
      for (const operation of ["webhook.get", "webhook.update"] as const)
        bench.simulator.fault({ operation, then: { status: 404, body: "<html>default backend</html>" } });
      await assert.rejects(webhook.read(state, bench), /404/);
    });

    it("does not report an update as done when the webhook of a failed create is gone", async () => {
      bench.simulator.fault({ operation: "webhook.update", times: 5, then: { status: 500 } });
      const left = await leftBy(webhook.create(declared, bench));
      bench.simulator.clearFaults();
      bench.simulator.objects.removeWebhook("agent-1", left.state.webhookId);
      await assert.rejects(
        webhook.update(left.state, declared, bench.later()),
        /was not found.*`pulumi refresh --preview-only`/s,
      );
    });

    it("does not treat a 404 as a deletion after the endpoint was changed", async () => {
      const { id } = bench.simulator.objects.putWebhook("agent-1", {
        target_url: declared.targetUrl,
        events: declared.events,
      });
      const state = await webhook.create({ ...declared, webhookId: id }, bench);
      const moved = bench.later({ endpoints: `{"webhook.get":"GET /other/{agent_id}/{webhook_id}"}` });
      await assert.rejects(webhook.read(state, moved), /404.*path of webhook\.get is set in workspace-apps:endpoints/s);
    });

    it("redacts a credential in the target that the service repeats, whichever operation reads it", async () => {
      const targetUrl = "https://hooks.example.com/replies?key=canary-key";
      const state = await webhook.create({ ...declared, targetUrl }, bench);
      const detail = `${targetUrl} cannot be reached`;
      for (const [operation, settings] of [
        ["webhook.get", {}],
        ["webhook.update", { documentedOnly: "true" }],
      ] as const) {
        bench.simulator.fault({ operation, times: 2, then: { status: 403, body: { detail } } });
        const later = bench.later(settings);
        await assert.rejects(webhook.read(state, later), /403\..*The service said: \(message hidden/s);
        const adopted = { ...declared, targetUrl, webhookId: state.webhookId };
        await assert.rejects(webhook.create(adopted, later), /403\..*The service said: \(message hidden/s);
      }
    });

    for (const settings of [{ documentedOnly: "true" }, { endpoints: `{"webhook.get":"none"}` }])
      it(`reads with the documented update with ${JSON.stringify(settings)}`, async () => {
        const state = await webhook.create(declared, bench);
        const later = bench.later(settings);
        requests(bench);
        const found = (await webhook.read(state, later)) ?? assert.fail("it was not found");
        assert.deepEqual([found.webhookId, requests(bench)], [state.webhookId, ["webhook.update {}"]]);
        bench.simulator.objects.removeWebhook("agent-1", state.webhookId);
        assert.equal(await webhook.read(found, later), undefined);
      });

    it("fails, and reports nothing as gone, when the service cannot be reached", async () => {
      const state = await webhook.create(declared, bench);
      for (const then of [{ status: 500 }, { status: 401 }, { status: 200, body: "<html>" }, "reset"] as const) {
        bench.simulator.fault({ operation: "webhook.get", times: 5, then });
        await assert.rejects(
          webhook.read(state, bench.later()),
          /webhook\.get failed: .*GET http:\S+\/api\/agents\/agent-1\/webhooks\//s,
        );
        bench.simulator.clearFaults();
      }
    });
  });

  describe("adopting", () => {
    const existing = (fields: object = {}): string =>
      bench.simulator.objects.putWebhook("agent-1", {
        target_url: declared.targetUrl,
        events: declared.events,
        ...fields,
      }).id;

    /** A webhook that differs in everything from `declared` with `signed: true`. */
    const other = (): string =>
      existing({
        target_url: "https://other.example.com/key-canary?token=canary",
        events: ["message.created"],
        description: "canary of somebody else",
        disabled_at: "2026-02-02T00:00:00Z",
      });

    it("lists every difference and changes nothing, even where a left-out argument stands for a value", async () => {
      const webhookId = other();
      const before = live(bench);
      await assert.rejects(webhook.create({ ...declared, signed: true, webhookId }, bench), (error: Error) => {
        assert.deepEqual(error.message.split("\n"), [
          `The webhook ${webhookId} of agent agent-1 was not adopted: it differs from what is declared (found → declared). Nothing was changed. [WA1302]`,
          "  targetUrl: https://other.example.com/(hidden) → https://hooks.example.com/(hidden)",
          "  events: message.created → message.completed",
          "  description: (hidden) → none",
          "  enabled: false → true",
          "  signed: false → true",
          "  - Declare the values that it has in the service.",
          "  - Or set overwrite: true, and `pulumi up` changes it to what is declared.",
        ]);
        return true;
      });
      assert.deepEqual([requests(bench), live(bench)], [["webhook.get"], before]);
    });

    it("lists a signature that is declared away, and leaves signing alone where nothing is declared", async () => {
      const webhookId = existing({ has_secret: true });
      await assert.rejects(webhook.create({ ...declared, signed: false, webhookId }, bench), /signed: true → false/);
      await webhook.create({ ...declared, webhookId }, bench.later());
      assert.deepEqual(requests(bench), ["webhook.get", "webhook.get"]);
    });

    it("reads through the documented update without changing anything", async () => {
      const webhookId = other();
      const documented = bench.later({ documentedOnly: "true" });
      await assert.rejects(webhook.create({ ...declared, webhookId }, documented), /enabled: false → true/);
      assert.deepEqual(requests(bench), ["webhook.update {}"]);
    });

    it("sends what differs, and only that, with overwrite", async () => {
      const webhookId = existing({ description: "theirs", has_secret: true });
      const inputs = { ...declared, description: "ours", webhookId, overwrite: true };
      const state = await webhook.create(inputs, bench);
      assert.deepEqual(requests(bench), ["webhook.get", `webhook.update {"description":"ours"}`]);
      assert.deepEqual([state.origin, state.webhookId, live(bench).length], ["adopted", webhookId, 1]);
      assert.deepEqual(await webhook.preview(state, inputs, bench.later()), unchanged);
    });

    it("generates the first secret of an unsigned webhook with overwrite and signed, and keeps it", async () => {
      const webhookId = existing();
      const inputs = { ...declared, webhookId, signed: true, rotateSecret: "1", overwrite: true };
      const state = await webhook.create(inputs, bench);
      assert.deepEqual(requests(bench), ["webhook.get", `webhook.update {"signing":"rotate"}`]);
      assert.ok(state.secret);
      assert.deepEqual(await webhook.preview(state, inputs, bench.later()), unchanged);
    });

    it("shows no difference when only overwrite changes, also in a state that does not have it", async () => {
      const webhookId = existing();
      const inputs = { ...declared, webhookId };
      const state = await webhook.create(inputs, bench);
      assert.ok(!Object.hasOwn(state, "overwrite"));
      for (const overwrite of [true, false, unknownValue])
        assert.deepEqual(await webhook.preview(state, { ...inputs, overwrite }, bench.later()), unchanged);
    });

    it("has no effect on a new webhook", async () => {
      const state = await webhook.create({ ...declared, overwrite: true }, bench);
      assert.deepEqual([state.origin, live(bench).length], [undefined, 1]);
    });

    it("sends no update when nothing differs", async () => {
      await webhook.create({ ...declared, webhookId: existing() }, bench);
      assert.deepEqual(requests(bench), ["webhook.get"]);
    });

    it("keeps the given id, however the service spells it", async () => {
      const webhookId = existing({ id: "ABC" });
      const answer = { ...live(bench)[0], id: "abc" };
      bench.simulator.fault({ operation: "webhook.get", then: { status: 200, body: answer } });
      const state = await webhook.create({ ...declared, webhookId }, bench);
      assert.equal(state.webhookId, "ABC");
    });

    it("never rotates an existing secret", async () => {
      const webhookId = existing({ has_secret: true });
      const inputs = { ...declared, webhookId, signed: true, rotateSecret: "1", overwrite: true };
      const state = await webhook.create(inputs, bench);
      assert.deepEqual(requests(bench), ["webhook.get"]);
      assert.deepEqual(await webhook.preview(state, inputs, bench.later()), unchanged);
      assert.deepEqual([state.hasSecret, state.secret], [true, undefined]);
      await webhook.update(state, { ...declared, webhookId, signed: true, rotateSecret: "2" }, bench);
      assert.deepEqual(requests(bench), [`webhook.update {"signing":"rotate"}`]);
    });

    it("fails clearly when the webhook does not exist", async () => {
      await assert.rejects(webhook.create({ ...declared, webhookId: "wh_none" }, bench), /404.*wh_none/s);
      const documented = bench.later({ documentedOnly: "true" });
      await assert.rejects(
        webhook.create({ ...declared, webhookId: "wh_none" }, documented),
        /webhook wh_none of agent agent-1 was not found/,
      );
      assert.equal(live(bench).length, 0);
    });

    it("refuses to adopt one webhook twice in a deployment", async () => {
      const webhookId = existing();
      await webhook.create({ ...declared, webhookId }, bench);
      await assert.rejects(webhook.create({ ...declared, webhookId }, bench), /managed by another resource/);
    });

    it("retains the webhook on destroy unless the policy says otherwise", async () => {
      const webhookId = existing();
      const state = await webhook.create({ ...declared, webhookId }, bench);
      await webhook.delete(state, bench);
      assert.equal(live(bench).length, 1);
      await webhook.delete({ ...state, deletionPolicy: "delete" }, bench);
      assert.equal(live(bench).length, 0);
    });
  });

  describe("destroying", () => {
    it("deletes, disables or retains", async () => {
      const retained = await webhook.create({ ...declared, deletionPolicy: "retain" }, bench);
      requests(bench);
      await webhook.delete(retained, bench);
      assert.deepEqual(requests(bench), []);
      await webhook.delete({ ...retained, deletionPolicy: "disable" }, bench);
      assert.deepEqual(requests(bench), [`webhook.update {"enabled":false}`]);
      await webhook.delete({ ...retained, deletionPolicy: "delete" }, bench);
      assert.deepEqual(requests(bench), ["webhook.delete"]);
      assert.deepEqual(live(bench), []);
    });

    for (const deletionPolicy of ["delete", "disable"] as const)
      it(`succeeds with ${deletionPolicy} when the webhook is already gone`, async () => {
        const state = await webhook.create({ ...declared, deletionPolicy }, bench);
        bench.simulator.objects.removeWebhook("agent-1", state.webhookId);
        await webhook.delete(state, bench.later());
      });

    it("does not treat the 404 of the assumed path as success while the webhook exists", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.fault({ operation: "webhook.delete", then: { status: 404 } });
      await assert.rejects(webhook.delete(state, bench), /path of webhook\.delete is assumed/);
      assert.equal(live(bench).length, 1);
    });

    it("succeeds when the response was lost", async () => {
      for (const commit of [true, false]) {
        const state = await webhook.create(declared, bench);
        bench.simulator.fault({ operation: "webhook.delete", commit, then: "reset" });
        await webhook.delete(state, bench);
        assert.deepEqual(live(bench), []);
      }
    });

    it("recovers on the next run where the response to the deletion of an unfinished webhook was lost", async () => {
      bench.simulator.fault({ operation: "webhook.update", then: { status: 403 } });
      const { state } = await leftBy(webhook.create(declared, bench));
      bench.simulator.fault({ operation: "webhook.delete", times: "always", commit: true, then: "reset" });
      await assert.rejects(webhook.delete(state, bench.later()));
      bench.simulator.clearFaults();
      assert.deepEqual(live(bench), []);
      await webhook.delete(state, bench.later());
    });

    it("says what to do when deleting must not be called", async () => {
      const state = await webhook.create(declared, bench);
      await assert.rejects(
        webhook.delete(state, bench.later({ documentedOnly: "true" })),
        /documentedOnly.*deletionPolicy to "disable" or "retain"/s,
      );
    });
  });
});
