import { campaignCrashes } from "../support/campaign-crashes";

campaignCrashes("host");
