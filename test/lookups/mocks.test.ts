import assert from "node:assert/strict";
import http from "node:http";
import https from "node:https";
import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../provider";
import * as packaged from "../../provider/packaged";
import { lookupFixtures } from "../support/lookup-fixtures";

/* Users test their programs with `pulumi.runtime.setMocks`: a program must see only what the mocks return. */

type Args = Readonly<Record<string, unknown>>;
interface Options {
  dependsOn?: pulumi.Resource;
}

function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return (output as unknown as { promise: () => Promise<T> }).promise();
}

/** A result without its outputs. */
async function plain(result: Promise<Args>): Promise<Args> {
  const given = Object.entries(await result).filter(([, value]) => !pulumi.Output.isInstance(value));
  return Object.fromEntries(given);
}

/** Sets mocks that create every resource, and answer calls so. */
function answering(answer: (token: string, inputs: Args) => Args): Promise<void> {
  const newResource = ({ name, inputs }: { name: string; inputs: unknown }) => ({
    id: `${name}-id`,
    state: inputs as Args,
  });
  const call = ({ token, inputs }: { token: string; inputs: unknown }) => answer(token, inputs as Args);
  return pulumi.runtime.setMocks({ newResource, call }, "project", "stack");
}

for (const [form, apps] of Object.entries({ dynamic, packaged }))
  describe(`With pulumi.runtime.setMocks, in the ${form} form,`, () => {
    const functions = apps as unknown as Readonly<Record<string, (args: unknown, options?: Options) => unknown>>;
    const call = (name: string, args: unknown): Promise<Args> => functions[name]?.(args) as Promise<Args>;
    const callOutput = (name: string, args: unknown, options?: Options): Promise<Args> =>
      valueOf(functions[`${name}Output`]?.(args, options) as pulumi.Output<Args>);

    const calls: { token: string; inputs: Args }[] = [];
    const answer = { notes: ["from the mocks"], members: [], rows: 1 };
    const requests: unknown[] = [];
    const { request: ofHttp } = http;
    const { request: ofHttps } = https;
    const environment = { ...process.env };

    before(() => {
      // Settings are given, because a look-up of the service would otherwise fail before it sends a request.
      process.env["WORKSPACE_APPS_BASE_URL"] = "http://127.0.0.1:9";
      process.env["WORKSPACE_APPS_ACCESS_TOKEN"] = "token";
      const refuse = ((...given: unknown[]) => {
        requests.push(given);
        throw new Error("a request was sent");
      }) as unknown as typeof http.request;
      http.request = refuse;
      https.request = refuse;
    });
    after(() => {
      http.request = ofHttp;
      https.request = ofHttps;
      process.env = environment;
    });
    beforeEach(async () => {
      calls.length = 0;
      await answering((token, inputs) => {
        calls.push({ token, inputs });
        return answer;
      });
    });
    afterEach(() => {
      assert.deepEqual(requests, []);
    });

    for (const { lookup, args } of lookupFixtures) {
      const { name } = lookup;
      const token = `workspace-apps:index:${name}`;

      it(`${name} calls the mocks as ${token}, as a promise and as an Output`, async () => {
        assert.deepEqual(await plain(call(name, args)), answer);
        assert.deepEqual(await plain(callOutput(name, args)), answer);
        const inputs = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, pulumi.output(value)]));
        assert.deepEqual(await plain(callOutput(name, inputs)), answer);
        assert.deepEqual(
          calls.map((one) => one.token),
          [token, token, token],
        );
        for (const { inputs: asked } of calls)
          for (const [key, value] of Object.entries(args)) assert.deepEqual(asked[key], value, key);
      });

      it(`${name} still refuses wrong arguments, and does not call the mocks`, async () => {
        const wrong = { ...args, nonsense: 1 };
        const isRefusal = (error: unknown): boolean =>
          error instanceof apps.LookupError &&
          new RegExp(`^${name}: nonsense:? unknown argument`).test(error.message) &&
          error.message.endsWith("No request was sent. [WA1101]");
        await assert.rejects(call(name, wrong), isRefusal);
        await assert.rejects(callOutput(name, wrong), isRefusal);
        assert.deepEqual(calls, []);
      });
    }

    it("secret results are secret outputs, as without mocks", async () => {
      await answering(() => ({ fields: [], connectionConfig: { key: "k" } }));
      const { fields, connectionConfig } = await apps.getConnectorFields({ appId: "app-1", integrationType: "crm" });
      assert.deepEqual(fields, []);
      assert.deepEqual(await valueOf(connectionConfig), { key: "k" });
      assert.equal(await pulumi.isSecret(connectionConfig), true);
    });

    it("an Output form waits for the resources that it depends on", async () => {
      const dependsOn = new apps.ConversionTracking("tracking", { appId: "app-1" });
      assert.deepEqual(await callOutput("getMembers", {}, { dependsOn }), answer);
      assert.equal(calls.at(-1)?.token, "workspace-apps:index:getMembers");
    });

    it("an Output passed to the promise form is refused, with the form to use", async () => {
      await assert.rejects(
        call("getCampaigns", { appId: pulumi.output("app-1") }),
        /^LookupError: getCampaigns: appId is an Output; use getCampaignsOutput/,
      );
      assert.deepEqual(calls, []);
    });

    it("the program sees a failure of the mocks", async () => {
      await answering(() => {
        throw new Error("no such member");
      });
      // The SDK keeps the message only of errors that look like gRPC errors.
      await assert.rejects(call("getMembers", {}), Error);
    });
  });
