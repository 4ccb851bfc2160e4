/**
 * How the SDKs are called that Pulumi generates. They are made for each project (`pulumi package add`), so their names
 * only must not clash.
 */
export const languages: Readonly<Record<string, object>> = {
  // No SDK is generated for Node, whose classes are written by hand: programs that `pulumi import` prints import them.
  nodejs: { packageName: "pulumi-workspace-apps/packaged", respectSchemaVersion: true },
  python: {
    packageName: "pulumi_workspace_apps",
    pyproject: { enabled: true },
    respectSchemaVersion: true,
  },
  // The path that `pulumi package add` chooses for a package without a repository. Other commands need it told.
  go: {
    importBasePath: "example.com/pulumi-workspace-apps/sdk/go/workspaceapps",
    generateResourceContainerTypes: true,
    respectSchemaVersion: true,
  },
  csharp: { namespaces: { "workspace-apps": "WorkspaceApps" }, respectSchemaVersion: true },
  java: { packages: { "workspace-apps": "workspaceapps" }, respectSchemaVersion: true },
};
