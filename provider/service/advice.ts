import type { Certainty } from "./errors";
import type { OperationId } from "./operations";
import type { KnownCode } from "./wording";

interface Failed {
  operation: OperationId;
  certainty: Certainty;
  /** Undefined when no answer came. */
  status?: number | undefined;
  code?: KnownCode | undefined;
  /** The body was none of the service's. */
  foreign?: boolean | undefined;
  /** The answer says yes, and is more than is read. */
  isTooMuch?: boolean | undefined;
}

/** What the reader of a failed pipeline should do next; undefined when the service's own words must do. */
export function nextStep(failed: Failed): string | undefined {
  const { certainty, status, code } = failed;
  if (code === "read_only_credential_route_not_allowed")
    return "The token is read-only: use one with full access, in workspace-apps:accessToken or WORKSPACE_APPS_ACCESS_TOKEN.";
  if (code === "folder_not_found")
    return "Either there is no such folder, or it is the personal folder of another user, which this token cannot see, or the token is limited to other apps: check folderId, appId and whose token is used.";
  if (certainty === "not-sent")
    return "Check workspace-apps:baseUrl (or WORKSPACE_APPS_BASE_URL), and that this machine reaches it.";
  if (failed.isTooMuch === true)
    return "It is more than this package reads of one answer: make the object smaller, or the list shorter, where it is the service that answers; else check workspace-apps:baseUrl.";
  if (status === undefined) return undefined;
  if (status <= 299)
    return "This is not what the service answers: check that workspace-apps:baseUrl leads to it, and not to a proxy or a sign-in page.";
  if (status <= 399)
    return "Redirects are not followed: set workspace-apps:baseUrl to the address to which this one leads.";
  if (failed.foreign === true && (status === 404 || status === 405))
    return "The service answers with JSON, and this is none: check that workspace-apps:baseUrl (or WORKSPACE_APPS_BASE_URL) leads to it.";
  if (status >= 500) return "The fault is on the service's side: run the command again later.";
  return adviceFor[status]?.(failed.operation);
}

const isWebhook = (operation: OperationId): boolean => operation.startsWith("webhook.");

/** Whose caller says more exactly what an unexpected refusal means. */
const isLookedAfter = (operation: OperationId): boolean =>
  operation.startsWith("campaign.") || operation.endsWith(".create") || operation === "codingSession.launch";

const adviceFor: Partial<Record<number, (operation: OperationId) => string | undefined>> = {
  400: (operation) => {
    if (isWebhook(operation))
      return "The specification gives one reason: agentId belongs to an app that is not an agent.";
    if (operation === "run.analyze")
      return 'The specification gives one reason: the run\'s status is not "failed". Only a failed run can be explained.';
    return operation === "searchTerm.report"
      ? "The specification gives two reasons: only one of the two dates was sent, or the first is after the last."
      : undefined;
  },
  401: () =>
    "The credential is missing, invalid or expired: set workspace-apps:accessToken (or WORKSPACE_APPS_ACCESS_TOKEN), and workspace-apps:apiKey where one is used.",
  402: () =>
    "The workspace's plan does not include this: move it to a higher plan tier, or take the resource out of the program.",
  403: (operation) => {
    if (isWebhook(operation))
      return "The token's owner must be an editor of the agent; viewers, read-only keys and workspace keys are refused.";
    const rules = operation.startsWith("record.")
      ? "A rule of the entity for its rows or fields may refuse it. Or the"
      : "The";
    return `${rules} credential may not do this: use a personal token with full access whose owner has editor access, not a workspace key.`;
  },
  429: () =>
    "It was waited for, more than once unless the wait is long: run the command again later. If this workspace has another limit, set it in workspace-apps:rateLimits.",
  409: (operation) =>
    isLookedAfter(operation)
      ? undefined
      : "If it is a refusal, mend what the service says; then run the command again.",
  404: (operation) => {
    if (operation.startsWith("folderItem."))
      return "There is no such folder or app, or the token is limited to other apps: check folderId, appId, the token's scope and workspace-apps:baseUrl.";
    const changes = operation.endsWith(".update") || operation.endsWith(".delete");
    const refresh = changes ? "; after a deletion outside Pulumi run `pulumi refresh`" : "";
    return `It does not exist, or the token does not reach it: check the ids, the token's scope and workspace-apps:baseUrl${refresh}.`;
  },
};
