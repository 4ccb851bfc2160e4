/* How messages name a setting: by its key in the stack's configuration and by its variable, or as a Provider's argument. */

export const baseUrlSetting = "workspace-apps:baseUrl (or WORKSPACE_APPS_BASE_URL)";
export const endpointsSetting = "workspace-apps:endpoints (or WORKSPACE_APPS_ENDPOINTS)";

/** What to do where an object belongs to another base URL. */
export const checkBaseUrl = `Check ${baseUrlSetting}.`;

/**
 * A message of a Provider's resource or look-up. A Provider reads no setting of the stack: a token that is set there would
 * go to the stack's workspace.
 */
export function inWordsOfProvider(message: string): string {
  return message.replace(
    /(?<![\w/:-])workspace-apps:(\w+)\b(?!:)(?: \(or WORKSPACE_APPS_\w+\)| or WORKSPACE_APPS_\w+)?/g,
    "the Provider's $1",
  );
}
