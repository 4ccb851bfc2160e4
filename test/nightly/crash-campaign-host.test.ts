import { campaignCrashes } from "../support/campaign-crashes";
import { interruptedLaunches } from "../support/campaign-next-commands";

campaignCrashes("host");
interruptedLaunches("host");
