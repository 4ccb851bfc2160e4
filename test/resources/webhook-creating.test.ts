import assert from "node:assert/strict";
import { type Bench, leftBy, startBench, unchanged } from "../support/deployment";
import { declared, hasMoreToDo, live, requests, webhook } from "../support/webhooks";

describe("Webhook", () => {
  let bench: Bench;
  /** The end of a description while the webhook is made. */
  let mark: string;
  beforeEach(async () => {
    bench = await startBench();
    mark = `[pulumi:1f0c9a2-${bench.command.slice(0, 4)}]`;
  });
  afterEach(() => bench.close());

  /** Lets the command look for webhooks that earlier ones left. */
  const listBefore = async (command = bench): Promise<void> => {
    const { webhookId } = await webhook.create(declared, command, "0000000");
    bench.simulator.objects.removeWebhook("agent-1", webhookId);
    requests(bench);
  };
  const ago = (minutes: number): string => new Date(bench.clock.now() - minutes * 60_000).toISOString();
  /** A webhook of this resource that an earlier command did not finish. */
  const putOrphan = (id?: string, minutes = 1, command = "0000"): { id: string } =>
    bench.simulator.objects.putWebhook("agent-1", {
      ...(id === undefined ? {} : { id }),
      description: `[pulumi:1f0c9a2-${command}]`,
      created_date: ago(minutes),
    });
  const creates = (): number => requests(bench).filter((request) => request.startsWith("webhook.create")).length;

  describe("creating", () => {
    it("marks the webhook while it is made, then sets the declared description", async () => {
      const state = await webhook.create({ ...declared, description: "Replies" }, bench);
      const [only] = live(bench);
      assert.deepEqual(requests(bench), [
        "webhook.list",
        `webhook.create {"target_url":"https://hooks.example.com/replies","events":["message.completed"],"description":"Replies ${mark}"}`,
        `webhook.update {"description":"Replies"}`,
      ]);
      assert.equal(state.webhookId, only?.id);
      assert.equal(state.description, "Replies");
      assert.equal(only?.description, "Replies");
      assert.equal(state.hasSecret, false);
      assert.equal(state.enabled, true);
      assert.equal(state.origin, undefined);
      assert.match(state.createdDate ?? "", /Z$/);
    });

    it("sends by the same update what the create request cannot express", async () => {
      const state = await webhook.create({ ...declared, enabled: false, signed: true }, bench);
      assert.deepEqual(requests(bench).slice(2), [
        `webhook.update {"description":null,"enabled":false,"signing":"rotate"}`,
      ]);
      assert.equal(state.enabled, false);
      assert.match(state.secret ?? "", /^whsec_/);
      assert.notEqual(live(bench)[0]?.disabled_at, null);
    });

    it("lists the webhooks of an agent once in a command", async () => {
      await webhook.create(declared, bench, "0000001");
      await webhook.create(declared, bench, "0000002");
      assert.equal(requests(bench).filter((request) => request === "webhook.list").length, 1);
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
      bench.simulator.fault({ operation: "webhook.list", then: { status: 200, body: [] } });
      const state = await webhook.create({ ...declared, signed: true }, bench);
      assert.equal(state.secret, "from-create");
      assert.deepEqual(requests(bench).slice(2), [`webhook.update {"description":null}`]);
    });

    it("generates a secret for the first rotateSecret", async () => {
      const state = await webhook.create({ ...declared, rotateSecret: "1" }, bench);
      assert.match(state.secret ?? "", /^whsec_/);
    });

    it("keeps the webhook in state when the update fails, and the next command finishes it", async () => {
      bench.simulator.fault({ operation: "webhook.update", then: { status: 402, body: { detail: "Upgrade" } } });
      const { state, message } = await leftBy(webhook.create({ ...declared, signed: true, description: "d" }, bench));
      assert.match(message, /402\..*The service said: Upgrade.*higher plan tier/s);
      assert.equal(state.webhookId, live(bench)[0]?.id);
      assert.equal(hasMoreToDo(state), true);
      requests(bench);
      const healed = await webhook.update(state, { ...declared, signed: true, description: "d" }, bench.later());
      assert.deepEqual(requests(bench), ["webhook.get", `webhook.update {"description":"d","signing":"rotate"}`]);
      assert.equal(healed.hasSecret, true);
      assert.equal(live(bench).length, 1);
    });

    it("knows by the update that the webhook exists, so a 404 of another endpoint is checked", async () => {
      const state = await webhook.create(declared, bench);
      bench.simulator.fault({ operation: "webhook.get", times: "always", then: { status: 404 } });
      requests(bench);
      assert.deepEqual(await webhook.read(state, bench.later()), state);
      assert.deepEqual(requests(bench), ["webhook.get", "webhook.update {}"]);
      bench.simulator.objects.removeWebhook("agent-1", state.webhookId);
      assert.equal(await webhook.read(state, bench.later()), undefined);
    });

    it("creates nothing when it is refused", async () => {
      bench.simulator.fault({ operation: "webhook.create", then: { status: 403 } });
      await assert.rejects(webhook.create(declared, bench), /403.*editor of the agent/s);
      assert.equal(live(bench).length, 0);
      assert.equal(creates(), 1);
    });
  });

  describe("whose create is answered with a webhook", () => {
    const { targetUrl: target_url, events } = declared;
    /** Under "lists": whether the list shows it before the create. Under "says": what the response says besides the id. */
    const answers: {
      which: string;
      has?: { description?: string; isOld?: true };
      lists?: true;
      says?: ("description" | "created_date")[];
      outcome: "adopted" | "adopted and updated" | "refused" | "own";
    }[] = [
      { which: "of an earlier date", has: { isOld: true }, says: ["created_date"], outcome: "adopted" },
      { which: "whose first read shows an earlier date", has: { isOld: true }, outcome: "adopted and updated" },
      { which: "that was listed before", lists: true, outcome: "adopted" },
      { which: "that was listed before and differs", has: { description: "Theirs" }, lists: true, outcome: "refused" },
      {
        which: "of another description",
        has: { description: "Theirs" },
        says: ["description"],
        outcome: "refused",
      },
      {
        which: "of an earlier date that has its mark",
        has: { description: "its mark", isOld: true },
        says: ["description", "created_date"],
        outcome: "own",
      },
    ];
    for (const { which, has = {}, lists = false, says = [], outcome } of answers)
      it(`${which}: ${outcome}`, async () => {
        const description = has.description === "its mark" ? mark : (has.description ?? null);
        const row = bench.simulator.objects.putWebhook("agent-1", {
          ...{ target_url, events, description },
          ...(has.isOld === true ? { created_date: ago(1) } : {}),
        });
        if (!lists) bench.simulator.fault({ operation: "webhook.list", then: { status: 200, body: [] } });
        const body = { id: row.id, ...Object.fromEntries(says.map((name) => [name, row[name]])) };
        bench.simulator.fault({ operation: "webhook.create", then: { status: 200, body } });
        const created = webhook.create({ ...declared, overwrite: true }, bench);
        if (outcome === "refused") {
          await assert.rejects(created, /was not adopted: it differs .*\n.*description: /);
          assert.equal(live(bench)[0]?.description, description);
          return;
        }
        const state = await created;
        const updates = requests(bench).filter((request) => request.startsWith("webhook.update"));
        assert.equal(updates.length, outcome === "adopted" ? 0 : 1);
        assert.equal(state.origin, outcome === "own" ? undefined : "adopted");
        await webhook.delete(state, bench.later());
        assert.equal(live(bench).length, outcome === "own" ? 0 : 1, "destroy retains what is adopted");
      });
  });

  describe("creating once", () => {
    it("finds its own webhook by the mark when the response was lost", async () => {
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      const state = await webhook.create(declared, bench);
      assert.equal(live(bench).length, 1);
      assert.equal(state.webhookId, live(bench)[0]?.id);
      assert.equal(state.origin, undefined, "it is this stack's own, so destroy deletes it");
      assert.equal(live(bench)[0]?.description, null);
      assert.deepEqual(await webhook.preview(state, declared, bench.later()), unchanged);
      await webhook.delete(state, bench.later());
      assert.deepEqual(live(bench), []);
    });

    it("creates once more when a complete list shows that nothing was created", async () => {
      bench.simulator.fault({ operation: "webhook.create", then: "reset" });
      await webhook.create(declared, bench);
      assert.equal(live(bench).length, 1);
      assert.equal(creates(), 2);
    });

    it("deletes the newer webhook where both creates were carried out", async () => {
      await listBefore();
      bench.simulator.fault({ operation: "webhook.create", times: 2, commit: true, then: "reset" });
      bench.simulator.fault({ operation: "webhook.list", times: 4, lagMilliseconds: 5_000 });
      const { webhookId } = await webhook.create({ ...declared, signed: true }, bench);
      assert.deepEqual(
        live(bench).map(({ id }) => id),
        [webhookId],
      );
      assert.equal(creates(), 2);
      assert.match(bench.said.join(), /was deleted: it is the copy of a create that was carried out twice/);
    });

    it("keeps the older webhook even if the response to the deletion of its copy is lost", async () => {
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      bench.simulator.fault({ operation: "webhook.list", lagMilliseconds: 4_000 });
      bench.simulator.fault({ operation: "webhook.delete", commit: true, then: "reset" });
      const { webhookId } = await webhook.create(declared, bench);
      assert.deepEqual(
        live(bench).map(({ id }) => id),
        [webhookId],
      );
    });

    it("says that a copy may exist where the list shows none after the second create", async () => {
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      bench.simulator.fault({ operation: "webhook.list", lagMilliseconds: 20_000 });
      await webhook.create(declared, bench);
      assert.equal(live(bench).length, 2);
      assert.ok(bench.said.join("\n").includes(`Look in the service for a webhook whose description ends in ${mark}`));
    });

    it("stops after the second uncertain response, and the next command takes the webhook over", async () => {
      await listBefore();
      bench.simulator.fault({ operation: "webhook.create", then: { status: 500 } });
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: { status: 500 } });
      bench.simulator.fault({ operation: "webhook.list", times: 6, lagMilliseconds: 30_000 });
      await assert.rejects(
        webhook.create(declared, bench),
        /a copy of this webhook may exist.*takes it over, a minute after its creation/s,
      );
      assert.equal(creates(), 2);
      await assert.rejects(webhook.create(declared, bench.later()), /another command may be creating it/);
      await bench.clock.sleep(60_000);
      const state = await webhook.create({ ...declared, events: ["message.created"] }, bench.later());
      assert.equal(creates(), 0);
      assert.deepEqual(state.events, ["message.created"]);
      assert.deepEqual(
        live(bench).map(({ id, description }) => [id, description]),
        [[state.webhookId, null]],
      );
    });

    it("rotates a secret that was lost with the response", async () => {
      bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
      const state = await webhook.create({ ...declared, signed: true }, bench);
      assert.match(state.secret ?? "", /^whsec_/);
    });

    it("takes over only a webhook of its own resource", async () => {
      const fields = { target_url: declared.targetUrl, events: declared.events, created_date: ago(10) };
      bench.simulator.objects.putWebhook("agent-1", { ...fields, description: "[pulumi:0000000-0000]" });
      bench.simulator.objects.putWebhook("agent-1", { ...fields, description: "[pulumi:1f0c9a2-0000] of Ann" });
      await webhook.create(declared, bench);
      assert.equal(live(bench).length, 3);
    });

    it("takes over the oldest of several, deletes its copy, and names the others", async () => {
      putOrphan("wh_copy", 2);
      putOrphan("wh_oldest", 3);
      putOrphan("wh_other", 1, "1111");
      const { webhookId } = await webhook.create(declared, bench);
      assert.deepEqual([webhookId, live(bench).map(({ id }) => id)], ["wh_oldest", ["wh_oldest", "wh_other"]]);
      assert.match(bench.said.join(), /wh_other of agent agent-1 has the mark of this resource too/);
    });

    it("takes over none that somebody has finished or deleted since the command listed it", async () => {
      const { id } = putOrphan();
      await listBefore();
      bench.simulator.objects.changeWebhook("agent-1", id, { description: "finished" });
      assert.notEqual((await webhook.create(declared, bench)).webhookId, id);
      assert.equal(live(bench).find((one) => one.id === id)?.description, "finished");
    });

    it("rotates the secret of a webhook that it takes over, if rotateSecret is declared", async () => {
      putOrphan();
      const state = await webhook.create({ ...declared, rotateSecret: "1" }, bench);
      assert.match(state.secret ?? "", /^whsec_/);
    });

    it("shows no secret of a copy that cannot be deleted", async () => {
      await listBefore();
      const secret = { ...declared, targetUrl: "https://hooks.example.com/canary", description: "canary word" };
      bench.simulator.fault({ operation: "webhook.create", times: 2, commit: true, then: "reset" });
      bench.simulator.fault({ operation: "webhook.list", times: 4, lagMilliseconds: 5_000 });
      const body = { detail: "https://hooks.example.com/canary (canary word)" };
      bench.simulator.fault({ operation: "webhook.delete", then: { status: 403, body } });
      await webhook.create(secret, bench);
      assert.match(bench.said.join(), /both may have been carried out/);
      assert.doesNotMatch(bench.said.join(), /canary/);
    });

    it("shows no secret of a list that is read again before a webhook is taken over", async () => {
      putOrphan();
      await listBefore();
      const body = { detail: "https://hooks.example.com/canary (canary word)" };
      bench.simulator.fault({ operation: "webhook.list", then: { status: 403, body } });
      const secret = { ...declared, targetUrl: "https://hooks.example.com/canary", description: "canary word" };
      await assert.rejects(webhook.create(secret, bench), (error: Error) => {
        assert.match(error.message, /webhook\.list failed/);
        assert.doesNotMatch(error.message, /canary/);
        return true;
      });
    });

    it("goes on where the webhooks cannot be listed, and says so", async () => {
      bench.simulator.fault({ operation: "webhook.list", then: { status: 403 } });
      await webhook.create(declared, bench);
      assert.match(bench.said.join(), /Nothing tells whether an earlier command left a webhook of agent agent-1/);
    });

    it("goes on where the list shows no descriptions, and says so", async () => {
      const { description: _, ...short } = bench.simulator.objects.putWebhook("agent-1");
      bench.simulator.fault({ operation: "webhook.list", then: { status: 200, body: [short] } });
      await webhook.create(declared, bench);
      assert.match(bench.said.join(), /so another one may be created\. The list shows no descriptions/);
    });

    it("continues with the webhook that it takes over when the engine repeats a failed create", async () => {
      putOrphan();
      bench.simulator.fault({ operation: "webhook.update", then: { status: 403 } });
      await assert.rejects(
        webhook.create(declared, bench),
        /^ServiceError: webhook\.update failed: the service answered 403/,
      );
      await webhook.create(declared, bench);
      assert.deepEqual([live(bench).length, creates()], [1, 0]);
    });

    it("continues with it even if the lost update has taken its mark away", async () => {
      const { id } = putOrphan();
      bench.simulator.fault({ operation: "webhook.update", times: "always", commit: true, then: { status: 500 } });
      await leftBy(webhook.create(declared, bench));
      bench.simulator.clearFaults();
      assert.equal((await webhook.create(declared, bench)).webhookId, id);
      assert.equal(live(bench).length, 1);
    });

    it("creates another one where the one that it would take over is gone, whatever a slow list shows", async () => {
      const gone = { ...bench.simulator.objects.putWebhook("agent-2"), id: "wh_gone", created_date: ago(1) };
      const body = [{ ...gone, description: "[pulumi:1f0c9a2-0000]" }];
      bench.simulator.fault({ operation: "webhook.list", times: 2, then: { status: 200, body } });
      const state = await webhook.create(declared, bench);
      assert.notEqual(state.webhookId, "wh_gone");
      assert.deepEqual([live(bench).length, creates()], [1, 1]);
      assert.match(bench.said.join("\n"), /wh_gone .* is gone: .*404\. Another one is created\./);
    });

    it("only looks for the webhook when the engine repeats an uncertain create", async () => {
      bench.simulator.fault({ operation: "webhook.create", times: 2, then: { status: 500 } });
      await assert.rejects(webhook.create(declared, bench));
      requests(bench);
      await assert.rejects(
        webhook.create(declared, bench),
        /a copy of this webhook may exist.*The list does not show the webhook, so no other create was sent/s,
      );
      assert.deepEqual(requests(bench), ["webhook.list", "webhook.list", "webhook.list"]);
      bench.simulator.objects.putWebhook("agent-1", { description: mark });
      const state = await webhook.create(declared, bench);
      assert.equal(state.webhookId, live(bench)[0]?.id);
      assert.equal(creates(), 0);
    });

    it("continues with its own webhook when the engine repeats the creates of two equal declarations", async () => {
      bench.simulator.fault({ operation: "webhook.update", times: "always", then: { status: 500 } });
      const both = (): Promise<{ webhookId: string }>[] =>
        ["0000001", "0000002"].map((resourceDigits) => webhook.create(declared, bench, resourceDigits));
      await Promise.all(both().map(leftBy));
      bench.simulator.clearFaults();
      const [one, two] = await Promise.all(both());
      assert.notEqual(one?.webhookId, two?.webhookId);
      assert.equal(live(bench).length, 2);
    });

    it("does not use an equal webhook of somebody else, even of the same second", async () => {
      bench.simulator.objects.putWebhook("agent-1", { target_url: declared.targetUrl, events: declared.events });
      bench.simulator.fault({ operation: "webhook.create", then: "reset" });
      await webhook.create(declared, bench);
      assert.equal(live(bench).length, 2);
    });

    it("says that a copy may exist even if the second attempt is refused", async () => {
      bench.simulator.fault({ operation: "webhook.create", then: { status: 500 } });
      bench.simulator.fault({ operation: "webhook.create", then: { status: 403 } });
      await assert.rejects(
        webhook.create(declared, bench),
        /a copy of this webhook may exist.*403.*The first attempt may have been carried out/s,
      );
      assert.match(bench.said.join(), /the list does not show the webhook; sending it once more/);
    });

    it("creates nothing more when the list cannot be read, or shows no descriptions", async () => {
      const { description: _, ...short } = bench.simulator.objects.putWebhook("agent-1");
      for (const [resourceDigits, body] of [
        ["0000001", { webhooks: [], has_more: true }],
        ["0000002", [short]],
      ] as const) {
        const next = bench.later();
        await listBefore(next);
        bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
        bench.simulator.fault({ operation: "webhook.list", then: { status: 200, body } });
        await assert.rejects(
          webhook.create(declared, next, resourceDigits),
          /may exist.*(cannot be read to its end|shows no descriptions)/s,
        );
        assert.equal(creates(), 1);
      }
    });

    it("assigns each of two equal declarations its own webhook, even if both responses are lost", async () => {
      bench.simulator.fault({ operation: "webhook.create", times: 2, commit: true, then: "reset" });
      const made = await Promise.all([
        webhook.create(declared, bench, "0000001"),
        webhook.create(declared, bench, "0000002"),
      ]);
      assert.deepEqual(
        live(bench)
          .map(({ id }) => id)
          .sort(),
        made.map(({ webhookId }) => webhookId).sort(),
      );
    });
  });
});
