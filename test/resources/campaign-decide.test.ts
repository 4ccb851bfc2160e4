import assert from "node:assert/strict";
import type { Classified, Listed } from "../../provider/resources/ad-campaign/classify";
import { decide, type Decision, type Purpose, type Situation } from "../../provider/resources/ad-campaign/decide";

/*
 * Every cell has one row. `*`: the cells of this column cannot differ.
 *
 * Campaigns of the key in the list:
 * - `launch`: this launch, whatever else it shows.
 * - `orphan`: another campaign, and not this launch.
 * - `nothing`: none of them.
 *
 * Reasons against a launch:
 * - `replaced`: a campaign of the key that it replaces is still live.
 * - `namesake`: a campaign of the same name with another key is live, and no replaced one.
 */
const table = `
  purpose | policy       | list           | against  | time | quarantine | credential | ended | decision
  --------|--------------|----------------|----------|------|------------|------------|-------|-----------------
  launch  | *            | unreadable     | *        | *    | *          | *          | *     | fail unreadable
  launch  | *            | launch         | *        | *    | *          | *          | *     | take over
  launch  | retain       | orphan         | *        | *    | *          | *          | *     | fail orphan
  launch  | delete pause | orphan         | *        | *    | lasts      | *          | *     | end
  launch  | *            | nothing        | *        | *    | lasts      | *          | *     | fail unconfirmed
  launch  | delete pause | orphan         | *        | left | over       | *          | *     | watch
  launch  | *            | nothing        | *        | left | over       | *          | *     | watch
  launch  | delete pause | orphan         | replaced | over | over       | *          | *     | fail replaced
  launch  | *            | nothing        | replaced | over | over       | *          | *     | fail replaced
  launch  | delete pause | orphan         | namesake | over | over       | *          | *     | fail namesake
  launch  | *            | nothing        | namesake | over | over       | *          | *     | fail namesake
  launch  | delete pause | orphan         | none     | over | over       | *          | *     | post
  launch  | *            | nothing        | none     | over | over       | *          | *     | post

  replace | *            | unreadable     | *        | *    | *          | *          | *     | fail unreadable
  replace | retain       | launch orphan  | *        | *    | *          | *          | *     | fail all of the key
  replace | delete pause | launch orphan  | *        | *    | lasts      | *          | *     | end
  replace | *            | nothing        | *        | *    | lasts      | *          | *     | fail unconfirmed
  replace | delete pause | launch orphan  | *        | left | over       | *          | *     | watch
  replace | *            | nothing        | *        | left | over       | *          | *     | watch
  replace | delete pause | launch orphan  | replaced | over | over       | *          | *     | fail replaced
  replace | *            | nothing        | replaced | over | over       | *          | *     | fail replaced
  replace | delete pause | launch orphan  | namesake | over | over       | *          | *     | fail namesake
  replace | *            | nothing        | namesake | over | over       | *          | *     | fail namesake
  replace | delete pause | launch orphan  | none     | over | over       | *          | *     | post after all
  replace | *            | nothing        | none     | over | over       | *          | *     | post

  confirm | *            | unreadable     | *        | left | *          | *          | *     | watch
  confirm | *            | unreadable     | *        | over | *          | *          | *     | fail unconfirmed
  confirm | *            | launch         | *        | *    | *          | *          | *     | take over
  confirm | delete pause | orphan         | *        | *    | *          | *          | *     | end
  confirm | retain       | orphan         | *        | left | *          | *          | *     | watch
  confirm | retain       | orphan         | *        | over | *          | *          | *     | fail unconfirmed
  confirm | *            | nothing        | *        | left | *          | *          | *     | watch
  confirm | *            | nothing        | *        | over | *          | *          | *     | fail unconfirmed

  refresh | *            | unreadable     | *        | *    | *          | *          | *     | fail unreadable
  refresh | *            | launch         | *        | *    | *          | *          | *     | take over
  refresh | *            | orphan nothing | *        | *    | *          | *          | *     | done

  destroy | *            | unreadable     | *        | left | *          | *          | *     | watch
  destroy | *            | unreadable     | *        | over | *          | *          | *     | fail unreadable
  destroy | delete pause | launch orphan  | *        | *    | *          | *          | *     | end
  destroy | retain       | launch         | *        | left | *          | *          | *     | watch
  destroy | retain       | launch         | *        | over | *          | *          | *     | done, they go on
  destroy | retain       | orphan         | *        | left | *          | *          | yes   | watch
  destroy | retain       | orphan         | *        | over | *          | *          | yes   | done, they go on
  destroy | retain       | orphan         | *        | *    | lasts      | *          | no    | fail unconfirmed
  destroy | retain       | orphan         | *        | left | over       | *          | no    | watch
  destroy | retain       | orphan         | *        | over | over       | same       | no    | done, they go on
  destroy | retain       | orphan         | *        | over | over       | other      | no    | fail credential
  destroy | *            | nothing        | *        | left | *          | *          | yes   | watch
  destroy | *            | nothing        | *        | over | *          | *          | yes   | done
  destroy | *            | nothing        | *        | *    | lasts      | *          | no    | fail unconfirmed
  destroy | *            | nothing        | *        | left | over       | *          | no    | watch
  destroy | *            | nothing        | *        | over | over       | same       | no    | done
  destroy | *            | nothing        | *        | over | over       | other      | no    | fail credential

  remove  | *            | unreadable     | *        | left | *          | *          | *     | watch
  remove  | *            | unreadable     | *        | over | *          | *          | *     | fail unreadable
  remove  | delete pause | launch orphan  | *        | *    | *          | *          | *     | end
  remove  | retain       | launch orphan  | *        | left | *          | *          | *     | watch
  remove  | retain       | launch orphan  | *        | over | *          | *          | *     | done, they go on
  remove  | *            | nothing        | *        | left | *          | *          | *     | watch
  remove  | *            | nothing        | *        | over | *          | same       | *     | done
  remove  | *            | nothing        | *        | over | *          | other      | yes   | done
  remove  | *            | nothing        | *        | over | *          | other      | no    | fail credential
`;

const row = (id: string, created_date?: string): Listed => ({
  appId: "app-1",
  row: { id, status: "ENABLED", campaign_name: id, ...(created_date === undefined ? {} : { created_date }) },
});
const some = {
  launches: [
    [],
    [row("launch", "2026-01-01T00:00:00Z")],
    [row("older", "2026-01-01T00:00:00Z"), row("newest", "2026-01-02T00:00:00Z")],
  ],
  orphans: [[], [row("orphan")], [row("orphan"), row("another orphan")]],
  against: [
    { replaced: [], namesakes: [] },
    { replaced: [], namesakes: [row("namesake")] },
    { replaced: [row("replaced")], namesakes: [] },
    { replaced: [row("replaced")], namesakes: [row("namesake")] },
  ],
};
const lists: readonly Situation["found"][] = [
  "unreadable",
  ...some.launches.flatMap((launch) =>
    some.orphans.flatMap((orphans) => some.against.map((against): Classified => ({ launch, orphans, ...against }))),
  ),
];

const columns = ["purpose", "policy", "list", "against", "time", "quarantine", "credential", "ended"] as const;
type Cell = Record<(typeof columns)[number], string>;

function cellOf({
  purpose,
  policy,
  found,
  isTimeLeft,
  isQuarantined,
  isSameCredential,
  isAccountedFor,
}: Situation): Cell {
  return {
    purpose,
    policy,
    list: shownBy(found),
    against: standsAgainst(found),
    time: isTimeLeft ? "left" : "over",
    quarantine: isQuarantined ? "lasts" : "over",
    credential: isSameCredential ? "same" : "other",
    ended: isAccountedFor ? "yes" : "no",
  };
}

function shownBy(found: Situation["found"]): string {
  if (found === "unreadable") return found;
  if (found.launch.length > 0) return "launch";
  return found.orphans.length > 0 ? "orphan" : "nothing";
}

function standsAgainst(found: Situation["found"]): string {
  if (found === "unreadable") return "none";
  if (found.replaced.length > 0) return "replaced";
  return found.namesakes.length > 0 ? "namesake" : "none";
}

/** The decision that a row names, about what this list shows. */
function decisionOf(name: string, found: Situation["found"]): Decision {
  const none = { launch: [], orphans: [], replaced: [], namesakes: [] };
  const { launch, orphans, replaced, namesakes } = found === "unreadable" ? none : found;
  const newest = launch.at(-1);
  const failures = {
    ...{ orphan: orphans, namesake: namesakes, replaced },
    ...{ unreadable: [], unconfirmed: [], credential: [] },
  };
  const because = name.replace("fail ", "") as keyof typeof failures;
  switch (name) {
    case "watch":
      return { do: name };
    case "post":
      return { do: name, orphans };
    case "post after all":
      return { do: "post", orphans: [...launch, ...orphans] };
    case "fail all of the key":
      return { do: "fail", because: "orphan", campaigns: [...launch, ...orphans] };
    case "take over":
      assert.ok(newest);
      return { do: name, campaign: newest, orphans: [...launch.slice(0, -1), ...orphans] };
    case "end":
      return { do: name, campaigns: [...launch, ...orphans] };
    case "done":
      return { do: name, left: [] };
    case "done, they go on":
      return { do: "done", left: [...launch, ...orphans] };
    default:
      return { do: "fail", because, campaigns: failures[because] };
  }
}

const rows = table
  .split("\n")
  .slice(3)
  .filter((line) => line.trim() !== "")
  .map((line) => {
    const values = line.split("|").map((value) => value.trim());
    const allowed = values.slice(0, columns.length).map((value) => (value === "*" ? undefined : value.split(" ")));
    const matches = (cell: Cell): boolean =>
      columns.every((column, index) => allowed[index]?.includes(cell[column]) ?? true);
    return { line, matches, decision: values.at(-1) ?? "" };
  });

const purposes = ["launch", "replace", "confirm", "refresh", "destroy", "remove"] as const satisfies Purpose[];
const situations = purposes.flatMap((purpose) =>
  (["delete", "pause", "retain"] as const).flatMap((policy) =>
    lists.flatMap((found) =>
      [true, false].flatMap((isTimeLeft) =>
        [true, false].flatMap((isQuarantined) =>
          [true, false].flatMap((isSameCredential) =>
            [true, false].map((isAccountedFor): Situation => ({
              ...{ purpose, policy, found, isTimeLeft },
              ...{ isQuarantined, isSameCredential, isAccountedFor },
            })),
          ),
        ),
      ),
    ),
  ),
);

describe("The decision about the campaigns of a launch intent", () => {
  it("is in exactly one row of the table for every cell", () => {
    assert.equal(situations.length, 6 * 3 * (1 + 3 * 3 * 4) * 16);
    for (const situation of situations) {
      const cell = cellOf(situation);
      const found = rows.filter(({ matches }) => matches(cell)).map(({ line }) => line);
      assert.equal(found.length, 1, `${JSON.stringify(cell)} has ${String(found.length)} rows:\n${found.join("\n")}`);
    }
  });

  for (const purpose of purposes)
    describe(purpose, () => {
      for (const { line, matches, decision } of rows.filter((one) => one.line.trim().startsWith(purpose)))
        it(line.trim().replace(/\s+/g, " "), () => {
          const ofRow = situations.filter((situation) => matches(cellOf(situation)));
          assert.ok(ofRow.length > 0, "no cell has this row");
          for (const situation of ofRow)
            assert.deepEqual(decide(situation), decisionOf(decision, situation.found), JSON.stringify(situation));
        });
    });

  describe("takes over the newest of several", () => {
    const taken = (...launch: Listed[]): string[] => {
      const decision = decide({
        ...{ purpose: "launch", policy: "delete", found: { launch, orphans: [], replaced: [], namesakes: [] } },
        ...{ isTimeLeft: false, isQuarantined: false, isSameCredential: true, isAccountedFor: false },
      });
      assert.ok(decision.do === "take over");
      return [decision.campaign, ...decision.orphans].map(({ row: { id } }) => id);
    };
    const [first, second, third] = [
      row("first", "2026-01-01T00:00:00Z"),
      row("second", "2026-01-01T00:00:01Z"),
      row("third", "2026-01-02T00:00:00Z"),
    ];

    it("in whatever order the list shows them", () => {
      for (const launch of [
        [first, second, third],
        [third, second, first],
        [second, third, first],
        [second, first, third],
      ])
        assert.deepEqual(taken(...launch), ["third", "second", "first"]);
    });

    it("and counts one without a date as the oldest", () => {
      assert.deepEqual(taken(row("unknown"), first), ["first", "unknown"]);
      assert.deepEqual(taken(first, row("unknown")), ["first", "unknown"]);
    });

    it("and the first in the list of those that are equally old", () => {
      assert.deepEqual(taken(row("one"), row("other")), ["one", "other"]);
      assert.deepEqual(taken(first, { ...first, row: { ...first.row, id: "other" } }), ["first", "other"]);
    });
  });
});
