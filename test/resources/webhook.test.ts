import assert from "node:assert/strict";
import { Unfinished } from "../../provider/engine/lifecycle";
import { webhookLifecycle } from "../../provider/resources/webhook";
import { type Bench, driven, leftBy, startBench } from "../support/deployment";
import { newRequests } from "../support/requests";

const webhook = driven(webhookLifecycle);
type State = Awaited<ReturnType<typeof webhook.create>>;

const declared = {
  agentId: "agent-1",
  targetUrl: "https://hooks.example.com/replies",
  events: ["message.completed"],
};

const isUnfinished = (state: State): boolean | undefined => webhookLifecycle.isUnfinished?.(state);

describe("Webhook", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const live = (): ReturnType<Bench["simulator"]["objects"]["webhooks"]> => bench.simulator.objects.webhooks("agent-1");
  /** What the service saw since the last look. */
  const requests = (): string[] => newRequests(bench.simulator);

  describe("creating", () => {
    it("sends the declared values, reads back once, and keeps what the service added", async () => {
      const state = await webhook.create({ ...declared, description: "Replies" }, bench);
      const [only] = live();
      assert.deepEqual(requests(), [
        `webhook.create {"target_url":"https://hooks.example.com/replies","events":["message.completed"],"description":"Replies"}`,
        "webhook.get",
      ]);
      assert.equal(state.webhookId, only?.id);
      assert.equal(state.hasSecret, false);
      assert.equal(state.enabled, true);
      assert.equal(state.origin, undefined);
      assert.match(state.createdDate ?? "", /Z$/);
    });

    it("sends by update what creating cannot say", async () => {
      const state = await webhook.create({ ...declared, enabled: false, signed: true }, bench);
      assert.deepEqual(requests().slice(2), [`webhook.update {"enabled":false,"signing":"rotate"}`]);
      assert.equal(state.enabled, false);
      assert.match(state.secret ?? "", /^whsec_/);
      assert.notEqual(live()[0]?.disabled_at, null);
    });

    it("keeps a secret that the service generates by itself, and rotates no other", async () => {
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
      assert.deepEqual(requests().slice(1), ["webhook.get"]);
    });

    it("generates a secret for a first rotateSecret", async () => {
      const state = await webhook.create({ ...declared, rotateSecret: "1" }, bench);
      assert.match(state.secret ?? "", /^whsec_/);
    });

    it("leaves the webhook in state when a later step fails, and the next update finishes it", async () => {
      bench.simulator.fault({ operation: "webhook.update", then: { status: 402, body: { detail: "Upgrade" } } });
      const { state, message } = await leftBy(webhook.create({ ...declared, signed: true, description: "d" }, bench));
      assert.match(message, /402: Upgrade.*higher plan tier/);
      assert.equal(state.webhookId, live()[0]?.id);
      assert.equal(state.hasSecret, false);
      requests();
      const healed = await webhook.update(state, { ...declared, signed: true, description: "d" }, bench.later());
      assert.deepEqual(requests(), [`webhook.update {"signing":"rotate"}`]);
      assert.equal(healed.hasSecret, true);
      assert.equal(live().length, 1);
    });

    it("leaves the webhook in state when it cannot be read back", async () => {
      bench.simulator.fault({ operation: "webhook.get", times: 5, then: { status: 500 } });
      const { state } = await leftBy(webhook.create(declared, bench));
      assert.equal(state.webhookId, live()[0]?.id);
      assert.equal(state.readBy, undefined);
      assert.ok((await webhook.update(state, declared, bench.later())).readBy, "the next up reads it back");
    });

    it("says so when the assumed read does not exist, and takes the values from the documented update", async () => {
      bench.simulator.fault({ operation: "webhook.get", then: { status: 405 } });
      const state = await webhook.create(declared, bench);
      assert.match(bench.said.join(), /webhook\.get is an assumed path.*workspace-apps:endpoints/);
      assert.deepEqual(requests().slice(1), ["webhook.get", "webhook.update {}"]);
      await webhook.update(state, { ...declared, deletionPolicy: "retain" }, bench);
      assert.deepEqual(requests(), [], "a changed deletionPolicy is saved without a request all the same");
    });

    it("creates nothing when it is refused", async () => {
      bench.simulator.fault({ operation: "webhook.create", then: { status: 403 } });
      await assert.rejects(webhook.create(declared, bench), /403.*editor of the agent/s);
      assert.equal(live().length, 0);
      assert.equal(requests().length, 1);
    });
  });

  describe("creating once", () => {
    it("takes its own webhook when the answer was lost", async () => {
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      const state = await webhook.create(declared, bench);
      assert.equal(live().length, 1);
      assert.equal(state.webhookId, live()[0]?.id);
      assert.equal(state.origin, undefined, "it is this stack's own, so destroy deletes it");
      assert.deepEqual(
        requests().map((request) => request.split(" ")[0]),
        ["webhook.create", "webhook.list", "webhook.get"],
      );
    });

    for (const status of [409, 500, 502, 504])
      it(`does not take a ${String(status)} for a refusal`, async () => {
        bench.simulator.fault({
          operation: "webhook.create",
          commit: true,
          then: { status, body: "nothing was done" },
        });
        await webhook.create(declared, bench);
        assert.equal(live().length, 1);
      });

    it("creates once more when a complete list shows that nothing was made", async () => {
      bench.simulator.fault({ operation: "webhook.create", then: "reset" });
      await webhook.create(declared, bench);
      assert.equal(live().length, 1);
      assert.equal(requests().filter((request) => request.startsWith("webhook.create")).length, 2);
    });

    it("stops after the second uncertain answer, and says how to go on", async () => {
      bench.simulator.fault({ operation: "webhook.create", times: 2, then: { status: 500 } });
      await assert.rejects(webhook.create(declared, bench), /A copy of this webhook may exist.*giving webhookId/s);
      assert.equal(requests().filter((request) => request.startsWith("webhook.create")).length, 2);
    });

    it("finds a webhook that the list shows late", async () => {
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      bench.simulator.fault({ operation: "webhook.list", then: { status: 200, body: [] } });
      await webhook.create(declared, bench);
      assert.equal(live().length, 1);
    });

    it("does not take an equal webhook that was there before", async () => {
      const fields = { target_url: declared.targetUrl, events: declared.events };
      bench.simulator.objects.putWebhook("agent-1", { ...fields, created_date: "2020-01-01T00:00:00Z" });
      bench.simulator.fault({ operation: "webhook.create", then: "reset" });
      await webhook.create(declared, bench);
      assert.equal(live().length, 2);
    });

    it("does not take one with other values", async () => {
      bench.simulator.objects.putWebhook("agent-1", { target_url: declared.targetUrl, events: ["message.created"] });
      bench.simulator.fault({ operation: "webhook.create", then: "reset" });
      await webhook.create(declared, bench);
      assert.equal(live().length, 2);
    });

    it("does not take the webhook of an equal declaration whose answer is still to come", async () => {
      const both = { ...declared, events: ["message.created", "message.completed"] };
      const reversed = { ...declared, events: ["message.completed", "message.created"] };
      bench.simulator.fault({ operation: "webhook.create", then: "reset" });
      const [one, two] = await Promise.all([webhook.create(both, bench), webhook.create(reversed, bench)]);
      assert.notEqual(one.webhookId, two.webhookId);
      assert.equal(live().length, 2);
    });

    it("says that a copy may exist also when the second attempt is refused", async () => {
      bench.simulator.fault({ operation: "webhook.create", then: { status: 500 } });
      bench.simulator.fault({ operation: "webhook.create", then: { status: 403 } });
      await assert.rejects(webhook.create(declared, bench), /403.*A copy of this webhook may exist/s);
      assert.match(bench.said.join(), /no list shows it: it is sent once more/);
    });

    it("leaves the choice to a person when several could be it", async () => {
      const one = bench.simulator.objects.putWebhook("agent-1", {
        target_url: declared.targetUrl,
        events: declared.events,
      });
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      await assert.rejects(webhook.create(declared, bench), new RegExp(`Several could be this one: ${one.id}, wh_`));
      assert.equal(requests().filter((request) => request.startsWith("webhook.create")).length, 1);
    });

    it("creates nothing more when the list cannot be read", async () => {
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      bench.simulator.fault({
        operation: "webhook.list",
        then: { status: 200, body: { webhooks: [], has_more: true } },
      });
      await assert.rejects(webhook.create(declared, bench), /cannot be read to its end.*may exist/s);
      assert.equal(live().length, 1);
    });

    it("gives each of two equal declarations its own webhook, also when both answers are lost", async () => {
      bench.simulator.fault({ operation: "webhook.create", times: 2, commit: true, then: "reset" });
      const [one, two] = await Promise.all([webhook.create(declared, bench), webhook.create(declared, bench)]);
      assert.notEqual(one.webhookId, two.webhookId);
      assert.deepEqual(
        live()
          .map(({ id }) => id)
          .sort(),
        [one.webhookId, two.webhookId].sort(),
      );
    });
  });

  describe("changing", () => {
    const changes: [string, object, object][] = [
      ["targetUrl", { targetUrl: "https://other.example.com/" }, { target_url: "https://other.example.com/" }],
      ["events", { events: ["message.created"] }, { events: ["message.created"] }],
      ["description", { description: "New" }, { description: "New" }],
      ["a removed description", { description: undefined }, { description: null }],
      ["enabled", { enabled: false }, { enabled: false }],
      ["signed", { signed: true }, { signing: "rotate" }],
    ];
    for (const [field, change, body] of changes)
      it(`sends only ${field}`, async () => {
        const before = { ...declared, description: "Old" };
        const state = await webhook.create(before, bench);
        requests();
        await webhook.update(state, { ...before, ...change }, bench);
        assert.deepEqual(requests(), [`webhook.update ${JSON.stringify(body)}`]);
      });

    it("sends nothing for a changed deletionPolicy, or for events in another order", async () => {
      const before = { ...declared, events: ["message.created", "message.completed"] };
      const state = await webhook.create(before, bench);
      requests();
      const after = { ...before, events: ["message.completed", "message.created"], deletionPolicy: "retain" };
      assert.equal((await webhook.update(state, after, bench)).deletionPolicy, "retain");
      assert.deepEqual(requests(), []);
    });

    it("forgets an argument that leaves the program", async () => {
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

    it("turns on again in the same step what the service turned off meanwhile", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.objects.changeWebhook("agent-1", state.webhookId, { disabled_at: "2026-01-01T00:00:00Z" });
      requests();
      const after = await webhook.update(state, { ...declared, description: "x" }, bench);
      assert.deepEqual(requests(), [`webhook.update {"description":"x"}`, `webhook.update {"enabled":true}`]);
      assert.equal(after.enabled, true);
    });

    it("does not report as done what the service did not apply", async () => {
      const state = await webhook.create(declared, bench);
      const kept = { ...live()[0], description: null };
      bench.simulator.fault({ operation: "webhook.update", times: 2, then: { status: 200, body: kept } });
      const { message } = await leftBy(webhook.update(state, { ...declared, description: "x" }, bench));
      assert.match(message, /still differs in description/);
    });

    it("reads before it compares after a change whose answer never came, also when the program went back", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.fault({ operation: "webhook.update", times: 5, commit: true, then: "reset" });
      const left = await leftBy(webhook.update(state, { ...declared, description: "x" }, bench));
      assert.match(left.message, /it reads webhook wh_\S+ before it sends anything/);
      assert.equal(isUnfinished(left.state), true);
      requests();
      const after = await webhook.update(left.state, declared, bench.later());
      assert.deepEqual(requests(), ["webhook.get", `webhook.update {"description":null}`]);
      assert.equal(isUnfinished(after), false);
    });

    it("repeats an uncertain change, which does no harm", async () => {
      const state = await webhook.create(declared, bench);
      requests();
      bench.simulator.fault({ operation: "webhook.update", commit: true, then: "reset" });
      await webhook.update(state, { ...declared, description: "x" }, bench);
      assert.equal(requests().length, 2);
      assert.equal(live()[0]?.description, "x");
    });

    it("does not repeat the target, which may hold a key, from the service's words", async () => {
      const state = await webhook.create(declared, bench);
      const targetUrl = "https://hooks.example.com/?key=canary";
      const detail = [{ loc: ["body", "target_url"], msg: `${targetUrl} does not answer`, type: "value_error" }];
      bench.simulator.fault({ operation: "webhook.update", then: { status: 422, body: { detail } } });
      await assert.rejects(
        webhook.update(state, { ...declared, targetUrl }, bench),
        (error: Error) =>
          error.message.includes("target_url: [secret] does not answer") && !error.message.includes("canary"),
      );
    });

    it("does not repeat it either when only another field was sent", async () => {
      const targetUrl = "https://hooks.example.com/?key=canary";
      const state = await webhook.create({ ...declared, targetUrl }, bench);
      bench.simulator.fault({
        operation: "webhook.update",
        then: { status: 422, body: { message: `bad ${targetUrl}` } },
      });
      await assert.rejects(
        webhook.update(state, { ...declared, targetUrl, description: "d" }, bench),
        (error: Error) => error.message.includes("bad [secret]") && !error.message.includes("canary"),
      );
    });

    it("changes nothing when the webhook is gone, and says what to run", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.objects.removeWebhook("agent-1", state.webhookId);
      await assert.rejects(webhook.update(state, { ...declared, description: "x" }, bench), /404.*`pulumi refresh`/s);
    });
  });

  describe("signing", () => {
    it("rotates when rotateSecret changes, and keeps the secret through everything else", async () => {
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

    it("stops signing and drops the secret when signed becomes false", async () => {
      const state = await webhook.create({ ...declared, signed: true }, bench);
      requests();
      const after = await webhook.update(state, { ...declared, signed: false }, bench);
      assert.deepEqual(requests(), [`webhook.update {"signing":"disable"}`]);
      assert.deepEqual([after.hasSecret, after.secret], [false, undefined]);
    });

    for (const commit of [true, false])
      it(`rotates again on the next up when the answer was lost ${commit ? "after" : "before"} the rotation`, async () => {
        const first = await webhook.create({ ...declared, signed: true, rotateSecret: "1" }, bench);
        requests();
        bench.simulator.fault({ operation: "webhook.update", commit, then: "reset" });
        const next = { ...declared, signed: true, rotateSecret: "2" };
        const { state, message } = await leftBy(webhook.update(first, next, bench));
        assert.match(message, /a secret that nobody has seen: run `pulumi up` again/);
        assert.equal(requests().length, 1, "a rotation is never repeated in the same step");
        assert.equal(state.secret, first.secret);
        assert.equal(isUnfinished(state), true);
        const refreshed = await webhook.read(state, bench.later());
        assert.ok(refreshed);
        assert.equal(isUnfinished(refreshed), true, "a refresh does not find the secret again");
        const healed = await webhook.update(refreshed, next, bench.later());
        assert.notEqual(healed.secret, first.secret);
        assert.equal(isUnfinished(healed), false);
      });

    it("keeps a new secret when what follows it in the same step fails", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.objects.changeWebhook("agent-1", state.webhookId, { disabled_at: "2026-01-01T00:00:00Z" });
      bench.simulator.fault({ operation: "webhook.update", skip: 1, then: { status: 403 } });
      const left = await leftBy(webhook.update(state, { ...declared, signed: true }, bench));
      assert.match(left.state.secret ?? "", /^whsec_/);
      assert.equal(left.state.enabled, false);
    });

    it("does not take the old secret for the new one when the answer lacks it", async () => {
      const first = await webhook.create({ ...declared, signed: true, rotateSecret: "1" }, bench);
      const answer = { ...live()[0], secret: null };
      bench.simulator.fault({ operation: "webhook.update", commit: true, then: { status: 200, body: answer } });
      const next = { ...declared, signed: true, rotateSecret: "2" };
      const left = await leftBy(webhook.update(first, next, bench));
      assert.match(left.message, /without the new secret/);
      assert.notEqual((await webhook.update(left.state, next, bench)).secret, first.secret);
    });

    it("rotates again after a lost rotation of a webhook that had not been read back", async () => {
      bench.simulator.fault({ operation: "webhook.get", times: 5, then: { status: 500 } });
      const next = { ...declared, signed: true };
      const first = await leftBy(webhook.create(next, bench));
      bench.simulator.fault({ operation: "webhook.update", commit: true, then: "reset" });
      const second = await leftBy(webhook.update(first.state, next, bench.later()));
      const healed = await webhook.update(second.state, next, bench.later());
      assert.match(healed.secret ?? "", /^whsec_/);
    });

    it("generates a secret when the webhook of a lost answer is signed but could not be read back", async () => {
      const fields = { target_url: declared.targetUrl, events: declared.events, has_secret: true };
      bench.simulator.objects.putWebhook("agent-1", fields);
      bench.simulator.fault({ operation: "webhook.create", then: "reset" });
      bench.simulator.fault({ operation: "webhook.get", times: 5, then: { status: 500 } });
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

    it("leaves the state as it was when a rotation is refused", async () => {
      const first = await webhook.create({ ...declared, signed: true, rotateSecret: "1" }, bench);
      bench.simulator.fault({ operation: "webhook.update", then: { status: 422, body: { detail: [] } } });
      await assert.rejects(
        webhook.update(first, { ...declared, signed: true, rotateSecret: "2" }, bench),
        (error) => !(error instanceof Unfinished),
      );
    });

    it("generates a secret again when the one that the service made was in a lost answer", async () => {
      const fields = { target_url: declared.targetUrl, events: declared.events, has_secret: true };
      const { id } = bench.simulator.objects.putWebhook("agent-1", fields);
      bench.simulator.fault({ operation: "webhook.create", then: "reset" });
      const state = await webhook.create({ ...declared, signed: true }, bench);
      assert.equal(state.webhookId, id);
      assert.match(state.secret ?? "", /^whsec_/);
    });
  });

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
        const inputs = webhookLifecycle.inputsOf(read) as Record<string, unknown>;
        for (const [key, value] of Object.entries(expected))
          if (key in inputs) assert.deepEqual(inputs[key], value, `${key} as an input`);
      });

    it("sees no difference when only live values moved", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.deliver("agent-1", state.webhookId, { ok: false, status: 500, body: "no" });
      bench.simulator.objects.changeWebhook("agent-1", state.webhookId, { updated_date: "2031-01-01T00:00:00Z" });
      assert.deepEqual(await webhook.read(state, bench), state);
    });

    it("finds that the service turned it off after 20 failures, and the next update turns it on", async () => {
      const state = await webhook.create(declared, bench);
      for (let failure = 0; failure < 20; failure++)
        bench.simulator.deliver("agent-1", state.webhookId, { ok: false, status: 500 });
      const read = await webhook.read(state, bench);
      assert.equal(read?.enabled, false);
      requests();
      await webhook.update(read, declared, bench);
      assert.deepEqual(requests(), [`webhook.update {"enabled":true}`]);
      assert.equal(live()[0]?.consecutive_failures, 0);
    });

    it("removes from state what is gone, by the 404 of a read that has worked", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.objects.removeWebhook("agent-1", state.webhookId);
      assert.equal(await webhook.read(state, bench), undefined);
    });

    it("does not take the 404 of an assumed read that never worked for a deletion", async () => {
      bench.simulator.fault({ operation: "webhook.get", then: { status: 404 } });
      const state = await webhook.create(declared, bench);
      bench.simulator.fault({ operation: "webhook.get", then: { status: 404 } });
      await assert.rejects(webhook.read(state, bench), /webhook\.get is an assumed path.*workspace-apps:endpoints/s);
    });

    it("does not take a 404 at another base URL for a deletion, not even of the documented update", async () => {
      const none = { endpoints: `{"webhook.get":"none"}` };
      const state = await webhook.create(declared, bench.later(none));
      const elsewhere = bench.later({ ...none, baseUrl: `${bench.simulator.url}/wrong` });
      await assert.rejects(webhook.read(state, elsewhere), /404/);
    });

    it("does not take a proxy's 404 page for a deletion", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.fault({ operation: "webhook.get", then: { status: 404, body: "<html>default backend</html>" } });
      await assert.rejects(webhook.read(state, bench), /404/);
    });

    it("does not report an update as done when the webhook of a failed read-back is gone", async () => {
      bench.simulator.fault({ operation: "webhook.get", times: 5, then: { status: 500 } });
      const left = await leftBy(webhook.create(declared, bench));
      bench.simulator.objects.removeWebhook("agent-1", left.state.webhookId);
      await assert.rejects(webhook.update(left.state, declared, bench.later()), /404.*`pulumi refresh`/s);
    });

    it("does not take a 404 for a deletion after the endpoint was changed", async () => {
      const state = await webhook.create(declared, bench);
      const moved = bench.later({ endpoints: `{"webhook.get":"GET /other/{agent_id}/{webhook_id}"}` });
      await assert.rejects(webhook.read(state, moved), /404.*webhook\.get is set in workspace-apps:endpoints/s);
    });

    it("does not show a credential in the target that the service repeats, by whichever operation it reads", async () => {
      const targetUrl = "https://hooks.example.com/replies?key=canary-key";
      const state = await webhook.create({ ...declared, targetUrl }, bench);
      const detail = `${targetUrl} cannot be reached`;
      for (const [operation, settings] of [
        ["webhook.get", {}],
        ["webhook.update", { documentedOnly: "true" }],
      ] as const) {
        bench.simulator.fault({ operation, times: 2, then: { status: 403, body: { detail } } });
        const later = bench.later(settings);
        await assert.rejects(webhook.read(state, later), /403: \[secret\] cannot be reached/);
        const adopted = { ...declared, targetUrl, webhookId: state.webhookId };
        await assert.rejects(webhook.create(adopted, later), /403: \[secret\] cannot be reached/);
      }
    });

    for (const settings of [{ documentedOnly: "true" }, { endpoints: `{"webhook.get":"none"}` }])
      it(`reads by the documented update with ${JSON.stringify(settings)}`, async () => {
        const state = await webhook.create(declared, bench);
        const later = bench.later(settings);
        requests();
        assert.equal((await webhook.read(state, later))?.webhookId, state.webhookId);
        assert.deepEqual(requests(), ["webhook.update {}"]);
        bench.simulator.objects.removeWebhook("agent-1", state.webhookId);
        assert.equal(await webhook.read(state, later), undefined);
      });

    it("fails, and reports nothing as gone, when the service cannot be asked", async () => {
      const state = await webhook.create(declared, bench);
      for (const then of [{ status: 500 }, { status: 401 }, { status: 200, body: "<html>" }, "reset"] as const) {
        bench.simulator.fault({ operation: "webhook.get", times: 5, then });
        await assert.rejects(webhook.read(state, bench), /webhook\.get \(GET \/api\/agents\/agent-1\/webhooks\//);
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

    it("reads, and sends only what differs", async () => {
      const webhookId = existing({ description: "theirs", has_secret: true });
      const state = await webhook.create({ ...declared, description: "ours", webhookId }, bench);
      assert.deepEqual(requests(), ["webhook.get", `webhook.update {"description":"ours"}`]);
      assert.deepEqual([state.origin, state.webhookId, live().length], ["adopted", webhookId, 1]);
    });

    it("sends nothing when nothing differs", async () => {
      await webhook.create({ ...declared, webhookId: existing() }, bench);
      assert.deepEqual(requests(), ["webhook.get"]);
    });

    it("keeps the id as it was given, however the service spells it", async () => {
      const webhookId = existing({ id: "ABC" });
      const answer = { ...live()[0], id: "abc" };
      bench.simulator.fault({ operation: "webhook.get", then: { status: 200, body: answer } });
      const state = await webhook.create({ ...declared, webhookId }, bench);
      assert.equal(state.webhookId, "ABC");
    });

    it("never rotates an existing secret", async () => {
      const webhookId = existing({ has_secret: true });
      const state = await webhook.create({ ...declared, webhookId, signed: true, rotateSecret: "1" }, bench);
      assert.deepEqual(requests(), ["webhook.get"]);
      assert.deepEqual([state.hasSecret, state.secret], [true, undefined]);
      await webhook.update(state, { ...declared, webhookId, signed: true, rotateSecret: "2" }, bench);
      assert.deepEqual(requests(), [`webhook.update {"signing":"rotate"}`]);
    });

    it("fails clearly when there is no such webhook", async () => {
      await assert.rejects(webhook.create({ ...declared, webhookId: "wh_none" }, bench), /wh_none.*404/s);
      const documented = bench.later({ documentedOnly: "true" });
      await assert.rejects(
        webhook.create({ ...declared, webhookId: "wh_none" }, documented),
        /no webhook wh_none on agent agent-1/,
      );
      assert.equal(live().length, 0);
    });

    it("refuses to adopt one webhook twice in a deployment", async () => {
      const webhookId = existing();
      await webhook.create({ ...declared, webhookId }, bench);
      await assert.rejects(webhook.create({ ...declared, webhookId }, bench), /managed by another resource/);
    });

    it("retains it on destroy unless told otherwise", async () => {
      const webhookId = existing();
      const state = await webhook.create({ ...declared, webhookId }, bench);
      await webhook.delete(state, bench);
      assert.equal(live().length, 1);
      await webhook.delete({ ...state, deletionPolicy: "delete" }, bench);
      assert.equal(live().length, 0);
    });
  });

  describe("destroying", () => {
    it("deletes, disables or retains", async () => {
      const retained = await webhook.create({ ...declared, deletionPolicy: "retain" }, bench);
      requests();
      await webhook.delete(retained, bench);
      assert.deepEqual(requests(), []);
      await webhook.delete({ ...retained, deletionPolicy: "disable" }, bench);
      assert.deepEqual(requests(), [`webhook.update {"enabled":false}`]);
      await webhook.delete({ ...retained, deletionPolicy: "delete" }, bench);
      assert.deepEqual(requests(), ["webhook.delete"]);
      assert.deepEqual(live(), []);
    });

    for (const deletionPolicy of ["delete", "disable"] as const)
      it(`succeeds with ${deletionPolicy} when the webhook is gone already`, async () => {
        const state = await webhook.create({ ...declared, deletionPolicy }, bench);
        bench.simulator.objects.removeWebhook("agent-1", state.webhookId);
        await webhook.delete(state, bench.later());
      });

    it("does not take the 404 of the assumed path for done while the webhook is there", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.fault({ operation: "webhook.delete", then: { status: 404 } });
      await assert.rejects(webhook.delete(state, bench), /webhook\.delete is an assumed path/);
      assert.equal(live().length, 1);
    });

    it("ends well when the answer was lost", async () => {
      for (const commit of [true, false]) {
        const state = await webhook.create(declared, bench);
        bench.simulator.fault({ operation: "webhook.delete", commit, then: "reset" });
        await webhook.delete(state, bench);
        assert.deepEqual(live(), []);
      }
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
