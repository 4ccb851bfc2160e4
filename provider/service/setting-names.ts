/* How messages name a setting: by its key in the stack's configuration and by its variable. */

export const baseUrlSetting = "workspace-apps:baseUrl (or WORKSPACE_APPS_BASE_URL)";
export const endpointsSetting = "workspace-apps:endpoints (or WORKSPACE_APPS_ENDPOINTS)";

/** The next step if an object belongs to another base URL. */
export const checkBaseUrl = `Check ${baseUrlSetting}.`;
