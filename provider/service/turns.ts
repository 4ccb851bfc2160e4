/* Long work in one process with everything else: done a piece at a time, and after each the others have their turn. */

/** Until everything else that waits in this process has had its turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Work that yields after each piece, carried out with a turn between the pieces. What is one piece takes no turn. */
export async function inTurns<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    await turn();
  }
}

/** What is done with a row afterwards takes some microseconds; that of so many rows some milliseconds. */
const rowsOfATurn = 1_000;

/** As `map` of an array does it, with a turn after every thousand rows. */
export function mapInTurns<Row, Result>(rows: readonly Row[], result: (row: Row) => Result): Promise<Result[]> {
  return inTurns(mapping(rows, result));
}

function* mapping<Row, Result>(rows: readonly Row[], result: (row: Row) => Result): Generator<undefined, Result[]> {
  const results: Result[] = [];
  for (const row of rows) {
    if (results.length > 0 && results.length % rowsOfATurn === 0) yield;
    results.push(result(row));
  }
  return results;
}
