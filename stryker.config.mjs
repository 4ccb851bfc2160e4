/**
 * `npm run mutate`: changes the code that decides about money, one place at a time, and runs the tests that reach it. A
 * change that no test notices is a decision that nobody checks. Texts are mutated too: most of them are decisions here
 * (phases, events, statuses), and the rest is what users read when a launch failed.
 */
export default {
  mutate: [
    "provider/resources/ad-campaign/{lifecycle,adopt,campaign,campaign-list,changes,launch,launch-messages,protocol,intent,app-budget,micros,unconverted-budget}.ts",
    "provider/resources/shared/{launch-intents,claims,reservations}.ts",
    "provider/service/campaigns.ts",
    "provider/service/shared-reads.ts",
  ],
  testRunner: "mocha",
  // Without .mocharc.json, whose set-up packs and installs the whole package.
  mochaOptions: {
    "no-config": true,
    require: ["ts-node/register"],
    // The quickest first: the first test that fails ends a mutant.
    spec: [
      "test/resources/launch-protocol.test.ts",
      "test/resources/campaign-listing.test.ts",
      "test/service/shared-reads.test.ts",
      "test/resources/launch-intents.test.ts",
      "test/resources/launch-messages.test.ts",
      "test/resources/launch-intent.test.ts",
      "test/resources/wrong-clocks.test.ts",
      "test/resources/heirs.test.ts",
      "test/resources/ad-campaign-*.test.ts",
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
  thresholds: { high: 95, low: 93, break: 93 },
};
