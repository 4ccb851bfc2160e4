import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator";
import { bearer, send } from "./support";

describe("The simulator's limits, by the specification,", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator({
      credentials: [
        { value: "ann", kind: "personal-token", user: "ann" },
        { value: "bob", kind: "personal-token", user: "bob" },
      ],
      limits: { "folderItem.remove": 2 },
    });
  });
  afterEach(() => simulator.close());

  it("are shared by all personal tokens of the workspace", async () => {
    const statuses: number[] = [];
    for (const token of ["ann", "bob", "ann", "bob"])
      statuses.push((await send(simulator, "DELETE", "/api/app-folders/f/items/a", { headers: bearer(token) })).status);
    assert.deepEqual(statuses, [200, 200, 429, 429]);
  });
});
