import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { play } from "../../tools/simulate/play";
import { describePlayed } from "../../tools/simulate/report";
import type { SavedCase } from "../../tools/simulate/seeds";

/** The smallest schedules that once broke a promise, as `npm run simulate -- --save` writes them. */
const cases = join(__dirname, "cases");

describe("A schedule that once broke a promise:", () => {
  for (const file of existsSync(cases) ? readdirSync(cases) : []) {
    const { title, schedule } = JSON.parse(readFileSync(join(cases, file), "utf8")) as SavedCase;
    it(title, async () => {
      const played = await play(schedule);
      assert.equal(played.broken, undefined, describePlayed(played));
    });
  }
});
