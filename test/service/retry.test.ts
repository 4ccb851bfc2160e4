import assert from "node:assert/strict";
import fc from "fast-check";
import { certaintyOf } from "../../provider/service/errors";
import { retryAfter, waitBeforeRetry } from "../../provider/service/retry";

const jitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const number = fc.integer({ min: 1, max: 4 });
const retryAfterMilliseconds = fc.option(fc.nat({ max: 300_000 }), { nil: undefined });

describe("A status", () => {
  it("proves a refusal for 400, 401, 402, 403, 404, 405 and 422, and the rate limit for 429", () => {
    for (const status of [400, 401, 402, 403, 404, 405, 422]) assert.equal(certaintyOf(status), "refused");
    assert.equal(certaintyOf(429), "limited");
  });

  it("proves nothing for any other value, in particular 409", () => {
    const proving = new Set([400, 401, 402, 403, 404, 405, 422, 429]);
    for (let status = 100; status < 600; status++)
      if (!proving.has(status)) assert.equal(certaintyOf(status), "uncertain", String(status));
  });
});

describe("The retry decision", () => {
  it("is no for a refusal, for any operation", () => {
    fc.assert(
      fc.property(number, fc.boolean(), jitter, retryAfterMilliseconds, (number, repeatable, jitter, wait) => {
        const error = { certainty: "refused", retryAfterMilliseconds: wait } as const;
        assert.equal(waitBeforeRetry({ number, repeatable, error }, jitter), undefined);
      }),
    );
  });

  it("is no for an uncertain outcome when a retry could do harm", () => {
    fc.assert(
      fc.property(number, jitter, retryAfterMilliseconds, (number, jitter, wait) => {
        const error = { certainty: "uncertain", retryAfterMilliseconds: wait } as const;
        assert.equal(waitBeforeRetry({ number, repeatable: false, error }, jitter), undefined);
      }),
    );
  });

  it("is yes for a request that was certainly not sent, for every operation", () => {
    fc.assert(
      fc.property(number, fc.boolean(), jitter, (number, repeatable, jitter) => {
        const wait = waitBeforeRetry({ number, repeatable, error: { certainty: "not-sent" } }, jitter);
        assert.ok(wait !== undefined && wait > 0);
      }),
    );
  });

  it("is no after the fifth attempt, whatever happened", () => {
    for (const certainty of ["refused", "limited", "uncertain", "not-sent"] as const)
      assert.equal(waitBeforeRetry({ number: 5, repeatable: true, error: { certainty } }, 0), undefined);
  });

  it("is no after the third successful but unreadable response, for any operation", () => {
    const decide = (number: number, status: number): number | undefined =>
      waitBeforeRetry({ number, repeatable: true, error: { certainty: "uncertain", status } }, 0);
    for (const status of [200, 204, 299]) {
      assert.equal(decide(2, status), 250);
      assert.equal(decide(3, status), undefined);
    }
    for (const status of [302, 409, 502]) assert.equal(decide(4, status), 1000);
  });

  it("doubles the backoff each time, between half and the whole of it", () => {
    for (const certainty of ["not-sent", "uncertain"] as const)
      for (const [number, whole] of [250, 500, 1000, 2000].entries()) {
        const attempt = { number: number + 1, repeatable: true, error: { certainty } };
        assert.equal(waitBeforeRetry(attempt, 0), whole / 2);
        assert.equal(waitBeforeRetry(attempt, 0.5), Math.round((whole * 3) / 4));
        assert.equal(waitBeforeRetry(attempt, 0.999999), whole);
      }
  });

  it("waits at the rate limit as long as the service asks, and up to a second more", () => {
    fc.assert(
      fc.property(number, fc.boolean(), jitter, fc.nat({ max: 300_000 }), (number, repeatable, jitter, asked) => {
        const error = { certainty: "limited", retryAfterMilliseconds: asked } as const;
        const wait = waitBeforeRetry({ number, repeatable, error }, jitter);
        assert.ok(wait !== undefined && wait >= asked && wait <= asked + 1000);
      }),
    );
  });

  it("waits 15 seconds at a rate limit that does not say how long", () => {
    const attempt = { number: 1, repeatable: false, error: { certainty: "limited" } } as const;
    assert.equal(waitBeforeRetry(attempt, 0), 15_000);
  });

  it("waits at least as long as the service asks also for an uncertain, repeatable request", () => {
    const error = { certainty: "uncertain", retryAfterMilliseconds: 9_000 } as const;
    assert.equal(waitBeforeRetry({ number: 1, repeatable: true, error }, 0.5), 9_000);
  });

  it("is no when the service asks for more than five minutes: an error says when to come back", () => {
    for (const certainty of ["limited", "uncertain"] as const) {
      const error = { certainty, retryAfterMilliseconds: 300_001 };
      assert.equal(waitBeforeRetry({ number: 1, repeatable: true, error }, 0), undefined, certainty);
    }
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");

  it("is read in seconds", () => {
    assert.equal(retryAfter("0", now), 0);
    assert.equal(retryAfter("7", now), 7_000);
    assert.equal(retryAfter(" 120 ", now), 120_000);
  });

  it("is read as a date, in milliseconds from now", () => {
    fc.assert(
      fc.property(fc.nat({ max: 86_400 }), (seconds) => {
        assert.equal(retryAfter(new Date(now + seconds * 1000).toUTCString(), now), seconds * 1000);
      }),
    );
    assert.equal(retryAfter("Sunday, 01-Mar-26 12:00:05 GMT", now), 5_000, "RFC 850");
  });

  it("is zero when the date is past", () => {
    assert.equal(retryAfter("Sun, 01 Mar 2026 11:59:00 GMT", now), 0);
  });

  it("is ignored when it cannot be read", () => {
    for (const header of [undefined, "", "soon", "-5", "1.5", "1,5", "12:30"])
      assert.equal(retryAfter(header, now), undefined, header);
  });
});
