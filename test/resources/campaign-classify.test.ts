import assert from "node:assert/strict";
import { classify, type LaunchKey, type Listed } from "../../provider/resources/ad-campaign/classify";
import type { Deployment } from "../../provider/resources/shared/deployment";
import { declared } from "../support/campaigns";
import { InMemory } from "../support/in-memory";
import { launchedName } from "../support/launches";

const key = "1f0c9a2";
const other = "0000000";
const thisLaunch = launchedName({ key });
const ending = thisLaunch.slice(-5);

describe("A live campaign in the list", () => {
  let deployment: Deployment;
  beforeEach(() => {
    deployment = new InMemory({}, (_, carryOut) => carryOut()).deployment();
  });

  const launchKey = {
    ...{ key, declared: declared, apps: ["app-1", "app-0"], policy: "delete", readBy: "" },
  } satisfies LaunchKey;
  const listed = (name: string, appId = "app-1", id = "cmp_1"): Listed => ({
    appId,
    row: { id, status: "ENABLED", campaign_name: name },
  });
  /** The campaign's relation to the intent; empty if it has none. */
  const is = (campaign: Listed, of: LaunchKey = launchKey): string[] =>
    Object.entries<readonly Listed[]>({ ...classify([campaign], of, deployment) }).flatMap(([what, found]) => {
      for (const one of found) assert.equal(one, campaign);
      return found.length === 0 ? [] : [what];
    });

  for (const [name, what] of Object.entries({
    [thisLaunch]: ["launch"],
    [` Spring  sale-${key}${ending}`]: ["launch"],
    [`Spring sale-${key}00000`]: ["orphans"],
    [`Autumn sale-${key}00000`]: ["orphans"],
    [`-${key}00000`]: ["orphans"],
    [`Spring sale-${other}${ending}`]: ["namesakes"],
    [`Spring sale-${other}00000`]: ["namesakes"],
    "Spring sale": ["namesakes"],
    " Spring  sale ": ["namesakes"],
    [` Spring  sale-${other}00000`]: ["namesakes"],
    [`Autumn sale-${other}${ending}`]: [],
    "Spring Sale": [],
    "Spring sale 2": [],
    [`Spring sale-${key}`]: [],
    [`Spring sale-${key}0000`]: [],
    [`Spring sale-${key}000000`]: [],
    [`Spring sale ${key}00000`]: [],
  }))
    it(`named "${name}" is ${what.join() || "nothing to the launch"}`, () => {
      assert.deepEqual(is(listed(name)), what);
    });

  it("in an earlier app of the intent is an orphan, whatever its hash, and never a namesake", () => {
    assert.deepEqual(is(listed(thisLaunch, "app-0")), ["orphans"]);
    assert.deepEqual(is(listed(`Spring sale-${key}00000`, "app-0")), ["orphans"]);
    assert.deepEqual(is(listed("Spring sale", "app-0")), []);
    assert.deepEqual(is(listed(`Spring sale-${other}00000`, "app-0")), []);
  });

  it("is an orphan of an intent that is removed from the stack, by its key alone", () => {
    const removed = { ...launchKey, declared: undefined } as unknown as LaunchKey;
    assert.deepEqual(is(listed(thisLaunch), removed), ["orphans"]);
    assert.deepEqual(is(listed(`Spring sale-${other}00000`), removed), []);
    assert.deepEqual(is(listed("Spring sale"), removed), []);
  });

  describe("is no orphan, and is not taken over, where", () => {
    const object = "campaign cmp_1 of app app-1";
    const noted = (what: "kept" | "ended") => (): void => {
      deployment.ledger.setFate(object, what);
    };
    const cases: Record<string, [() => unknown, string[]]> = {
      "it is in the state": [noted("kept"), []],
      "this command deleted or paused it": [noted("ended"), []],
      // Nothing may be launched beside these.
      "the program reads it with get": [
        () => {
          deployment.ledger.addReader(object, "urn");
        },
        ["namesakes"],
      ],
      "another resource declares it by its id": [
        () => deployment.ledger.declare("AdCampaign", "other", [{ object, isShared: false }]),
        ["namesakes"],
      ],
    };
    for (const [what, [prepare, expected]] of Object.entries(cases))
      it(what, () => {
        prepare();
        assert.deepEqual(is(listed(thisLaunch)), expected);
        assert.deepEqual(is(listed(`Spring sale-${key}00000`)), expected);
        assert.deepEqual(is(listed(thisLaunch, "app-1", "cmp_2")), ["launch"], "another one is");
        assert.deepEqual(is(listed(`Spring sale-${key}00000`, "app-0")), ["orphans"], "the same id in another app is");
      });
  });

  it("is what a launch replaces, until this command has deleted it", () => {
    const object = "campaign cmp_1 of app app-1";
    deployment.ledger.setFate(object, "replaced");
    assert.deepEqual(is(listed(thisLaunch)), ["replaced"]);
    assert.deepEqual(is(listed("Autumn sale")), []);
    deployment.ledger.setFate(object, "ended");
    assert.deepEqual(is(listed(thisLaunch)), []);
  });

  it("is a namesake even where another resource of the stack manages it", () => {
    deployment.ledger.setFate("campaign cmp_1 of app app-1", "kept");
    assert.deepEqual(is(listed("Spring sale")), ["namesakes"]);
  });

  it("is no namesake once this command deleted it", () => {
    deployment.ledger.setFate("campaign cmp_1 of app app-1", "ended");
    assert.deepEqual(is(listed("Spring sale")), []);
    assert.deepEqual(is(listed("Spring sale", "app-1", "cmp_2")), ["namesakes"]);
  });

  it("is nothing to the launch that replaces it, whatever its name", () => {
    const replacing = { ...launchKey, besides: "cmp_1" };
    for (const name of [thisLaunch, `Spring sale-${key}00000`, "Spring sale"]) {
      assert.deepEqual(is(listed(name), replacing), []);
      assert.notDeepEqual(is(listed(name, "app-1", "cmp_2"), replacing), []);
    }
  });
});
