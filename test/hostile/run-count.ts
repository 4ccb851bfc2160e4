/** A factor for the number of generated responses per operation in `npm test`; see CONTRIBUTING. */
const times = Number(process.env["WORKSPACE_APPS_HOSTILE_TIMES"] ?? "1");
/** Another seed generates other responses. */
export const seed = Number(process.env["WORKSPACE_APPS_HOSTILE_SEED"] ?? "8");

export function runs(usual: number): number {
  return Math.max(1, Math.round(usual * times));
}
