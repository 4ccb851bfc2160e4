import assert from "node:assert/strict";
import { kindNames, kinds } from "../../provider/registry";
import { type Bench, driven, startBench } from "../support/deployment";
import { kindFixtures, prepared } from "../support/kind-fixtures";

/*
 * The lifecycle of every resource, each step in a separate command. A created object is read back once: only then can a
 * later 404 be distinguished from a wrong path.
 */
const lives = kindNames.flatMap((kind) =>
  kindFixtures[kind].lives.map((life) => ({
    ...life,
    kind,
    name: life.title === undefined ? kind : `${kind}, ${life.title}`,
    lifecycle: kinds[kind],
    args: { ...kindFixtures[kind].args, ...life.args },
  })),
);

describe("The requests of a resource's lifecycle, the fewest that are safe", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  for (const life of lives)
    it(life.name, async () => {
      const resource = driven(life.lifecycle);
      const given = await prepared(life.kind, { ...life.args, ...life.existing?.(bench.simulator) }, bench);
      const requests = (): string[] => {
        const seen = bench.simulator.requests.map(({ operation }) => String(operation));
        bench.simulator.clearRequests();
        return seen;
      };
      let state = await resource.create(given, bench);
      assert.deepEqual(requests(), life.create, "create");
      if (life.update !== undefined) {
        state = await resource.update(state, { ...given, ...life.change }, bench.later());
        assert.deepEqual(requests(), life.update, "update");
      }
      state = (await resource.read(state, bench.later())) ?? assert.fail("it does not exist");
      assert.deepEqual(requests(), life.read, "read");
      await resource.delete(state, bench.later());
      assert.deepEqual(requests(), life.delete, "delete");
    });
});
