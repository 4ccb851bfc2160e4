import { stripVTControlCharacters } from "node:util";
import { withStage } from "./stage";
import { type Story, tell } from "./story";

/** The output of a story that is told alone. It leaves out what differs in every run: durations, keys and the simulator's port. */
export async function storyText(story: Story, { colour = false } = {}): Promise<string> {
  const lines: string[] = [];
  const { signal } = new AbortController();
  await withStage({ say: () => undefined, colour, signal }, async (stage) => {
    await tell(story, { ...stage, say: (line) => lines.push(line.replaceAll(stage.simulator.url, usualAddress)) });
  });
  return `${withoutKeys(withoutDurations(lines.join("\n"))).trim()}\n`;
}

/** Where `workspace-apps simulator` listens. */
const usualAddress = "http://127.0.0.1:4010";

/** Removes how long a resource and a command took: `created (0.13s)`, `Duration: 3s`. */
export function withoutDurations(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\W*Duration:/.test(stripVTControlCharacters(line)))
    .map((line) => line.replace(/ \((\d+m)?[\d.]+m?s\)/g, ""))
    .join("\n");
}

/** Replaces the ending that launched campaigns have. Its first part is random. */
export function withoutKeys(text: string): string {
  return text.replace(/-[0-9a-f]{12}\b/g, "-1f0c9a23b7c4");
}
