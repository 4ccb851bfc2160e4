import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type CatalogueEntry, messageCodes } from "../../provider/service/message-codes";

const checkout = path.resolve(__dirname, "../..");
const catalogue = path.join("provider", "service", "message-codes.ts");
const entries = new Map(Object.entries<CatalogueEntry>(messageCodes));

/** The sources that print messages. */
const sources = ["provider", "cli", "policy"]
  .flatMap((folder) =>
    readdirSync(path.join(checkout, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      path.join(folder, file),
    ),
  )
  .filter((file) => file.endsWith(".ts") && file !== catalogue)
  .map((file) => readFileSync(path.join(checkout, file), "utf8"))
  .join("\n");

describe("The catalogue of messages", () => {
  const used = new Set([...sources.matchAll(/\bWA\d{4}\b/g)].map(([code]) => code));

  it("has an entry for every code in a message", () => {
    assert.ok(used.size > 80);
    assert.deepEqual(
      [...used].filter((code) => !entries.has(code)),
      [],
    );
  });

  it("has no entry without a message", () => {
    assert.deepEqual(
      [...entries.keys()].filter((code) => !used.has(code)),
      [],
    );
  });

  it("says that money may be moving where the message does", () => {
    const messages = [...sources.matchAll(/code: "(WA\d{4})",\s+what: `[^`]*?MONEY MAY BE MOVING/g)];
    const codes = new Set(messages.map(([, code = ""]) => code));
    assert.ok(codes.size >= 8, [...codes].join());
    for (const code of codes) assert.match(entries.get(code)?.money ?? "", /^(perhaps|yes)$/, code);
  });

  it("is not loaded by what a command runs, which needs only the type", () => {
    assert.doesNotMatch(sources, /import (?!type )[^;]*message-codes"/);
  });

  it("keeps its codes in order", () => {
    assert.deepEqual([...entries.keys()], [...entries.keys()].toSorted());
  });
});
