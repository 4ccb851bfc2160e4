import { buildEngine, buildPythonHost, buildYamlHost, type Making } from "./make";
import { cli, dynamicHost, nodeHost, pythonExecutor, pythonHost, yamlHost } from "./programs";

/** Programs that are installed together: the engine, or the host of one more language beside it. */
export interface Component {
  /** The first line of the error when it cannot be installed. */
  readonly missing: string;
  /** For the same error: what a user can install. */
  readonly title: string;
  readonly command: string;
  /** The programs without which it does not work. */
  readonly programs: readonly string[];
  /** Compiles the programs into the folder. */
  readonly build: (making: Making) => Promise<void>;
}

/** Node programs need nothing else. */
export const engine: Component = {
  missing: "The Pulumi engine is missing",
  title: "its Node language host",
  command: "npm run engine",
  // The CLI is moved last: where it is, the rest of the engine is too.
  programs: [nodeHost, dynamicHost, cli],
  build: buildEngine,
};

export type Language = "yaml" | "python";

export const languages: Readonly<Record<Language, Component>> = {
  yaml: {
    missing: "Pulumi's YAML language host is missing",
    title: "its YAML language host",
    command: "npm run engine -- --language yaml",
    programs: [yamlHost],
    build: buildYamlHost,
  },
  python: {
    missing: "Pulumi's Python language host is missing",
    title: "its Python language host",
    command: "npm run engine -- --language python",
    programs: [pythonHost, pythonExecutor],
    build: buildPythonHost,
  },
};

/** Throws for a name that is no language of the table. */
export function languageNamed(name: string): Language {
  if (Object.hasOwn(languages, name)) return name as Language;
  throw new Error(`Unknown language "${name}". Use one of: ${Object.keys(languages).join(", ")}.`);
}
