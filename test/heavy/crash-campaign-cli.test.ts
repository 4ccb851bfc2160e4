import { campaignCrashes } from "../support/campaign-crashes";

campaignCrashes("cli");
