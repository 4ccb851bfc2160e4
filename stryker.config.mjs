/**
 * `npm run mutate`: changes the code that decides whose campaign it is and what to do about it, one place at a time, and
 * runs the tests that reach it. A change that no test notices is a decision that nobody checks.
 */
export default {
  mutate: [
    "provider/resources/ad-campaign/decide.ts",
    "provider/resources/ad-campaign/identity.ts",
    "provider/resources/ad-campaign/settle.ts",
    "provider/resources/ad-campaign/watch.ts",
  ],
  testRunner: "mocha",
  // Without .mocharc.json, whose set-up packs and installs the whole package.
  mochaOptions: {
    "no-config": true,
    require: ["ts-node/register"],
    // The quickest first: the first test that fails ends a mutant.
    spec: [
      "test/resources/campaign-sort.test.ts",
      "test/resources/campaign-identity.test.ts",
      "test/resources/campaign-decide.test.ts",
      "test/resources/launch-intent.test.ts",
      "test/resources/campaign-uncertain.test.ts",
    ],
  },
  coverageAnalysis: "perTest",
  concurrency: 2,
  // A busy machine must not pass for a test that noticed something. (Mocha's own time-outs are off here.)
  timeoutMS: 15_000,
  ignorePatterns: ["dist", "docs", "examples", "bench", "tools", "cli", "test/engine", "*.tgz"],
  tempDirName: ".cache/mutate",
  reporters: ["clear-text", "progress-append-only", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: ".cache/mutation.json" },
  thresholds: { high: 95, low: 90, break: 90 },
};
