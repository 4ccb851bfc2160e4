import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { awaitedKey, secretArgumentsKey } from "../../provider/pulumi/lookup-run";
import { toStruct } from "../../provider/pulumi/packaged/properties";
import { ProviderServer } from "../../provider/pulumi/packaged/server";
import type { Properties } from "../../provider/pulumi/steps";
import { type Simulator, startSimulator } from "../../simulator";
import { asset, wholeLibrary } from "../support/assets";
import { call } from "../support/plugin";

describe("A look-up by invoke", () => {
  let simulator: Simulator;
  let plugin: ProviderServer;
  beforeEach(async () => {
    simulator = await startSimulator();
    plugin = new ProviderServer("1.0.0", undefined);
    const request = new messages.ConfigureRequest();
    request.setArgs(toStruct({ baseUrl: simulator.url, accessToken: "full-access-token" }));
    await call(plugin.handlers.configure, request);
  });
  afterEach(() => simulator.close());

  async function invoke(hidden: Properties): Promise<unknown> {
    const request = new messages.InvokeRequest();
    request.setTok("workspace-apps:index:getUserStats");
    request.setArgs(toStruct({ appId: "app-1", ...hidden }));
    const response = await call<messages.InvokeResponse>(plugin.handlers.invoke, request);
    assert.deepEqual(response?.getFailuresList(), []);
    return response.getReturn()?.toJavaScript()["activeUsers"];
  }

  it("shares its request with look-ups that waited for the same resources, also with earlier ones", async () => {
    const first = await Promise.all([invoke({ [awaitedKey]: "a" }), invoke({ [awaitedKey]: "a" })]);
    assert.deepEqual([...first, await invoke({ [awaitedKey]: "a" })], [12, 12, 12]);
    assert.equal(simulator.requests.length, 1);
    await invoke({ [awaitedKey]: "a b" });
    assert.equal(simulator.requests.length, 2);
  });

  it("sends its own request where the program does not tell what it waited for", async () => {
    assert.deepEqual(await Promise.all([invoke({}), invoke({})]), [12, 12]);
    assert.equal(simulator.requests.length, 2);
  });

  it("shows its arguments in errors only where the program tells that none is secret", async () => {
    const reason = async (hidden: Properties): Promise<string> => {
      const request = new messages.InvokeRequest();
      request.setTok("workspace-apps:index:getUserStats");
      request.setArgs(toStruct({ appId: "sesame", ...hidden }));
      simulator.fault({ operation: "userStats.get", then: { status: 404, body: {} } });
      const response = await call<messages.InvokeResponse>(plugin.handlers.invoke, request);
      return (
        response
          ?.getFailuresList()
          .map((failure) => failure.getReason())
          .join() ?? ""
      );
    };
    assert.match(await reason({ [secretArgumentsKey]: false }), /sesame/);
    for (const hidden of [{}, { [secretArgumentsKey]: true }])
      assert.match((await reason(hidden)).replace("sesame", "SHOWN"), /^getUserStats: (?!.*SHOWN).*\[value\]/s);
  });

  it("returns a whole library of 5,000 assets with 65 fields each", async () => {
    simulator.objects.setAssetLibrary("app-1", [...wholeLibrary]);
    const request = new messages.InvokeRequest();
    request.setTok("workspace-apps:index:getAdAssets");
    request.setArgs(toStruct({ appId: "app-1" }));
    const response = await call<messages.InvokeResponse>(plugin.handlers.invoke, request);
    assert.deepEqual(response?.getFailuresList(), []);
    const { library } = response.getReturn()?.toJavaScript() as { library: { fields: unknown }[] };
    assert.deepEqual([library.length, library.at(-1)?.fields], [5_000, asset]);
  });

  it("ends its waits when the command is interrupted", async () => {
    simulator.fault({ operation: "userStats.get", then: { status: 429, headers: { "retry-after": "60" } } });
    const request = new messages.InvokeRequest();
    request.setTok("workspace-apps:index:getUserStats");
    request.setArgs(toStruct({ appId: "app-1" }));
    const asked = call<messages.InvokeResponse>(plugin.handlers.invoke, request);
    while (simulator.requests.length === 0) await setImmediate();
    await call(plugin.handlers.cancel, {});
    const failures = (await asked)?.getFailuresList().map((failure) => failure.getReason()) ?? [];
    assert.match(failures.join("\n"), /^getUserStats: userStats\.get failed: .*The command was interrupted\./s);
    assert.equal(simulator.requests.length, 1);
  });
});
