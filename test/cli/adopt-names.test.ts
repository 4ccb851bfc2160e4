import assert from "node:assert/strict";
import { namesFor } from "../../cli/adopt/names";

describe("The names of adopted objects", () => {
  it("are not those of modules that a printed program imports", () => {
    const titled = (title: string) => ({ title, id: "wh_1", createdDate: "2026-01-01" });
    const nameOf = (title: string): string[] => [...namesFor([titled(title)], "webhook", []).values()];
    assert.deepEqual(["Orders", "Pulumi", "workspace_apps"].flatMap(nameOf), [
      "orders",
      "pulumi-wh-1",
      "workspace-apps-wh-1",
    ]);
  });
});
