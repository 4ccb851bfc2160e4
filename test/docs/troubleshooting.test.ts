import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const checkout = path.resolve(__dirname, "../..");

/** The sources that print messages, with a single character in place of every interpolated value. */
const sources = ["provider", "cli", "simulator", "tools/engine"]
  .flatMap((folder) => filesIn(path.join(checkout, folder)))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n")
  .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…")
  .replaceAll("\\", "");

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.join(folder, file));
}

describe("docs/troubleshooting.md", () => {
  const page = readFileSync(path.join(checkout, "docs/troubleshooting.md"), "utf8");
  const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, heading = ""]) => heading);

  it("has entries for many messages", () => {
    assert.ok(headings.length > 60);
  });

  for (const heading of headings) {
    // Code style marks messages of this package. The others are Pulumi's, or describe a symptom.
    const messages = [...heading.matchAll(/`([^`]*)`/g)].map(([, message = ""]) => message);
    if (messages.length === 0 || messages[0] === "pulumi up") continue;

    it(`quotes messages that exist: ${messages.join(", ")}`, () => {
      for (const piece of messages.flatMap((message) => message.split("…")).filter((text) => text.trim().length > 5))
        assert.ok(sources.includes(piece), piece);
    });
  }
});
