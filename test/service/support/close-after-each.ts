interface Closable {
  close(): Promise<void>;
}

/** Closes after each test of the suite what the test opened, the last first. */
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
