import assert from "node:assert/strict";
import fc from "fast-check";
import { type Certainty, certaintyOf } from "../../provider/service/errors";
import { retryAfter, waitBeforeRetry } from "../../provider/service/retry";

describe("A status", () => {
  it("proves a refusal for 400, 401, 402, 403, 404, 405 and 422, the rate limit for 429, and nothing otherwise", () => {
    const refusals = new Set([400, 401, 402, 403, 404, 405, 422]);
    for (let status = 100; status < 600; status++) {
      const proven = refusals.has(status) ? "refused" : status === 429 ? "limited" : "uncertain";
      assert.equal(certaintyOf(status), proven, String(status));
    }
  });
});

describe("The retry decision", () => {
  /** The wait in milliseconds with the least and the greatest jitter; undefined if there is no retry. */
  type Wait = readonly [least: number, greatest: number] | undefined;
  interface Row {
    readonly certainty: Certainty;
    /** All of these where it does not matter. */
    readonly repeatable?: boolean;
    readonly status?: number;
    readonly retryAfter?: number;
    /** After the first attempt, the second, and so on. */
    readonly waits: readonly Wait[];
  }
  const backoff: Wait[] = [[125, 250], [250, 500], [500, 1000], [1000, 2000], undefined];
  const never: Wait[] = [undefined, undefined, undefined, undefined, undefined];
  const always = (...wait: [number, number]): Wait[] => [wait, wait, wait, wait, undefined];
  const rows: Row[] = [
    { certainty: "refused", waits: never },
    { certainty: "refused", retryAfter: 1_000, waits: never },
    { certainty: "not-sent", waits: backoff },
    { certainty: "limited", waits: always(15_000, 16_000) },
    { certainty: "limited", retryAfter: 0, waits: always(0, 1_000) },
    { certainty: "limited", retryAfter: 300_000, waits: always(300_000, 301_000) },
    { certainty: "limited", retryAfter: 300_001, waits: never },
    { certainty: "uncertain", repeatable: false, waits: never },
    { certainty: "uncertain", repeatable: false, retryAfter: 1_000, waits: never },
    { certainty: "uncertain", repeatable: true, waits: backoff },
    { certainty: "uncertain", repeatable: true, retryAfter: 9_000, waits: always(9_000, 9_000) },
    { certainty: "uncertain", repeatable: true, retryAfter: 300_001, waits: never },
    ...[302, 409, 502].map((status): Row => ({ certainty: "uncertain", repeatable: true, status, waits: backoff })),
    // A success that cannot be read is read three times.
    ...[200, 204, 299].map((status): Row => ({
      certainty: "uncertain",
      repeatable: true,
      status,
      waits: [...backoff.slice(0, 2), undefined, undefined, undefined],
    })),
  ];
  for (const { waits, ...row } of rows)
    it(JSON.stringify(row), () => {
      const { certainty, status, retryAfter: retryAfterMilliseconds } = row;
      for (const repeatable of row.repeatable === undefined ? [true, false] : [row.repeatable])
        for (const [index, expected] of waits.entries()) {
          const attempt = { number: index + 1, repeatable, error: { certainty, status, retryAfterMilliseconds } };
          const wait = [0, 0.999_999].map((jitter) => waitBeforeRetry(attempt, jitter));
          assert.deepEqual(wait, expected ?? [undefined, undefined], `attempt ${String(index + 1)}`);
        }
    });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");

  for (const [header, milliseconds] of [
    ["0", 0],
    ["7", 7_000],
    [" 120 ", 120_000],
    ["Sunday, 01-Mar-26 12:00:05 GMT", 5_000],
    ["Sun, 01 Mar 2026 11:59:00 GMT", 0],
    ...[undefined, ["1", "2"], "", "soon", "-5", "1.5", "1,5", "12:30"].map((one) => [one, undefined] as const),
  ] as const)
    it(`${JSON.stringify(header)} asks for ${String(milliseconds)} ms`, () => {
      assert.equal(retryAfter(header, now), milliseconds);
    });

  it("with any date asks for the time until then", () => {
    fc.assert(
      fc.property(fc.nat({ max: 86_400 }), (seconds) => {
        assert.equal(retryAfter(new Date(now + seconds * 1000).toUTCString(), now), seconds * 1000);
      }),
    );
  });
});
