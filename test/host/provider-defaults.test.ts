import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../provider";
import * as packaged from "../../provider/packaged";
import type * as CurrentDeployment from "../../provider/pulumi/current-deployment";
import { settingsIn } from "../../provider/pulumi/packaged/configuration";
import { fromStruct, toStruct } from "../../provider/pulumi/packaged/properties";
import { settingsOf } from "../../provider/pulumi/provider";
import type { Properties } from "../../provider/pulumi/saved";
import {
  configNamespace,
  environmentName,
  readProviderSettings,
  readSettings,
  type SettingKey,
  settingKeys,
} from "../../provider/settings";
import { Plugin } from "../support/plugin";

const given = {
  baseUrl: "https://eu.example.com",
  accessToken: "token-of-eu",
};

const textOf = (key: SettingKey): string | undefined => (given as Partial<Record<SettingKey, string>>)[key];

/** Settings of the stack, each with another value than its default. */
const ofStack: Record<SettingKey, string> = {
  baseUrl: "https://stack.example.com",
  accessToken: "token-of-the-stack",
  apiKey: "key-of-the-stack",
  endpoints: '{"webhook.create":"POST /hooks/{agent_id}"}',
  documentedOnly: "true",
  rateLimits: '{"member.list":7}',
  requestTimeoutSeconds: "12",
  launchSettleSeconds: "1",
  launchQuarantineSeconds: "1",
  maxDailyBudgetMicros: "1",
  maxAppDailyBudgetMicros: "1",
};

/** The settings of a stack with nothing else; their own test has the values. */
const defaults = readSettings(textOf, {});

/** The module of one host process: it keeps the settings that it gets first. */
function newHost(): typeof CurrentDeployment {
  const file = require.resolve("../../provider/pulumi/current-deployment");
  const loaded = require.cache[file];
  Reflect.deleteProperty(require.cache, file);
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    return require(file) as typeof CurrentDeployment;
  } finally {
    require.cache[file] = loaded;
  }
}

describe("A Provider that gives only its base URL and its token has defaults for the rest, whatever the stack has,", () => {
  const environment = { ...process.env };
  let registered: Properties | undefined;
  beforeEach(async () => {
    registered = undefined;
    await pulumi.runtime.setMocks(
      {
        newResource: ({ inputs }) => {
          registered = inputs as Properties;
          return { id: "id", state: inputs as Properties };
        },
        call: () => ({}),
      },
      "tested",
      "dev",
    );
    for (const key of settingKeys) process.env[environmentName(key)] = ofStack[key];
    pulumi.runtime.setAllConfig(
      Object.fromEntries(Object.entries(ofStack).map(([key, text]) => [`${configNamespace}:${key}`, text])),
    );
  });
  afterEach(() => {
    process.env = { ...environment };
    pulumi.runtime.setAllConfig({});
  });

  /** The Provider of a program as the engine gets it, without the marks of secrets. */
  async function declared(Provider: typeof dynamic.Provider): Promise<Properties> {
    const { urn } = new Provider("eu", given);
    await (urn as unknown as { promise: () => Promise<string> }).promise();
    return fromStruct(toStruct(registered ?? assert.fail("no Provider was registered")));
  }

  it("whose settings the stack sets to other values", () => {
    const settings = readSettings(textOf);
    for (const key of settingKeys) if (!(key in given)) assert.notDeepEqual(settings[key], defaults[key], key);
  });

  it("as its arguments are read", () => {
    assert.deepEqual(readProviderSettings(textOf), defaults);
  });

  it("in the dynamic host", async () => {
    const inputs = await declared(dynamic.Provider);
    const host = newHost();
    host.configure((key) => inputs[key] as string | undefined);
    assert.deepEqual(host.currentDeployment().settings, defaults);
  });

  it("in look-ups of the dynamic form", async () => {
    assert.deepEqual(await settingsOf(new dynamic.Provider("eu", given)), defaults);
  });

  it("in the plugin", async () => {
    const urn = "urn:pulumi:dev::tested::pulumi:providers:workspace-apps::eu";
    const { inputs, problems } = await new Plugin().check(
      { urn, news: await declared(packaged.Provider) },
      "checkConfig",
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(settingsIn(inputs), defaults);
  });
});
