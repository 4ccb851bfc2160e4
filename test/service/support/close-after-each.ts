interface Closable {
  close(): Promise<void>;
}

/** Closes what a test opened after each test of the suite, in reverse order. */
export function closedAfterEach(): <T extends Closable>(one: T) => T {
  const opened: Closable[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });
  return (one) => {
    opened.push(one);
    return one;
  };
}
