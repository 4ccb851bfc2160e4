import assert from "node:assert/strict";
import {
  type Command,
  decide,
  type Decision,
  type Found,
  type Listed,
  type Situation,
} from "../../provider/resources/ad-campaign/decide";

/*
 * Every cell has one row. `*`: the cells of this column cannot differ. The columns of the list:
 * - `launch`: it shows this launch, whatever else it shows.
 * - `orphan`: it shows another campaign of the key, and not this launch.
 * - `namesake`: it shows a campaign of the same name with another key, and none of the key.
 * - `nothing`: it shows none of them.
 */
const table = `
  command | policy       | list             | time | quarantine | credential | ended | decision
  --------|--------------|------------------|------|------------|------------|-------|-----------------
  launch  | *            | unreadable       | *    | *          | *          | *     | fail unreadable
  launch  | *            | launch           | *    | *          | *          | *     | take over
  launch  | delete pause | orphan           | *    | *          | *          | *     | end
  launch  | retain       | orphan           | *    | *          | *          | *     | fail orphan
  launch  | *            | namesake nothing | left | *          | *          | *     | watch
  launch  | *            | namesake         | over | *          | *          | *     | fail namesake
  launch  | *            | nothing          | over | *          | *          | *     | post

  confirm | *            | unreadable       | left | *          | *          | *     | watch
  confirm | *            | unreadable       | over | *          | *          | *     | fail unconfirmed
  confirm | *            | launch           | *    | *          | *          | *     | take over
  confirm | delete pause | orphan           | *    | *          | *          | *     | end
  confirm | retain       | orphan           | left | *          | *          | *     | watch
  confirm | retain       | orphan           | over | *          | *          | *     | fail unconfirmed
  confirm | *            | namesake nothing | left | *          | *          | *     | watch
  confirm | *            | namesake nothing | over | *          | *          | *     | fail unconfirmed

  resolve | *            | unreadable       | *    | *          | *          | *     | fail unreadable
  resolve | *            | launch           | *    | *          | *          | *     | take over
  resolve | delete pause | orphan           | *    | *          | *          | *     | end
  resolve | retain       | orphan           | *    | *          | *          | *     | fail orphan
  resolve | *            | namesake nothing | *    | lasts      | *          | *     | fail unconfirmed
  resolve | *            | namesake nothing | left | over       | *          | *     | watch
  resolve | *            | namesake         | over | over       | *          | *     | fail namesake
  resolve | *            | nothing          | over | over       | *          | *     | post

  refresh | *            | unreadable       | *    | *          | *          | *     | fail unreadable
  refresh | *            | launch           | *    | *          | *          | *     | take over
  refresh | *            | orphan           | *    | *          | *          | *     | done
  refresh | *            | namesake nothing | *    | *          | *          | *     | done

  destroy | *            | unreadable       | left | *          | *          | *     | watch
  destroy | *            | unreadable       | over | *          | *          | *     | fail unreadable
  destroy | delete pause | launch orphan    | *    | *          | *          | *     | end
  destroy | retain       | launch orphan    | *    | *          | *          | *     | done, they go on
  destroy | *            | namesake nothing | *    | *          | *          | yes   | done
  destroy | *            | namesake nothing | *    | lasts      | *          | no    | fail unconfirmed
  destroy | *            | namesake nothing | left | over       | *          | no    | watch
  destroy | *            | namesake nothing | over | over       | same       | no    | done
  destroy | *            | namesake nothing | over | over       | other      | no    | fail credential

  remove  | *            | unreadable       | left | *          | *          | *     | watch
  remove  | *            | unreadable       | over | *          | *          | *     | fail unreadable
  remove  | delete pause | launch orphan    | *    | *          | *          | *     | end
  remove  | retain       | launch orphan    | left | *          | *          | *     | watch
  remove  | retain       | launch orphan    | over | *          | *          | *     | done, they go on
  remove  | *            | namesake nothing | left | *          | *          | *     | watch
  remove  | *            | namesake nothing | over | *          | same       | *     | done
  remove  | *            | namesake nothing | over | *          | other      | yes   | done
  remove  | *            | namesake nothing | over | *          | other      | no    | fail credential
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
  namesakes: [[], [row("namesake")]],
};
const lists: readonly Situation["found"][] = [
  "unreadable",
  ...some.launches.flatMap((launch) =>
    some.orphans.flatMap((orphans) => some.namesakes.map((namesakes): Found => ({ launch, orphans, namesakes }))),
  ),
];

const columns = ["command", "policy", "list", "time", "quarantine", "credential", "ended"] as const;
type Cell = Record<(typeof columns)[number], string>;

function cellOf({ command, policy, found, isTimeLeft, isQuarantined, isSameCredential, hasEnded }: Situation): Cell {
  return {
    command,
    policy,
    list: shownBy(found),
    time: isTimeLeft ? "left" : "over",
    quarantine: isQuarantined ? "lasts" : "over",
    credential: isSameCredential ? "same" : "other",
    ended: hasEnded ? "yes" : "no",
  };
}

function shownBy(found: Situation["found"]): string {
  if (found === "unreadable") return found;
  if (found.launch.length > 0) return "launch";
  if (found.orphans.length > 0) return "orphan";
  return found.namesakes.length > 0 ? "namesake" : "nothing";
}

/** The decision that a row names, about what this list shows. */
function decisionOf(name: string, found: Situation["found"]): Decision {
  const { launch, orphans, namesakes } = found === "unreadable" ? { launch: [], orphans: [], namesakes: [] } : found;
  const newest = launch.at(-1);
  const failures = { orphan: orphans, namesake: namesakes, unreadable: [], unconfirmed: [], credential: [] };
  const because = name.replace("fail ", "") as keyof typeof failures;
  switch (name) {
    case "watch":
    case "post":
      return { do: name };
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

const commands = ["launch", "confirm", "resolve", "refresh", "destroy", "remove"] as const satisfies Command[];
const situations = commands.flatMap((command) =>
  (["delete", "pause", "retain"] as const).flatMap((policy) =>
    lists.flatMap((found) =>
      [true, false].flatMap((isTimeLeft) =>
        [true, false].flatMap((isQuarantined) =>
          [true, false].flatMap((isSameCredential) =>
            [true, false].map((hasEnded): Situation => ({
              ...{ command, policy, found, isTimeLeft },
              ...{ isQuarantined, isSameCredential, hasEnded },
            })),
          ),
        ),
      ),
    ),
  ),
);

describe("The decision about the campaigns of a launch intent", () => {
  it("is in exactly one row of the table for every cell", () => {
    assert.equal(situations.length, 6 * 3 * 19 * 16);
    for (const situation of situations) {
      const cell = cellOf(situation);
      const found = rows.filter(({ matches }) => matches(cell)).map(({ line }) => line);
      assert.equal(found.length, 1, `${JSON.stringify(cell)} has ${String(found.length)} rows:\n${found.join("\n")}`);
    }
  });

  for (const command of commands)
    describe(command, () => {
      for (const { line, matches, decision } of rows.filter((one) => one.line.trim().startsWith(command)))
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
        ...{ command: "launch", policy: "delete", found: { launch, orphans: [], namesakes: [] } },
        ...{ isTimeLeft: false, isQuarantined: false, isSameCredential: true, hasEnded: false },
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
