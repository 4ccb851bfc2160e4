import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import fc from "fast-check";
import { format } from "prettier";
import ts from "typescript";
import { adopt } from "../../cli/adopt/run";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { changedArguments } from "../../provider/pulumi/changed-arguments";
import { placeKey } from "../../provider/pulumi/hidden-inputs";
import { stepsOf } from "../../provider/pulumi/steps";
import { packagedTypePrefix, typePrefix } from "../../provider/pulumi/urn";
import { type KindName, kinds } from "../../provider/registry";
import { micros } from "../../provider/resources/ad-campaign/micros";
import { assignedByService } from "../../provider/resources/entity-record/record";
import { isSerializable } from "../../provider/serializable";
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

  /** Runs the program, and returns its declarations. */
  const declaredBy = (program: string, secrets: Readonly<Record<string, string>> = {}): Declared[] => {
    const { outputText } = ts.transpileModule(program, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
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
    const refresh = bench.later();
    const adopted = [];
    for (const { kind, name, args } of declared) {
      const lifecycle = kinds[kind];
      const { check } = dynamicProvider(lifecycle, () => bench);
      const failures = (await check?.({}, { ...args, [placeKey]: `p/s/${name}` }))?.failures;
      assert.deepEqual(failures, [], `${kind} ${name} is refused`);
      const state = await driven(lifecycle).create(args, bench);
      adopted.push({ kind, args, lifecycle, state });
    }
    const reads = adopted.map(({ lifecycle, state }) => driven(lifecycle).read(state, refresh));
    for (const [index, { kind, args, lifecycle, state }] of adopted.entries()) {
      assert.deepEqual(await reads[index], state, `${kind} has drifted`);
      const inputs = lifecycle.inputs.parse(args);
      assert.deepEqual(changedArguments(lifecycle, state, inputs), [], `a preview of ${kind} has changes`);
      await driven(lifecycle).delete(state, bench.later());
    }
    assert.deepEqual(writes(), []);
  };

  it("declares any workspace so that the first up, a refresh, a preview and a destroy send no write", async () => {
    const json = fc
      .jsonValue({ maxDepth: 3, noUnicodeString: false })
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
      // Another test shows what happens to a name such as toString.
      .filter(isSerializable);
    const secretUrl = "https://b.example/?token=0123456789";
    const url = fc.constantFrom("https://hooks.example.com/a", secretUrl, "https://c.example");
    const name = fc.oneof(fc.constantFrom("Spring", "Spring "), fc.string({ minLength: 1, maxLength: 30 }));
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
          campaign_name: name.filter((name) => name.trim() !== ""),
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
        const ofEach = [webhooks, [...campaigns, ...tests, ...findings], records, apps];
        assert.equal(code, ofEach.some(({ length }) => length === 0) ? 1 : 0, err);
        assert.equal(out, await format(out, { parser: "typescript" }));
        const secrets = Object.fromEntries(
          [...out.matchAll(/requireSecret\(\s*"(.*)"/g)].map(([, key = ""]) => [key, secretUrl]),
        );
        const declared = declaredBy(out, secrets);
        const live = campaigns.filter(({ status }) => status !== "REMOVED");
        const expected = [webhooks, live, records, tests, findings, apps].reduce((sum, { length }) => sum + length, 0);
        assert.equal(declared.length, expected);
        assert.equal(new Set(declared.map(({ kind, name }) => `${kind} ${name}`)).size, expected, "names are unique");
        await assertAdopted(declared);
        assert.doesNotMatch(out + err, /0123456789/);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  const webhookIds = (program: string) => declaredBy(program).map(({ args }) => args["webhookId"]);
  const resource = (type: string, id: string, outputs: object, name = "n") => ({
    urn: `urn:pulumi:dev::p::${type.includes(":") ? type : typePrefix + type}::${name}`,
    id,
    outputs,
  });
  /** The options that leave out the resources of a stack. */
  const excluding = (...resources: object[]): string[] => {
    const state = join(folder, `${randomUUID()}.json`);
    writeFileSync(state, JSON.stringify({ version: 3, deployment: { resources } }));
    return ["--exclude", state];
  };

  it("leaves out what a stack has, and says so", async () => {
    const { objects } = bench.simulator;
    objects.putWebhook("agent", { id: "w1" });
    objects.putWebhook("agent", { id: "w2" });
    objects.putTest("app", { id: "f1" });
    const hidden = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" };
    const first = resource("Webhook", "w1", { agentId: "agent" });
    const others = [resource("Webhook", "w2", { agentId: "other" }), resource("TestFlow", "f1", { appId: hidden })];
    const both = ["--agent", "agent", "--app", "app"];
    const { code, out } = await run([...both, ...excluding(first, ...others)]);
    assert.deepEqual([code, webhookIds(out)], [0, ["w2"]]);
    const all = [first, resource("Webhook", "w2", { agentId: "agent" }), resource("TestFlow", "f1", {})];
    const { out: none, err } = await run([...both, ...excluding(...all)]);
    assert.equal(none, "");
    assert.match(err, /The stack manages everything that was found/);
    const empty = await run([...both, "--entity", "app/TaxRat", ...excluding(...all)]);
    assert.match(empty.err, /No program is written: nothing is left to declare\. The problems are listed above\./);
  });

  it("writes the file for pulumi import with --format import: the same objects, by their ids", async () => {
    const { objects } = bench.simulator;
    objects.putWebhook("agent", { id: "w1", description: "Orders", target_url: "https://b.example/?token=0123456789" });
    objects.putCampaign("app", { id: "c1", campaign_name: "Orders" });
    objects.putCampaign("app", { id: "c2", campaign_name: "Orders", created_date: "2025-12-31T00:00:00.000Z" });
    objects.putCampaign("app", { id: "c3", status: "REMOVED" });
    objects.putRecord("app", "TaxRate", { id: "r1", country: "DE" });
    objects.putTest("app", { id: "f1" });
    objects.setScan("app", { ignored_fingerprints: ["fp"] });
    objects.addFolderItem("folder", "app-x");
    const { code, out, err } = await run([...everything, "--format", "import"]);
    assert.equal(code, 0, err);
    const file = JSON.parse(out) as { resources: { type: string; name: string; id: string }[] };
    assert.deepEqual(Object.keys(file), ["nameTable", "resources"]);
    assert.deepEqual(
      file.resources.map(({ type, id }) => [type, id]),
      [
        ["workspace-apps:index:Webhook", "agent/w1"],
        ["workspace-apps:index:AdCampaign", "app/c1"],
        ["workspace-apps:index:AdCampaign", "app/c2"],
        ["workspace-apps:index:TestFlow", "app/f1"],
        ["workspace-apps:index:IgnoredFinding", "app/fp"],
        ["workspace-apps:index:FolderMembership", "folder/app-x"],
        ["workspace-apps:index:EntityRecord", "app/TaxRate/r1"],
      ],
    );
    const program = declaredBy((await run()).out, { "orders-target-url": "https://b.example" });
    assert.deepEqual(
      file.resources.map(({ name }) => name),
      program.map(({ name }) => name),
    );
    assert.equal(new Set(file.resources.map(({ type, name }) => `${type} ${name}`)).size, 7);
    assert.match(err, /7 objects declared\.\n/);
    assert.match(err, /These objects may hold keys, .*: orders\. Move those to the configuration/);
    assert.match(err, /Run `pulumi import --file import\.json` in a stack of the packaged form\./);
    assert.doesNotMatch(out + err, /0123456789/);
    assert.deepEqual(writes(), []);
    for (const { type, id } of file.resources) await assertImportable(type, id);
    assert.deepEqual(writes(), []);
  });

  /** Imports the object as the packaged form would. */
  const assertImportable = async (type: string, id: string): Promise<void> => {
    const lifecycle = kinds[type.slice(packagedTypePrefix.length) as KindName];
    const { outputs } = await stepsOf(lifecycle).import(id, bench);
    assert.equal(outputs["origin"], "adopted");
  };

  it("says which objects cannot be imported, and leaves out what a stack has", async () => {
    const { objects } = bench.simulator;
    objects.putWebhook("agent", { id: "w/1" });
    objects.putWebhook("agent", { id: "w2" });
    const importing = ["--agent", "agent", "--format", "import"];
    const { code, out, err } = await run(importing);
    assert.equal(code, 1);
    assert.match(out, /"id": "agent\/w2"/);
    assert.match(
      err,
      /Webhook w\/1 \(webhooks of agent agent\) is not declared: an id with a slash cannot be imported\./,
    );
    const managed = ["w/1", "w2"].map((id) => resource("Webhook", id, { agentId: "agent" }));
    const rest = await run([...importing, ...excluding(...managed)]);
    assert.deepEqual([rest.code, rest.out], [0, ""]);
    assert.match(rest.err, /The stack manages everything that was found, so no file is written\./);
  });

  it("reads a list to its end, and waits where the service asks for it", async () => {
    const { objects } = bench.simulator;
    const rows = ["w1", "w2"].map((id) => objects.putWebhook("agent", { id }));
    const before = bench.clock.now();
    for (const then of [
      { status: 429, headers: { "retry-after": "7" } },
      { status: 200, body: { webhooks: rows.slice(0, 1), has_more: true, next_cursor: "second" } },
      { status: 200, body: { webhooks: rows.slice(1), has_more: false } },
    ])
      bench.simulator.fault({ operation: "webhook.list", then });
    const { code, out } = await run(["--agent", "agent"]);
    assert.deepEqual([code, webhookIds(out)], [0, ["w1", "w2"]]);
    assert.ok(bench.clock.now() - before >= 7_000);
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

  it("names the ids without any object, which may be misspelled, and exits with 1", async () => {
    const { objects } = bench.simulator;
    objects.putWebhook("agent", { id: "w1" });
    objects.putCampaign("app", { status: "REMOVED" });
    const wrong = ["--agent", "agnet", "--app", "ap", "--folder", "foldr", "--entity", "app/TaxRat"];
    const { code, out, err } = await run(["--agent", "agent", "--app", "app", ...wrong]);
    assert.deepEqual([code, webhookIds(out)], [1, ["w1"]]);
    assert.deepEqual(
      [...err.matchAll(/Nothing of (.*) was found\. Check its id\./g)].map(([, parent]) => parent),
      ["agent agnet", "app ap", "folder foldr", "entity app/TaxRat"],
    );
  });

  it("does not declare what this package would refuse, says why, and exits with 1", async () => {
    const { objects } = bench.simulator;
    objects.putWebhook("agent", { id: "w1", target_url: "http://10.0.0.1/" });
    objects.putCampaign("app", { id: "c1", daily_budget_micros: 0 });
    const { code, out, err } = await run();
    assert.equal(code, 1);
    assert.equal(out, "");
    assert.match(err, /Webhook w1 \(webhooks of agent agent\) is not declared: targetUrl /);
    assert.match(err, /AdCampaign c1 \(campaigns of app app\) is not declared: dailyBudgetMicros /);
    assert.match(err, /No program is written: nothing could be declared\. The problems are listed above\.\n$/);
  });

  it("leaves alone the fields that a program cannot hold", async () => {
    const rows = String.raw`[{"id": "r1", "serial": 9007199254740993, "name": "A", "toString": "x", "text": "\ud800", "@ts-ignore": "04da6b54-80e4-46f7-96ec-b56ff0331ba9"}]`;
    bench.simulator.fault({
      operation: "record.list",
      then: { status: 200, body: rows, headers: { "content-type": "application/json" } },
    });
    const { code, out, err } = await run(["--entity", "app/TaxRate"]);
    assert.equal(code, 1);
    assert.deepEqual(declaredBy(out)[0]?.args["fields"], { name: "A" });
    assert.match(out, /\/\/ Left out, .*: serial,\n\/\/ toString, text, @ ts-ignore\./s);
    assert.match(err, /EntityRecord r1 \(TaxRate records of app app\) is declared in part\. Left out, .*: serial/);
  });

  it("declares a campaign without the ending of its launch, and never whether it is paused", async () => {
    const { objects } = bench.simulator;
    objects.putCampaign("app", { id: "cmp_1", campaign_name: "Spring sale-1f0c9a23b7c4", status: "PAUSED" });
    objects.putCampaign("app", { id: "cmp_2", campaign_name: "Summer sale-1F0C9A23B7C4" });
    const { out } = await run(["--app", "app"]);
    const declared = declaredBy(out);
    assert.deepEqual(
      declared.map(({ name, args }) => [name, args["campaignName"], args["campaignId"]]),
      [
        ["spring-sale", "Spring sale", "cmp_1"],
        ["summer-sale-1f0c9a23b7c4", "Summer sale-1F0C9A23B7C4", "cmp_2"],
      ],
    );
    assert.ok(declared.every(({ args }) => !("paused" in args)));
    assert.equal(out.match(/Nobody knows whose pause it is/g)?.length, 1);
  });

  it("excludes a campaign whose launch was confirmed later, and gives no name that the stack has", async () => {
    const { objects } = bench.simulator;
    objects.putCampaign("app", { id: "cmp_1", campaign_name: "Spring" });
    objects.putCampaign("app", { id: "cmp_2", campaign_name: "Spring", created_date: "2025-12-31T00:00:00.000Z" });
    const outputs = { appId: "app", campaignId: "cmp_1" };
    const confirmed = resource("AdCampaign", "unconfirmed Spring", outputs, "spring");
    const { out } = await run(["--app", "app", ...excluding(confirmed)]);
    assert.deepEqual(
      declaredBy(out).map(({ name, args }) => [name, args["campaignId"]]),
      [["spring-cmp-2", "cmp_2"]],
    );
    assert.match(out, /\/\/ Created 2025-12-31T00:00:00\.000Z\./);
  });

  it("reads a webhook by itself where the list leaves out what must be declared", async () => {
    const fields = { id: "w1", description: "Orders", disabled_at: "2026-01-01T00:00:00Z" };
    const { description: _, disabled_at: __, ...row } = bench.simulator.objects.putWebhook("agent", fields);
    bench.simulator.fault({ operation: "webhook.list", then: { status: 200, body: [row] } });
    const { out } = await run(["--agent", "agent"]);
    const declared = declaredBy(out);
    assert.deepEqual(
      declared.map(({ args }) => [args["description"], args["enabled"]]),
      [["Orders", false]],
    );
    await assertAdopted(declared);
  });

  it("says of a webhook with a mark that a command left it, and who takes it over", async () => {
    bench.simulator.objects.putWebhook("agent", { id: "w1", description: "Orders [pulumi:1f0c9a2-4b8d]" });
    bench.simulator.objects.putWebhook("agent", { id: "w2", description: "Orders" });
    const { out } = await run(["--agent", "agent"]);
    assert.equal(out.replace(/\s+\/\/ /g, " ").split("A create that was not finished left it").length, 2, out);
    await assertAdopted(declaredBy(out));
  });

  it("declares the other webhooks where one cannot be read", async () => {
    const { description, disabled_at, ...row } = bench.simulator.objects.putWebhook("agent", { id: "w1" });
    assert.deepEqual([description, disabled_at], [null, null]);
    const other = bench.simulator.objects.putWebhook("agent", { id: "w2" });
    bench.simulator.fault({ operation: "webhook.list", then: { status: 200, body: [row, other] } });
    bench.simulator.fault({ operation: "webhook.get", then: { status: 403 } });
    const { code, out, err } = await run(["--agent", "agent"]);
    assert.deepEqual([code, webhookIds(out)], [1, ["w2"]]);
    assert.match(err, /Webhook w1 of agent agent could not be read\. webhook\.get failed: the service answered 403/);
    assert.match(err, /1 object declared\. See above for the rest\./);
  });

  it("does not declare what the settings refuse", async () => {
    bench.simulator.objects.putCampaign("app", { id: "c1", daily_budget_micros: 5_000_000 });
    const { code, err } = await run(["--app", "app"], { WORKSPACE_APPS_MAX_DAILY_BUDGET_MICROS: "4000000" });
    assert.equal(code, 1);
    assert.match(err, /AdCampaign c1 .* is not declared: dailyBudgetMicros is 5\.00 a day, above the limit/);
  });

  it("prints no key that a target URL or a description may hold, and nothing of a record but its fields", async () => {
    const keys = [
      "https://hooks.slack.com/services/TABCDEFGH/BABCDEFGH/abcdefghijklmnopqrstuvwx",
      "https://hooks.zapier.com/hooks/catch/1234567/b9xk2qa/",
      "https://hooks.example.com/#token=0123456789abcdef",
      "https://hooks.example.com/?k=abc1234",
      "https://hooks.example.com/in/a1b2c3d4e5f6",
      "https://eo1abcdefgh23.m.pipedream.net/",
      "https://user:pass@hooks.example.com/",
      "https://hooks.example.com/in/xkqzjwvbnmrtplk",
      "https://hooks.example.com/sk-live-abcdefghijklmno-pqrstuvwxyz",
    ];
    bench.simulator.objects.putWebhook("agent", { description: "See https://b.example/?key=SECRETDESC", id: "w9" });
    for (const target_url of keys) bench.simulator.objects.putWebhook("agent", { target_url });
    bench.simulator.objects.putRecord("app", "TaxRate", { key: "sk_live_51Habcdef", email: "a@example.com" });
    const { out, err } = await run();
    assert.doesNotMatch(
      out + err,
      /abcdefghijkl|b9xk2qa|0123456789|abc1234|a1b2c3|eo1abc|user|pass@|xkqz|sk-live|SECRETDESC/,
    );
    assert.match(err, /These values may hold keys, .* fails without them\. Copy them from the service:\n/);
    assert.equal(err.match(/pulumi config set --secret /g)?.length, 9);
    assert.match(out, /\/\/ Its description may hold a key:\n\/\/ pulumi config set --secret [\w-]+-description\n/);
    const records = declaredBy(out, new Proxy({}, { get: () => "https://x.example" })).filter(
      ({ kind }) => kind === "EntityRecord",
    );
    assert.deepEqual(
      records.map(({ name }) => name),
      ["record-rec-1"],
    );
  });

  const namesBy = async (argument: string) =>
    Object.fromEntries(declaredBy((await run()).out).map(({ name, args }) => [String(args[argument]), name]));

  it("keeps the names of older objects when others are added", async () => {
    const { objects } = bench.simulator;
    objects.putWebhook("agent", { id: "w2", description: "Orders", created_date: "2025-01-02T00:00:00.000Z" });
    assert.deepEqual(await namesBy("webhookId"), { w2: "orders" });
    objects.putWebhook("agent", { id: "w1", description: "orders!", created_date: "2025-01-03T00:00:00.000Z" });
    assert.deepEqual(await namesBy("webhookId"), { w2: "orders", w1: "orders-w1" });
    const unnamed = { description: null, target_url: "https://hooks.example.com/" };
    objects.putWebhook("agent", { id: "w0", ...unnamed, created_date: "2025-01-04T00:00:00.000Z" });
    assert.deepEqual(await namesBy("webhookId"), { w2: "orders", w1: "orders-w1", w0: "hooks-example-com" });
  });

  it("tells objects with long ids apart, and keeps their names when others are added", async () => {
    const { objects } = bench.simulator;
    const long = (first: string) => first + "ab".repeat(31);
    objects.setScan("app", { ignored_fingerprints: [long("11"), long("22")] });
    const before = await namesBy("fingerprint");
    assert.deepEqual(before, { [long("11")]: `app-${long("11")}`, [long("22")]: `app-${long("22")}` });
    objects.setScan("app", { ignored_fingerprints: [long("22"), long("00"), long("11")] });
    assert.deepEqual(await namesBy("fingerprint"), { ...before, [long("00")]: `app-${long("00")}` });
  });

  it("leaves out what several stacks have, in either form and under a component", async () => {
    for (const id of ["w1", "w2", "w3"]) bench.simulator.objects.putWebhook("agent", { id });
    const types = { w1: "Webhook", w3: `my:index:Shop$${packagedTypePrefix}Webhook` };
    const files = Object.entries(types).flatMap(([id, type]) => excluding(resource(type, id, { agentId: "agent" })));
    assert.deepEqual(webhookIds((await run(["--agent", "agent", ...files])).out), ["w2"]);
  });

  it("writes a new file, and never over one", async () => {
    bench.simulator.objects.putWebhook("agent", { id: "w1" });
    const file = join(folder, "adopted.ts");
    const { code, out } = await run(["--agent", "agent", "--out", file]);
    assert.deepEqual([code, out], [0, ""]);
    assert.match(readFileSync(file, "utf8"), /^import \* as apps from "pulumi-workspace-apps";\n/);
    await assert.rejects(run(["--agent", "agent", "--out", file]), /--out: .*adopted\.ts exists already\. Choose/);
    await assert.rejects(run(["--agent", "agent", "--out", join(folder, "no", "x.ts")]), /there is no folder/);
  });

  it("shows progress on a terminal, and only there", async () => {
    const { err } = await run(everything, {}, true);
    assert.match(err, /reading the webhooks of agent agent \(1 of 6\)\n.*\(6 of 6\)/s);
    assert.doesNotMatch((await run()).err, /reading/);
  });

  it("refuses wrong usage", async () => {
    const [missing, plan] = [join(folder, "none.json"), join(folder, "plan.json")];
    writeFileSync(plan, "{}");
    const agent = ["--agent", "a"];
    for (const [args, message] of [
      [[], /at least one --agent, --app, --folder or --entity/],
      [["--entity", "TaxRate"], /--entity must be APP\/ENTITY/],
      [["--entity", "a/User"], /not be User/],
      [["--agent", ".."], /--agent /],
      [[...agent, "--out", "x.ts", "--out", "y.ts"], /Give --out once/],
      [[...agent, "--format", "yaml"], /--format must be one of program, import\./],
      [[...agent, "--format", "import", "--format", "program"], /Give --format once/],
      [[...agent, "--exclude", missing], /--exclude: cannot read/],
      [[...agent, "--exclude", plan], /is not a state/],
    ] as const)
      await assert.rejects(run(args), message);
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
  return !assignedByService.includes(name) && !(name in {});
}
