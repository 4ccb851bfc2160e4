import type { Result } from "./measure";

/** Figures of each contestant, and its ratio to the first. */
export function table(size: number, results: readonly Result[]): string {
  const [first] = results;
  if (first === undefined) return "";
  const names = Object.keys(first.seconds) as (keyof Result["seconds"])[];
  const row = (cells: string[]): string => `| ${cells.join(" | ")} |`;
  const ratio = (value: number, base: number): string => `${(value / base).toFixed(2)} x`;
  return [
    row([`${String(size)} webhooks`, ...results.flatMap(({ contestant }) => [contestant, "ratio", "requests"])]),
    row(["---", ...results.flatMap(() => ["---", "---", "---"])]),
    ...names.map((name) =>
      row([
        name,
        ...results.flatMap(({ seconds, requests }) => [
          `${seconds[name].toFixed(1)} s`,
          ratio(seconds[name], first.seconds[name]),
          String(requests[name]),
        ]),
      ]),
    ),
    row([
      "state",
      ...results.flatMap(({ stateBytes }) => [
        `${(stateBytes / 1e6).toFixed(2)} MB`,
        ratio(stateBytes, first.stateBytes),
        "",
      ]),
    ]),
  ].join("\n");
}
