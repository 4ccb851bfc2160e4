import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { type Say, step } from "./run";

/** The process that made a lock file, and the milliseconds since its last heartbeat. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly silentFor: number;
}

const heartbeat = 10_000;
const self = `${String(process.pid)} ${hostname()}`;

/**
 * A lock outlives its owner after `kill -9` or a power cut. A process that ended on this machine is detected at once.
 * The heartbeat covers the rest: a reused pid, or a home folder that is shared with another machine or container.
 */
export function isStale({ pid, host, silentFor }: Holder): boolean {
  return silentFor > 6 * heartbeat || (host === hostname() && !isAlive(pid));
}

/** Waits for the lock file, and does the work while holding it. */
export async function withLock<T>(file: string, say: Say, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (!(await take(file))) {
    await step(say, "waiting for another process that installs the engine", `it holds ${file}`, async () => {
      while (!(await take(file))) await pause(250, undefined, { signal });
    });
  }
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), heartbeat);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    // Only its own: after the machine slept, another process may have taken the lock.
    if ((await readFile(file, "utf8").catch(() => "")) === self) await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  const taken = await writeFile(file, self, { flag: "wx" }).then(() => true, expecting("EEXIST"));
  const holder = taken ? undefined : await readHolder(file);
  if (holder === undefined || !isStale(holder)) return taken;
  // Two processes may find the same stale lock. Only one can rename it, and that one checks it again before removing it.
  const aside = `${file}.${String(process.pid)}`;
  await rename(file, aside).catch(expecting("ENOENT"));
  const moved = await readHolder(aside);
  if (moved !== undefined && !isStale(moved)) await link(aside, file).catch(expecting("EEXIST"));
  await rm(aside, { force: true });
  return take(file);
}

function expecting(code: string): (error: NodeJS.ErrnoException) => false {
  return (error) => {
    if (error.code !== code) throw error;
    return false;
  };
}

/** Undefined when the file has just been removed. */
async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    const [pid, host = ""] = (await readFile(file, "utf8")).split(" ");
    return { pid: Number(pid), host, silentFor: Date.now() - (await stat(file)).mtimeMs };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // another user's
  }
}
