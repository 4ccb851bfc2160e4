/** The package's entry for the dynamic host, as named in `exports` of its package.json. */
const runtimeEntry = "pulumi-workspace-apps/runtime";

/**
 * The text that every dynamic resource stores as its provider, `__provider`. It only locates the installed package. Refresh
 * and destroy run the text of the last `up`, however old, so it is the same on every machine and in every version.
 */
export function locatorOf(kind: string): string {
  return `exports.handler=()=>require("${runtimeEntry}").${kind}`;
}
