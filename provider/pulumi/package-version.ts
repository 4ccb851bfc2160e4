import { readFileSync } from "node:fs";
import { dirname } from "node:path";

/** A package finds itself by its own name, from its sources and from `dist/`. */
const packageFile = require.resolve("pulumi-workspace-apps/package.json");

export const packageFolder = dirname(packageFile);

export const { version: packageVersion } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };
