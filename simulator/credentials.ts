import { operations } from "../provider/service/operations";
import { refusal } from "./refusal";
import type { Credential, CredentialForm, OperationId } from "./types";

/** The workspace of credentials that name none. */
export const defaultWorkspace = "default";

/** One credential of each kind, and one of another workspace. */
export const defaultCredentials: readonly Readonly<Credential>[] = [
  { value: "full-access-token", kind: "personal-token" },
  { value: "read-only-token", kind: "personal-token", permission: "read_only" },
  { value: "personal-api-key", kind: "api-key" },
  { value: "workspace-key", kind: "workspace-key" },
  { value: "other-workspace-token", kind: "personal-token", workspace: "other" },
];

/**
 * The operations that a read-only token may call: an assumption of the simulator. Rule 1 says "only operations listing `read_only`", and
 * the specification shows no operation that does. The reads of agents are not among them, by rule 2.
 */
export const readOnlyOperations: readonly OperationId[] = [
  "campaign.list",
  "campaign.readiness",
  "folderItem.list",
  "record.get",
  "record.list",
  "test.list",
  "test.get",
  "codingSession.get",
  "member.list",
  "geoTarget.search",
  "searchTheme.suggest",
  "searchTerm.report",
  "asset.list",
  "scan.get",
  "connector.fields",
  "userStats.get",
];

/** Who sent a request whose credential was accepted. */
export interface Caller {
  user: string;
  workspace: string;
  /** Editor or higher. */
  edits: boolean;
  /** Owner or admin. */
  administers: boolean;
  /** Whether the credential reaches this app or agent. */
  reaches(appId: string): boolean;
}

export interface Presented {
  form: CredentialForm;
  value: string;
}

/** The credential that a request sends. */
export function presented(headers: Readonly<Record<string, string | string[] | undefined>>): Presented {
  const { authorization } = headers;
  const bearer = /^Bearer +(\S+) *$/i.exec(typeof authorization === "string" ? authorization : "")?.[1];
  if (bearer !== undefined) return { form: "bearer", value: bearer };
  const apiKey = headers["api_key"];
  if (typeof apiKey === "string") return { form: "api_key", value: apiKey };
  return { form: "none", value: "" };
}

const formsOf: Record<Credential["kind"], readonly Presented["form"][]> = {
  "personal-token": ["bearer"],
  "api-key": ["api_key"],
  "workspace-key": ["bearer", "api_key"],
};

/** Authentication, rules 1, 2, 4 and 5 of the specification. The operations check rule 6. */
export function authorize(
  known: readonly Credential[],
  { form, value }: Presented,
  operation: OperationId,
  forReadOnly: readonly OperationId[] = readOnlyOperations,
): Caller {
  const credential = known.find((one) => one.value === value && formsOf[one.kind].includes(form));
  if (credential === undefined) throw unauthorized("The credentials are missing or invalid.");
  if (credential.kind === "workspace-key" && refusesWorkspaceKeys(operation))
    throw refusal(403, "workspace_key_not_allowed", "Workspace API keys are not accepted here.");
  if (form === "api_key" && operations[operation].credential === "token")
    throw unauthorized("This operation takes a personal access token in the Authorization header.");
  if (credential.permission === "read_only" && !forReadOnly.includes(operation))
    throw refusal(
      403,
      "read_only_credential_route_not_allowed",
      "A read-only credential cannot be used for this operation.",
    );
  return callerOf(credential);
}

function callerOf({ user = "user", role = "owner", apps, workspace = defaultWorkspace }: Credential): Caller {
  return {
    user,
    workspace,
    administers: role === "owner" || role === "admin",
    edits: role !== "viewer" && role !== "guest",
    reaches: (appId) => apps === undefined || apps.includes(appId),
  };
}

function unauthorized(message: string) {
  return refusal(401, "invalid_credentials", message, { "www-authenticate": "Bearer" });
}

const isAgentOperation = (operation: OperationId) => operations[operation].endpoint.includes(" /api/agents/");

/** Rule 5. */
function refusesWorkspaceKeys(operation: OperationId): boolean {
  return isAgentOperation(operation) || operation === "campaign.delete" || operation === "test.delete";
}
