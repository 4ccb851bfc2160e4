/**
 * The text of a Provider for the stack's own workspace: another process with the same settings, which does not wait after an
 * uncertain launch.
 */
export function ownProvider(name: string): string {
  return `new apps.Provider(${name}, {
    baseUrl: process.env.WORKSPACE_APPS_BASE_URL,
    accessToken: process.env.WORKSPACE_APPS_ACCESS_TOKEN,
    launchSettleSeconds: 0,
    launchQuarantineSeconds: 0,
  })`;
}
