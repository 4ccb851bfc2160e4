import assert from "node:assert/strict";
import { problemsOf } from "../../provider/pulumi/check-step";
import { entityRecordLifecycle } from "../../provider/resources/entity-record/lifecycle";
import { testFlowLifecycle } from "../../provider/resources/test-flow/lifecycle";
import { readJson } from "../../provider/service/json";
import { maxUserBytes } from "../../provider/service/operations";

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 1; level < levels; level++) value = { value };
  return value;
}

/** The maximum in one dimension, one more than that, and the error then. */
const bounds: [what: string, within: object, beyond: object, reason: RegExp][] = [
  [
    "values",
    { list: Array.from({ length: 39_999 }, () => 1) },
    { list: Array.from({ length: 40_000 }, () => 1) },
    /^must not hold more than 40000 values$/,
  ],
  ["levels", nested(160), nested(161), /^must not be nested deeper than 160 levels$/],
  [
    "bytes",
    { text: "x".repeat(3_355_400) },
    { text: "x".repeat(3_355_443) },
    /^must not be larger than 3276 KiB as JSON$/,
  ],
];

describe("The size of a program's own values", () => {
  for (const [what, within, beyond, reason] of bounds)
    it(`is limited in ${what}, so that the created object can be read again`, () => {
      const ofRecord = (fields: object): object => ({ appId: "a", entityName: "Note", fields });
      const ofTest = (definition: object): object => ({ appId: "a", definition });
      for (const [path, problems] of [
        ["fields", (value: object) => problemsOf(entityRecordLifecycle, ofRecord(value) as never)],
        ["definition", (value: object) => problemsOf(testFlowLifecycle, ofTest(value) as never)],
      ] as const) {
        assert.deepEqual(problems(within), []);
        const [problem, ...others] = problems(beyond);
        assert.deepEqual([problem?.property, others], [path, []]);
        assert.match(problem?.reason ?? "", reason);
      }
      const added = {
        id: "made",
        created_date: "2026-01-02T03:04:05Z",
        created_by: "me@example.com",
        is_sample: false,
      };
      for (const text of [
        { ...added, ...within },
        { ...added, definition: within },
      ].map((made) => JSON.stringify(made))) {
        const body = readJson(text);
        assert.ok("json" in body, JSON.stringify({ ...body, text: undefined }));
        assert.ok(Buffer.byteLength(text) <= maxUserBytes);
      }
    });
});
