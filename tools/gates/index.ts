/**
 * `npm run gates`: edits random stacks, previews, reviews and applies them with the real Pulumi CLI, and compares what the
 * review said with what the service was asked.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { install, uninstall } from "../harness/installation";
import { wholeNumber } from "../whole-number";
import { noTotals, playSeed, roundsOfASeed } from "./round";

const usage = `Usage: npm run gates -- [options]

Edits random stacks, and previews, reviews and applies each edit with the real Pulumi CLI. Stops if an \`up\` launches,
resumes or deletes something that its review did not announce. A seed gives the same edits again, as far as Pulumi fails
in the same order.

Options:
  --rounds N  how many edits to play (default 300)
  --from S    the first seed (default: a random one, which is printed)
  --help      print this text`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: "string" }, from: { type: "string" }, help: { type: "boolean" } },
  });
  if (values.help === true) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const rounds = wholeNumber("rounds", values.rounds) ?? 300;
  const first = wholeNumber("from", values.from) ?? randomInt(1_000_000);
  const totals = noTotals();
  await install();
  let miss;
  try {
    for (let seed = first; totals.rounds < rounds && miss === undefined; seed++) {
      miss = await playSeed(seed, Math.min(roundsOfASeed, rounds - totals.rounds), totals);
      process.stdout.write(`seed ${String(seed)}: ${JSON.stringify({ ...totals, refused: totals.refused.length })}\n`);
    }
  } finally {
    if (miss === undefined) await uninstall();
  }
  for (const why of totals.refused) process.stdout.write(`refused: ${why}\n`);
  if (miss === undefined) return;
  process.exitCode = 1;
  process.stdout.write(`MISSED in round ${String(miss.round)} of seed ${String(miss.seed)} (${miss.folder}):\n`);
  for (const what of miss.what) process.stdout.write(`  ${what}\n`);
}

void main();
