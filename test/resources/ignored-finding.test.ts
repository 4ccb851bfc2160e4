import assert from "node:assert/strict";
import { unknownValue } from "../../provider/serializable";
import fc from "fast-check";
import { creationProblems, problemsOf } from "../../provider/pulumi/check-step";
import { ignoredFindingLifecycle } from "../../provider/resources/ignored-finding/lifecycle";
import { type Bench, driven, leftBy, startBench, unchanged } from "../support/deployment";
import { newRequests } from "../support/requests";
import type { Credential } from "../../simulator";

const finding = driven(ignoredFindingLifecycle);
const declared = { appId: "app-1", fingerprint: "a/b c.d%2F..ü" };

describe("IgnoredFinding", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const requests = (): string[] => newRequests(bench.simulator);
  const two = { appId: "app-1", fingerprint: "two" };
  const unconfirmedOne = () => {
    bench.simulator.fault({ operation: "finding.ignore", then: { status: 200, body: {} } });
    return leftBy(finding.create(two, bench));
  };
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

  it("is not reported as gone when the scan does not say", async () => {
    const state = await finding.create(declared, bench);
    bench.simulator.fault({ operation: "scan.get", then: { status: 200, body: { status: "up_to_date" } } });
    await assert.rejects(finding.read(state, bench.later()), /does not say which findings are ignored/);
  });

  it("stays unconfirmed for a refresh, and the next up ignores it again", async () => {
    const { state } = await unconfirmedOne();
    assert.deepEqual(await finding.read(state, bench.later()), state);
    await finding.update(state, two, bench.later());
    assert.deepEqual(ignored(), ["two"]);
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
    assert.equal(ignoredFindingLifecycle.hasMoreToDo?.(state), true);
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

  for (const status of [403, 404]) {
    const refused = (times = 1): void => {
      bench.simulator.fault({
        operation: "finding.restore",
        times,
        then: { status, body: { detail: "No such app." } },
      });
    };

    it(`is not restored by a ${String(status)} while the scan lists it, but is when the scan does not`, async () => {
      const state = await finding.create(declared, bench);
      refused(2);
      await assert.rejects(finding.delete(state, bench.later()), /No such app/);
      assert.deepEqual(ignored(), [declared.fingerprint]);
      bench.simulator.objects.setScan("app-1", { ignored_fingerprints: [] });
      const later = bench.later();
      await finding.delete(state, later);
      assert.match(later.said.join(), /no longer lists finding .* as ignored/);
    });

    it(`stays in state after a ${String(status)} when its app is deleted, and the error says how to end it`, async () => {
      const state = await finding.create(declared, bench);
      bench.simulator.fault({ operation: "scan.get", times: "always", then: { status: 403, body: {} } });
      refused();
      const wayOut =
        /If the app was deleted, remove the resource from the stack: `pulumi state delete --force '<URN>'`/;
      await assert.rejects(finding.delete(state, bench.later()), ({ message }: Error) => {
        assert.match(message, /^The ignored finding .* was not restored\. \[WA1407\]\n {2}finding\.restore failed/);
        return message.includes(
          "If the app was deleted, remove the resource from the stack: `pulumi state delete --force '<URN>'`",
        );
      });
      await assert.rejects(finding.read(state, bench.later()), wayOut);
    });
  }

  it("does not speak of a deleted app when the credential is refused", async () => {
    const state = await finding.create(declared, bench);
    const wrong = bench.later({ accessToken: "nobody" });
    const is401 = ({ message }: Error): boolean => message.includes("401") && !message.includes("state delete");
    await assert.rejects(finding.delete(state, wrong), is401);
    await assert.rejects(finding.read(state, wrong), is401);
  });

  it("is not restored by a token of another workspace, which the service also confirms", async () => {
    await bench.close();
    const credentials = [
      { value: "full-access-token", kind: "personal-token" },
      { value: "key", kind: "api-key" },
      { value: "theirs", kind: "personal-token", workspace: "theirs" },
    ] satisfies Credential[];
    bench = await startBench({ apiKey: "key" }, { credentials });
    const state = await finding.create(declared, bench);
    await assert.rejects(
      finding.delete(state, bench.later({ accessToken: "theirs" })),
      /is still ignored: the service confirmed its restore, and the scan still lists it/,
    );
    assert.deepEqual(ignored(), [declared.fingerprint]);
    await finding.delete(state, bench.later());
    assert.deepEqual(ignored(), []);
  });

  describe("adopting", () => {
    const adopting = { ...declared, adopt: true };

    it("reads the scan, sends nothing, and leaves it ignored on destroy", async () => {
      bench.simulator.objects.setScan("app-1", { ignored_fingerprints: [declared.fingerprint] });
      const state = await finding.create(adopting, bench);
      assert.deepEqual(requests(), ["scan.get"]);
      assert.deepEqual(await finding.read(state, bench.later()), state);
      requests();
      await finding.delete(state, bench.later());
      assert.deepEqual([requests(), ignored()], [[], [declared.fingerprint]]);
      await finding.delete({ ...state, deletionPolicy: "delete" }, bench.later());
      assert.deepEqual(ignored(), []);
    });

    it("fails clearly when it is not ignored, or when the scan does not say", async () => {
      await assert.rejects(
        finding.create(adopting, bench),
        /is not ignored, so there is nothing to adopt\. \[WA1301\]\n.*\n {2}- Leave adopt out/,
      );
      const body = { status: "none" };
      bench.simulator.fault({ operation: "scan.get", then: { status: 200, body } });
      await assert.rejects(finding.create(adopting, bench.later()), /does not say which findings are ignored/);
      assert.deepEqual([ignored(), requests()], [[], ["scan.get", "scan.get"]]);
    });

    it("shows no difference with, without or with an unknown adopt afterwards", async () => {
      bench.simulator.objects.setScan("app-1", { ignored_fingerprints: [declared.fingerprint] });
      const state = await finding.create(adopting, bench);
      for (const program of [adopting, declared, { ...declared, adopt: unknownValue }])
        assert.deepEqual(await finding.preview(state, program, bench.later()), unchanged);
    });

    it("works where finding.ignore is not available", () => {
      const documented = bench.later({ documentedOnly: "true" });
      assert.deepEqual(creationProblems(ignoredFindingLifecycle, adopting, documented), []);
      const [problem] = creationProblems(ignoredFindingLifecycle, declared, documented);
      assert.match(problem?.reason ?? "", /finding\.ignore.*adopt: true/s);
    });
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
