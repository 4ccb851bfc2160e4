import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { checkSettings } from "../../provider/pulumi/program-settings";
import { settingKeys } from "../../provider/settings";

describe("Of the settings that a program is given", () => {
  const warned: string[] = [];
  const { warn } = pulumi.log;
  beforeEach(() => {
    warned.length = 0;
    Object.assign(pulumi.log, {
      warn: (line: string) => {
        warned.push(line);
        return Promise.resolve();
      },
    });
  });
  afterEach(() => {
    for (const name of ["WORKSPACE_APPS_REGION", "WORKSPACE_APPS_APIKEY", "WORKSPACE_APPS_BASE_URL"])
      Reflect.deleteProperty(process.env, name);
    pulumi.runtime.setAllConfig({});
    Object.assign(pulumi.log, { warn });
  });

  let runs = 0;
  /** What a run says of its settings: the error, or else the warnings. */
  async function said(config: Record<string, string>, environment: NodeJS.ProcessEnv = {}, project = "shop") {
    // A stack of its own, because it is warned of once.
    await pulumi.runtime.setMocks(
      { newResource: () => ({ id: undefined, state: {} }), call: () => ({}) },
      project,
      String(runs++),
    );
    pulumi.runtime.setAllConfig(config);
    Object.assign(process.env, environment);
    try {
      checkSettings();
    } catch (error) {
      assert.ok(pulumi.RunError.isInstance(error));
      return error.message;
    }
    return warned.join("\n");
  }

  it("every right one passes, and other namespaces are left alone", async () => {
    const config = Object.fromEntries(settingKeys.map((key) => [`workspace-apps:${key}`, "x"]));
    const all = await said({ ...config, "aws:regoin": "eu", "shop:baseURL": "x" }, { WORKSPACE_APPS_BASE_URL: "x" });
    assert.doesNotMatch(all, /Unknown setting/);
  });

  it("a misspelled key of the stack is refused with the one that is meant, every time", async () => {
    const refused =
      "Unknown setting workspace-apps:maxDailyBudgetMicro. Did you mean workspace-apps:maxDailyBudgetMicros?";
    assert.equal(await said({ "workspace-apps:maxDailyBudgetMicro": "1" }), refused);
    assert.throws(checkSettings, { message: refused });
  });

  it("a key of the stack that means no setting is refused with all there are", async () => {
    assert.match(
      await said({ "workspace-apps:region": "eu" }),
      /^Unknown setting workspace-apps:region\. Remove it, or use one of workspace-apps:baseUrl, .*, workspace-apps:maxDailyBudgetMicros\.$/,
    );
  });

  it("all that is wrong is said at once, and no value of it", async () => {
    const message = await said(
      { "workspace-apps:baseURL": "canary", "workspace-apps:acessToken": "canary" },
      { WORKSPACE_APPS_APIKEY: "canary" },
    );
    assert.deepEqual(message.match(/Did you mean [\w:-]+\?/g), [
      "Did you mean workspace-apps:accessToken?",
      "Did you mean workspace-apps:baseUrl?",
      "Did you mean WORKSPACE_APPS_API_KEY?",
    ]);
    assert.doesNotMatch(message, /canary/);
  });

  it("a variable that means no setting may be somebody else's, and is warned of once", async () => {
    assert.match(await said({}, { WORKSPACE_APPS_REGION: "eu" }), /^Unknown setting WORKSPACE_APPS_REGION/);
    checkSettings();
    assert.equal(warned.length, 1);
  });

  it("the keys of a project with the same name are its own, but for slips", async () => {
    assert.equal(await said({ "workspace-apps:region": "eu" }, {}, "workspace-apps"), "");
    assert.match(
      await said({ "workspace-apps:baseURL": "x" }, {}, "workspace-apps"),
      /Did you mean workspace-apps:baseUrl\?/,
    );
  });

  it("right ones are looked at once a run, and those of the next run again", async () => {
    await said({});
    const wrong = { "workspace-apps:baseURL": "x" };
    await pulumi.runtime.runInPulumiStack(() => {
      checkSettings();
      pulumi.runtime.setAllConfig(wrong);
      checkSettings();
      return Promise.resolve();
    });
    await said({});
    pulumi.runtime.setAllConfig(wrong);
    await pulumi.runtime.runInPulumiStack(() => {
      assert.throws(checkSettings, /Did you mean workspace-apps:baseUrl\?/);
      return Promise.resolve();
    });
  });
});
