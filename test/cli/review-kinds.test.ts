import assert from "node:assert/strict";
import { runtime } from "@pulumi/pulumi";
import { unknownText } from "../../provider/resources/shared/hidden-values";
import { type Kind, kinds } from "../../cli/review/kinds";
import type { Lifecycle } from "../../provider/resources/shared/lifecycle";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { codingSessionLifecycle } from "../../provider/resources/coding-session/lifecycle";
import { conversionTrackingLifecycle } from "../../provider/resources/conversion-tracking/lifecycle";
import { entityRecordLifecycle } from "../../provider/resources/entity-record/lifecycle";
import { folderMembershipLifecycle } from "../../provider/resources/folder-membership/lifecycle";
import { ignoredFindingLifecycle } from "../../provider/resources/ignored-finding/lifecycle";
import { testFlowLifecycle } from "../../provider/resources/test-flow/lifecycle";
import { webhookLifecycle } from "../../provider/resources/webhook/lifecycle";
import * as providers from "../../provider/runtime";

const lifecycles = {
  AdCampaign: adCampaignLifecycle,
  CodingSession: codingSessionLifecycle,
  ConversionTracking: conversionTrackingLifecycle,
  EntityRecord: entityRecordLifecycle,
  FolderMembership: folderMembershipLifecycle,
  IgnoredFinding: ignoredFindingLifecycle,
  TestFlow: testFlowLifecycle,
  Webhook: webhookLifecycle,
} as unknown as Record<keyof typeof kinds, Lifecycle<Record<string, unknown>, Record<string, unknown>>>;

describe("What a review knows of the resources", () => {
  it("covers every kind of the package", () => {
    assert.deepEqual(Object.keys(kinds).sort(), Object.keys(providers).sort());
    assert.deepEqual(Object.keys(lifecycles).sort(), Object.keys(providers).sort());
  });

  it("has the value that stands for an unknown one", () => {
    assert.equal(unknownText, runtime.unknownValue);
  });

  for (const [name, lifecycle] of Object.entries(lifecycles)) {
    const kind: Kind = kinds[name as keyof typeof kinds];
    const args = Object.keys(lifecycle.inputs.shape);

    it(`names a ${name} as its lifecycle does`, () => {
      assert.deepEqual(
        kind.identifiedBy,
        (lifecycle.declares ?? []).map(({ properties }) => properties),
      );
    });

    it(`knows the arguments of ${name}`, () => {
      for (const argument of [...(kind.leftAlone ?? []), ...(kind.adoptedBy === undefined ? [] : [kind.adoptedBy])])
        assert.ok(args.includes(argument), argument);
      assert.equal(kind.leavesFieldsAlone ?? false, args.includes("fields"));
      assert.equal(kind.calls.end !== undefined, args.includes("deletionPolicy"));
    });

    it(`names what making and adopting a ${name} needs`, () => {
      const needs = (inputs: Record<string, unknown>): string[] =>
        lifecycle.requiredOperations(inputs).map(({ operation }) => operation);
      for (const more of [{}, { paused: true }]) {
        const made: readonly string[] = kind.calls.make(more);
        assert.deepEqual(
          needs(more).filter((operation) => !made.includes(operation)),
          [],
        );
        if (kind.adoptedBy === undefined) continue;
        const given = { ...more, [kind.adoptedBy]: kind.adoptedBy === "adopt" ? true : "id" };
        const adopted: readonly string[] = kind.calls.adopt?.(given) ?? [];
        assert.deepEqual(
          needs(given).filter((operation) => !adopted.includes(operation)),
          [],
        );
      }
    });
  }
});
