interface HeldAnswer {
  /** Resolves when the response is sent. */
  send: () => Promise<void>;
  /** Resets the connection. */
  reset: () => void;
}

/** The responses that faults hold back until `release`. */
export class HeldAnswers {
  private held: HeldAnswer[] = [];

  add(answer: HeldAnswer): void {
    this.held.push(answer);
  }

  /** Sends them all, and returns how many there were. */
  async release(): Promise<number> {
    const held = this.held.splice(0);
    await Promise.all(held.map(({ send }) => send()));
    return held.length;
  }

  /** Resets their connections instead. */
  drop(): void {
    for (const { reset } of this.held.splice(0)) reset();
  }
}
