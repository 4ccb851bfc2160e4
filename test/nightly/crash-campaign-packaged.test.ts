import { campaignCrashes } from "../support/campaign-crashes";
import { interruptedLaunches } from "../support/campaign-next-commands";

campaignCrashes("host", { form: "packaged" });
interruptedLaunches("host", { form: "packaged" });
