import { campaignCrashes } from "../support/campaign-crashes";

/* The nightly tests run the whole matrix in the packaged form. */
campaignCrashes("host", { form: "packaged", every: 3 });
