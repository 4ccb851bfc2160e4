import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { awaitedKey, secretArgumentsKey } from "../../provider/pulumi/lookup-run";
import type { Properties } from "../../provider/pulumi/saved";
import { type Simulator, startSimulator } from "../../simulator";
import { asset, wholeLibrary } from "../support/assets";
import { Plugin } from "../support/plugin";

describe("A look-up by invoke", () => {
  let simulator: Simulator;
  let plugin: Plugin;
  beforeEach(async () => {
    simulator = await startSimulator();
    plugin = new Plugin();
    await plugin.configure({ baseUrl: simulator.url, accessToken: "full-access-token" });
  });
  afterEach(() => simulator.close());

  async function activeUsers(hidden: Properties): Promise<unknown> {
    const { result, problem } = await plugin.invoke("getUserStats", { appId: "app-1", ...hidden });
    assert.equal(problem, "");
    return result["activeUsers"];
  }

  it("shares its request with look-ups that waited for the same resources, also with earlier ones", async () => {
    const first = await Promise.all([activeUsers({ [awaitedKey]: "a" }), activeUsers({ [awaitedKey]: "a" })]);
    assert.deepEqual([...first, await activeUsers({ [awaitedKey]: "a" })], [12, 12, 12]);
    assert.equal(simulator.requests.length, 1);
    await activeUsers({ [awaitedKey]: "a b" });
    assert.equal(simulator.requests.length, 2);
  });

  it("sends its own request where the program does not tell what it waited for", async () => {
    assert.deepEqual(await Promise.all([activeUsers({}), activeUsers({})]), [12, 12]);
    assert.equal(simulator.requests.length, 2);
  });

  for (const { hidden, isShown } of [
    { hidden: { [secretArgumentsKey]: false }, isShown: true },
    { hidden: { [secretArgumentsKey]: true }, isShown: false },
    { hidden: {}, isShown: false },
  ])
    it(`${isShown ? "shows" : "hides"} its arguments in errors for ${JSON.stringify(hidden)}`, async () => {
      simulator.fault({ operation: "userStats.get", then: { status: 404, body: {} } });
      const { problem } = await plugin.invoke("getUserStats", { appId: "sesame", ...hidden });
      assert.match(problem, isShown ? /^getUserStats: .*sesame/s : /^getUserStats: .*message hidden/s);
      assert.equal(problem.includes("sesame"), isShown);
    });

  it("returns a whole library of 5,000 assets with 65 fields each", async () => {
    simulator.objects.setAssetLibrary("app-1", [...wholeLibrary]);
    const { result, problem } = await plugin.invoke("getAdAssets", { appId: "app-1" });
    const library = result["library"] as { fields: unknown }[];
    assert.deepEqual([problem, library.length, library.at(-1)?.fields], ["", 5_000, asset]);
  });

  it("ends its waits when the command is interrupted", async () => {
    simulator.fault({ operation: "userStats.get", then: { status: 429, headers: { "retry-after": "60" } } });
    const waiting = plugin.invoke("getUserStats", { appId: "app-1" });
    while (simulator.requests.length === 0) await setImmediate();
    await plugin.cancel();
    const { problem } = await waiting;
    assert.match(problem, /^getUserStats: userStats\.get failed: .*The command was interrupted\./s);
    assert.equal(simulator.requests.length, 1);
  });
});
