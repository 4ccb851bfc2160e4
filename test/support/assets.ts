import type { Asset } from "../../simulator";

/** An asset with the three documented fields, and 62 others. */
export const asset: Asset = {
  status: "ACCEPTED",
  accepted_campaign_id: "cmp_1",
  accepted_resource_names: ["assets/1", "assets/2", "assets/3"],
  ...Object.fromEntries(
    Array.from({ length: 62 }, (_, index) => [`field_${String(index)}`, `https://cdn.example.com/${"a".repeat(40)}`]),
  ),
};

/** As many assets as the service returns at most. */
export const wholeLibrary: readonly Asset[] = Array<Asset>(5_000).fill(asset);
