/**
 * What the stored shell of each resource locates: one export a kind, named as in its type token. States of every earlier
 * version refer to these names, so none may ever be renamed or removed.
 */
import { dynamicProvider } from "./engine/host";
import { adCampaignLifecycle } from "./resources/ad-campaign";
import { folderMembershipLifecycle } from "./resources/folder-membership";
import { webhookLifecycle } from "./resources/webhook";

export const AdCampaign = dynamicProvider(adCampaignLifecycle);
export const FolderMembership = dynamicProvider(folderMembershipLifecycle);
export const Webhook = dynamicProvider(webhookLifecycle);
