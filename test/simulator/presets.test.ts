import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { operations } from "../../provider/service/operations";
import type { Fault, OperationId, WaitingFault } from "../../simulator";
import { campaignBody, onSimulator } from "./support";

interface Preset {
  id: string;
  words: string;
  operations: OperationId[];
  needsObject?: string;
}

describe("The simulator's presets", () => {
  const { simulator, control, get, post } = onSimulator();
  const use = async (preset: string, more: object = {}): Promise<void> => {
    const { status, text } = await control("POST", "presets", { preset, ...more });
    assert.equal(status, 200, text);
  };
  const presets = async () => ((await control("GET", "presets")).json as unknown as { presets: Preset[] }).presets;
  const launch = (app = "a") => post(`/api/apps/${app}/ads-platform/launch`, { campaign: campaignBody });
  const waiting = () => simulator.waitingFaults();

  it("are listed in words, each with operations that it can be used with", async () => {
    const all = await presets();
    assert.deepEqual(
      all.map(({ words }) => words),
      [
        "Launch, then answer 409",
        "Answer 409 without launching",
        "Carry it out, lose the answer",
        "Close the connection without carrying it out",
        "The list lags 20 s",
        "Rate limit (429, retry after 3 s)",
        "Delete it behind Pulumi's back",
        "Conversion tracking verifies",
        "20 failed deliveries",
      ],
    );
    for (const preset of all) {
      assert.ok(preset.operations.length > 0);
      assert.ok(preset.operations.every((id) => id in operations));
      for (const operation of preset.needsObject === undefined ? preset.operations : [])
        await use(preset.id, { operation });
    }
    assert.ok(waiting().length > all.length);
  });

  it("answer 409 without launching, for one app, n times", async () => {
    await use("409-without-launching", { parameters: { app_id: "a" }, times: 2 });
    const statuses = [await launch("b"), await launch(), await launch(), await launch()].map(({ status }) => status);
    assert.deepEqual(statuses, [200, 409, 409, 200]);
    assert.equal(simulator.objects.launches("a").length, 1);
  });

  it("make a list lag by 20 seconds, until it is removed or n times", async () => {
    const operation = "webhook.list";
    const listed = async (agent: string) => (await get(`/api/agents/${agent}/webhooks`)).json.webhooks.length;
    simulator.objects.putWebhook("a");
    simulator.objects.putWebhook("b");
    await use("list-lag", { operation, parameters: { agent_id: "a" } });
    assert.deepEqual([await listed("a"), await listed("b"), await listed("a")], [0, 1, 0]);
    simulator.clearFaults();
    await use("list-lag", { operation, times: 1 });
    assert.deepEqual([await listed("a"), await listed("a")], [0, 1]);
    await use("list-lag", { operation });
    simulator.clock.advance(20_000);
    assert.equal(await listed("a"), 1);
  });

  it("delete an object behind Pulumi's back, at once", async () => {
    const { objects } = simulator;
    const webhook = objects.putWebhook("a").id;
    const campaign = objects.putCampaign("a").id;
    const record = objects.putRecord("a", "Task").id;
    const test = objects.putTest("a").id;
    const run = objects.startRun("a", test);
    objects.addFolderItem("f", "a");
    const all: [OperationId, Record<string, string>][] = [
      ["webhook.delete", { agent_id: "a", webhook_id: webhook }],
      ["campaign.delete", { app_id: "a", campaign_id: campaign }],
      ["record.delete", { app_id: "a", entity_name: "Task", entity_id: record }],
      ["test.delete", { app_id: "a", flow_id: test }],
      ["folderItem.remove", { folder_id: "f", app_id: "a" }],
    ];
    const { operations: listed = [] } = (await presets()).find(({ id }) => id === "delete-behind") ?? {};
    assert.deepEqual(all.map(([operation]) => operation).toSorted(), listed.toSorted(), "all are tried here");
    for (const [operation, parameters] of all) await use("delete-behind", { operation, parameters });
    assert.deepEqual(
      [objects.webhooks(), objects.records("a", "Task"), objects.tests(), objects.folderItems("f")],
      [[], [], [], []],
    );
    assert.equal(objects.campaign("a", campaign)?.status, "REMOVED", "as the service leaves it");
    assert.deepEqual(
      objects.cancelledRuns("a").map(({ id }) => id),
      [run],
      "as the service does",
    );
    assert.deepEqual([waiting(), simulator.requests], [[], []]);
    for (const [operation, parameters] of all.filter(([operation]) => operation !== "campaign.delete")) {
      const again = await control("POST", "presets", { preset: "delete-behind", operation, parameters });
      assert.deepEqual([again.status, again.json.error], [400, "There is no such object."]);
    }
  });

  it("fail 20 deliveries, at once", async () => {
    const { id } = simulator.objects.putWebhook("a");
    await use("failed-deliveries", { parameters: { agent_id: "a", webhook_id: id } });
    const webhook = simulator.objects.webhook("a", id);
    assert.equal(webhook?.consecutive_failures, 20);
    assert.notEqual(webhook.disabled_at, null);
  });

  it("fail no deliveries of a webhook that is off, and say so", async () => {
    const webhook = simulator.objects.putWebhook("a", { id: "w", disabled_at: "2026-11-01T12:00:00.000Z" });
    const parameters = { agent_id: "a", webhook_id: "w" };
    const { status, json } = await control("POST", "presets", { preset: "failed-deliveries", parameters });
    const reason = "Webhook w is off, so it gets no deliveries. Turn it on first.";
    assert.deepEqual([status, json.error], [400, reason]);
    assert.deepEqual(simulator.objects.webhook("a", "w"), webhook);
  });

  it("that act at once are refused with a number of times, and change nothing", async () => {
    simulator.objects.putWebhook("a", { id: "w" });
    const before = simulator.objects.all();
    const parameters = { agent_id: "a", webhook_id: "w" };
    for (const [preset, operation] of [
      ["delete-behind", "webhook.delete"],
      ["failed-deliveries", "webhook.update"],
    ] as const)
      for (const times of [1, 2, "always"]) {
        const { status, json } = await control("POST", "presets", { preset, operation, parameters, times });
        assert.equal(status, 400);
        assert.match(json.error, /times: is only for presets that wait for requests; this one acts at once/);
      }
    assert.deepEqual(simulator.objects.all(), before);
  });

  it("are the faults that the documentation shows, with the same responses", async () => {
    const page = await readFile(join(__dirname, "../../docs/reference/simulator.md"), "utf8");
    const shown = [...page.matchAll(/^\| `([\w-]+)` +\|[^|]+\| `("(?:commit|then|lagMilliseconds)".*?)` +\|$/gm)];
    const thatWait = (await presets()).filter(({ needsObject }) => needsObject === undefined);
    assert.deepEqual(
      shown.map(([, id]) => id),
      thatWait.map(({ id }) => id),
    );
    const launched = ["launch-then-409", "lose-answer", "list-lag"];
    for (const [, preset = "", fields] of shown) {
      const operation = preset === "list-lag" ? "campaign.list" : "campaign.launch";
      const fault = { operation, ...(JSON.parse(`{${fields ?? ""}}`) as object) };
      const met = async (path: string, body: object) => {
        simulator.reset();
        assert.equal((await control("POST", path, body)).status, 200);
        const faults = waiting();
        const { status, text, headers } = await launch().catch(() => ({ status: 0, text: "", headers: {} }));
        const { date: _, ...others } = headers as Record<string, unknown>;
        const launches = simulator.objects.launches("a").length;
        return { faults, status, launches, headers: others, text: status === 200 ? "" : text };
      };
      const asDocumented = await met("faults", fault);
      assert.deepEqual(await met("presets", { preset, operation }), asDocumented, preset);
      assert.equal(asDocumented.launches, launched.includes(preset) ? 1 : 0, preset);
    }
  });

  it("verify the conversion tracking of a campaign's app", async () => {
    const preset = "tracking-verified";
    const held = { status: "PAUSED", primary_status_reasons: ["CONVERSION_TRACKING_PENDING"] };
    const [own, other] = [simulator.objects.putCampaign("a", held).id, simulator.objects.putCampaign("b", held).id];
    const parameters = { app_id: "a", campaign_id: own };
    await use(preset, { parameters });
    assert.equal(simulator.objects.campaign("a", own)?.status, "ENABLED");
    assert.equal(simulator.objects.campaign("b", other)?.status, "PAUSED");
    const missing = { preset, parameters: { ...parameters, campaign_id: "none" } };
    assert.equal((await control("POST", "presets", missing)).status, 400);
  });

  it("are refused with a reason where something is missing or unknown, and then nothing waits", async () => {
    const webhook = { agent_id: "a", webhook_id: "w" };
    const behind = { preset: "delete-behind", operation: "test.delete" };
    const wrong: [body: object, reason: RegExp][] = [
      [{ preset: "none" }, /preset: /],
      [{ preset: "lose-answer" }, /operation: must be one of webhook\.create, /],
      [{ preset: "lose-answer", operation: "webhook.get" }, /operation: must be one of /],
      [{ preset: "lose-answer", operation: "webhook.creat" }, /operation: unknown operation/],
      [{ preset: "launch-then-409", parameters: { agent_id: "a" } }, /parameters: not path parameters/],
      [{ preset: "launch-then-409", times: 0 }, /times: /],
      [{ preset: "launch-then-409", time: 1 }, /time/],
      [{ preset: "failed-deliveries" }, /parameters: must name one object: agent_id, webhook_id/],
      [{ preset: "failed-deliveries", parameters: webhook }, /Agent a has no webhook w\./],
      [{ ...behind, parameters: { app_id: "a", flow_id: "" } }, /flow_id/],
      [{ ...behind, operation: "campaign.delete", parameters: { app_id: "a", campaign_id: "c" } }, /no campaign c\./],
    ];
    for (const [body, reason] of wrong) {
      const { status, json } = await control("POST", "presets", body);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(json.error, reason);
    }
    assert.deepEqual(waiting(), []);
  });
});

describe("Faults that wait", () => {
  const { simulator, control, ...service } = onSimulator();
  const listed = async () => ((await control("GET", "faults")).json as unknown as { faults: WaitingFault[] }).faults;
  const get = () => service.get("/api/agents/a/webhooks/w");

  it("are listed in words, with what is left of them", async () => {
    const [lost, lag] = [{ parameters: { app_id: "a" } }, { lagMilliseconds: 20_000 }];
    for (const fault of [
      { operation: "webhook.get", skip: 1, times: 2, then: { status: 500 } },
      { operation: "campaign.launch", ...lost, commit: true, then: "reset" },
      { operation: "campaign.list", ...lag },
      { operation: "test.get", times: "always", delayMilliseconds: 1_500, then: "pass" },
      { operation: "test.create", commit: true, then: "hold" },
      { operation: "test.delete", then: "hang" },
    ] as Fault[])
      simulator.fault(fault);
    const expected = (
      [
        ["webhook.get", "Answer 500 without carrying it out", 2, { skip: 1 }],
        ["campaign.launch", "Carry it out, then lose the answer", 1, lost],
        ["campaign.list", "The list lags 20 s", "always", lag],
        ["test.get", "Wait 1.5 s, then answer as usual", "always"],
        ["test.create", "Carry it out, then hold the answer back until it is released", 1],
        ["test.delete", "Never answer, and do not carry it out", 1],
      ] as [string, string, string | number, object?][]
    ).map(([operation, words, remaining, more], at) => ({ number: at + 1, operation, words, remaining, ...more }));
    assert.deepEqual(await listed(), expected);
    assert.deepEqual(simulator.waitingFaults(), expected);
    await get();
    assert.deepEqual([(await listed())[0]?.skip, (await listed())[0]?.remaining], [undefined, 2]);
    await get();
    assert.equal((await listed())[0]?.remaining, 1);
    await get();
    assert.equal((await listed())[0]?.number, 2, "it is used up");
  });

  it("are removed by their number, which is not used again", async () => {
    simulator.fault({ operation: "webhook.get", then: { status: 500 } });
    simulator.fault({ operation: "webhook.get", then: { status: 503 } });
    assert.deepEqual((await control("DELETE", "faults?number=1")).json, { removed: true });
    assert.deepEqual((await control("DELETE", "faults?number=1")).json, { removed: false });
    assert.equal((await control("DELETE", "faults?number=x")).status, 400);
    assert.equal((await get()).status, 503);
    simulator.fault({ operation: "webhook.get", then: { status: 500 } });
    assert.deepEqual(
      (await listed()).map(({ number }) => number),
      [3],
    );
    assert.equal((await control("DELETE", "faults")).status, 200);
    assert.deepEqual(await listed(), []);
  });

  it("replace the earlier lag of the same list only", async () => {
    for (const lagMilliseconds of [1_000, 2_000]) {
      simulator.fault({ operation: "webhook.list", lagMilliseconds });
      simulator.fault({ operation: "webhook.list", parameters: { agent_id: "a" }, lagMilliseconds });
      simulator.fault({ operation: "test.list", lagMilliseconds });
    }
    assert.deepEqual(
      (await listed()).map((fault) => [fault.operation, fault.parameters?.["agent_id"], fault.lagMilliseconds]),
      [
        ["webhook.list", undefined, 2_000],
        ["webhook.list", "a", 2_000],
        ["test.list", undefined, 2_000],
      ],
    );
  });
});
