import assert from "node:assert/strict";
import { kindOfType, packagedTypePrefix, typePrefix, urnOfKind } from "../../provider/pulumi/urn";

describe("Type tokens and URNs", () => {
  it("tell the kind in both forms, and none for other types", () => {
    assert.equal(kindOfType("pulumi-nodejs:dynamic/workspace-apps:Webhook"), "Webhook");
    assert.equal(kindOfType("workspace-apps:index:Webhook"), "Webhook");
    for (const other of [
      "pulumi:providers:workspace-apps",
      "pulumi:providers:pulumi-nodejs",
      "pulumi-nodejs:dynamic:Resource",
      "my-workspace-apps:index:Webhook",
      "workspace-apps:other:Webhook",
    ])
      assert.equal(kindOfType(other), undefined, other);
  });

  for (const prefix of [typePrefix, packagedTypePrefix])
    it(`pair resources of different kinds by form, parent and name: ${prefix}`, () => {
      for (const [parent, name] of [
        ["", "spring"],
        ["my:index:Shop$", "spring"],
        [`${prefix}LaunchIntent$`, "spring"],
        ["", `a::${prefix}LaunchIntent::b`],
      ] as const) {
        const urn = (kind: string): string => `urn:pulumi:dev::tested::${parent}${prefix}${kind}::${name}`;
        assert.equal(urnOfKind(urn("LaunchIntent"), "AdCampaign"), urn("AdCampaign"));
        assert.equal(urnOfKind(urn("AdCampaign"), "AdCampaign"), urn("AdCampaign"));
      }
    });
});
