import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { contents } from "./contents";
import { pageByFile } from "./pages";
import type { Logger, PluginOptions, Typedoc } from "./typedoc";

const checkout = resolve(__dirname, "..", "..");

/** Where the committed reference is. */
export const referenceFolder = join(checkout, "docs", "reference");

/** What a program can import, as in the "exports" of package.json. Only the locator uses the runtime. */
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

/** Empties the folder and writes the reference into it. Throws when something is undocumented or a link is broken. */
export async function generateReference(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
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

/** The files in which the committed reference differs from what the sources say now. */
export async function outdatedPages(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "workspace-apps-reference-"));
  try {
    await generateReference(folder);
    const [present, wanted] = [await textsIn(referenceFolder), await textsIn(folder)];
    const names = [...new Set([...present.keys(), ...wanted.keys()])].sort();
    return names.filter((name) => present.get(name) !== wanted.get(name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function textsIn(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const pages = names.filter((name) => name.endsWith(".md"));
  const texts = pages.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const);
  return new Map(await Promise.all(texts));
}

function collecting(complaints: string[], { Logger, LogLevel }: Typedoc): Logger {
  return new (class extends Logger {
    override log(...[message, level]: Parameters<Logger["log"]>): void {
      if (level >= LogLevel.Warn) complaints.push(message);
    }
  })();
}
