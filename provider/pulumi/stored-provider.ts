/** The package's entry for the dynamic host, as named in `exports` of its package.json. */
const runtimeEntry = "pulumi-workspace-apps/runtime";

/**
 * The text that every resource stores as `__provider`: it only locates the installed package. Refresh and destroy run the
 * text stored at the last `up`, however old, so it is the same on every machine and in every version.
 */
export function storedProvider(kind: string): string {
  return `exports.handler=()=>require("${runtimeEntry}").${kind}`;
}
