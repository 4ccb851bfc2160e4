import assert from "node:assert/strict";
import fc from "fast-check";
import type { Clock } from "../../provider/service/clock";
import { RateLimiter } from "../../provider/service/rate-limiter";
import { VirtualClock } from "../support/clock";
import { SteppedClock } from "./support/stepped-clock";

const minute = 60_000;
const nothing = (): void => undefined;

/** When each request may leave, in order of departure. */
interface Departure {
  name: number;
  at: number;
}

function asker(limiter: RateLimiter, clock: Clock) {
  const departures: Departure[] = [];
  const ask = async (name: number): Promise<void> => {
    await limiter.acquire(nothing);
    departures.push({ name, at: clock.now() });
  };
  return { departures, ask };
}

/** The maximum number of departures in any minute. */
function maxInAMinute(departures: readonly Departure[]): number {
  return Math.max(
    0,
    ...departures.map(({ at: start }) => departures.filter(({ at }) => at >= start && at < start + minute).length),
  );
}

describe("A rate limiter", () => {
  it("never lets more than the limit pass in any minute, in order of arrival", async () => {
    const steps = fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constant({ ask: true as const }) },
        { weight: 3, arbitrary: fc.record({ passes: fc.integer({ min: 1, max: 40_000 }) }) },
        { weight: 1, arbitrary: fc.record({ pause: fc.integer({ min: 0, max: 90_000 }) }) },
      ),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), steps, async (limit, steps) => {
        const clock = new SteppedClock();
        const limiter = new RateLimiter(limit, clock);
        const { departures, ask } = asker(limiter, clock);
        const asked: Promise<void>[] = [];
        for (const step of steps) {
          if ("ask" in step) asked.push(ask(asked.length));
          else if ("passes" in step) await clock.pass(step.passes);
          else limiter.pause(step.pause);
        }
        await clock.pass(100 * minute);
        assert.ok(maxInAMinute(departures) <= limit);
        assert.deepEqual(
          departures.map(({ name }) => name),
          asked.map((_, name) => name),
        );
      }),
    );
  });

  it("needs at most 5% more than the minimum time for 1000 requests at 100 a minute", async () => {
    const clock = new VirtualClock();
    const start = clock.now();
    const { departures, ask } = asker(new RateLimiter(100, clock), clock);
    await Promise.all(Array.from({ length: 1000 }, (_, name) => ask(name)));
    assert.equal(departures.length, 1000);
    assert.ok(maxInAMinute(departures) <= 100);
    const least = 9 * minute;
    assert.ok(clock.now() - start <= 1.05 * least, `${String(clock.now() - start)} ms`);
  });

  it("lets nothing pass before the pause after a 429 is over, and then everything that waits", async () => {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(100, clock);
    const { departures, ask } = asker(limiter, clock);
    await ask(0);
    limiter.pause(20_000);
    const end = clock.now() + 20_000;
    await Promise.all([ask(1), ask(2)]);
    assert.deepEqual(
      departures.slice(1).map(({ at }) => at),
      [end, end],
    );
  });

  it("does not replace a pause with a shorter one", async () => {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(100, clock);
    const { departures, ask } = asker(limiter, clock);
    const end = clock.now() + 20_000;
    limiter.pause(20_000);
    limiter.pause(1_000);
    await ask(0);
    assert.deepEqual(departures, [{ name: 0, at: end }]);
  });

  it("applies a pause that begins while a request is already waiting", async () => {
    const clock = new SteppedClock();
    const limiter = new RateLimiter(1, clock);
    const { departures, ask } = asker(limiter, clock);
    await ask(0);
    const second = ask(1);
    await clock.pass(30_000);
    limiter.pause(5 * minute);
    const end = clock.now() + 5 * minute;
    await clock.pass(10 * minute);
    await second;
    assert.deepEqual(departures[1], { name: 1, at: end });
  });

  it("reports how long a wait will be before it begins, once for all requests that then pass together", async () => {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(2, clock);
    const told: { wait: number; at: number }[] = [];
    const start = clock.now();
    await Promise.all(Array.from({ length: 4 }, () => limiter.acquire((wait) => told.push({ wait, at: clock.now() }))));
    assert.deepEqual(told, [{ wait: clock.now() - start, at: start }]);
  });
});
