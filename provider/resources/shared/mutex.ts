interface Queue {
  /** Ends when all work that runs alone and has come so far has ended. */
  alone: Promise<unknown>;
  readonly besideOthers: Set<Promise<unknown>>;
  /** How much work waits or runs. */
  size: number;
}

/** Lets work of one key run alone, or beside other work that may, in the order in which it came. */
export class KeyedMutex {
  private readonly queues = new Map<string, Queue>();

  /** Runs alone. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.queued(key, (queue) => {
      const result = Promise.allSettled([queue.alone, ...queue.besideOthers]).then(work);
      queue.alone = result;
      return result;
    });
  }

  /** Runs beside other work of `share`. */
  share<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.queued(key, async (queue) => {
      const result = queue.alone.then(work, work);
      queue.besideOthers.add(result);
      return result.finally(() => queue.besideOthers.delete(result));
    });
  }

  private async queued<T>(key: string, start: (queue: Queue) => Promise<T>): Promise<T> {
    const queue = this.queues.get(key) ?? { alone: Promise.resolve(), besideOthers: new Set(), size: 0 };
    this.queues.set(key, queue);
    queue.size++;
    try {
      return await start(queue);
    } finally {
      queue.size--;
      if (queue.size === 0) this.queues.delete(key);
    }
  }
}
