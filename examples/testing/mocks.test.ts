/* eslint-disable @typescript-eslint/no-floating-promises -- the test runner waits for its tests itself */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import type * as apps from "pulumi-workspace-apps";
import type * as Program from "./index";

/** The inputs of every resource that the program declares, by its name. */
const declared: Record<string, Record<string, unknown>> = {};
/** The look-ups that the program calls, with their arguments. */
const lookups: [string, object][] = [];
let program: typeof Program;

before(async () => {
  pulumi.runtime.setAllConfig({ "workspace-apps-testing:host": "hooks.example.com" });
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }: { name: string; inputs: Record<string, unknown> }) => {
        declared[name] = inputs;
        // The outputs of the resource: its arguments, and what the service would add.
        return { id: `${name}-id`, state: { ...inputs, webhookId: "wh_1", secret: "whsec_1" } };
      },
      call: ({ token, inputs }: { token: string; inputs: object }) => {
        lookups.push([token, inputs]);
        const members: Partial<apps.Member>[] = [{ email: "ada@example.com" }, { email: "grace@example.com" }];
        return { members };
      },
    },
    "workspace-apps-testing",
    "test",
  );
  // Only now: the program declares its resources as soon as it is loaded.
  program = await import("./index");
  await pulumi.runtime.disconnect(); // waits for every resource and look-up
});

test("replies are sent to the configured host, signed", () => {
  assert.equal(declared.replies.targetUrl, "https://hooks.example.com/replies");
  assert.equal(declared.replies.signed, true);
});

test("the contacts are the owners and admins who joined", () => {
  const asked = { roles: ["owner", "admin"], inviteStatuses: ["joined"], pageSize: 100 };
  assert.deepEqual(lookups, [["workspace-apps:index:getMembers", asked]]);
  assert.deepEqual(declared.contacts.fields, { emails: ["ada@example.com", "grace@example.com"] });
});

test("the stack exports the id and the signing secret of the webhook", async () => {
  assert.equal(await valueOf(program.webhookId), "wh_1");
  assert.equal(await valueOf(program.signingSecret), "whsec_1");
});

function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => output.apply(resolve));
}
