import * as pulumi from "@pulumi/pulumi";
import * as apps from "pulumi-workspace-apps";

const config = new pulumi.Config();
const appId = "app-shop";

const taxRates = [
  { country: "AT", percent: 20, since: "1984-01-01" },
  { country: "DE", percent: 19, since: "2007-01-01" },
  { country: "FR", percent: 20, since: "2014-01-01" },
];

// One record for each row: a row that leaves the list is deleted from the app, a changed one is changed in place.
const rates = taxRates.map(
  (fields) => new apps.EntityRecord(`tax-${fields.country}`, { appId, entityName: "TaxRate", fields }),
);

// A secret of the configuration stays one: previews and the state show it as [secret]. The app itself gets it in the clear.
new apps.EntityRecord("parcels", {
  appId,
  entityName: "Carrier",
  fields: { name: "Parcel Service", active: true, account_key: config.requireSecret("carrierKey") },
});

// A record that is there already, borrowed for as long as this stack exists: destroy puts its old text back.
const bannerId = config.get("banner");
if (bannerId !== undefined)
  new apps.EntityRecord("banner", {
    appId,
    entityName: "Banner",
    recordId: bannerId,
    overwrite: true, // without it, adoption would fail, because the record has another text
    fields: { text: config.get("bannerText") ?? "Free shipping in May" },
    deletionPolicy: "restore",
  });

export const rateIds = rates.map(({ recordId }) => recordId);
