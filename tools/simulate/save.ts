import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Schedule } from "./schedule";
import type { Failure } from "./seeds";

/** A schedule that broke a promise, as `test/simulate/cases` keeps it. */
export interface SavedCase {
  title: string;
  seed: number;
  schedule: Schedule;
}

/** Writes the smallest schedule found, so that it can be kept as a test. Returns the file. */
export function saveCase(folder: string, { seed, shrunk }: Failure): string {
  const [title = ""] = (shrunk.played.broken?.rule ?? "").split("\n");
  const saved: SavedCase = { title, seed, schedule: shrunk.schedule };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `seed-${String(seed)}.json`);
  writeFileSync(file, `${JSON.stringify(saved, undefined, 2)}\n`);
  return file;
}
