import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { checkSettings } from "../../provider/pulumi/program-settings";
import { settingKeys } from "../../provider/settings";

describe("The settings of a program", () => {
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

  /** The result of a run that checks them twice, as two resources do: the errors, or otherwise the warnings. */
  async function said(config: Record<string, string>, environment: NodeJS.ProcessEnv = {}, project = "shop") {
    const mocks = { newResource: () => ({ id: undefined, state: {} }), call: () => ({}) };
    await pulumi.runtime.setMocks(mocks, project, "dev");
    pulumi.runtime.setAllConfig(config);
    Object.assign(process.env, environment);
    const errors: string[] = [];
    await pulumi.runtime.runInPulumiStack(() => {
      for (const check of [checkSettings, checkSettings])
        try {
          check();
        } catch (error) {
          assert.ok(pulumi.RunError.isInstance(error));
          errors.push(error.message);
        }
      return Promise.resolve();
    });
    assert.ok(errors.length !== 1 && new Set(errors).size <= 1, "both fail or none");
    return errors[0] ?? warned.join("\n");
  }

  it("pass when they are valid, and other namespaces are ignored", async () => {
    const config = Object.fromEntries(settingKeys.map((key) => [`workspace-apps:${key}`, "x"]));
    const all = await said({ ...config, "aws:regoin": "eu", "shop:baseURL": "x" }, { WORKSPACE_APPS_BASE_URL: "x" });
    assert.doesNotMatch(all, /Unknown setting/);
  });

  it("fail every time for a misspelled key of the stack, with a suggestion", async () => {
    const refused =
      "Unknown setting workspace-apps:maxDailyBudgetMicro. Did you mean workspace-apps:maxDailyBudgetMicros? [WA1002]";
    assert.equal(await said({ "workspace-apps:maxDailyBudgetMicro": "1" }), refused);
  });

  it("fail for an unknown key of the stack without a similar name, with the list of all keys", async () => {
    assert.match(
      await said({ "workspace-apps:region": "eu" }),
      /^Unknown setting workspace-apps:region\. Remove it, or use one of workspace-apps:baseUrl, .*, workspace-apps:maxAppDailyBudgetMicros\. \[WA1002\]$/,
    );
  });

  it("report every problem at once, without any value", async () => {
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

  it("report malformed values beside an unknown name, and not what is missing", async () => {
    const config = { "workspace-apps:region": "eu", "workspace-apps:documentedOnly": "canary" };
    const message = await said({ ...config, "workspace-apps:launchSettleSeconds": "-1" });
    assert.deepEqual(
      message.split("\n").map((line) => line.split(".")[0]),
      [
        "Unknown setting workspace-apps:region",
        "workspace-apps:documentedOnly must be true or false",
        "workspace-apps:launchSettleSeconds must be at least 0 seconds",
      ],
    );
    assert.doesNotMatch(message, /canary/);
  });

  it("cause one warning for an unknown variable, which may belong to another program", async () => {
    assert.match(await said({}, { WORKSPACE_APPS_REGION: "eu" }), /^Unknown setting WORKSPACE_APPS_REGION/);
    assert.equal(warned.length, 1);
  });

  it("ignore other keys of a project with the same name, except misspelled settings", async () => {
    assert.equal(await said({ "workspace-apps:region": "eu" }, {}, "workspace-apps"), "");
    assert.match(
      await said({ "workspace-apps:baseURL": "x" }, {}, "workspace-apps"),
      /Did you mean workspace-apps:baseUrl\?/,
    );
  });

  it("are checked in every run of a process", async () => {
    assert.equal(await said({}), "");
    assert.match(await said({ "workspace-apps:baseURL": "x" }), /Did you mean workspace-apps:baseUrl\?/);
  });
});
