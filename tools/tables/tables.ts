import ts from "typescript";
import { z } from "zod";
import results from "../../bench/results.json";
import { typeOf } from "../../provider/pulumi/urn";
import { type AnyLifecycle, kinds, lifecycles, lookups } from "../../provider/registry";
import { type Operation, operations } from "../../provider/service/operations";
import { readOnlyOperations } from "../../simulator/credentials";
import { plotsOf } from "../plots/plots";
import { Declarations } from "../schema/declarations";
import { code, kebabCase, table } from "./markdown";
import { argumentTable, lookupTables, outputTable, settingTable } from "./schema-tables";
import { messageEntries } from "./messages";

/* The tables in README and docs that repeat what the code says. */

/** A table, the page that shows it, and its name in the page's markers. */
export interface Section {
  readonly page: string;
  readonly name: string;
  readonly markdown: () => string;
}

const kindLifecycles: readonly AnyLifecycle[] = Object.values(kinds);

export const sections: readonly Section[] = [
  { page: "README.md", name: "resources", markdown: () => resourceTable("docs/reference/resources") },
  { page: "README.md", name: "lookups", markdown: lookupList },
  { page: "docs/concepts.md", name: "resources", markdown: () => resourceTable("reference/resources") },
  { page: "docs/concepts.md", name: "lifecycles", markdown: lifecycleTable },
  { page: "docs/guides/import-and-adopt.md", name: "import-ids", markdown: importTable },
  { page: "docs/reference/configuration.md", name: "settings", markdown: settingTable },
  { page: "docs/reference/configuration.md", name: "credentials", markdown: credentialTable },
  { page: "docs/reference/operations.md", name: "objects", markdown: objectTable },
  { page: "docs/reference/operations.md", name: "operations", markdown: operationTable },
  ...kindLifecycles.flatMap(({ kind }): Section[] => {
    const page = `docs/reference/resources/${kebabCase(kind)}.md`;
    return [
      { page, name: "arguments", markdown: () => argumentTable(kind) },
      { page, name: "outputs", markdown: () => outputTable(kind) },
    ];
  }),
  { page: "docs/reference/lookups.md", name: "lookups", markdown: lookupTable },
  ...lookups.map(({ name }): Section => ({
    page: "docs/reference/lookups.md",
    name,
    markdown: () => lookupTables(name),
  })),
  { page: "docs/operations/troubleshooting.md", name: "messages", markdown: messageEntries },
  { page: "docs/reference/api.md", name: "simulator-options", markdown: simulatorOptionTable },
  { page: "docs/reference/simulator.md", name: "read-only-operations", markdown: readOnlyList },
  { page: "bench/README.md", name: "plots", markdown: plotList },
  { page: "bench/README.md", name: "figures", markdown: figureTable },
];

function resourceTable(folder: string): string {
  return table(
    ["Resource", "Purpose"],
    kindLifecycles.map(({ kind, purpose }) => [`[\`${kind}\`](${folder}/${kebabCase(kind)}.md)`, purpose]),
  );
}

function lookupList(): string {
  return `${lookups.map(({ name }) => `\`${name}\``).join(", ")}.`;
}

/** How each resource is adopted, what destroy can do, and what replaces it. */
function lifecycleTable(): string {
  return table(
    ["Resource", "Adopted by", "`deletionPolicy`", "Replaced by a change of"],
    kindLifecycles.map(({ kind, adoptedBy, inputs, replacedBy }) => [
      `\`${kind}\``,
      adoptedBy === undefined ? "–" : `\`${adoptedBy}\``,
      policiesOf(inputs.shape["deletionPolicy"]).map(code).join(", ") || "–",
      replacedOf(Object.keys(inputs.shape), replacedBy),
    ]),
  );
}

/** The ids by which Pulumi imports each kind. A launch intent belongs to its campaign. */
function importTable(): string {
  return table(
    ["Type", "Id"],
    lifecycles.map(({ kind, importing }) => [
      code(typeOf("packaged", kind)),
      importing === undefined ? "cannot be imported" : code(importing.id.join("/")),
    ]),
  );
}

/** The shorter way to say it: these, or all but those. */
function replacedOf(all: readonly string[], replacing: readonly string[]): string {
  const others = all.filter((name) => !replacing.includes(name));
  if (others.length === 0) return "any argument";
  return replacing.length <= Math.max(3, others.length)
    ? replacing.map(code).join(", ")
    : `any argument but ${others.map(code).join(", ")}`;
}

function policiesOf(schema: z.ZodType | undefined): string[] {
  if (schema instanceof z.ZodOptional) return policiesOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

function lookupTable(): string {
  return table(
    ["Look-up", "Returns", "Operation", "Path", "Requests per minute"],
    lookups.map(({ name, purpose, operation }) => {
      const { documented, perMinute }: Operation = operations[operation];
      return [
        `[\`${name}\`](#${name.toLowerCase()})`,
        purpose,
        code(operation),
        documented ? "documented" : "assumed",
        String(perMinute ?? ""),
      ];
    }),
  );
}

/** Which operations of each resource the specification shows. They have the first part of their name in common. */
function objectTable(): string {
  const row = (what: string, isMeant: (id: string) => boolean): string[] => {
    const meant = Object.entries<Operation>(operations).filter(([id]) => isMeant(id));
    const those = (shown: boolean): string =>
      meant.flatMap(([id, { documented }]) => (documented === shown ? [code(id)] : [])).join(", ") || "none";
    return [what, those(true), those(false)];
  };
  const rows = kindLifecycles.map((lifecycle) => {
    const areas = lifecycle.requiredOperations({}).map(({ operation }) => areaOf(operation));
    return row(code(lifecycle.kind), (id) => areas.includes(areaOf(id)));
  });
  const lookedUp = row("Look-ups", (id) => lookups.some(({ operation }) => operation === id));
  return table(["Resource", "Documented", "Assumed"], [...rows, lookedUp]);
}

function areaOf(operation: string): string {
  return operation.slice(0, operation.indexOf("."));
}

function operationTable(): string {
  return table(
    ["Operation", "Default endpoint", "Path", "Credential", "Requests per minute", "Repeatable"],
    Object.entries<Operation>(operations).map(([id, operation]) => [
      code(id),
      code(operation.endpoint),
      operation.documented ? "documented" : "assumed",
      operation.credential === "key" ? "API key, else token" : "token",
      operation.perMinute === undefined ? "–" : limitOf(operation.perMinute, operation.limitedPer),
      operation.repeatable ? "yes" : "no",
    ]),
  );
}

/** All operations on a kind of object use one credential. */
function credentialTable(): string {
  const those = (meant: Operation["credential"]): string => {
    const uses = Object.entries<Operation>(operations).filter(([, { credential }]) => credential === meant);
    return [...new Set(uses.map(([id]) => code(`${areaOf(id)}.*`)))].join(", ");
  };
  return table(
    ["Operations", "Credential"],
    [
      [those("key"), "`apiKey` if it is set, else `accessToken`"],
      [those("token"), "`accessToken`"],
    ],
  );
}

function simulatorOptionTable(): string {
  const declarations = new Declarations("simulator/index.ts");
  const node = declarations.find("simulator/types.ts", "SimulatorOptions", ts.isInterfaceDeclaration);
  const rows = declarations.membersOf(node).map(({ name, doc }) => {
    if (doc.text === "") throw new Error(`SimulatorOptions.${name} has no doc comment`);
    return [code(name), doc.default ?? "–", doc.text.replaceAll("\n", " ")];
  });
  return table(["Option", "Default", "Meaning"], rows);
}

function readOnlyList(): string {
  return `${readOnlyOperations.map(code).join(", ")}.`;
}

/** The plots with what they show, so that these words are as current as the plots. */
function plotList(): string {
  return plotsOf()
    .map(({ name, description }) => `![Plot: ${description}](plots/${name}.svg)`)
    .join("\n\n");
}

/** The figures of the saved runs of `npm run bench`. */
function figureTable(): string {
  const { machine, versions, goals } = results as Results;
  const by = [
    `${String(machine.cores)} cores`,
    ...Object.entries(versions).map(([name, version]) => `${name} ${version}`),
  ];
  const rows = goals.map((one) => [
    one.what,
    one.at,
    measuredIn(one),
    one.goal === undefined ? "–" : inSingular(one.goal),
    one.isReached === undefined ? "–" : one.isReached ? "yes" : "**no**",
    one.from,
    one.on,
  ]);
  const all = table(["Figure", "At", "Measured", "Goal", "Reached", "From", "On"], rows);
  return `Measured with ${by.join(", ")}.\n\n${all}`;
}

/** Rounded, but not so far that a missed goal looks reached. */
function measuredIn({ value, unit, goal, isReached }: SavedGoal): string {
  const rounded = `${String(Number(value.toPrecision(3)))} ${unit}`;
  const looksReached = isReached === false && goal?.endsWith(rounded) === true;
  return inSingular(looksReached ? `${String(value)} ${unit}` : rounded);
}

function inSingular(count: string): string {
  return count.replace(/^1 (request|answer)s$/, "1 $1");
}

interface SavedGoal {
  readonly what: string;
  readonly at: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: string;
  readonly isReached?: boolean;
  readonly from: string;
  readonly on: string;
}

interface Results {
  readonly machine: { readonly cores: number };
  readonly versions: Readonly<Record<string, string>>;
  readonly goals: readonly SavedGoal[];
}

function limitOf(perMinute: number, limitedPer: string | undefined): string {
  return limitedPer === undefined ? String(perMinute) : `${String(perMinute)} for each \`${limitedPer}\``;
}
