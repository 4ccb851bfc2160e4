import assert from "node:assert/strict";
import { assertDone, companionChanges } from "../../tools/harness/engine";
import { allForms } from "../../tools/harness/form";
import { contentOf, recordedVersions, resume, stackParts } from "../support/recorded-states";
import type { Simulator } from "../../simulator";

const [agent, app] = ["agent-support", "app-shop"];

function writes({ requests }: Simulator): string[] {
  return requests.filter(({ method }) => method !== "GET").map(({ operation }) => String(operation));
}

function campaignRequests({ requests }: Simulator): string[] {
  const all = requests.map(({ operation }) => String(operation));
  return all.filter((operation) => operation.startsWith("campaign.")).toSorted();
}

/** What a change of the label, and then destroy, leave of each recorded stack. A new recording needs its line. */
const expected: Partial<Record<string, Expected>> = {
  "0.1.0": {
    intents: 2,
    changes: { update: 11, same: 7 },
    resources: 18,
    descriptions: ["changed", "changed", "changed", "changed"],
    labels: ["changed", "changed", "changed"],
    labelsLeft: ["changed", "before"],
  },
};

interface Expected {
  /** The launch intents that the first `up` adds: one for each campaign that the stack launched. */
  intents: number;
  changes: Record<string, number>;
  resources: number;
  /** Of the webhooks. */
  descriptions: string[];
  /** Of the records. */
  labels: string[];
  labelsLeft: string[];
}

const labelsIn = ({ objects }: Simulator): unknown[] => objects.records(app, "TaxRate").map(({ label }) => label);

for (const [version, form] of recordedVersions().flatMap((version) => allForms.map((form) => [version, form] as const)))
  describe(`A stack from version ${version}, in the ${form} form`, () => {
    it("shows no difference, refreshes without one, and can be changed and destroyed", async () => {
      const { stack, simulator } = await resume(version, "settled", form);
      try {
        const { intents, changes, resources, descriptions, labels, labelsLeft } =
          expected[version] ?? assert.fail(`Add what to expect of version ${version}.`);
        const before = contentOf(simulator);
        const stored = await stack.stored();
        const preview = await stack.preview();
        assertDone(preview, {});
        assert.deepEqual(companionChanges(preview), { create: intents }, preview.output);
        const first = await stack.up();
        assertDone(first, { same: resources });
        assert.deepEqual(companionChanges(first), { create: intents }, first.output);
        const next = await stack.preview("--expect-no-changes");
        assertDone(next, {});
        assert.deepEqual([companionChanges(next), simulator.requests], [{}, []], "neither sends a request");
        assertDone(await stack.refresh("--expect-no-changes"));
        assert.deepEqual(writes(simulator), []);
        assert.deepEqual(contentOf(simulator), before);

        stack.environment["LABEL"] = "changed";
        assertDone(await stack.up(), changes);
        for (const { assertChanged } of stackParts(stored)) assertChanged?.(simulator.objects);
        assert.deepEqual(
          simulator.objects.webhooks(agent).map(({ description }) => description),
          descriptions,
        );
        assert.deepEqual(labelsIn(simulator), labels);
        const disabled = before.webhooks[agent]?.find(({ disabled_at }) => disabled_at)?.id;

        simulator.clearRequests();
        const destroyed = await stack.destroy();
        assertDone(destroyed, { delete: resources });
        assert.deepEqual([companionChanges(destroyed), await stack.stored()], [{ delete: intents }, []]);
        assert.deepEqual(
          campaignRequests(simulator),
          ["campaign.delete", "campaign.pause"],
          "the launch intents send no request",
        );
        assert.deepEqual(
          simulator.objects.webhooks(agent).map(({ id }) => id),
          ["wh-adopted", disabled],
        );
        assert.deepEqual(labelsIn(simulator), labelsLeft);
        for (const { assertDestroyed } of stackParts(stored)) assertDestroyed?.(simulator.objects);
      } finally {
        await simulator.close();
      }
    });

    it("continues after its last command failed", async () => {
      const { stack, simulator } = await resume(version, "unsettled", form);
      try {
        const { objects } = simulator;
        stack.environment["LABEL"] = "changed";
        assertDone(await stack.up(), { update: 8 });
        assert.deepEqual(
          objects.campaigns(app).map(({ campaign_name, status }) => `${campaign_name} ${status}`),
          ["pausing PAUSED", "listed-late ENABLED", "never-listed ENABLED"],
        );
        assert.deepEqual(
          objects.launches(app).map(({ campaign_name }) => campaign_name),
          ["never-listed"],
          "a launch that is in the list is not repeated",
        );
        const rotations = simulator.requests.filter(
          ({ operation, body }) => operation === "webhook.update" && JSON.stringify(body).includes("rotate"),
        );
        assert.equal(rotations.length, 1, "a lost secret is generated again");
        assert.ok(objects.webhooks(agent).some(({ description }) => description === "changed"));
        assert.deepEqual(
          objects.records(app, "TaxRate").map(({ country, label }) => [country, label]),
          [
            ["AT", undefined],
            ["DE", "changed"],
          ],
        );
        assert.deepEqual(objects.tests(app)[0]?.definition, { name: "changed" });
        for (const { urn, initErrors, outputs } of await stack.stored()) {
          assert.equal(initErrors, undefined, urn);
          const open = ["unconfirmed", "secretRotation", "pauseState", "changedByOthers", "launchAttemptedAt"];
          assert.deepEqual(
            open.filter((note) => outputs?.[note] !== undefined),
            [],
            urn,
          );
        }
        simulator.clearRequests();
        assertDone(await stack.up("--expect-no-changes"));
        assert.deepEqual(simulator.requests, []);
        assertDone(await stack.refresh("--expect-no-changes"));
      } finally {
        await simulator.close();
      }
    });

    it("can be refreshed and destroyed after its last command failed", async () => {
      const { stack, simulator } = await resume(version, "unsettled", form);
      try {
        const { objects } = simulator;
        assertDone(await stack.refresh());
        assertDone(await stack.destroy());
        assert.deepEqual(await stack.stored(), []);
        assert.deepEqual([objects.webhooks(agent), objects.tests(app)], [[], []]);
        assert.ok(objects.campaigns(app).every(({ status }) => status === "REMOVED"));
        assert.equal(objects.launches(app).length, 0);
        assert.deepEqual(
          objects.records(app, "TaxRate").map(({ id, country }) => [id, country]),
          [["rec-adopted", "IT"]],
          "values that others wrote are not overwritten with the original ones",
        );
      } finally {
        await simulator.close();
      }
    });
  });
