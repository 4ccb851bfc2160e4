import assert from "node:assert/strict";
import { problemsOf } from "../../provider/pulumi/check-step";
import { ignoredFindingLifecycle } from "../../provider/resources/ignored-finding/lifecycle";
import { type Bench, driven, startBench } from "../support/deployment";

const finding = driven(ignoredFindingLifecycle);

describe("IgnoredFinding, by the specification", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  it("has a fingerprint of 1 to 128 characters, where an emoji counts as one", () => {
    const isTaken = (fingerprint: string): boolean =>
      problemsOf(ignoredFindingLifecycle, { appId: "app-1", fingerprint }).length === 0;
    assert.deepEqual(["", "f", "f".repeat(128), "💾".repeat(128), "f".repeat(129), "💾".repeat(129)].map(isTaken), [
      false,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("treats restoring as done also when the finding was not ignored", async () => {
    const state = await finding.create({ appId: "app-1", fingerprint: "f" }, bench);
    bench.simulator.objects.setScan("app-1", { ignored_fingerprints: ["other"] });
    await finding.delete(state, bench);
    assert.deepEqual(bench.simulator.objects.ignoredFindings("app-1"), ["other"]);
  });

  it("leaves the finding itself in the scan's result, ignored or restored", async () => {
    const result = { hardcoded_secrets: [{ fingerprint: "f" }] };
    bench.simulator.objects.setScan("app-1", { status: "up_to_date", result });
    const state = await finding.create({ appId: "app-1", fingerprint: "f" }, bench);
    await finding.delete(state, bench);
    const scan = bench.simulator.objects.scan("app-1");
    assert.deepEqual([scan.result?.hardcoded_secrets, scan.ignored_fingerprints], [[{ fingerprint: "f" }], []]);
  });

  it("reads the scan and never starts one", async () => {
    bench.simulator.objects.setScan("app-1", { status: "out_of_date" });
    const state = await finding.create({ appId: "app-1", fingerprint: "f" }, bench);
    await finding.read(state, bench.later());
    const methods = bench.simulator.requests.map(({ method, operation }) => `${method} ${String(operation)}`);
    assert.deepEqual(methods, ["POST finding.ignore", "GET scan.get", "GET scan.get"]);
    assert.equal(bench.simulator.objects.scan("app-1").status, "out_of_date");
  });
});
