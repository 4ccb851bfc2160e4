import assert from "node:assert/strict";
import { readJson } from "../../provider/service/json";
import { type Operation, type OperationId, operations, usualValues } from "../../provider/service/operations";
import { readPieces } from "../../provider/service/pieces";
import { inTurns } from "../../provider/service/turns";
import { answerWith, wrongs } from "./answers";
import { assertUnpolluted } from "./prototypes";
import { runs, seed } from "./runs";

/** What becomes of a body: the checked answer, or what is wrong with it. */
type End = { problem: string } | { issues: unknown } | { answer: unknown };

function inOneGo(text: string, { answer: shape }: Operation): End {
  const body = readJson(text);
  if ("problem" in body) return { problem: body.problem };
  const { success, data, error } = shape.safeParse(body.json);
  return success ? { answer: data } : { issues: error.issues };
}

/** As the client does it with a large body; here a few characters are a piece. */
async function inPieces(text: string, operation: Operation, pieceSize: number): Promise<End> {
  const { answer: shape, mostValues = usualValues } = operation;
  const body = await inTurns(readPieces(text, { mostValues, pieceSize }));
  if ("problem" in body) return { problem: body.problem };
  const { success, data, error } = await shape.safeParseAsync(body.json);
  return success ? { answer: data } : { issues: error.issues };
}

describe("A hostile answer in pieces", () => {
  // Those that are long take long in pieces of a few characters: see test/service/large-answers.test.ts.
  const made = wrongs(runs(2_000), seed + 2).filter(({ text }) => text.length < 3_000);
  const pieceSizes = [3, 9, 30];
  afterEach(assertUnpolluted);

  for (const id of Object.keys(operations) as OperationId[])
    it(`to ${id} ends as in one go`, async () => {
      const ends = { answer: 0, issues: 0, problem: 0 };
      for (const [index, wrong] of made.entries()) {
        const { text } = answerWith(id, wrong);
        const pieceSize = pieceSizes[index % pieceSizes.length] ?? 3;
        // One that is no larger than a piece is read in one go.
        if (text.length <= pieceSize) continue;
        const whole = inOneGo(text, operations[id]);
        assert.deepEqual(
          await inPieces(text, operations[id], pieceSize),
          whole,
          `pieces of ${String(pieceSize)}: ${text}`,
        );
        for (const kind of ["answer", "issues", "problem"] as const) if (kind in whole) ends[kind]++;
      }
      assert.ok(ends.answer > 0 && ends.problem > 0, JSON.stringify(ends));
    });
});
