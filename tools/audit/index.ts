/**
 * `npm run audit`: asks the registry for known vulnerabilities of the run-time dependencies. Not a part of `npm run check`,
 * which works offline.
 */
import { spawnSync } from "node:child_process";
import { outcomeOf } from "./outcome";

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8" });
const { code, message } = outcomeOf(stdout);
process.stdout.write(`${message}\n`);
process.exitCode = code;
