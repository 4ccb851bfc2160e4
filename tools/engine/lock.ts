import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { type Say, step } from "./run";

/** Who made a lock file, and how many milliseconds ago it last gave a sign of life. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly silentFor: number;
}

const heartbeat = 10_000;
const self = `${String(process.pid)} ${hostname()}`;

/**
 * A lock outlives its owner after `kill -9` or a power cut. A dead process on this machine is certain at once;
 * silence covers what a pid cannot tell: a pid used again, or a home folder shared with another machine or container.
 */
export function isStale({ pid, host, silentFor }: Holder): boolean {
  return silentFor > 6 * heartbeat || (host === hostname() && !isAlive(pid));
}

/** Does the work while holding the lock file, after waiting for whoever holds it now. */
export async function withLock<T>(file: string, say: Say, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (!(await take(file))) {
    await step(say, "waiting for another process that prepares the engine", `it holds ${file}`, async () => {
      while (!(await take(file))) await pause(250, undefined, { signal });
    });
  }
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), heartbeat);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    // Only our own: a machine that slept may wake to find that another process has rightly taken over.
    if ((await readFile(file, "utf8").catch(() => "")) === self) await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  const taken = await writeFile(file, self, { flag: "wx" }).then(() => true, expecting("EEXIST"));
  const holder = taken ? undefined : await readHolder(file);
  if (holder === undefined || !isStale(holder)) return taken;
  // Two may find the same stale lock: renaming lets one win, which looks again at what it moved before that goes.
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

/** Gives nothing when the file has just gone. */
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
