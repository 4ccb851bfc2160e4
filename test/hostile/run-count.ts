/** How many generated answers each operation gets in `npm test`, and how often more than that; see CONTRIBUTING. */
const times = Number(process.env["WORKSPACE_APPS_HOSTILE_TIMES"] ?? "1");
/** Another seed gives others. */
export const seed = Number(process.env["WORKSPACE_APPS_HOSTILE_SEED"] ?? "8");

export function runs(usual: number): number {
  return Math.max(1, Math.round(usual * times));
}
