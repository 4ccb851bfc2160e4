import assert from "node:assert/strict";
import path from "node:path";
import { onSimulator } from "../support/on-simulator";
import { examined, run } from "../cli/support/doctor";

describe("workspace-apps doctor --stack on the real CLI", () => {
  const { simulator, project } = onSimulator();

  it("reads the configuration of a stack, including secrets and structured values", async () => {
    const stack = await project("", { config: { "workspace-apps:baseUrl": simulator.url } });
    for (const args of [
      ["--secret", "workspace-apps:accessToken", "full-access-token"],
      ["--secret", "workspace-apps:apiKey", "switched-off-key"],
      ["--path", 'workspace-apps:endpoints["member.list"]', "none"],
    ])
      assert.equal((await stack.pulumi("config", "set", ...args)).code, 0);
    const environment = {
      ...(stack.environment as Record<string, string>),
      WORKSPACE_APPS_BASE_URL: "",
      WORKSPACE_APPS_ACCESS_TOKEN: "",
      PULUMI_BACKEND_URL: `file://${path.join(stack.folder, "state")}`,
    };
    const args = ["--stack", "dev", "--cwd", stack.folder, "--id", "app_id=app-1"];
    const { check, operation } = await examined(environment, args);
    assert.equal(check("setting baseUrl").seen, `${simulator.url} (from the stack)`);
    assert.equal(check("setting accessToken").state, "ok");
    assert.match(check("setting endpoints").seen, /^member\.list none \(from the stack\)/);
    assert.equal(operation("test.list").state, "ok");
    assert.equal(check("credential api_key").cause, "key-refused");
    assert.match(check("credential api_key").fix ?? "", /pulumi config rm workspace-apps:apiKey/);
    const { stdout, stderr } = await run(environment, args);
    assert.doesNotMatch(stdout + stderr, /full-access-token|switched-off-key/);

    const unknown = await examined(environment, ["--stack", "unknown", "--cwd", stack.folder]);
    assert.match(unknown.check("stack").seen, /no stack named 'unknown' found/);
  });
});
