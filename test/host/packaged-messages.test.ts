import assert from "node:assert/strict";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { IEngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogSeverity, type LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import * as plugins from "@pulumi/pulumi/proto/plugin_pb";
import { EngineLog } from "../../provider/pulumi/packaged/engine-log";
import { Empty, grpc } from "../../provider/pulumi/packaged/protocol";
import type { Properties } from "../../provider/pulumi/saved";
import { type Simulator, startSimulator } from "../../simulator";
import { declared } from "../support/campaigns";
import { Plugin } from "../support/plugin";
import { newRequests } from "../support/requests";

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { EngineService } = require("@pulumi/pulumi/proto/engine_grpc_pb") as { EngineService: IEngineService };

/** A line as the engine gets it. An empty URN stands for the stack. */
type Line = [severity: string, urn: string, line: string];

/** The engine's side of the log. It needs a moment to show a line, as the real one does. */
async function startEngine() {
  const engine = { lines: [] as Line[], onLine: (): void => undefined };
  const severities = Object.entries(LogSeverity);
  const log = async ({ request }: { request: LogRequest }, callback: (error: null, response: object) => void) => {
    await setTimeout(50);
    const [severity = ""] = severities.find(([, value]) => value === request.getSeverity()) ?? [];
    engine.lines.push([severity, request.getUrn(), request.getMessage()]);
    engine.onLine();
    callback(null, new Empty());
  };
  const server = new grpc.Server();
  server.addService(EngineService, { log: log as never });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  const stop = (): void => {
    server.forceShutdown();
  };
  return Object.assign(engine, { address: `127.0.0.1:${String(port)}`, stop });
}

const urn = (kind: string, name: string): string => `urn:pulumi:dev::tested::workspace-apps:index:${kind}::${name}`;

describe("Messages of the plugin", () => {
  let simulator: Simulator;
  let engine: Awaited<ReturnType<typeof startEngine>>;
  let plugin: Plugin;
  beforeEach(async () => {
    [simulator, engine] = [await startSimulator(), await startEngine()];
    plugin = new Plugin(new EngineLog(engine.address));
    await configure();
  });
  afterEach(async () => {
    engine.stop();
    await simulator.close();
  });

  const configure = () => plugin.configure({ baseUrl: simulator.url, accessToken: "full-access-token" });

  async function check(ofUrn: string, news: Properties): Promise<Properties> {
    const { inputs, problems } = await plugin.check({ urn: ofUrn, news });
    assert.deepEqual(problems, []);
    return inputs;
  }

  async function create(ofUrn: string, declaration: Properties): Promise<string> {
    return plugin.create({ urn: ofUrn, properties: await check(ofUrn, declaration) });
  }

  /** Launches a campaign as a program of another language does. */
  async function launch(): Promise<string> {
    const launchIntent = await create(urn("LaunchIntent", "intent"), { appId: declared.appId });
    return create(urn("AdCampaign", "spring"), { ...declared, launchIntent });
  }

  const forget = (name: string) =>
    plugin.delete({
      urn: urn("Webhook", name),
      properties: { agentId: "agent-1", webhookId: `wh_${name}`, deletionPolicy: "retain" },
    });
  const retained = (name: string): string =>
    `Webhook wh_${name} is retained: it is removed from the stack, not from the service.`;

  function assertShown(severity: string, at: string, words: RegExp, others: readonly RegExp[] = []): void {
    const lines = engine.lines.filter(([, , line]) => !others.some((other) => other.test(line)));
    assert.deepEqual(
      lines.map((line) => line.slice(0, 2)),
      [[severity, at]],
    );
    assert.match(lines[0]?.[2] ?? "", words);
  }

  it("are shown at their resource before its step ends, also when steps run at once", async () => {
    await Promise.all([forget("one"), forget("two")]);
    assert.deepEqual(engine.lines.toSorted(), [
      ["INFO", urn("Webhook", "one"), retained("one")],
      ["INFO", urn("Webhook", "two"), retained("two")],
    ]);
  });

  it("are warnings at their resource where the program should be changed", async () => {
    const ofUrn = urn("AdCampaign", "spring");
    await check(ofUrn, { ...declared, campaignId: "cmp_1", dailyBudgetMicros: 5 });
    assertShown("WARNING", ofUrn, /^The dailyBudgetMicros of campaign/, [/is to be adopted/]);
    assertShown("INFO", ofUrn, /^The campaign cmp_1 of app app-1 is to be adopted\. Nothing is launched/, [
      /^The dailyBudgetMicros/,
    ]);
  });

  it("announce a launch at its campaign before it is sent", async () => {
    let sentBefore: unknown[] = [];
    engine.onLine = () => {
      sentBefore = simulator.requests.map(({ operation }) => operation);
    };
    assert.equal(await launch(), "cmp_1");
    assert.ok(sentBefore.length > 0 && !sentBefore.includes("campaign.launch"), sentBefore.join());
    const spring = urn("AdCampaign", "spring");
    assertShown("INFO", spring, /^Launching .*Spring sale.* This starts spending\./, [/^The campaign .* is launched,/]);
    assertShown("INFO", spring, /^The campaign "Spring sale" .* is launched, unless it is live already/, [
      /^Launching/,
    ]);
  });

  it("that cannot be shown any more prevent a launch, and no other step", async () => {
    engine.stop();
    await forget("one");
    await assert.rejects(launch(), { message: /The command that asked for this launch has ended\./ });
    assert.ok(!newRequests(simulator).some((request) => request.startsWith("campaign.launch")));
    assert.deepEqual(simulator.objects.campaigns("app-1"), []);
  });

  it("of a look-up are shown at the stack, which has no resource for it", async () => {
    simulator.fault({ operation: "member.list", then: { status: 429, headers: { "retry-after": "60" } } });
    const interrupted = plugin.invoke("getMembers");
    while (engine.lines.length === 0) await setImmediate();
    await plugin.cancel();
    await interrupted;
    assertShown("INFO", "", /^getMembers: member\.list: waiting \d+ s for its rate limit\.$/);
  });

  it("of a look-up are warnings where its result may be wrong", async () => {
    const body = { members: [], next_cursor: null, has_more: false, total: 7 };
    simulator.fault({ operation: "member.list", then: { status: 200, body } });
    assert.equal((await plugin.invoke("getMembers")).problem, "");
    assertShown("WARNING", "", /^getMembers: The service counts 7 members but lists 0/);
  });

  it("go to the engine that attaches to a plugin which was started without one", async () => {
    plugin = new Plugin();
    const request = new plugins.PluginAttach();
    request.setAddress(engine.address);
    await plugin.attach(request);
    await configure();
    await forget("one");
    assert.deepEqual(engine.lines, [["INFO", urn("Webhook", "one"), retained("one")]]);
  });
});
