/** The responses that faults hold back until `release`. */
export class HeldAnswers {
  private held: (() => Promise<void>)[] = [];

  /** `send` resolves when the response is sent. */
  add(send: () => Promise<void>): void {
    this.held.push(send);
  }

  /** Sends them all, and returns how many there were. */
  async release(): Promise<number> {
    const held = this.held.splice(0);
    await Promise.all(held.map((send) => send()));
    return held.length;
  }
}
