/** Which objects of the service the resources of this deployment manage, so that none is managed twice. */
export class Claims {
  private readonly taken = new Set<string>();
  private readonly turns = new Map<string, Promise<unknown>>();

  has(object: string): boolean {
    return this.taken.has(object);
  }

  /** False when another resource has it. */
  take(object: string): boolean {
    if (this.has(object)) return false;
    this.taken.add(object);
    return true;
  }

  release(object: string): void {
    this.taken.delete(object);
  }

  /**
   * Runs the work after all earlier work under the same key. Of two equal creations under way at once, neither could
   * tell whose object a list shows.
   */
  async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.turns.get(key) ?? Promise.resolve()).then(work, work);
    this.turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.turns.get(key) === turn) this.turns.delete(key);
    }
  }
}
