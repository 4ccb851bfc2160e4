/**
 * `npm run bench`: what our resources cost beside a no-op resource of the same type, through the real engine and real
 * sockets, both in one run. Absolute times say little on a noisy machine; the ratios are what counts.
 */
import { parseArgs } from "node:util";
import { install, uninstall } from "../test/support/installation";
import { floor, ours } from "./contestants";
import { measure } from "./measure";
import { table } from "./table";

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { sizes: { type: "string", default: "200,500" }, rounds: { type: "string", default: "1" } },
  });
  await install();
  try {
    for (const size of values.sizes.split(",").map(Number)) {
      const results = await measure([floor, ours], size, Number(values.rounds));
      process.stdout.write(`\n${table(size, results)}\n`);
    }
  } finally {
    await uninstall();
  }
}

void main();
