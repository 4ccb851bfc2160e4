import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, posix } from "node:path";

/** The description of a tarball by `npm pack --json`. */
export interface Packed {
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

const documents = [
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "dist/simulator/page/page.css",
  "dist/simulator/page/page.html",
  "dist/simulator/page/page.js",
  "docs/images/review.png",
  "examples/quickstart/index.ts",
  "package.json",
  "plugin/schema.json",
];

/** The engine starts the one, and on Windows the other. */
const [launcher, windowsLauncher] = [
  "plugin/pulumi-resource-workspace-apps",
  "plugin/pulumi-resource-workspace-apps.cmd",
];
const needed = [...documents, launcher, windowsLauncher];

const allowed = [
  /^dist\/(provider|policy|simulator|cli)\/.+\.(js|d\.ts)$/,
  /^docs\/([\w-]+\/)*([\w-]+\.md|images\/(review|simulator-page)\.png)$/,
  // Nothing that a stack or an installation leaves behind in an example.
  /^examples\/[\w-]+\/([.\w-]+\/)*(README\.md|(Pulumi(Policy)?|Main)\.yaml|__main__\.py|requirements\.txt|(package|[jt]sconfig(\.run)?|settings)\.json|[\w-]+(\.test)?\.[jt]s)$/,
  /^examples\/gitops\/(\.github\/workflows\/[\w-]+\.yml|\.gitlab-ci\.yml)$/,
];

/**
 * Only the compiled code, the plugin, the documents and the examples may ship, and nothing may tell of the machine that built it.
 * Every relative link in a document must lead to something that ships too, and every file that its code names must exist.
 */
export async function contentFaults(packed: Packed, checkout: string): Promise<string[]> {
  const paths = packed.files.map(({ path }) => path);
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, await readFile(join(checkout, path), "utf8"));
  return [
    ...needed.filter((name) => !texts.has(name)).map((name) => `${name} is missing from the package`),
    ...paths
      .filter((path) => path.split("/").includes("node_modules") || !isAllowed(path))
      .map((path) => `${path} does not belong in the package`),
    ...[...texts]
      .filter(([, text]) => text.includes(`${checkout}/`) || text.includes(`${homedir()}/`))
      .map(([path]) => `${path} contains a path of this machine`),
    ...launcherFaults(packed, texts),
    ...linkFaults(texts),
    ...pathFaults(texts, checkout),
  ];
}

function isAllowed(path: string): boolean {
  return needed.includes(path) || allowed.some((pattern) => pattern.test(path));
}

function launcherFaults({ files }: Packed, texts: ReadonlyMap<string, string>): string[] {
  const isExecutable = files.some(({ path, mode }) => path === launcher && mode % 0o1000 === 0o755);
  return [
    ...(texts.has(launcher) && !isExecutable ? [`${launcher} is not executable`] : []),
    // The command line of Windows misreads a batch file with other line ends.
    ...(/(?<!\r)\n/.test(texts.get(windowsLauncher) ?? "") ? [`${windowsLauncher} has line ends other than CRLF`] : []),
  ];
}

/** The relative links and images of the Markdown files that lead to no file of these, or to no anchor in it. */
export function linkFaults(texts: ReadonlyMap<string, string>): string[] {
  const anchors = new Map<string, Set<string>>();
  const anchorsIn = (path: string): Set<string> => {
    const found = anchors.get(path) ?? anchorsOf(texts.get(path) ?? "");
    anchors.set(path, found);
    return found;
  };
  const fault = (from: string, target: string): string | undefined => {
    const [file = "", anchor] = target.split("#");
    const path = file === "" ? from : posix.join(posix.dirname(from), decodeURI(file));
    const isFolder = [...texts.keys()].some((other) => other.startsWith(path.replace(/\/?$/, "/")));
    if (!texts.has(path) && !isFolder) return `${from}: ${target} leads to no file`;
    const isMissing = anchor !== undefined && path.endsWith(".md") && !anchorsIn(path).has(anchor);
    return isMissing ? `${from}: ${target} leads to no heading` : undefined;
  };
  return [...texts]
    .filter(([path]) => path.endsWith(".md"))
    .flatMap(([path, text]) => [...new Set(linksIn(text))].map((target) => fault(path, target)))
    .filter((found) => found !== undefined);
}

/** The files of the repository that the Markdown files name in code, and that do not exist. */
export function pathFaults(texts: ReadonlyMap<string, string>, checkout: string): string[] {
  return [...texts]
    .filter(([page]) => page.endsWith(".md"))
    .flatMap(([page, text]) =>
      [...new Set(pathsIn(text))]
        .filter((path) => !isThere(join(checkout, path)))
        .map((path) => `${page}: ${path} does not exist`),
    );
}

/** Also in commands, where a path may be a pattern. Not `policy/`: users have a folder of that name too. */
const repositoryPath = /^(?:bench|cli|docs|examples|provider|simulator|test|tools)\/[\w./*-]+\.\w+$/;

function pathsIn(text: string): string[] {
  const code = [...text.matchAll(fences), ...text.replaceAll(fences, "").matchAll(spans)].map(([found]) => found);
  const words = code.join("\n").split(/<br\/?>|[\s`"'(),;:|[\]]+/);
  return words.filter((word) => repositoryPath.test(word));
}

/** A `*` stands for a part of the file's own name. */
function isThere(path: string): boolean {
  const [folder, name] = [posix.dirname(path), posix.basename(path)];
  if (!name.includes("*")) return existsSync(path);
  const pattern = new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  return existsSync(folder) && readdirSync(folder).some((file) => pattern.test(file));
}

/** The targets of links and images, those with a scheme left out. */
function linksIn(text: string): string[] {
  const prose = withoutCode(text);
  const found = [
    ...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g),
    ...prose.matchAll(/^\s*\[[^\]]+\]:\s*<?([^\s>]+)/gm),
    ...prose.matchAll(/<(?:a|img)\s[^>]*?\b(?:href|src)="([^"]+)"/g),
  ];
  return found.flatMap(([, target = ""]) => (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(target) ? [] : [target]));
}

/** The ids that GitHub gives to headings, and those that a page sets itself. */
function anchorsOf(text: string): Set<string> {
  const prose = text.replaceAll(fences, "");
  const anchors = new Set([...prose.matchAll(/<a\s[^>]*?\b(?:id|name)="([^"]+)"/g)].map(([, id = ""]) => id));
  const used = new Map<string, number>();
  for (const [, heading = ""] of prose.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const slug = slugOf(heading);
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    anchors.add(times === 0 ? slug : `${slug}-${String(times)}`);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<\/?a\b[^>]*>/g, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}

const fences = /^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\1[ \t]*$/gm;
const spans = /(?<!`)(`+)(?!`)(?:(?!\n\n)[\s\S])*?[^`]\1(?!`)/g;

function withoutCode(text: string): string {
  return text.replaceAll(fences, "").replaceAll(spans, "");
}
