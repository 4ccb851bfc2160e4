import assert from "node:assert/strict";
import type { dynamic } from "@pulumi/pulumi";
import { resourceDigitsKey } from "../../provider/pulumi/hidden-inputs";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { type AnyLifecycle, kinds } from "../../provider/registry";
import type { OperationId } from "../../provider/service/operations";
import { type Bench, startBench } from "../support/deployment";
import { newRequests } from "../support/requests";

/*
 * Creating a record or a test: only its values are known. An object that is found by its values may be somebody else's,
 * so it is never deleted by default.
 */

type Properties = Record<string, unknown>;
type Host = Required<dynamic.ResourceProvider<Properties, Properties>>;

interface ByValues {
  readonly lifecycle: AnyLifecycle;
  readonly id: string;
  readonly values: string;
  readonly create: OperationId;
  readonly list: OperationId;
  readonly args: (label: string) => Properties;
  readonly held: (bench: Bench) => Properties[];
  readonly put: (bench: Bench, label: string, more?: Properties) => { readonly id: string };
}

const app = "app-1";
const byValues: Readonly<Record<string, ByValues>> = {
  EntityRecord: {
    lifecycle: kinds.EntityRecord,
    id: "recordId",
    values: "fields",
    create: "record.create",
    list: "record.list",
    args: (country) => ({ appId: app, entityName: "TaxRate", fields: { country } }),
    held: ({ simulator }) => simulator.objects.records(app, "TaxRate"),
    put: ({ simulator }, country, more) => simulator.objects.putRecord(app, "TaxRate", { country, ...more }),
  },
  TestFlow: {
    lifecycle: kinds.TestFlow,
    id: "flowId",
    values: "definition",
    create: "test.create",
    list: "test.list",
    args: (name) => ({ appId: app, definition: { name } }),
    held: ({ simulator }) => simulator.objects.tests(app).map(({ id, definition }) => ({ ...definition, id })),
    put: ({ simulator }, name, more) => simulator.objects.putTest(app, { definition: { name }, ...more }),
  },
};

/** A step that failed, with what the engine saves. */
interface Failed extends Error {
  readonly id: string;
  readonly properties: Properties;
}

for (const [name, kind] of Object.entries(byValues))
  describe(`${name}, created once,`, () => {
    let bench: Bench;
    beforeEach(async () => {
      bench = await startBench();
    });
    afterEach(() => bench.close());

    const hostOf = (command: Bench): Host => dynamicProvider(kind.lifecycle, () => command) as Host;
    const create = async (label: string, resourceDigits?: string): Promise<Properties> => {
      const { outs = {} } = await hostOf(bench).create({ ...kind.args(label), [resourceDigitsKey]: resourceDigits });
      return outs;
    };
    const failed = async (step: Promise<unknown>): Promise<Failed> => {
      const error = await step.then(
        () => undefined,
        (failure: unknown) => failure as Failed,
      );
      assert.ok(error?.properties, `expected a saved failure, got ${String(error)}`);
      return error;
    };
    /** A create whose response is lost, and whose list shows nothing until it is over. */
    const unfinished = async (commit: boolean): Promise<Properties> => {
      bench.simulator.fault({ operation: kind.create, commit, then: "reset" });
      bench.simulator.fault({ operation: kind.list, then: { status: 403 } });
      const { id, properties, message } = await failed(create("DE"));
      assert.equal(id, "unfinished");
      assert.match(message, /^It is uncertain whether the .* was created: a copy of this .* may exist\./);
      assert.match(message, /Run `pulumi up` again\. It looks first/);
      newRequests(bench.simulator);
      return properties;
    };
    /** The next `pulumi up`, of another command. */
    const up = async (olds: Properties, args: Properties): Promise<Properties> => {
      const host = hostOf(bench.later());
      const { inputs = {}, failures } = await host.check(olds, args);
      assert.deepEqual(failures, []);
      assert.deepEqual(await host.diff("unfinished", olds, inputs), { changes: true, replaces: [] });
      const { outs = {} } = await host.update("unfinished", olds, inputs);
      return outs;
    };
    const destroy = (state: Properties): Promise<void> => hostOf(bench.later()).delete("id", state);
    const created = (): number =>
      newRequests(bench.simulator).filter((request) => request.startsWith(kind.create)).length;

    it("counts an object that was found by its values as adopted, and destroy retains it", async () => {
      bench.simulator.fault({ operation: kind.create, then: "reset" });
      const { id } = kind.put(bench, "DE");
      const state = await create("DE");
      assert.deepEqual([state[kind.id], state["origin"]], [id, "adopted"]);
      assert.match(bench.said.join(), /It may be somebody else's, so it counts as adopted: destroy retains it/);
      await destroy(state);
      assert.equal(kind.held(bench).length, 1);
      await destroy({ ...state, deletionPolicy: "delete" });
      assert.equal(kind.held(bench).length, 0);
    });

    it("counts an object as adopted that the service answers with and had before", async () => {
      const created_date = new Date(bench.clock.now() - 60_000).toISOString();
      const existing = kind.put(bench, "DE", { created_date });
      const body = { ...(kind.args("DE")[kind.values] as object), id: existing.id, created_date };
      bench.simulator.fault({ operation: kind.create, then: { status: 200, body } });
      const state = await create("DE");
      assert.deepEqual([state[kind.id], state["origin"]], [existing.id, "adopted"]);
      assert.match(bench.said.join(), /answered the create with the .*, which it had before/);
      await destroy(state);
      assert.equal(kind.held(bench).length, 1);
    });

    it("neither saves nor changes an object that the service had before and that differs", async () => {
      const created_date = new Date(bench.clock.now() - 60_000).toISOString();
      const { id } = kind.put(bench, "FR", { created_date });
      const body = { ...(kind.args("FR")[kind.values] as object), id, created_date };
      bench.simulator.fault({ operation: kind.create, then: { status: 200, body } });
      const args = { ...kind.args("DE"), overwrite: true };
      await assert.rejects(hostOf(bench).create(args), (error: Error) => {
        assert.match(error.message, /was not adopted: it differs/);
        return !("properties" in error);
      });
      assert.match(JSON.stringify(kind.held(bench)), /"FR"/);
    });

    it("is not created elsewhere while a create of another token or base URL is unfinished", async () => {
      const olds = await unfinished(true);
      const host = hostOf(bench.later({ accessToken: "other-workspace-token" }));
      const { inputs = {} } = await host.check(olds, kind.args("DE"));
      await assert.rejects(
        host.update("unfinished", olds, inputs),
        /This proves nothing: the token, or the path of the list, has changed/,
      );
      const moved = hostOf(bench.later({ baseUrl: bench.simulator.url.replace("127.0.0.1", "localhost") }));
      const elsewhere = await moved.check(olds, kind.args("DE"));
      await assert.rejects(
        Promise.resolve().then(() => moved.diff("unfinished", olds, elsewhere.inputs ?? {})),
        { message: /was created or last read at another base URL/ },
      );
      assert.equal(created(), 0);
    });

    it("continues with what it found when the engine repeats the step", async () => {
      const olds = await unfinished(true);
      const host = hostOf(bench.later());
      const { inputs = {} } = await host.check(olds, kind.args("DE"));
      const read = kind.list.replace(".list", ".get") as OperationId;
      bench.simulator.fault({ operation: read, times: "always", then: { status: 403 } });
      await failed(host.update("unfinished", olds, inputs));
      bench.simulator.clearFaults();
      await host.update("unfinished", olds, inputs);
      assert.deepEqual([kind.held(bench).length, created()], [1, 0]);
    });

    it("uses none of two objects that could be it", async () => {
      kind.put(bench, "DE");
      bench.simulator.fault({ operation: kind.create, commit: true, then: "reset" });
      const { message, properties } = await failed(create("DE"));
      assert.match(message, /Several objects could be it: /);
      assert.equal(created(), 1);
      await destroy(properties);
      assert.equal(kind.held(bench).length, 2);
    });

    it("lets the next command find the object of an unfinished create", async () => {
      const olds = await unfinished(true);
      const state = await up(olds, kind.args("DE"));
      assert.deepEqual([state[kind.id], state["origin"]], [kind.held(bench)[0]?.["id"], "adopted"]);
      assert.equal(state["unfinishedCreate"], undefined);
      assert.equal(created(), 0);
    });

    it("lets the next command create the object only after it looked, and says so", async () => {
      const olds = await unfinished(false);
      const state = await up(olds, kind.args("DE"));
      assert.deepEqual([state[kind.id], state["origin"]], [kind.held(bench)[0]?.["id"], undefined]);
      const sent = newRequests(bench.simulator).map((request) => request.split(" ")[0]);
      assert.deepEqual(sent.slice(0, 4), [kind.list, kind.list, kind.list, kind.create]);
    });

    it("looks for the values that were sent, and changes what it found only with one more up", async () => {
      const olds = await unfinished(true);
      const { message, properties } = await failed(up(olds, kind.args("FR")));
      assert.match(message, /was found by its values and adopted\. It was not changed/);
      assert.match(JSON.stringify(kind.held(bench)), /"DE"/);
      assert.equal(properties["origin"], "adopted");
      await up(properties, kind.args("FR"));
      assert.equal(created(), 0);
      const [only, ...others] = kind.held(bench);
      assert.deepEqual(others, []);
      assert.match(JSON.stringify(only), /"FR"/);
    });

    it("counts as adopted where the read after the create shows an earlier date", async () => {
      const { id } = kind.put(bench, "DE", { created_date: new Date(bench.clock.now() - 60_000).toISOString() });
      bench.simulator.fault({ operation: kind.create, then: { status: 200, body: { id } } });
      assert.equal((await create("DE"))["origin"], "adopted");
    });

    it("is created for each of two resources with equal values, even where the first failed", async () => {
      const read = kind.list.replace(".list", ".get") as OperationId;
      bench.simulator.fault({ operation: read, then: { status: 403 } });
      await failed(create("DE", "0000001"));
      const second = await create("DE", "0000002");
      const ids = kind.held(bench).map((row) => row["id"]);
      assert.equal(ids.length, 2);
      assert.equal(second[kind.id], ids[1]);
    });

    for (const [when, other] of [
      ["this command", () => bench],
      ["the next command", () => bench.later()],
    ] as const)
      it(`does not adopt what another resource created in ${when}, while it was unfinished`, async () => {
        const olds = await unfinished(false);
        await hostOf(other()).create({ ...kind.args("DE"), [resourceDigitsKey]: "0000002" });
        const [equal] = kind.held(bench);
        // As with --target: nothing tells that the other resource manages it.
        await assert.rejects(
          up(olds, kind.args("DE")),
          new RegExp(`This object may or may not be it: ${String(equal?.["id"])}`),
        );
        assert.deepEqual([kind.held(bench).length, created()], [1, 1]);
      });

    it("sends no second pair of creates when the engine updates what it saved in the same command", async () => {
      bench.simulator.fault({ operation: kind.create, times: 2, then: { status: 500 } });
      const { properties } = await failed(create("DE"));
      bench.simulator.clearFaults();
      await assert.rejects(
        Promise.resolve(hostOf(bench).update("unfinished", properties, kind.args("DE"))),
        /so no other create was sent/,
      );
      assert.equal(created(), 2);
    });

    it("is neither changed nor created when the engine repeats the step that found it", async () => {
      const olds = await unfinished(true);
      const host = hostOf(bench.later());
      const { inputs = {} } = await host.check(olds, kind.args("FR"));
      const messages: string[] = [];
      for (let call = 1; call <= 2; call++)
        messages.push((await failed(host.update("unfinished", olds, inputs))).message);
      assert.equal(messages[1], messages[0]);
      assert.deepEqual([kind.held(bench).length, created()], [1, 0]);
      assert.match(JSON.stringify(kind.held(bench)), /"DE"/);
    });

    it("is not changed when the engine repeats a step that found it and could not read it", async () => {
      const olds = await unfinished(true);
      const host = hostOf(bench.later());
      const { inputs = {} } = await host.check(olds, kind.args("FR"));
      const read = kind.list.replace(".list", ".get") as OperationId;
      bench.simulator.fault({ operation: read, then: { status: 403 } });
      await failed(host.update("unfinished", olds, inputs));
      const { message } = await failed(host.update("unfinished", olds, inputs));
      assert.match(message, /was found by its values and adopted\. It was not changed/);
      assert.match(JSON.stringify(kind.held(bench)), /"DE"/);
    });

    it("saves it as unfinished again while nobody can tell", async () => {
      const olds = await unfinished(true);
      bench.simulator.fault({ operation: kind.list, times: "always", then: { status: 403 } });
      await assert.rejects(up(olds, kind.args("DE")), /a copy of this .* may exist/);
      assert.equal(created(), 0);
    });

    it("takes the id that the program gives for the object of an unfinished create", async () => {
      const olds = await unfinished(true);
      const id = kind.held(bench)[0]?.["id"];
      const state = await up(olds, { ...kind.args("DE"), [kind.id]: id });
      assert.deepEqual([state[kind.id], state["origin"]], [id, "adopted"]);
      assert.equal(created(), 0);
    });

    it("is left alone by refresh while it is unfinished, and is removed from the stack without a deletion", async () => {
      const olds = await unfinished(true);
      const command = bench.later();
      const read = await hostOf(command).read("unfinished", olds);
      assert.deepEqual([read.id, read.props], ["unfinished", olds]);
      await hostOf(command).delete("unfinished", olds);
      assert.deepEqual(newRequests(bench.simulator), []);
      assert.match(command.said.join(), /It is removed from the stack, and nothing was deleted/);
    });

    it("does not swap objects where one response is lost while another create is under way", async () => {
      bench.simulator.fault({ operation: kind.create, commit: true, then: "reset" });
      bench.simulator.fault({ operation: kind.create, delayMilliseconds: 200, then: "pass" });
      const states = await Promise.all(["DE", "FR"].map((label) => create(label)));
      const labels = states.map((state) => {
        const row = kind.held(bench).find(({ id }) => id === state[kind.id]);
        return row?.["country"] ?? row?.["name"];
      });
      assert.deepEqual(labels, ["DE", "FR"]);
    });

    it("reads an object that the list shows in part before it uses it", async () => {
      bench.simulator.fault({ operation: kind.create, then: "reset" });
      const other = kind.put(bench, "FR");
      const { created_date, id } = other as { id: string; created_date?: string };
      const part = { id, created_date: created_date ?? new Date(bench.clock.now()).toISOString(), is_sample: false };
      bench.simulator.fault({ operation: kind.list, times: "always", then: { status: 200, body: [part] } });
      const { message } = await failed(create("DE"));
      assert.match(message, new RegExp(`This object may or may not be it: ${id}`));
    });
  });
