import { campaignCrashes } from "../support/campaign-crashes";

campaignCrashes("cli", { form: "packaged", every: 3 });
