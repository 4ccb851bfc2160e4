import { campaignCrashes } from "../support/campaign-crashes";
import { interruptedLaunches } from "../support/campaign-next-commands";

/* One stack of each matrix. The nightly tests run all of them, with every victim. */
interruptedLaunches("cli", { only: ["up"] });
campaignCrashes("host", { every: 3, form: "packaged" });
