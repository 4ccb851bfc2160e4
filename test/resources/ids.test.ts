import assert from "node:assert/strict";
import fc from "fast-check";
import { problemsOf, withDefaults } from "../../provider/pulumi/check-step";
import { type AnyLifecycle, type KindName, kindNames, kinds } from "../../provider/registry";
import { type Bench, driven, startBench } from "../support/deployment";
import { adoptingArgs, kindFixtures, prepared } from "../support/kind-fixtures";

interface Declaration {
  readonly title: string;
  readonly kind: KindName;
  readonly lifecycle: AnyLifecycle;
  readonly maxIdLength: number;
  /** The arguments with the same text for every id. */
  readonly withIds: (id: string) => Record<string, unknown>;
}

/** Every kind, created and, if it can be adopted by an id, adopted. */
const declarations = kindNames.flatMap((kind): Declaration[] => {
  const lifecycle = kinds[kind];
  const fixture = kindFixtures[kind];
  const { args, adoption, idArguments, maxIdLength = Infinity } = fixture;
  const filled = (names: readonly string[], id: string) => Object.fromEntries(names.map((name) => [name, id]));
  const created = {
    title: kind,
    kind,
    lifecycle,
    maxIdLength,
    withIds: (id: string) => ({ ...args, ...filled(idArguments, id) }),
  };
  if (adoption === undefined || adoption.isFlag === true) return [created];
  const names = [...idArguments, ...Object.keys(adoption.by)];
  const withIds = (id: string) => ({ ...adoptingArgs(fixture), ...filled(names, id) });
  return [created, { title: `${kind}, adopted`, kind, lifecycle, maxIdLength, withIds }];
});

const piece = fc.constantFrom(...["/", "..", ".", "%", "%2F", "?", "#", "\\", " ", "\r\n", "é", "😀", "\u0000", "a"]);
const anyId = fc
  .oneof(
    fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join("")),
    fc.constantFrom("a/../../secret", "é".repeat(2048), "/".repeat(4096), "🙂 ".repeat(42)),
  )
  .filter((id) => id !== "." && id !== "..");

describe("An id with any text", () => {
  for (const { title, kind, lifecycle, maxIdLength, withIds } of declarations) {
    const problems = (inputs: Record<string, unknown>) =>
      problemsOf(lifecycle, withDefaults(lifecycle, inputs, { place: "project/stack/tested", name: "tested" }, {}));

    it(`stays in its path segment in every request of ${title}`, async () => {
      const resource = driven(lifecycle);
      await fc.assert(
        fc.asyncProperty(anyId, async (id) => {
          fc.pre(Array.from(id).length <= maxIdLength);
          const inputs = withIds(id);
          assert.deepEqual(problems(inputs), []);
          const bench = await startBench();
          try {
            const made = await live(resource, await prepared(kind, inputs, bench), bench);
            assert.ok(bench.simulator.requests.length > 0);
            const ownId = made?.[lifecycle.adoptedBy ?? ""];
            for (const { operation, parameters, path } of bench.simulator.requests) {
              assert.ok(operation, `${path} belongs to no operation`);
              for (const value of Object.values(parameters)) if (value !== ownId) assert.equal(value, id, operation);
            }
          } finally {
            await bench.close();
          }
        }),
        { numRuns: 15 },
      );
    });

    it(`is refused at preview when it would change the path: ${title}`, () => {
      for (const bad of ["", ".", "..", "a\ud800"]) {
        const inputs = withIds(bad);
        const wrong = Object.keys(inputs).filter((key) => inputs[key] === bad);
        assert.ok(wrong.length > 0);
        assert.deepEqual([...new Set(problems(inputs).map(({ property }) => property))].sort(), wrong.sort());
      }
    });
  }
});

/** Its whole lifecycle, as far as possible: refused requests were still sent. Returns the state, if there is one. */
async function live(
  resource: ReturnType<typeof driven<Record<string, unknown>, Record<string, unknown>>>,
  inputs: object,
  bench: Bench,
): Promise<Record<string, unknown> | undefined> {
  const state = await resource.create(inputs, bench).catch(() => undefined);
  if (state === undefined) return undefined;
  await resource.read(state, bench.later());
  await resource.delete(state, bench.later());
  return state;
}
