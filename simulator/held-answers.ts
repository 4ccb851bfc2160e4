/** The answers that faults hold back until they are told to let go. */
export class HeldAnswers {
  private held: (() => Promise<void>)[] = [];

  /** `send` is done when the answer has left. */
  add(send: () => Promise<void>): void {
    this.held.push(send);
  }

  /** Sends them all, and tells how many there were. */
  async release(): Promise<number> {
    const held = this.held.splice(0);
    await Promise.all(held.map((send) => send()));
    return held.length;
  }
}
