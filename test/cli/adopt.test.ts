import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import fc from "fast-check";
import ts from "typescript";
import { adopt } from "../../cli/adopt/run";
import { changedArguments } from "../../provider/pulumi/diff";
import { type KindName, kinds } from "../../provider/registry";
import { micros } from "../../provider/resources/ad-campaign/micros";
import { isRead } from "../../provider/service/operations";
import { type Bench, driven, startBench } from "../support/deployment";

interface Declared {
  readonly kind: KindName;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

const everything = ["--agent", "agent", "--app", "app", "--folder", "folder", "--entity", "app/TaxRate"];

describe("workspace-apps adopt", () => {
  let bench: Bench;
  let folder: string;
  beforeEach(async () => {
    bench = await startBench();
    folder = mkdtempSync(join(tmpdir(), "adopt-"));
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await bench.close();
  });

  const run = async (args: readonly string[] = everything, settings: NodeJS.ProcessEnv = {}, isTerminal = false) => {
    const printed = { out: "", err: "" };
    const environment = {
      WORKSPACE_APPS_BASE_URL: bench.simulator.url,
      WORKSPACE_APPS_ACCESS_TOKEN: "full-access-token",
      ...settings,
    };
    const code = await adopt(
      [...args],
      { out: (text) => (printed.out += text), err: (text) => (printed.err += text) },
      { environment, clock: bench.clock, isTerminal },
    );
    return { code, ...printed };
  };
  const writes = (): string[] =>
    bench.simulator.requests.flatMap(({ operation, method }) =>
      operation !== undefined && isRead(operation, method) ? [] : [String(operation)],
    );

  /** What the program declares, by running it. */
  const declaredBy = (program: string, secrets: Readonly<Record<string, string>> = {}): Declared[] => {
    const { outputText } = ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
    const declared: Declared[] = [];
    const apps = new Proxy(
      {},
      {
        get: (_, kind: string) =>
          kind === "micros"
            ? micros
            : function (name: string, args: Record<string, unknown>) {
                declared.push({ kind: kind as KindName, name, args });
              },
      },
    );
    const Config = class {
      requireSecret(key: string): string {
        return secrets[key] ?? assert.fail(`${key} is not set`);
      }
    };
    const modules: Record<string, unknown> = { "@pulumi/pulumi": { Config }, "pulumi-workspace-apps": apps };
    const run = runInThisContext(`(require, exports) => {${outputText}}`) as (
      require: (name: string) => unknown,
      exports: object,
    ) => void;
    run((name) => modules[name], {});
    return declared;
  };

  /** Runs the program as the first `up` would, then a refresh and a preview, then a destroy. */
  const assertAdopted = async (declared: readonly Declared[]): Promise<void> => {
    for (const { kind, args } of declared) {
      const { lifecycle } = kinds[kind];
      const resource = driven(lifecycle);
      const state = await resource.create(args, bench);
      const read = await resource.read(state, bench.later());
      assert.deepEqual(read, state, `${kind} has drifted`);
      const inputs = lifecycle.inputs.parse(args);
      assert.deepEqual(changedArguments(lifecycle, state, inputs), [], `a preview of ${kind} has changes`);
      await resource.delete(state, bench.later());
    }
    assert.deepEqual(writes(), []);
  };

  it("declares any workspace so that the first up, a refresh, a preview and a destroy send no write", async () => {
    const json = fc
      .jsonValue({ maxDepth: 3, noUnicodeString: false })
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    const url = fc.constantFrom(
      "https://hooks.example.com/a",
      "https://b.example/?token=0123456789",
      "https://c.example",
    );
    const workspace = fc.record({
      webhooks: fc.array(
        fc.record({
          target_url: url,
          events: fc.subarray(["message.created", "message.completed"], { minLength: 1 }),
          description: fc.option(fc.string({ unit: "grapheme", maxLength: 60 })),
          disabled_at: fc.option(fc.constant("2026-01-01T00:00:00.000Z")),
          has_secret: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
      campaigns: fc.array(
        fc.record({
          campaign_name: fc.string({ minLength: 1, maxLength: 30 }).filter((name) => name.trim() !== ""),
          status: fc.constantFrom("ENABLED", "PAUSED", "REMOVED", "PENDING"),
          daily_budget_micros: fc.integer({ min: 1, max: 2_000_000_000 }),
          landing_page: fc.constantFrom("https://shop.example.com/", "https://shop.example.com/sale?x=1"),
          geo_targets: fc.subarray(["geo/1", "geo/2"]),
          phone_number: fc.constantFrom("", "+49 30 1234567"),
        }),
        { maxLength: 3 },
      ),
      records: fc.array(
        fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }).filter(isField), json, { maxKeys: 5 }),
        { maxLength: 3 },
      ),
      tests: fc.array(fc.dictionary(fc.constantFrom("name", "steps", "title"), json, { maxKeys: 3 }), { maxLength: 2 }),
      findings: fc.uniqueArray(fc.stringMatching(/^[a-f0-9]{1,12}$/), { maxLength: 3 }),
      apps: fc.uniqueArray(fc.stringMatching(/^app-[a-z]{1,5}$/), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(workspace, async ({ webhooks, campaigns, records, tests, findings, apps }) => {
        await bench.close();
        bench = await startBench();
        const { objects } = bench.simulator;
        for (const webhook of webhooks) objects.putWebhook("agent", webhook);
        for (const campaign of campaigns) objects.putCampaign("app", campaign);
        for (const record of records) objects.putRecord("app", "TaxRate", record);
        for (const definition of tests) objects.putTest("app", { definition });
        objects.setScan("app", { ignored_fingerprints: findings });
        for (const app of apps) objects.addFolderItem("folder", app);
        const { code, out, err } = await run();
        assert.equal(code, 0, err);
        const secrets = Object.fromEntries(
          [...out.matchAll(/requireSecret\("(.*)"\)/g)].map(([, key = ""]) => [
            key,
            "https://b.example/?token=0123456789",
          ]),
        );
        const declared = declaredBy(out, secrets);
        const live = campaigns.filter(({ status }) => status !== "REMOVED");
        const expected = [webhooks, live, records, tests, findings, apps].reduce((sum, { length }) => sum + length, 0);
        assert.equal(declared.length, expected);
        assert.equal(new Set(declared.map(({ kind, name }) => `${kind} ${name}`)).size, expected, "names are unique");
        await assertAdopted(declared);
        assert.doesNotMatch(out + err, /0123456789/);
      }),
      { numRuns: 60 },
    );
  });

  it("leaves out what a stack has, and says so", async () => {
    const { objects } = bench.simulator;
    objects.putWebhook("agent", { id: "w1" });
    objects.putWebhook("agent", { id: "w2" });
    objects.putTest("app", { id: "f1" });
    const state = join(folder, "state.json");
    const resource = (kind: string, id: string, outputs: object) => ({
      urn: `urn:pulumi:dev::p::pulumi-nodejs:dynamic/workspace-apps:${kind}::n`,
      id,
      outputs,
    });
    const hidden = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" };
    const resources = [
      resource("Webhook", "w1", { agentId: "agent" }),
      resource("Webhook", "w2", { agentId: "other" }),
      resource("TestFlow", "f1", { appId: hidden }),
    ];
    writeFileSync(state, JSON.stringify({ version: 3, deployment: { resources } }));
    const { code, out } = await run([...everything, "--exclude", state]);
    assert.equal(code, 0);
    assert.deepEqual(
      declaredBy(out).map(({ args }) => args["webhookId"]),
      ["w2"],
    );
    writeFileSync(
      state,
      JSON.stringify({
        version: 3,
        deployment: {
          resources: [
            ...resources.slice(0, 1),
            resource("Webhook", "w2", { agentId: "agent" }),
            resource("TestFlow", "f1", {}),
          ],
        },
      }),
    );
    assert.match((await run([...everything, "--exclude", state])).err, /Nothing was found that is not excluded/);
  });

  it("declares the rest where a list cannot be read, says which, and exits with 1", async () => {
    bench.simulator.objects.putWebhook("agent", { id: "w1" });
    bench.simulator.fault({ operation: "test.list", times: "always", then: { status: 403, body: { detail: "no" } } });
    bench.simulator.fault({ operation: "scan.get", times: "always", then: { status: 200, body: { status: "none" } } });
    const { code, out, err } = await run();
    assert.equal(code, 1);
    assert.equal(declaredBy(out).length, 1);
    assert.match(err, /The tests of app app could not be read\. test\.list failed: the service answered 403\./);
    assert.match(err, /The ignored findings of app app could not be read\. .*no ignored_fingerprints/);
  });

  it("does not declare what this package would refuse, says why, and exits with 1", async () => {
    const { objects } = bench.simulator;
    objects.putWebhook("agent", { id: "w1", target_url: "http://10.0.0.1/" });
    objects.putCampaign("app", { id: "c1", daily_budget_micros: 0 });
    const { code, out, err } = await run();
    assert.equal(code, 1);
    assert.deepEqual(declaredBy(out), []);
    assert.match(err, /Webhook w1 of agent is not declared: targetUrl /);
    assert.match(err, /AdCampaign c1 of app is not declared: dailyBudgetMicros /);
  });

  it("leaves alone the fields that a program cannot hold", async () => {
    const rows = '[{"id": "r1", "serial": 9007199254740993, "name": "A", "toString": "x"}]';
    bench.simulator.fault({
      operation: "record.list",
      then: { status: 200, body: rows, headers: { "content-type": "application/json" } },
    });
    const { code, out } = await run(["--entity", "app/TaxRate"]);
    assert.equal(code, 0);
    assert.deepEqual(declaredBy(out)[0]?.args["fields"], { name: "A" });
    assert.match(out, /\/\/ Not declared, .*: serial, toString\./s);
  });

  it("keeps the names of older objects when others are added", async () => {
    const { objects } = bench.simulator;
    objects.putWebhook("agent", { id: "w2", description: "Orders", created_date: "2025-01-02T00:00:00.000Z" });
    const namesNow = async () =>
      Object.fromEntries(declaredBy((await run()).out).map(({ name, args }) => [String(args["webhookId"]), name]));
    assert.deepEqual(await namesNow(), { w2: "orders" });
    objects.putWebhook("agent", { id: "w1", description: "orders!", created_date: "2025-01-03T00:00:00.000Z" });
    assert.deepEqual(await namesNow(), { w2: "orders", w1: "orders-w1" });
    objects.putWebhook("agent", {
      id: "w0",
      description: null,
      target_url: "https://hooks.example.com/",
      created_date: "2025-01-04T00:00:00.000Z",
    });
    assert.deepEqual(await namesNow(), { w2: "orders", w1: "orders-w1", w0: "hooks-example-com" });
  });

  it("writes a new file, and never over one", async () => {
    bench.simulator.objects.putWebhook("agent", { id: "w1" });
    const file = join(folder, "adopted.ts");
    const { code, out } = await run(["--agent", "agent", "--out", file]);
    assert.deepEqual([code, out], [0, ""]);
    assert.match(readFileSync(file, "utf8"), /^import \* as apps from "pulumi-workspace-apps";\n/);
    await assert.rejects(run(["--agent", "agent", "--out", file]), /--out: .*adopted\.ts exists already\./);
    await assert.rejects(run(["--agent", "agent", "--out", join(folder, "no", "x.ts")]), /cannot write .*ENOENT/);
  });

  it("shows progress on a terminal, and only there", async () => {
    const { err } = await run(everything, {}, true);
    assert.match(err, /reading the webhooks of agent agent \(1 of 6\)\n.*\(6 of 6\)/s);
    assert.doesNotMatch((await run()).err, /reading/);
  });

  it("refuses wrong usage", async () => {
    await assert.rejects(run([]), /at least one --agent, --app, --folder or --entity/);
    await assert.rejects(run(["--entity", "TaxRate"]), /--entity must be APP\/ENTITY/);
    await assert.rejects(run(["--entity", "a/User"]), /not be User/);
    await assert.rejects(run(["--agent", ".."]), /--agent /);
    await assert.rejects(run(["--agent", "a", "--exclude", join(folder, "none.json")]), /--exclude: cannot read/);
    writeFileSync(join(folder, "plan.json"), "{}");
    await assert.rejects(run(["--agent", "a", "--exclude", join(folder, "plan.json")]), /is not a state/);
    assert.equal(bench.simulator.requests.length, 0);
  });

  it("says which settings are missing", async () => {
    await assert.rejects(run(everything, { WORKSPACE_APPS_BASE_URL: undefined }), /WORKSPACE_APPS_BASE_URL/);
  });

  it("calls no assumed operation with documentedOnly, and says how to set one", async () => {
    const { code, err } = await run(["--agent", "agent"], { WORKSPACE_APPS_DOCUMENTED_ONLY: "true" });
    assert.equal(code, 1);
    assert.match(err, /webhook\.list/);
    assert.equal(bench.simulator.requests.length, 0);
  });
});

/** Names that a program can hold, and that the service does not assign. */
function isField(name: string): boolean {
  return (
    !["id", "created_date", "updated_date", "created_by", "created_by_id", "is_sample"].includes(name) && !(name in {})
  );
}
