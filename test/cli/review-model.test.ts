import assert from "node:assert/strict";
import { planFrom } from "../../cli/review/plan";
import { reviewOf } from "../../cli/review/review";
import { stateFrom } from "../../cli/stack-state";
import { toPlainText } from "../../cli/review/phrase";
import { Chance } from "../../tools/simulate/chance";
import { type Action, drawPlan } from "./modelled-plans";
import { stateOf } from "./support";

const plans = 2_000;

describe(`A review of ${plans.toLocaleString("en")} modelled plans`, () => {
  it("announces every launch, resume and permanent deletion of the up, and little else", () => {
    let [done, announced] = [0, 0];
    for (let seed = 1; seed <= plans; seed++) {
      const { steps, actions } = drawPlan(new Chance(seed));
      const plan = JSON.stringify({ steps });
      const { risks, unseen, incomplete } = reviewOf(planFrom(plan), stateFrom(stateOf(plan)));
      assert.deepEqual([unseen, incomplete], [[], []], `seed ${String(seed)}: ${plan}`);
      const isAnnounced = (action: Action): boolean =>
        risks.some(({ category, resources, text }) => {
          if (category !== action.is) return false;
          return action.is === "launch"
            ? resources.some(({ name }) => name === action.name)
            : toPlainText(text).includes(`"${action.id}"`);
        });
      const missed = actions.filter((action) => !isAnnounced(action));
      assert.deepEqual(missed, [], `seed ${String(seed)}: ${plan}`);
      done += actions.length;
      announced += risks.filter(({ category }) => ["permanent-delete", "launch", "spend"].includes(category)).length;
    }
    assert.ok(done > plans && announced < 1.5 * done, `${String(announced)} announced, ${String(done)} done`);
  });
});
