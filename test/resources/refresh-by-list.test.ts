import assert from "node:assert/strict";
import { entityRecordLifecycle } from "../../provider/resources/entity-record/lifecycle";
import { folderMembershipLifecycle } from "../../provider/resources/folder-membership/lifecycle";
import { testFlowLifecycle } from "../../provider/resources/test-flow/lifecycle";
import { webhookLifecycle } from "../../provider/resources/webhook/lifecycle";
import type { Lifecycle } from "../../provider/resources/shared/lifecycle";
import type { OperationId } from "../../provider/service/operations";
import { type Bench, driven, startBench } from "../support/deployment";
import { newRequests } from "../support/requests";

type AnyState = Record<string, unknown>;

interface Listed {
  readonly lifecycle: Lifecycle<never, AnyState>;
  readonly args: (index: number) => object;
  readonly list: OperationId;
  /** Undefined where only the list reads it. */
  readonly get: OperationId | undefined;
  /** The requests where an object is gone. */
  readonly whenGone?: string;
  /** From how many on the list is read. */
  readonly from: number;
  readonly remove: (bench: Bench, state: AnyState) => void;
}

const any = (lifecycle: unknown) => lifecycle as Lifecycle<never, AnyState>;

const kinds: Readonly<Record<string, Listed>> = {
  webhooks: {
    lifecycle: any(webhookLifecycle),
    args: (index) => ({
      agentId: "agent",
      targetUrl: `https://hooks.example.com/${String(index)}`,
      events: ["message.created"],
      ...(index % 2 === 0 ? { description: "even" } : { enabled: false }),
    }),
    list: "webhook.list",
    get: "webhook.get",
    whenGone: "webhook.update {}",
    from: 2,
    remove: ({ simulator }, { webhookId }) => void simulator.objects.removeWebhook("agent", String(webhookId)),
  },
  memberships: {
    lifecycle: any(folderMembershipLifecycle),
    args: (index) => ({ folderId: "folder", appId: `app-${String(index)}` }),
    list: "folderItem.list",
    get: undefined,
    from: 1,
    remove: ({ simulator }, { appId }) => void simulator.objects.removeFolderItem("folder", String(appId)),
  },
  tests: {
    lifecycle: any(testFlowLifecycle),
    args: (index) => ({ appId: "app", definition: { name: `Test ${String(index)}`, steps: [{ click: "#buy" }] } }),
    list: "test.list",
    get: "test.get",
    from: 2,
    remove: ({ simulator }, { flowId }) => void simulator.objects.removeTest("app", String(flowId)),
  },
  records: {
    lifecycle: any(entityRecordLifecycle),
    args: (index) => ({ appId: "app", entityName: "TaxRate", fields: { country: "DE", rate: index, note: null } }),
    list: "record.list",
    get: "record.get",
    from: 5,
    remove: ({ simulator }, { recordId }) => void simulator.objects.removeRecord("app", "TaxRate", String(recordId)),
  },
};

describe("A refresh of many", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  for (const [name, kind] of Object.entries(kinds)) {
    const resource = driven(kind.lifecycle);
    const createSome = async (count: number): Promise<AnyState[]> => {
      const states: AnyState[] = [];
      for (let index = 0; index < count; index++) states.push(await resource.create(kind.args(index), bench));
      newRequests(bench.simulator);
      return states;
    };
    const refresh = (states: readonly AnyState[], later = bench.later()) =>
      Promise.all(states.map((state) => resource.read(state, later)));
    const single = kind.get ?? kind.list;

    it(`${name} reads one list, and finds what single reads find`, async () => {
      const states = await createSome(12);
      const byList = await refresh(states);
      assert.deepEqual(newRequests(bench.simulator), [kind.list]);
      const alone = await Promise.all(states.map((state) => resource.read(state, bench.later())));
      assert.equal(newRequests(bench.simulator).length, 12);
      assert.deepEqual(byList, alone);
      assert.deepEqual(byList, states);
    });

    if (kind.from > 1)
      it(`${name} reads no list where there are few`, async () => {
        const states = await createSome(kind.from - 1);
        await refresh(states);
        assert.deepEqual(
          newRequests(bench.simulator),
          states.map(() => single),
        );
      });

    it(`${name} that arrive one after the other reads the list as soon as it is worth it`, async () => {
      const states = await createSome(12);
      const later = bench.later();
      for (const state of states) await resource.read(state, later);
      const expected = [...Array.from({ length: kind.from - 1 }, () => single), kind.list];
      assert.deepEqual(newRequests(bench.simulator), expected);
    });

    it(`${name} asks for one by itself that the list does not show, unless only the list reads it`, async () => {
      const states = await createSome(12);
      kind.remove(bench, states[3] ?? {});
      const found = await refresh(states);
      assert.deepEqual(
        found.map((state) => state !== undefined),
        states.map((_, index) => index !== 3),
      );
      const expected = [kind.list, kind.get, kind.whenGone].filter((request) => request !== undefined);
      assert.deepEqual(newRequests(bench.simulator), expected);
    });

    const get = kind.get;
    if (get !== undefined)
      it(`${name} reads no more pages of a long list than there are reads`, async () => {
        const states = await createSome(6);
        for (let page = 1; page <= 20; page++) {
          const id = `other ${String(page)}`;
          const webhooks = [{ ...bench.simulator.objects.putWebhook("other"), id }];
          const body = { webhooks, flows: [{ id }], items: [{ id }], has_more: true, next_cursor: String(page) };
          bench.simulator.fault({ operation: kind.list, then: { status: 200, body } });
        }
        assert.deepEqual(await refresh(states), states);
        const [lists, gets] = [kind.list, get].map((operation) => states.map(() => operation));
        assert.deepEqual(newRequests(bench.simulator), [...(lists ?? []), ...(gets ?? [])]);
      });

    it(`${name} reads each by itself where the list cannot be read to its end, or fails`, async () => {
      const states = await createSome(12);
      const rows = { webhooks: [], items: [], flows: [], has_more: true };
      bench.simulator.fault({ operation: kind.list, then: { status: 200, body: rows } });
      if (kind.get === undefined) {
        await assert.rejects(refresh(states), /cannot be read to its end/);
        assert.deepEqual(newRequests(bench.simulator), [kind.list]);
        return;
      }
      assert.deepEqual(await refresh(states), states);
      const [first, ...rest] = newRequests(bench.simulator);
      assert.equal(first, kind.list);
      assert.deepEqual(
        rest,
        states.map(() => single),
      );
    });

    it(`${name} does not use a list from before a change, or an old one`, async () => {
      const states = await createSome(12);
      const later = bench.later();
      await refresh(states, later);
      await resource.create(kind.args(99), later);
      newRequests(bench.simulator);
      await refresh(states, later);
      // A new membership was looked for in the list, which is used.
      assert.deepEqual(newRequests(bench.simulator), kind.get === undefined ? [] : [kind.list]);
      await bench.clock.sleep(30_000);
      await refresh(states, later);
      assert.deepEqual(newRequests(bench.simulator), [kind.list]);
    });
  }

  it("webhooks reads each by itself where the list leaves out what is compared", async () => {
    const resource = driven(webhookLifecycle);
    const states = [];
    for (const index of [0, 1]) states.push(await resource.create(kinds["webhooks"]?.args(index) ?? {}, bench));
    const rows = bench.simulator.objects.webhooks("agent").map(({ description: _, ...row }) => row);
    newRequests(bench.simulator);
    bench.simulator.fault({ operation: "webhook.list", then: { status: 200, body: rows } });
    const later = bench.later();
    assert.deepEqual(await Promise.all(states.map((state) => resource.read(state, later))), states);
    assert.deepEqual(newRequests(bench.simulator), ["webhook.list", "webhook.get", "webhook.get"]);
  });

  it("webhooks reads each by itself where the list shows it in short", async () => {
    const resource = driven(webhookLifecycle);
    const states = [];
    for (const index of [0, 1]) states.push(await resource.create(kinds["webhooks"]?.args(index) ?? {}, bench));
    newRequests(bench.simulator);
    for (const short of [
      { target_url: "https://hooks.example.com/***" },
      { description: "e…" },
      { has_secret: true },
    ]) {
      const rows = bench.simulator.objects.webhooks("agent").map((row) => ({ ...row, ...short }));
      bench.simulator.fault({ operation: "webhook.list", then: { status: 200, body: rows } });
      const later = bench.later();
      assert.deepEqual(await Promise.all(states.map((state) => resource.read(state, later))), states);
      assert.deepEqual(newRequests(bench.simulator), ["webhook.list", "webhook.get", "webhook.get"]);
    }
  });

  it("tests reads each by itself where the list shows them in short", async () => {
    const resource = driven(testFlowLifecycle);
    const states = [];
    for (const index of [0, 1]) states.push(await resource.create(kinds["tests"]?.args(index) ?? {}, bench));
    newRequests(bench.simulator);
    for (const short of [{}, { name: "Test", steps: 1 }]) {
      const rows = states.map(({ flowId }) => ({ id: flowId, ...short }));
      bench.simulator.fault({ operation: "test.list", then: { status: 200, body: rows } });
      const later = bench.later();
      assert.deepEqual(await Promise.all(states.map((state) => resource.read(state, later))), states);
      assert.deepEqual(newRequests(bench.simulator), ["test.list", "test.get", "test.get"]);
    }
  });

  it("500 webhooks of an agent, or 500 memberships of a folder, sends one request", async () => {
    for (const kind of [kinds["webhooks"], kinds["memberships"]]) {
      if (kind === undefined) assert.fail();
      const resource = driven(kind.lifecycle);
      const states: AnyState[] = [];
      for (let index = 0; index < 500; index++) states.push(await resource.create(kind.args(index), bench));
      newRequests(bench.simulator);
      const later = bench.later();
      assert.deepEqual(await Promise.all(states.map((state) => resource.read(state, later))), states);
      assert.deepEqual(newRequests(bench.simulator), [kind.list]);
    }
  });

  it("and changes beside it keep the documented limit together, where both are updates", async () => {
    const endpoints = JSON.stringify({ "webhook.get": "none", "webhook.list": "none" });
    const documented = bench.later({ endpoints });
    const resource = driven(webhookLifecycle);
    const args = (index: number) => ({ ...kinds["webhooks"]?.args(index), enabled: true });
    const states = [];
    for (let index = 0; index < 60; index++) states.push(await resource.create(args(index), documented));
    await bench.clock.sleep(60_000);
    bench.simulator.clearRequests();
    const later = bench.later({ endpoints });
    // One after the other: the clock of the tests does not wait for requests.
    for (const [index, state] of states.entries()) {
      await resource.read(state, later);
      await resource.update(state, { ...args(index), description: "new" }, later);
    }
    const times = bench.simulator.requests.map(({ at }) => Date.parse(at));
    assert.equal(bench.simulator.requests.filter(({ operation }) => operation === "webhook.update").length, 120);
    for (const from of times) {
      const inAMinute = times.filter((time) => time >= from && time < from + 60_000).length;
      assert.ok(inAMinute <= 100, `${String(inAMinute)} requests in a minute`);
    }
  });

  it("memberships that are adopted together sends one request", async () => {
    const addresses = Array.from({ length: 20 }, (_, index) => ({ folderId: "folder", appId: `app-${String(index)}` }));
    for (const { folderId, appId } of addresses) bench.simulator.objects.addFolderItem(folderId, appId);
    const resource = driven(folderMembershipLifecycle);
    await Promise.all(addresses.map((address) => resource.create({ ...address, adopt: true }, bench)));
    assert.deepEqual(newRequests(bench.simulator), ["folderItem.list"]);
  });
});
