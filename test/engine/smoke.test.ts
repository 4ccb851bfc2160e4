import assert from "node:assert/strict";
import { startSimulator } from "../../simulator";
import { PulumiProject } from "../support/engine";

describe("smoke", () => {
  it("works", async () => {
    const simulator = await startSimulator();
    const project = await PulumiProject.create({
      baseUrl: simulator.url,
      program: `
        const apps = require("pulumi-workspace-apps");
        const hook = new apps.Webhook("hook", { agentId: "agent", targetUrl: "https://hooks.example.com/a", events: ["message.created"], signed: true });
        new apps.FolderMembership("m", { folderId: "f", appId: "a" });
        exports.secret = hook.secret;`,
    });
    for (const step of ["up", "preview", "refresh", "destroy"] as const) {
      const t = Date.now();
      const run = await project[step]();
      console.log(step, run.code, run.changes, Date.now() - t);
      if (run.code !== 0) console.log(run.output);
      if (step === "up") console.log(await project.rawState(), await project.output("secret"));
    }
    console.log(simulator.requests);
    await simulator.close();
    assert.ok(true);
  });
});
