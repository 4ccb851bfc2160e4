import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const checkout = path.resolve(__dirname, "../..");

/** The paths of the files of a folder that end like this. */
function filesIn(folder: string, ending: string): string[] {
  return readdirSync(path.join(checkout, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => path.join(folder, file));
}

const texts = [...filesIn("provider", ".ts"), ...filesIn("cli", ".ts"), ...filesIn("docs", ".md"), "README.md"].filter(
  (file) => !file.startsWith(path.join("docs", "maintainers")),
);

describe("pulumi state delete", () => {
  it("is named only as a whole command, with --force and the URN", () => {
    const short = texts.filter((file) =>
      /pulumi state delete(?! --force '<URN>')/.test(readFileSync(path.join(checkout, file), "utf8")),
    );
    assert.deepEqual(short, []);
  });

  it("comes with the way to find the URN, on every page of the docs", () => {
    const pages = texts.filter((file) => file.endsWith(".md"));
    const naming = pages.filter((file) => readFileSync(path.join(checkout, file), "utf8").includes("state delete"));
    assert.ok(naming.length > 5, naming.join());
    for (const file of naming)
      assert.ok(readFileSync(path.join(checkout, file), "utf8").includes("pulumi stack --show-urns"), file);
  });

  it("is spelled in one file of the provider, and in the catalogue of messages", () => {
    const spelling = filesIn("provider", ".ts").filter((file) =>
      readFileSync(path.join(checkout, file), "utf8").includes("pulumi state delete"),
    );
    assert.deepEqual(spelling.toSorted(), [
      path.join("provider", "resources", "shared", "state-delete.ts"),
      path.join("provider", "service", "message-codes.ts"),
    ]);
  });
});
