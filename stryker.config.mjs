import { readFileSync } from "node:fs";

const folder = "provider/resources/ad-campaign";

/** The lines from one text to the last one before another. */
function linesOf(file, from, to) {
  const lines = readFileSync(file, "utf8").split("\n");
  const [first, end] = [from, to].map((text) => lines.findIndex((line) => line.includes(text)));
  if (first < 0 || end <= first) throw new Error(`${file} has no lines from "${from}" to "${to}"`);
  return `${file}:${String(first + 1)}-${String(end)}`;
}

/**
 * `npm run mutate`: changes the code that decides whose campaign it is and what to do about it, one place at a time, and
 * runs the tests of that code. A change that no test notices is a decision that nobody checks.
 */
export default {
  mutate: [
    `${folder}/decide.ts`,
    `${folder}/campaign-name.ts`,
    // Not `liveIn` and `objectOf`, which decide nothing.
    linesOf(`${folder}/classify.ts`, "export function classify(", "function objectOf("),
  ],
  testRunner: "mocha",
  // Without .mocharc.json, whose set-up packs and installs the whole package.
  mochaOptions: {
    "no-config": true,
    require: ["ts-node/register"],
    // The quickest first: the first test that fails ends a mutant.
    spec: [
      "test/resources/campaign-classify.test.ts",
      "test/resources/campaign-name.test.ts",
      "test/resources/campaign-decide.test.ts",
    ],
  },
  coverageAnalysis: "perTest",
  concurrency: 2,
  // A busy machine must not pass for a test that noticed something. (Mocha's own time-outs are off here.)
  timeoutMS: 15_000,
  ignorePatterns: ["dist", "docs", "examples", "bench", "cli", "test/engine", "*.tgz"],
  tempDirName: ".cache/mutate",
  reporters: ["clear-text", "progress-append-only", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: ".cache/mutation.json" },
  thresholds: { high: 98, low: 95, break: 95 },
};
