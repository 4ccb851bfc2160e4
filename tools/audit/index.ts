/**
 * `npm run audit`: asks the registry for known vulnerabilities of what ships, development dependencies apart. Not a part
 * of `npm run check`, which needs nobody's answer.
 */
import { spawnSync } from "node:child_process";
import { outcomeOf } from "./outcome";

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8" });
const { code, words } = outcomeOf(stdout);
process.stdout.write(`${words}\n`);
process.exitCode = code;
