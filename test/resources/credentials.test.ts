import assert from "node:assert/strict";
import { kindNames, kinds } from "../../provider/registry";
import { driven, startBench } from "../support/deployment";
import { kindFixtures, prepared } from "../support/kind-fixtures";

/** The forms of the credentials that each kind of resource sends in its life, if an API key is set. */
const forms: Partial<Record<string, string[]>> = {
  AdCampaign: ["api_key"],
  EntityRecord: ["api_key"],
  ConversionTracking: ["api_key"],
  // The specification lists the key for the scan, and the token for restoring a finding.
  IgnoredFinding: ["api_key", "bearer"],
};

describe("A resource, if an API key is set,", () => {
  for (const kind of kindNames) {
    const expected = forms[kind] ?? ["bearer"];
    it(`${kind}: sends ${expected.join(" and ")} in its whole life`, async () => {
      const bench = await startBench({ apiKey: "personal-api-key" });
      const resource = driven(kinds[kind]);
      const [life] = kindFixtures[kind].lives;
      const given = await prepared(kind, { ...kindFixtures[kind].args, ...life.args }, bench);
      let state = await resource.create(given, bench);
      if (life.update !== undefined) state = await resource.update(state, { ...given, ...life.change }, bench.later());
      await resource.delete((await resource.read(state, bench.later())) ?? assert.fail("gone"), bench.later());
      const { requests } = bench.simulator;
      assert.deepEqual([...new Set(requests.map(({ credential }) => credential))].sort(), expected);
      assert.ok(requests.every(({ status }) => status === 200));
      await bench.close();
    });
  }
});
