/** Creates ids that no object has or had. */
export class Ids {
  private readonly used = new Set<string>();
  private count = 0;

  constructor(private readonly prefix: string) {}

  next(): string {
    let id: string;
    do id = `${this.prefix}_${String(++this.count)}`;
    while (this.used.has(id));
    return id;
  }

  /** Never create this id, which a test chose. */
  keep(id: string): void {
    this.used.add(id);
  }
}
