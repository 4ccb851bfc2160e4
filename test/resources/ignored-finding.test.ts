import assert from "node:assert/strict";
import fc from "fast-check";
import { creationProblems, problemsOf } from "../../provider/pulumi/check";
import { ignoredFindingLifecycle } from "../../provider/resources/ignored-finding/lifecycle";
import { type Bench, driven, leftBy, startBench } from "../support/deployment";
import { newRequests } from "../support/requests";

const finding = driven(ignoredFindingLifecycle);
const declared = { appId: "app-1", fingerprint: "a/b c.d%2F..ü" };

describe("IgnoredFinding", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const requests = (): string[] => newRequests(bench.simulator);
  const ignored = (): string[] => bench.simulator.objects.ignoredFindings("app-1");

  it("is ignored, looked for once in the scan, and restored on destroy, with any text as fingerprint", async () => {
    const state = await finding.create(declared, bench);
    assert.deepEqual(requests(), [`finding.ignore {"fingerprint":"${declared.fingerprint}"}`, "scan.get"]);
    assert.deepEqual(ignored(), [declared.fingerprint]);
    await finding.delete(state, bench);
    assert.deepEqual(ignored(), []);
    await finding.delete(state, bench);
  });

  for (const status of ["none", "pending", "scanning", "scan_failed", "out_of_date"] as const)
    it(`is read from a scan with status ${status}, and gone when it is not listed there`, async () => {
      const state = await finding.create(declared, bench);
      bench.simulator.objects.setScan("app-1", { status });
      assert.deepEqual(await finding.read(state, bench.later()), state);
      bench.simulator.objects.setScan("app-1", { ignored_fingerprints: [] });
      assert.equal(await finding.read(state, bench.later()), undefined);
    });

  it("is not reported as gone when the scan does not say, or comes from another base URL", async () => {
    const state = await finding.create(declared, bench);
    bench.simulator.fault({ operation: "scan.get", then: { status: 200, body: { status: "up_to_date" } } });
    await assert.rejects(finding.read(state, bench.later()), /does not say which findings are ignored/);
    const other = await startBench();
    await assert.rejects(finding.read(state, other), /another base URL/);
    await other.close();
  });

  it("shares one read of the scan with the other findings of an app", async () => {
    const states = await Promise.all(
      ["one", "two", "three"].map((fingerprint) => finding.create({ appId: "app-1", fingerprint }, bench)),
    );
    requests();
    const later = bench.later();
    await Promise.all(states.map((state) => finding.read(state, later)));
    assert.deepEqual(requests(), ["scan.get"]);
  });

  it("stays ignored when the policy is retain", async () => {
    await finding.delete(await finding.create({ ...declared, deletionPolicy: "retain" }, bench), bench);
    assert.deepEqual(ignored(), [declared.fingerprint]);
  });

  it("accepts fingerprints of 1 to 128 characters, and none that would leave its path segment", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 0, maxLength: 140 }), (fingerprint) => {
        const { length } = Array.from(fingerprint);
        const isFine = length >= 1 && length <= 128 && fingerprint !== "." && fingerprint !== "..";
        assert.equal(problemsOf(ignoredFindingLifecycle, { appId: "a", fingerprint }).length === 0, isFine);
      }),
    );
  });

  it("is not reported as ignored when the scan does not confirm the response, and is ignored again by the next up", async () => {
    bench.simulator.fault({ operation: "finding.ignore", then: { status: 200, body: {} } });
    const { state, message } = await leftBy(finding.create(declared, bench));
    assert.match(message, /does not list it as ignored.*path of finding\.ignore is assumed/s);
    assert.equal(ignoredFindingLifecycle.isUnfinished?.(state), true);
    const healed = await finding.update(state, declared, bench.later());
    assert.deepEqual([ignored(), healed.unconfirmed], [[declared.fingerprint], undefined]);
  });

  it("is looked for again by the next up when the scan could not be read", async () => {
    bench.simulator.fault({ operation: "finding.ignore", then: { status: 200, body: {} } });
    bench.simulator.fault({ operation: "scan.get", times: 5, then: { status: 500 } });
    const { state } = await leftBy(finding.create(declared, bench));
    await finding.update(state, declared, bench.later());
    assert.deepEqual(ignored(), [declared.fingerprint]);
  });

  it("is found in a scan that takes a moment to list it", async () => {
    bench.simulator.fault({
      operation: "scan.get",
      then: { status: 200, body: { status: "none", ignored_fingerprints: [] } },
    });
    await finding.create(declared, bench);
    assert.deepEqual(requests().slice(1), ["scan.get", "scan.get"]);
  });

  it("reads the scan again after ignoring and after restoring", async () => {
    const one = await finding.create(declared, bench);
    const two = await finding.create({ appId: "app-1", fingerprint: "two" }, bench);
    assert.deepEqual(await finding.read(two, bench), two);
    await finding.delete(one, bench);
    assert.equal(await finding.read(one, bench), undefined);
  });

  it("is not restored by a 404 while the scan lists it, but is when the app does not exist", async () => {
    const state = await finding.create(declared, bench);
    bench.simulator.fault({
      operation: "finding.restore",
      times: 2,
      then: { status: 404, body: { detail: "No such app." } },
    });
    await assert.rejects(finding.delete(state, bench.later()), /No such app/);
    assert.deepEqual(ignored(), [declared.fingerprint]);
    bench.simulator.fault({ operation: "scan.get", then: { status: 404, body: { detail: "No such app." } } });
    const later = bench.later();
    await finding.delete(state, later);
    assert.match(later.said.join(), /App app-1 is gone or not visible/);
  });

  it("says that an earlier attempt may have succeeded when the next one is refused", async () => {
    bench.simulator.fault({ operation: "finding.ignore", commit: true, then: "reset" });
    bench.simulator.fault({ operation: "finding.ignore", then: { status: 403, body: { detail: "No." } } });
    await assert.rejects(
      finding.create(declared, bench),
      /403\..*The service said: No\..*an earlier attempt may have been carried out/s,
    );
    assert.deepEqual(ignored(), [declared.fingerprint]);
  });

  it("must be able to read the scan, which is checked at preview", () => {
    const documented = bench.later({ endpoints: JSON.stringify({ "scan.get": "none" }) });
    const problems = creationProblems(ignoredFindingLifecycle, declared, documented);
    assert.match(problems.map(({ reason }) => reason).join(), /scan\.get is set to "none"/);
  });
});
