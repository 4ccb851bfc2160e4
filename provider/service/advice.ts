import type { Certainty } from "./errors";
import type { KnownCode } from "./error-text";
import type { MessageCode } from "./message-codes";
import type { OperationId } from "./operations";
import { hiddenText } from "./redaction";
import { baseUrlSetting } from "./setting-names";

interface Failed {
  readonly operation: OperationId;
  /** The setting whose value was sent. */
  readonly credential?: "accessToken" | "apiKey" | undefined;
  readonly certainty: Certainty;
  /** Undefined when no response came. */
  readonly status?: number | undefined;
  readonly serviceCode?: KnownCode | undefined;
  /** The body was not JSON, so it is probably not the service's. */
  readonly foreign?: boolean | undefined;
  /** The service's own message, after redaction. */
  readonly words?: string;
  /** The request succeeded, but the response is larger than this package reads. */
  readonly isTooLarge?: boolean | undefined;
}

/** The next step for the user. Undefined when only the service's own message can tell. */
export function nextStep(failed: Failed): string | undefined {
  const { certainty, status, serviceCode } = failed;
  if (serviceCode === "read_only_credential_route_not_allowed")
    return "The token is read-only. Use one with full access, in workspace-apps:accessToken or WORKSPACE_APPS_ACCESS_TOKEN.";
  if (serviceCode === "folder_not_found")
    return "Check folderId, appId and whose token is used. The folder does not exist, or it is another user's personal folder, or the token is limited to other apps.";
  if (certainty === "not-sent")
    return `Check ${baseUrlSetting} and HTTPS_PROXY, and that this machine can reach the service.`;
  if (failed.isTooLarge === true)
    return `The response is larger than this package reads. Make the object smaller or the list shorter. If another server answered, check ${baseUrlSetting}.`;
  if (status === undefined) return undefined;
  if (status <= 299)
    return `The response is not one of the service's. Check that ${baseUrlSetting} points to it, and not to a proxy or a sign-in page.`;
  if (status <= 399)
    return `Redirects are not followed. Set ${baseUrlSetting} to the address that the service redirects to.`;
  if (failed.foreign === true && (status === 404 || status === 405))
    return `The response is not JSON, so it is not the service's. Check that ${baseUrlSetting} points to the service.`;
  if (status >= 500)
    return hasOwnAdvice(failed.operation)
      ? undefined
      : "The problem is on the service's side. Run the command again later.";
  if (status === 403 && isRecord(failed.operation))
    return `${entityRules} ${failed.credential === "apiKey" ? otherwiseKey : otherwiseToken}`;
  if (failed.credential === "apiKey" && (status === 401 || status === 403)) return withoutKey;
  return adviceFor[status]?.(failed.operation) ?? withoutReason(failed);
}

function withoutReason({ status, words }: Failed): string | undefined {
  return (words === "" || words === hiddenText) && (status === 400 || status === 422)
    ? "Check the arguments. The service refused one, and its reason cannot be shown."
    : undefined;
}

const codeOfStatus: Partial<Record<number, MessageCode>> = {
  401: "WA1501",
  402: "WA1502",
  403: "WA1503",
  404: "WA1505",
  405: "WA1506",
  409: "WA1508",
  429: "WA1509",
};

/** The code of a failed call: the situation, as the user sees it. `hasDoubtfulPath`: its path is assumed or set. */
export function codeOf(failed: Failed & { readonly hasDoubtfulPath: boolean }): MessageCode {
  const { certainty, status, serviceCode, foreign, isTooLarge, hasDoubtfulPath } = failed;
  if (serviceCode === "read_only_credential_route_not_allowed") return "WA1504";
  if (serviceCode === "folder_not_found") return "WA1505";
  if (certainty === "not-sent") return "WA1512";
  if (isTooLarge === true) return "WA1514";
  if (status === undefined) return "WA1511";
  if (status <= 299) return "WA1513";
  if (status <= 399) return "WA1515";
  if (status === 404 || status === 405) {
    if (foreign === true) return "WA1513";
    if (hasDoubtfulPath) return "WA1506";
  }
  if (status >= 500) return "WA1510";
  return codeOfStatus[status] ?? "WA1507";
}

/** A refresh with a token that reaches less removes live objects from the state. */
export const previewRefresh =
  "If the token is right and the object was deleted outside Pulumi: `pulumi refresh --preview-only` shows what a refresh would remove from the stack.";

const withoutKey =
  "The service refused the API key. It may be a workspace key, and account API keys are being switched off: remove workspace-apps:apiKey (or WORKSPACE_APPS_API_KEY), and the token is sent instead.";

/** The likelier cause of a 403. With another identity the rules decide otherwise, so that is no first step. */
const entityRules =
  "A row or field rule of the entity may refuse this. Compare the rules with the record and with the fields that are sent.";

const otherwiseToken =
  "If no rule does, the token may not be allowed: its owner needs editor access, and it must not be read-only or a workspace key.";

const otherwiseKey =
  "If no rule does, the API key may not be allowed. Its owner needs editor access, and it must not be a workspace key or switched off. Account API keys are being switched off. Without workspace-apps:apiKey (or WORKSPACE_APPS_API_KEY) the token is sent instead, and the rules then judge its owner.";

const isRecord = (operation: OperationId): boolean => operation.startsWith("record.");
const isWebhook = (operation: OperationId): boolean => operation.startsWith("webhook.");

/** The list tells whether the campaign exists, so the 404 is about the access to it. */
const changesCampaign = (operation: OperationId): boolean =>
  operation === "campaign.delete" || operation === "campaign.pause" || operation === "campaign.resume";

/** Operations whose callers give more specific advice. */
const hasOwnAdvice = (operation: OperationId): boolean =>
  (operation.startsWith("campaign.") && operation !== "campaign.list" && operation !== "campaign.readiness") ||
  operation.endsWith(".create") ||
  operation === "codingSession.launch";

const adviceFor: Partial<Record<number, (operation: OperationId) => string | undefined>> = {
  400: (operation) => {
    if (isWebhook(operation))
      return "Check agentId. The specification gives one reason: it belongs to an app that is not an agent.";
    if (operation === "run.analyze")
      return 'The specification gives one reason: the run\'s status is not "failed". Only a failed run can be explained.';
    return operation === "searchTerm.report"
      ? "The specification gives two reasons: only one of the two dates was sent, or the first is after the last."
      : undefined;
  },
  401: () =>
    "The token is missing, invalid or expired. Set workspace-apps:accessToken (or WORKSPACE_APPS_ACCESS_TOKEN). If you have just set it in the stack, run `pulumi up` first: `refresh` and `destroy` use the token of the last `up`.",
  402: () =>
    "The workspace's plan does not include this. Move to a higher plan tier, or remove the resource from the program.",
  403: (operation) => {
    if (isWebhook(operation))
      return "Use a token whose owner is an editor of the agent. Viewers, read-only keys and workspace keys are refused.";
    return "Use a personal token with full access whose owner has editor access, not a workspace key.";
  },
  404: (operation) => {
    if (operation.startsWith("folderItem."))
      return "Check folderId, appId, the token's scope and workspace-apps:baseUrl. The folder or app does not exist, or the token is limited to other apps.";
    if (changesCampaign(operation))
      return "Check appId, the token's scope and workspace-apps:baseUrl. A token that is limited to other apps may get a 404 too.";
    const changes = operation.endsWith(".update") || operation.endsWith(".delete");
    const refresh = changes ? ` ${previewRefresh}` : "";
    return `Check the token's scope and workspace-apps:baseUrl first, then the ids. The object does not exist, or perhaps the token does not reach it.${refresh}`;
  },
  409: (operation) =>
    hasOwnAdvice(operation) ? undefined : "If it is a refusal, fix the reported problem. Then run the command again.",
  429: () =>
    "Retries were exhausted, or the requested wait was too long. Run the command again later. If this workspace has another limit, set it in workspace-apps:rateLimits.",
};
