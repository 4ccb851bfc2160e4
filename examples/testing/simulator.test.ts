/* eslint-disable @typescript-eslint/no-floating-promises -- the test runner waits for its tests itself */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import { type Simulator, startSimulator } from "pulumi-workspace-apps/simulator";

let simulator: Simulator;
let stack: Stack;
let state: string;

before(async () => {
  simulator = await startSimulator();
  state = await mkdtemp(path.join(tmpdir(), "state-"));
  stack = await LocalWorkspace.createOrSelectStack(
    { stackName: "test", workDir: __dirname },
    {
      envVars: {
        PULUMI_BACKEND_URL: `file://${state}`,
        PULUMI_CONFIG_PASSPHRASE: "test",
        WORKSPACE_APPS_BASE_URL: simulator.url,
        WORKSPACE_APPS_ACCESS_TOKEN: "full-access-token",
      },
    },
  );
  await stack.setConfig("host", { value: "hooks.example.com" });
});

after(async () => {
  await stack.workspace.removeStack("test", { force: true }); // also deletes Pulumi.test.yaml
  await rm(state, { recursive: true });
  await simulator.close();
});

test("up creates one signed webhook, although the response to its creation is lost", async () => {
  simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
  const { outputs } = await stack.up();
  const webhooks = simulator.objects.webhooks("agent-support");
  assert.deepEqual(
    webhooks.map(({ target_url, has_secret }) => [target_url, has_secret]),
    [["https://hooks.example.com/replies", true]],
  );
  assert.equal(outputs.webhookId.value, webhooks[0].id);
  assert.equal(outputs.signingSecret.secret, true);
  assert.deepEqual(contacts(), [["owner@example.com", "admin@example.com"]]);
});

test("a new admin changes the record and nothing else", async () => {
  simulator.objects.putMember({ email: "new@example.com", role: "admin" });
  simulator.clearRequests();
  await stack.up();
  assert.deepEqual(contacts(), [["owner@example.com", "admin@example.com", "new@example.com"]]);
  assert.deepEqual(writes(), ["record.update"]);
});

test("a wrong argument fails the preview, and no request changes anything", async () => {
  await stack.setConfig("host", { value: "localhost" });
  simulator.clearRequests();
  await assert.rejects(stack.preview(), /targetUrl must be reachable from the internet/);
  assert.deepEqual(writes(), []);
});

test("destroy leaves nothing behind", async () => {
  await stack.destroy();
  assert.deepEqual([simulator.objects.webhooks("agent-support"), contacts()], [[], []]);
});

function contacts(): unknown[] {
  return simulator.objects.records("app-shop", "SupportContacts").map((record) => record.emails);
}

/** The requests that may change something. Reading the members is a POST too. */
function writes(): (string | undefined)[] {
  return simulator.requests
    .filter(({ method, operation }) => method !== "GET" && operation !== "member.list")
    .map(({ operation }) => operation);
}
