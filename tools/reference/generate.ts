import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { contents } from "./contents";
import { pageByFile } from "./pages";
import type { Logger, PluginOptions, Typedoc } from "./typedoc";

const checkout = resolve(__dirname, "..", "..");

/** The path of the committed reference. */
export const referenceFolder = "docs/reference";

/** The modules that a program can import, as in the "exports" of package.json. Only the locator uses the runtime. */
const entryPoints = ["provider/index.ts", "policy/index.ts", "simulator/index.ts"];

const layout: Partial<PluginOptions> = {
  hidePageHeader: true,
  hideBreadcrumbs: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeAliasPropertiesFormat: "table",
  tableColumnSettings: { hideModifiers: true },
};

/** The pages of the reference. Throws if something is undocumented or a link is broken. */
export async function referencePages(): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "workspace-apps-reference-"));
  try {
    await writeReference(folder);
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".md"));
    const pages = names.map(
      async (name) => [join(referenceFolder, name), await readFile(join(folder, name), "utf8")] as const,
    );
    return new Map(await Promise.all(pages));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeReference(folder: string): Promise<void> {
  // Both are ES modules.
  const typedoc = await import("typedoc");
  const { load: markdown } = await import("typedoc-plugin-markdown");
  const application = await typedoc.Application.bootstrapWithPlugins({
    plugin: [markdown, pageByFile(typedoc), contents(typedoc)],
    entryPoints: entryPoints.map((file) => join(checkout, file)),
    tsconfig: join(checkout, "tsconfig.build.json"),
    basePath: checkout,
    out: folder,
    readme: "none",
    // Both would differ after the next commit and on another machine.
    disableSources: true,
    disableGit: true,
    excludeExternals: true,
    excludePrivate: true,
    excludeProtected: true,
    excludeInternal: true,
    // The step "types" of `npm run check` finds them.
    skipErrorChecking: true,
    // At "Info" it prints the plugins that it loaded.
    logLevel: "Warn",
    validation: { notDocumented: true, invalidLink: true, notExported: false },
    router: "module",
    ...layout,
  });
  const complaints: string[] = [];
  application.logger = collecting(complaints, typedoc);
  const project = await application.convert();
  if (project !== undefined) {
    application.validate(project);
    await application.generateOutputs(project);
  }
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
}

function collecting(complaints: string[], { Logger, LogLevel }: Typedoc): Logger {
  return new (class extends Logger {
    override log(...[message, level]: Parameters<Logger["log"]>): void {
      if (level >= LogLevel.Warn) complaints.push(message);
    }
  })();
}
