import assert from "node:assert/strict";
import { assertDone } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";
import { newRequests } from "../support/requests";

const statuses = ["up_to_date", "out_of_date", "none", "pending", "scanning", "scan_failed"] as const;
const odd = ["a/../b%2F c", "größe ✓ 🔑", "?#&=+", "f".repeat(128)];
const fingerprint = "3f2a";

/** One finding in an app for each scan status, and unusual findings in a separate app. */
const program = `
  const { IgnoredFinding } = require("pulumi-workspace-apps");
  for (const appId of ${JSON.stringify(statuses)})
    new IgnoredFinding(appId, { appId, fingerprint: "${fingerprint}" });
  for (const [index, fingerprint] of ${JSON.stringify(odd)}.entries())
    new IgnoredFinding("odd-" + index, { appId: "odd", fingerprint });`;

describe("IgnoredFinding on the real engine", () => {
  const { simulator, project } = onSimulator();
  const requests = (): string[] => newRequests(simulator);
  const ignored = (app: string): string[] => simulator.objects.ignoredFindings(app).toSorted();
  const all = statuses.length + odd.length;

  it("is ignored for any scan status, ignored again after somebody restored it, and restored on destroy", async () => {
    for (const status of statuses) simulator.objects.setScan(status, { status });
    const stack = await project(program);
    assertDone(await stack.up(), { create: all });
    for (const status of statuses) assert.deepEqual(ignored(status), [fingerprint]);
    assert.deepEqual(ignored("odd"), odd.toSorted());
    assert.ok((await stack.stored()).some(({ id }) => id === `odd/${String(odd[0])}`));

    requests();
    assertDone(await stack.refresh("--expect-no-changes"), { same: all });
    assert.deepEqual(
      requests(),
      Array.from({ length: statuses.length + 1 }, () => "scan.get"),
      "one read for all findings of an app",
    );

    simulator.objects.setScan("scanning", { ignored_fingerprints: ["theirs"] });
    simulator.objects.setScan("odd", { ignored_fingerprints: odd.slice(1) });
    assertDone(await stack.refresh(), { delete: 2, same: all - 2 });
    assert.equal((await stack.stored()).length, all - 2);
    requests();
    assertDone(await stack.up(), { create: 2, same: all - 2 });
    assert.deepEqual(
      requests()
        .filter((request) => request.startsWith("finding."))
        .toSorted(),
      [fingerprint, odd[0]].map((again) => `finding.ignore ${JSON.stringify({ fingerprint: again })}`).toSorted(),
    );
    assert.deepEqual([ignored("scanning"), ignored("odd")], [[fingerprint, "theirs"], odd.toSorted()]);

    simulator.clearRequests();
    assertDone(await stack.destroy(), { delete: all });
    assert.deepEqual(
      simulator.requests
        .filter(({ parameters }) => parameters["app_id"] === "odd")
        .map(({ operation, parameters }) => `${String(operation)} ${String(parameters["fingerprint"])}`)
        .toSorted(),
      odd.map((each) => `finding.restore ${each}`).toSorted(),
    );
    assert.deepEqual([ignored("odd"), ignored("none"), ignored("scanning")], [[], [], ["theirs"]]);
  });
});
