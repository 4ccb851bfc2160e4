import assert from "node:assert/strict";
import type { StoredRecord } from "../../simulator";
import { killDuring } from "../../tools/harness/crash";
import { assertDone, assertFailed } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";
import { newRequests } from "../support/requests";

const app = "app-1";
const entity = "Task";

/** A JavaScript program with these records. */
const program = (declarations: string): string => `
  const { secret } = require("@pulumi/pulumi");
  const { EntityRecord } = require("pulumi-workspace-apps");
  const at = { appId: "${app}", entityName: "${entity}" };
  ${declarations}`;

/** A program with these records, by name. */
const records = (declared: Record<string, object>): string =>
  program(
    Object.entries(declared)
      .map(([name, args]) => `new EntityRecord("${name}", { ...at, ...${JSON.stringify(args)} });`)
      .join("\n"),
  );

/** What Pulumi stores in place of a secret value. */
const ciphertext = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

describe("EntityRecord on the real engine", () => {
  const { simulator, project } = onSimulator();
  const requests = (): string[] => newRequests(simulator);
  const live = (entityName = entity): StoredRecord[] => simulator.objects.records(app, entityName);
  /** The fields of a record, without those that the service assigns. */
  const held = (recordId: string): Record<string, unknown> => {
    const record: Partial<StoredRecord> = simulator.objects.record(app, entity, recordId) ?? {};
    const { id, created_date, updated_date, created_by, created_by_id, is_sample, ...fields } = record;
    return fields;
  };
  const change = (id: string, fields: Partial<StoredRecord>): void => {
    simulator.objects.changeRecord(app, entity, id, fields);
  };

  it("keeps secrets out of the state and the output, also when only secrets drift", async () => {
    simulator.objects.putRecord(app, entity, { id: "found", pin: "canary-found", code: "canary-code-found" });
    const stack = await project(
      program(`
        exports.nested = new EntityRecord("nested", { ...at,
          fields: { title: "shown", login: { user: "u", pin: secret("canary-pin") }, codes: ["x", secret("canary-code")] },
        });
        exports.whole = new EntityRecord("whole", { ...at, fields: secret({ token: "canary-token", title: "canary-t" }) });
        exports.adopted = new EntityRecord("adopted", { ...at, recordId: "found", overwrite: true,
          fields: { pin: "1", code: secret("canary-c") } });`),
    );
    const printed: string[] = [];
    const asPeopleDo = async (command: string, failsWith?: RegExp): Promise<void> => {
      const run = await stack.pulumi(command, "--yes", "--skip-preview", "--non-interactive", "--diff");
      if (failsWith === undefined) assertDone(run);
      else assertFailed(run, failsWith);
      printed.push(run.output, await stack.rawState(), (await stack.pulumi("stack", "output", "--json")).output);
      assert.doesNotMatch(printed.join("\n"), /canary/);
    };
    const unfinished = async (): Promise<unknown[]> =>
      (await stack.stored()).flatMap(({ id, initErrors = [] }) => (initErrors.length > 0 ? [id] : []));
    const idOf = (name: string, value: unknown): string => live().find((record) => record[name] === value)?.id ?? "";

    const body = { id: "found", pin: "1" };
    simulator.fault({ operation: "record.update", commit: true, then: { status: 200, body } });
    await asPeopleDo("up", /Dropped: code \(not in the schema of Task/);
    assert.deepEqual(await unfinished(), ["found"]);
    // It is not sent again until a refresh shows that the record has it.
    await asPeopleDo("up", /Dropped: code/);
    await asPeopleDo("refresh");
    await asPeopleDo("up");
    assert.deepEqual(await unfinished(), []);
    const [nested, whole] = [idOf("title", "shown"), idOf("token", "canary-token")];
    assert.deepEqual(held(nested)["login"], { user: "u", pin: "canary-pin" });
    assert.deepEqual([held("found")["pin"], held("found")["code"]], ["1", "canary-c"]);

    change(nested, { login: { user: "u", pin: "canary-theirs" }, codes: ["canary-theirs", "canary-more"] });
    change(whole, { token: "canary-theirs" });
    change("found", { code: "canary-theirs" });
    await asPeopleDo("refresh");
    const [inState] = (await stack.stored()).filter(({ urn }) => urn.endsWith("::nested"));
    for (const kept of [inState?.inputs, inState?.outputs]) {
      const fields = kept?.["fields"] as { title: string; login: { pin: object } };
      assert.equal(fields.title, "shown", "values that are not secret can be read");
      assert.ok(Object.entries(ciphertext).every(([key, value]) => Reflect.get(fields.login.pin, key) === value));
    }

    requests();
    await asPeopleDo("up");
    assert.deepEqual(requests().toSorted(), [
      `record.update {"code":"canary-c"}`,
      `record.update {"codes":["x","canary-code"],"login":{"pin":"canary-pin","user":"u"}}`,
      `record.update {"token":"canary-token"}`,
    ]);
  });

  it("is created a second time when the host dies after the creation: the first record is in no state", async () => {
    const stack = await project(records({ made: { fields: { title: "t" } } }));
    await killDuring({ stack, simulator }, "up", "host", { operation: "record.create", commit: true, then: "hold" });
    assert.deepEqual(await stack.stored(), []);
    assertDone(await stack.up(), { create: 1 });
    const [lost, kept] = live();
    assert.deepEqual([live().length, lost?.["title"], kept?.["title"]], [2, "t", "t"]);
    assert.equal((await stack.stored())[0]?.id, kept?.id);
  });

  const original = { title: "old", count: 1, label: "same", owner: "ann" };
  const adopted = {
    recordId: "found",
    overwrite: true,
    fields: { title: "new", count: 2, label: "same", owner: "bob", note: "added" },
  };

  it("is adopted again when the host dies during its adoption: the found values are then those of the first attempt", async () => {
    simulator.objects.putRecord(app, entity, { id: "found", ...original });
    const stack = await project(records({ adopted: { ...adopted, deletionPolicy: "restore" } }));
    await killDuring({ stack, simulator }, "up", "host", { operation: "record.update", commit: true, then: "hold" });
    assert.deepEqual(await stack.stored(), []);
    requests();
    assertDone(await stack.up(), { create: 1 });
    assert.deepEqual(requests(), ["record.get"], "it is already as declared");
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(requests(), ["record.get"], "the earlier values are unknown");
    assert.equal(held("found")["title"], "new");
  });
});
