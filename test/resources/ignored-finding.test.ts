import assert from "node:assert/strict";
import fc from "fast-check";
import { problemsOf } from "../../provider/engine/checking";
import { ignoredFindingLifecycle } from "../../provider/resources/ignored-finding";
import { type Bench, driven, seen, startBench } from "../support/deployment";

const finding = driven(ignoredFindingLifecycle);
const declared = { appId: "app-1", fingerprint: "a/b c.d%2F..ü" };

describe("IgnoredFinding", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const requests = (): string[] => {
    const all = seen(bench.simulator);
    bench.simulator.clearRequests();
    return all;
  };
  const ignored = (): string[] => bench.simulator.objects.ignoredFindings("app-1");

  it("is ignored, looked for once in the scan, and restored on destroy, whatever its fingerprint holds", async () => {
    const state = await finding.create(declared, bench);
    assert.deepEqual(requests(), [`finding.ignore {"fingerprint":"${declared.fingerprint}"}`, "scan.get"]);
    assert.deepEqual(ignored(), [declared.fingerprint]);
    await finding.delete(state, bench);
    assert.deepEqual(ignored(), []);
    await finding.delete(state, bench);
  });

  for (const status of ["none", "pending", "scanning", "scan_failed", "out_of_date"] as const)
    it(`is read from a scan that is ${status}, and gone when it is not listed there`, async () => {
      const state = await finding.create(declared, bench);
      bench.simulator.objects.setScan("app-1", { status });
      assert.deepEqual(await finding.read(state, bench.later()), state);
      bench.simulator.objects.setScan("app-1", { ignored_fingerprints: [] });
      assert.equal(await finding.read(state, bench.later()), undefined);
    });

  it("is not said to be gone by a scan that does not tell, or of another base URL", async () => {
    const state = await finding.create(declared, bench);
    bench.simulator.fault({ operation: "scan.get", then: { status: 200, body: { status: "up_to_date" } } });
    await assert.rejects(finding.read(state, bench.later()), /does not say which findings are ignored/);
    const other = await startBench();
    await assert.rejects(finding.read(state, other), /another base URL/);
    await other.close();
  });

  it("shares one read of the scan among many of one app", async () => {
    const states = await Promise.all(
      ["one", "two", "three"].map((fingerprint) => finding.create({ appId: "app-1", fingerprint }, bench)),
    );
    requests();
    const later = bench.later();
    await Promise.all(states.map((state) => finding.read(state, later)));
    assert.deepEqual(requests(), ["scan.get"]);
  });

  it("stays ignored where the policy is to retain it", async () => {
    await finding.delete(await finding.create({ ...declared, deletionPolicy: "retain" }, bench), bench);
    assert.deepEqual(ignored(), [declared.fingerprint]);
  });

  it("takes fingerprints of 1 to 128 characters, and none that would leave its path segment", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 0, maxLength: 140 }), (fingerprint) => {
        const { length } = Array.from(fingerprint);
        const isFine = length >= 1 && length <= 128 && fingerprint !== "." && fingerprint !== "..";
        assert.equal(problemsOf(ignoredFindingLifecycle, { appId: "a", fingerprint }).length === 0, isFine);
      }),
    );
  });
});
