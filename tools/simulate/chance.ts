/** Random numbers from 0 up to 1, the same for the same seed (mulberry32). */
export class Chance {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  between(min: number, max: number): number {
    return Math.round(min + this.next() * (max - min));
  }

  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new Error("internal error: nothing to choose from");
    return values[Math.floor(this.next() * values.length)] as T;
  }
}
