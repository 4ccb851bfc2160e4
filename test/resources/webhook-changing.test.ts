import assert from "node:assert/strict";
import { type Bench, leftBy, startBench, unchanged } from "../support/deployment";
import { declared, hasMoreToDo, live, requests, webhook } from "../support/webhooks";
import { PartialFailure } from "../../provider/resources/shared/partial-failure";

describe("Webhook", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  describe("changing", () => {
    const changes: [string, object, object][] = [
      ["targetUrl", { targetUrl: "https://other.example.com/" }, { target_url: "https://other.example.com/" }],
      ["events", { events: ["message.created"] }, { events: ["message.created"] }],
      ["description", { description: "New" }, { description: "New" }],
      ["a removed description", { description: undefined }, { description: null }],
      ["enabled", { enabled: false }, { enabled: false }],
      ["signed", { signed: true }, { signing: "rotate" }],
      ["a first rotateSecret", { rotateSecret: "1" }, { signing: "rotate" }],
    ];
    for (const [field, change, body] of changes)
      it(`sends only ${field}`, async () => {
        const before = { ...declared, description: "Old" };
        const state = await webhook.create(before, bench);
        requests(bench);
        const after = await webhook.update(state, { ...before, ...change }, bench);
        assert.deepEqual(await webhook.preview(after, { ...before, ...change }, bench.later()), unchanged);
        assert.deepEqual(requests(bench), [`webhook.update ${JSON.stringify(body)}`]);
      });

    it("sends no request when a webhook with a secret is declared as signed", async () => {
      const state = await webhook.create({ ...declared, rotateSecret: "1" }, bench);
      requests(bench);
      const after = await webhook.update(state, { ...declared, rotateSecret: "1", signed: true }, bench);
      assert.deepEqual([requests(bench), after.signed, after.secret], [[], true, state.secret]);
    });

    it("sends no request for a changed deletionPolicy, or for events in another order", async () => {
      const before = { ...declared, events: ["message.created", "message.completed"] };
      const state = await webhook.create(before, bench);
      requests(bench);
      const after = { ...before, events: ["message.completed", "message.created"], deletionPolicy: "retain" };
      assert.equal((await webhook.update(state, after, bench)).deletionPolicy, "retain");
      assert.deepEqual(requests(bench), []);
    });

    it("stops managing an argument that is removed from the program", async () => {
      const state = await webhook.create(
        { ...declared, signed: true, rotateSecret: "1", deletionPolicy: "retain" },
        bench,
      );
      const after = await webhook.update(state, declared, bench);
      assert.deepEqual(
        [after.signed, after.rotateSecret, after.deletionPolicy, after.hasSecret, after.secret],
        [undefined, undefined, undefined, true, state.secret],
      );
    });

    it("enables the webhook in the same step when the service disabled it in the meantime", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.objects.changeWebhook("agent-1", state.webhookId, { disabled_at: "2026-01-01T00:00:00Z" });
      requests(bench);
      const after = await webhook.update(state, { ...declared, description: "x" }, bench);
      assert.deepEqual(requests(bench), [`webhook.update {"description":"x"}`, `webhook.update {"enabled":true}`]);
      assert.equal(after.enabled, true);
    });

    it("does not report changes as done that the service did not apply", async () => {
      const state = await webhook.create(declared, bench);
      const kept = { ...live(bench)[0], description: null };
      bench.simulator.fault({ operation: "webhook.update", times: 2, then: { status: 200, body: kept } });
      const { message } = await leftBy(webhook.update(state, { ...declared, description: "x" }, bench));
      assert.match(message, /still differs in description/);
    });

    it("reads before it compares after a change without a response, also when the program was reverted", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.fault({ operation: "webhook.update", times: 5, commit: true, then: "reset" });
      const left = await leftBy(webhook.update(state, { ...declared, description: "x" }, bench));
      assert.match(
        left.message,
        /whether webhook wh_\S+ was changed\..*It reads the webhook before it sends anything/s,
      );
      assert.equal(hasMoreToDo(left.state), true);
      requests(bench);
      const after = await webhook.update(left.state, declared, bench.later());
      assert.deepEqual(requests(bench), ["webhook.get", `webhook.update {"description":null}`]);
      assert.equal(hasMoreToDo(after), false);
    });

    it("repeats an uncertain change, which is harmless", async () => {
      const state = await webhook.create(declared, bench);
      requests(bench);
      bench.simulator.fault({ operation: "webhook.update", commit: true, then: "reset" });
      await webhook.update(state, { ...declared, description: "x" }, bench);
      assert.equal(requests(bench).length, 2);
      assert.equal(live(bench)[0]?.description, "x");
    });

    it("redacts the target, which may contain a key, in the service's message", async () => {
      const state = await webhook.create(declared, bench);
      const targetUrl = "https://hooks.example.com/?key=canary";
      const detail = [{ loc: ["body", "target_url"], msg: `${targetUrl} does not answer`, type: "value_error" }];
      bench.simulator.fault({ operation: "webhook.update", then: { status: 422, body: { detail } } });
      await assert.rejects(
        webhook.update(state, { ...declared, targetUrl }, bench),
        (error: Error) => error.message.includes("target_url: (message hidden") && !error.message.includes("canary"),
      );
    });

    it("redacts the target also when only another field was sent", async () => {
      const targetUrl = "https://hooks.example.com/?key=canary";
      const state = await webhook.create({ ...declared, targetUrl }, bench);
      bench.simulator.fault({
        operation: "webhook.update",
        then: { status: 422, body: { message: `bad ${targetUrl}` } },
      });
      await assert.rejects(
        webhook.update(state, { ...declared, targetUrl, description: "d" }, bench),
        (error: Error) => error.message.includes("(message hidden") && !error.message.includes("canary"),
      );
    });

    it("changes nothing when the webhook is gone, and says what to run", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.objects.removeWebhook("agent-1", state.webhookId);
      for (const unconfirmed of [undefined, true] as const) {
        const changing = webhook.update({ ...state, unconfirmed }, { ...declared, description: "x" }, bench);
        await assert.rejects(changing, /- Check the token.* If the token is right .*`pulumi refresh --preview-only`/s);
      }
    });
  });

  describe("signing", () => {
    it("rotates when rotateSecret changes, and otherwise keeps the secret", async () => {
      const first = await webhook.create({ ...declared, signed: true, rotateSecret: "1" }, bench);
      const second = await webhook.update(first, { ...declared, signed: true, rotateSecret: "2" }, bench);
      assert.notEqual(second.secret, first.secret);
      const changed = await webhook.update(
        second,
        { ...declared, signed: true, rotateSecret: "2", enabled: false },
        bench,
      );
      const read = await webhook.read(changed, bench);
      assert.equal(read?.secret, second.secret);
    });

    it("stops and removes the secret when signed becomes false", async () => {
      const state = await webhook.create({ ...declared, signed: true }, bench);
      requests(bench);
      const after = await webhook.update(state, { ...declared, signed: false }, bench);
      assert.deepEqual(requests(bench), [`webhook.update {"signing":"disable"}`]);
      assert.deepEqual([after.hasSecret, after.secret], [false, undefined]);
    });

    for (const commit of [true, false])
      it(`rotates again on the next up when the response was lost ${commit ? "after" : "before"} the rotation`, async () => {
        const first = await webhook.create({ ...declared, signed: true, rotateSecret: "1" }, bench);
        requests(bench);
        bench.simulator.fault({ operation: "webhook.update", commit, then: "reset" });
        const next = { ...declared, signed: true, rotateSecret: "2" };
        const { state, message } = await leftBy(webhook.update(first, next, bench));
        assert.match(message, /a secret that nobody has seen\..*Run `pulumi up` again/s);
        assert.equal(requests(bench).length, 1, "a rotation is never repeated in the same step");
        assert.equal(state.secret, first.secret);
        assert.equal(hasMoreToDo(state), true);
        const refreshed = await webhook.read(state, bench.later());
        assert.ok(refreshed);
        assert.equal(hasMoreToDo(refreshed), true, "a refresh does not find the secret again");
        requests(bench);
        const healed = await webhook.update(refreshed, next, bench.later());
        assert.deepEqual(requests(bench), [`webhook.update {"signing":"rotate"}`]);
        assert.notEqual(healed.secret, first.secret);
        assert.deepEqual(await webhook.preview(healed, next, bench.later()), unchanged);
      });

    it("keeps a new secret when a later request of the same step fails", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.objects.changeWebhook("agent-1", state.webhookId, { disabled_at: "2026-01-01T00:00:00Z" });
      bench.simulator.fault({ operation: "webhook.update", skip: 1, then: { status: 403 } });
      const left = await leftBy(webhook.update(state, { ...declared, signed: true }, bench));
      assert.match(left.state.secret ?? "", /^whsec_/);
      assert.equal(left.state.enabled, false);
    });

    it("does not keep the old secret as the new one when the response lacks it", async () => {
      const first = await webhook.create({ ...declared, signed: true, rotateSecret: "1" }, bench);
      const answer = { ...live(bench)[0], secret: null };
      bench.simulator.fault({ operation: "webhook.update", commit: true, then: { status: 200, body: answer } });
      const next = { ...declared, signed: true, rotateSecret: "2" };
      const left = await leftBy(webhook.update(first, next, bench));
      assert.match(left.message, /without the new secret/);
      assert.notEqual((await webhook.update(left.state, next, bench)).secret, first.secret);
    });

    it("rotates again after the response of a rotation was lost for a webhook that had not been read back", async () => {
      bench.simulator.fault({ operation: "webhook.update", then: { status: 500 } });
      const next = { ...declared, signed: true };
      const first = await leftBy(webhook.create(next, bench));
      bench.simulator.fault({ operation: "webhook.update", commit: true, then: "reset" });
      const second = await leftBy(webhook.update(first.state, next, bench.later()));
      const healed = await webhook.update(second.state, next, bench.later());
      assert.match(healed.secret ?? "", /^whsec_/);
    });

    it("generates a secret when the create response of a signed webhook was lost and it could not be read back", async () => {
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      bench.simulator.fault({ operation: "webhook.update", then: { status: 500 } });
      const left = await leftBy(webhook.create({ ...declared, signed: true }, bench));
      const healed = await webhook.update(left.state, { ...declared, signed: true }, bench.later());
      assert.match(healed.secret ?? "", /^whsec_/);
    });

    it("does not show a secret that comes with an error", async () => {
      const state = await webhook.create(declared, bench);
      const body = { id: state.webhookId, secret: "whsec_canary" };
      bench.simulator.fault({ operation: "webhook.update", then: { status: 500, body } });
      const left = await leftBy(webhook.update(state, { ...declared, signed: true }, bench));
      assert.doesNotMatch(left.message, /canary/);
    });

    it("leaves the state unchanged when a rotation is refused", async () => {
      const first = await webhook.create({ ...declared, signed: true, rotateSecret: "1" }, bench);
      bench.simulator.fault({ operation: "webhook.update", then: { status: 422, body: { detail: [] } } });
      await assert.rejects(
        webhook.update(first, { ...declared, signed: true, rotateSecret: "2" }, bench),
        (error) => !(error instanceof PartialFailure),
      );
    });
  });
});
