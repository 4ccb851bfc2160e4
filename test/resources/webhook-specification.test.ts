import assert from "node:assert/strict";
import { problemsOf } from "../../provider/pulumi/check-step";
import { webhookLifecycle } from "../../provider/resources/webhook/lifecycle";
import { type Bench, driven, startBench } from "../support/deployment";

const webhook = driven(webhookLifecycle);
const declared = {
  agentId: "agent-1",
  targetUrl: "https://hooks.example.com/replies",
  events: ["message.completed"],
};
const problems = (given: object): string[] =>
  problemsOf(webhookLifecycle, { enabled: true, ...declared, ...given } as never).map(
    ({ property, reason }) => `${property}: ${reason}`,
  );

describe("Webhook, by the specification", () => {
  it("has a public https URL as its target", () => {
    assert.deepEqual(problems({ targetUrl: "https://hooks.example.com/a?b=c" }), []);
    for (const targetUrl of ["http://hooks.example.com/", "https://localhost/", "https://10.0.0.1/", "hook"])
      assert.match(problems({ targetUrl }).join(), /^targetUrl: must be /, targetUrl);
  });

  it("has one or both of the two events", () => {
    for (const events of [["message.created"], ["message.completed"], ["message.created", "message.completed"]])
      assert.deepEqual(problems({ events }), []);
    assert.deepEqual(problems({ events: [] }), ["events: must name at least one event"]);
    assert.match(problems({ events: ["message.deleted"] }).join(), /^events\[0\]: must be one of "message\.created", /);
  });

  describe("against the service", () => {
    let bench: Bench;
    const start = async (...options: Parameters<typeof startBench>): Promise<void> => {
      bench = await startBench(...options);
    };
    afterEach(() => bench.close());

    it("stores the secret from the one response that shows it, and has none when it is not signed", async () => {
      await start();
      const signed = await webhook.create({ ...declared, signed: true }, bench);
      const again = await webhook.read(signed, bench.later());
      assert.ok(signed.secret);
      assert.deepEqual([again?.hasSecret, again?.secret], [true, signed.secret]);
      const plain = await webhook.create({ ...declared, agentId: "agent-2" }, bench);
      assert.deepEqual([plain.hasSecret, plain.secret], [false, undefined]);
    });

    it("returns times with a zone, however the service wrote them", async () => {
      await start();
      const { id } = bench.simulator.objects.putWebhook("agent-1", {
        target_url: declared.targetUrl,
        events: declared.events,
        created_date: "2026-01-02T03:04:05Z",
      });
      const adopted = await webhook.create({ ...declared, webhookId: id }, bench);
      assert.equal(adopted.createdDate, "2026-01-02T03:04:05Z");
    });

    it("is refused on an app that is not an agent, and the error says so", async () => {
      await start({}, { apps: ["app-1"] });
      await assert.rejects(
        webhook.create({ ...declared, agentId: "app-1" }, bench),
        /400\..*app that is not an agent/s,
      );
      assert.deepEqual(bench.simulator.objects.webhooks("app-1"), []);
    });

    it("is refused with a read-only token, with a workspace key and for a viewer, each with what to use instead", async () => {
      const credentials = [
        { value: "read-only", kind: "personal-token", permission: "read_only" },
        { value: "workspace", kind: "workspace-key" },
        { value: "viewer", kind: "personal-token", role: "viewer" },
      ] as const;
      await start({}, { credentials: [...credentials] });
      const { id } = bench.simulator.objects.putWebhook("agent-1");
      for (const [accessToken, advice] of [
        ["read-only", /403\..*Use one with full access/s],
        ["workspace", /403\..*workspace keys are refused/s],
        ["viewer", /403\..*owner is an editor of the agent/s],
      ] as const)
        await assert.rejects(
          webhook.create({ ...declared, webhookId: id }, bench.later({ accessToken, documentedOnly: "true" })),
          advice,
        );
      assert.equal(bench.simulator.objects.webhook("agent-1", id)?.target_url, "https://example.com/hook");
    });
  });
});
