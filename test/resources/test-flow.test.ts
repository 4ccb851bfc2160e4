import assert from "node:assert/strict";
import { creationProblems } from "../../provider/pulumi/check-step";
import { changedArguments } from "../../provider/pulumi/changed-arguments";
import { testFlowLifecycle } from "../../provider/resources/test-flow/lifecycle";
import { type Bench, driven, leftBy, startBench, unchanged } from "../support/deployment";
import { newRequests } from "../support/requests";

const flow = driven(testFlowLifecycle);
const declared = { appId: "app-1", definition: { name: "Checkout", steps: ["Buy a mug"] } };

describe("TestFlow", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const requests = (): string[] => newRequests(bench.simulator);

  for (const idField of ["id", "flow_id"] as const)
    it(`is created from its definition when the service returns its id as ${idField}, and shows no difference`, async () => {
      await bench.close();
      bench = await startBench({}, { testAnswers: { idField } });
      const state = await flow.create(declared, bench);
      assert.deepEqual(requests(), [`test.create ${JSON.stringify(declared.definition)}`, "test.get"]);
      assert.equal(state.flowId, bench.simulator.objects.tests("app-1")[0]?.id);
      assert.deepEqual(await flow.read(state, bench.later()), state);
    });

  it("is replaced completely by a change, and only when its definition differs in meaning", async () => {
    const state = await flow.create(declared, bench);
    requests();
    await flow.update(state, { appId: "app-1", definition: { steps: ["Buy a mug"], name: "Checkout" } }, bench);
    assert.deepEqual(requests(), []);
    const definition = { name: "Checkout", steps: ["Buy a cup"] };
    await flow.update(state, { appId: "app-1", definition }, bench);
    assert.deepEqual(requests(), [`test.update ${JSON.stringify(definition)}`, "test.get"]);
  });

  it("is retained after adoption, and deleted permanently after creation", async () => {
    const { id } = bench.simulator.objects.putTest("app-1", { definition: { name: "Theirs" } });
    const adopted = await flow.create({ appId: "app-1", flowId: id }, bench);
    await flow.delete(adopted, bench);
    assert.equal(bench.simulator.objects.tests("app-1").length, 1);
    await flow.delete({ ...adopted, deletionPolicy: "delete" }, bench);
    assert.equal(bench.simulator.objects.tests("app-1").length, 0);
    await flow.delete({ ...adopted, deletionPolicy: "delete" }, bench);
  });

  const none = { "test.create": "none", "test.get": "none", "test.update": "none", "test.list": "none" };
  /** Settings with which tests can only be deleted. */
  const deletingOnly = [{ documentedOnly: "true" }, { endpoints: JSON.stringify(none) }];

  it("can be adopted and deleted when tests cannot be created, read or changed", async () => {
    for (const settings of deletingOnly) {
      const { id } = bench.simulator.objects.putTest("app-1", {});
      const later = bench.later(settings);
      const inputs = { appId: "app-1", flowId: id, deletionPolicy: "delete" as const };
      assert.deepEqual(creationProblems(testFlowLifecycle, inputs, later), []);
      const state = await flow.create(inputs, later);
      assert.match(later.said.join(), new RegExp(`test ${id} of app app-1 is adopted without being read`));
      assert.equal(testFlowLifecycle.idOf(state), id);
      assert.deepEqual(await flow.read(state, later), state);
      await flow.delete(state, later);
      assert.deepEqual([requests(), bench.simulator.objects.tests("app-1")], [["test.delete"], []]);
    }
  });

  it("is refused at preview when tests cannot be created, with the way to adopt one", () => {
    for (const settings of deletingOnly) {
      const problems = creationProblems(testFlowLifecycle, declared, bench.later(settings));
      assert.equal(problems.length, 1);
      assert.match(problems[0]?.reason ?? "", /^test\.create is .*adopt an existing test by its flowId/s);
    }
  });

  it("is created again by a command that does not know of the first one", async () => {
    await flow.create(declared, bench);
    const again = await flow.create(declared, bench.later());
    const tests = bench.simulator.objects.tests("app-1");
    assert.deepEqual(
      tests.map(({ definition }) => definition),
      [declared.definition, declared.definition],
    );
    assert.equal(again.flowId, tests[1]?.id);
  });

  for (const dates of [true, false])
    it(`is ${dates ? "found" : "not created again"} after a lost response when the list ${dates ? "shows" : "does not show"} its creation time`, async () => {
      await bench.close();
      bench = await startBench({}, { testAnswers: { dates } });
      bench.simulator.fault({ operation: "test.create", commit: true, then: "reset" });
      const made = flow.create(declared, bench);
      if (dates) assert.equal((await made).flowId, bench.simulator.objects.tests("app-1")[0]?.id);
      else await assert.rejects(made, /a copy of this test may exist.*This object may or may not be it: /s);
      assert.equal(bench.simulator.objects.tests("app-1").length, 1);
    });

  const changed = { appId: "app-1", definition: { name: "Checkout", steps: ["Buy a cup"] } };

  it("is read before a change is sent again when its responses were lost", async () => {
    const state = await flow.create(declared, bench);
    bench.simulator.fault({ operation: "test.update", times: 5, commit: true, then: "reset" });
    const { state: left } = await leftBy(flow.update(state, changed, bench));
    assert.deepEqual([left.unconfirmed, left.definition], [true, declared.definition]);
    requests();
    const next = await flow.update(left, changed, bench.later());
    assert.deepEqual([requests(), next.definition, next.unconfirmed], [["test.get"], changed.definition, undefined]);
  });

  it("is sent again after lost responses when tests cannot be read", async () => {
    const state = await flow.create(declared, bench);
    const unread = { endpoints: JSON.stringify({ "test.get": "none" }) };
    bench.simulator.fault({ operation: "test.update", times: 5, commit: true, then: "reset" });
    const { state: left } = await leftBy(flow.update(state, changed, bench.later(unread)));
    requests();
    const next = await flow.update(left, changed, bench.later(unread));
    assert.deepEqual(requests(), [`test.update ${JSON.stringify(changed.definition)}`]);
    assert.deepEqual(next.definition, changed.definition);
  });

  it("is no longer managed, without a request, when the definition of an adopted test is removed from the program", async () => {
    const { id } = bench.simulator.objects.putTest("app-1", { definition: { name: "Theirs" } });
    const state = await flow.create({ appId: "app-1", flowId: id, definition: { name: "Theirs" } }, bench);
    const inputs = { appId: "app-1", flowId: id };
    assert.deepEqual(changedArguments(testFlowLifecycle, state, inputs), ["definition"]);
    requests();
    const next = await flow.update(state, inputs, bench.later());
    assert.deepEqual([requests(), Object.hasOwn(next, "definition")], [[], false]);
    assert.deepEqual(changedArguments(testFlowLifecycle, next, inputs), []);
  });

  it("keeps its state when the service refuses a change, with any status", async () => {
    const state = await flow.create(declared, bench);
    for (const status of [400, 403, 409, 418]) {
      bench.simulator.fault({
        operation: "test.update",
        times: 5,
        then: { status, body: { detail: "No such step." } },
      });
      await assert.rejects(flow.update(state, changed, bench.later()), /No such step\./);
      bench.simulator.clearFaults();
    }
    assert.deepEqual(bench.simulator.objects.tests("app-1")[0]?.definition, declared.definition);
  });

  it("shows no value of its definition when the service repeats it in a refusal", async () => {
    const definition = { name: "Sign in", password: "hunter2-canary" };
    const detail = "hunter2-canary is no password of this app.";
    bench.simulator.fault({ operation: "test.create", then: { status: 422, body: { detail } } });
    await assert.rejects(
      flow.create({ appId: "app-1", definition }, bench),
      (error: Error) => error.message.includes("(message hidden") && !error.message.includes("hunter2"),
    );
  });

  it("fails clearly when there is no test to adopt, and when the definition cannot be changed", async () => {
    await assert.rejects(
      flow.create({ appId: "app-1", flowId: "none" }, bench),
      /test\.get .*404.*path of test\.get is assumed/s,
    );
    const { id } = bench.simulator.objects.putTest("app-1", {});
    const documented = bench.later({ documentedOnly: "true" });
    const ours = { appId: "app-1", flowId: id, definition: { name: "Ours" } };
    await assert.rejects(
      flow.create({ ...ours, overwrite: true }, documented),
      /cannot be changed: test\.update is not called.*leave definition out/s,
    );
    const uncomparable = /test\.get is not called.*leave definition out to adopt .* or set overwrite: true/s;
    await assert.rejects(flow.create(ours, bench.later({ documentedOnly: "true" })), uncomparable);
    assert.match(creationProblems(testFlowLifecycle, ours, documented)[0]?.reason ?? "", uncomparable);
  });

  it("is read by the next up when it could not be read back, so that its absence can be recognized later", async () => {
    bench.simulator.fault({ operation: "test.get", times: 5, then: { status: 500 } });
    const { state } = await leftBy(flow.create(declared, bench));
    assert.equal(testFlowLifecycle.hasMoreToDo?.(state), true);
    const read = await flow.update(state, declared, bench.later());
    bench.simulator.objects.removeTest("app-1", read.flowId);
    assert.equal(await flow.read(read, bench.later()), undefined);
  });

  it("is read before it is compared when a repeated change was refused", async () => {
    const state = await flow.create(declared, bench);
    bench.simulator.fault({ operation: "test.update", commit: true, then: "reset" });
    bench.simulator.fault({ operation: "test.update", then: { status: 422, body: { detail: "No." } } });
    const { state: left } = await leftBy(flow.update(state, changed, bench));
    await flow.update(left, declared, bench.later());
    assert.deepEqual(bench.simulator.objects.tests("app-1")[0]?.definition, declared.definition);
  });

  it("names every declared part that differs at adoption, shows no value, and changes nothing", async () => {
    const theirs = { name: "Theirs", steps: ["canary"], more: true };
    const { id } = bench.simulator.objects.putTest("app-1", { definition: theirs });
    const inputs = { appId: "app-1", flowId: id, definition: { name: "Ours", steps: ["canary"], owner: "canary" } };
    await assert.rejects(flow.create(inputs, bench), (error: Error) => {
      assert.deepEqual(error.message.split("\n"), [
        `The test ${id} of app app-1 was not adopted: it differs from what is declared (found → declared). Nothing was changed. [WA1302]`,
        "  definition.name: (hidden) → (hidden)",
        "  definition.owner: none → (hidden)",
        "  - Declare the values that it has in the service.",
        "  - Or set overwrite: true, and `pulumi up` changes it to what is declared.",
      ]);
      return true;
    });
    assert.deepEqual([requests(), bench.simulator.objects.tests("app-1")[0]?.definition], [["test.get"], theirs]);
    const state = await flow.create({ ...inputs, overwrite: true }, bench.later());
    assert.deepEqual(requests(), ["test.get", `test.update ${JSON.stringify(inputs.definition)}`, "test.get"]);
    for (const overwrite of [true, false, undefined])
      assert.deepEqual(await flow.preview(state, { ...inputs, overwrite }, bench.later()), unchanged);
  });

  it("reports what an adopted test lost because its definition does not include it", async () => {
    const { id } = bench.simulator.objects.putTest("app-1", { definition: { name: "Theirs", steps: ["a"] } });
    await flow.create({ appId: "app-1", flowId: id, definition: { name: "Ours" }, overwrite: true }, bench);
    assert.match(bench.said.join(), /no longer has steps: definition replaces the whole test/);
  });

  describe("deleting, when the service answers 404", () => {
    const refused = {
      operation: "test.delete",
      then: { status: 404, body: { detail: "There is no such app." } },
    } as const;

    it("fails while the test exists, whatever the 404 looks like", async () => {
      const state = await flow.create(declared, bench);
      for (const body of [{ detail: "There is no such app." }, "<html>default backend</html>"]) {
        bench.simulator.fault({ operation: "test.delete", then: { status: 404, body } });
        await assert.rejects(
          flow.delete(state, bench.later()),
          /answered 404\..*looked for afterwards: it still exists/s,
        );
      }
      assert.equal(bench.simulator.objects.tests("app-1").length, 1);
    });

    it("finds in the list a test that was never read", async () => {
      const unread = { endpoints: JSON.stringify({ "test.get": "none" }) };
      const state = await flow.create(declared, bench.later(unread));
      bench.simulator.fault(refused);
      requests();
      await assert.rejects(flow.delete(state, bench.later(unread)), /it still exists.*Check the token/s);
      assert.deepEqual(requests(), ["test.delete", "test.list"]);
    });

    it("succeeds when the test is gone from the read that showed it and from the list", async () => {
      const state = await flow.create(declared, bench);
      bench.simulator.objects.removeTest("app-1", state.flowId);
      requests();
      await flow.delete(state, bench.later());
      assert.deepEqual(requests(), ["test.delete", "test.get", "test.list"]);
    });

    it("succeeds without a list when the read that showed the test no longer finds it", async () => {
      const unlisted = { endpoints: JSON.stringify({ "test.list": "none" }) };
      const state = await flow.create(declared, bench.later(unlisted));
      bench.simulator.objects.removeTest("app-1", state.flowId);
      await flow.delete(state, bench.later(unlisted));
    });

    it("succeeds when the response to the deletion was lost", async () => {
      const state = await flow.create(declared, bench);
      bench.simulator.fault({ operation: "test.delete", commit: true, then: "reset" });
      await flow.delete(state, bench.later());
      assert.equal(bench.simulator.objects.tests("app-1").length, 0);
    });

    it("does not forget the test when the token is limited to other apps", async () => {
      await bench.close();
      bench = await startBench(
        {},
        {
          credentials: [
            { value: "full-access-token", kind: "personal-token" },
            { value: "limited", kind: "personal-token", apps: ["app-2"] },
          ],
        },
      );
      const state = await flow.create(declared, bench);
      await assert.rejects(
        flow.delete(state, bench.later({ accessToken: "limited" })),
        /^ProviderError: The test \S+ of app app-1 was not found\. This proves nothing: the token has changed.*test\.list failed.*pulumi state delete/s,
      );
      assert.equal(bench.simulator.objects.tests("app-1").length, 1);
    });

    it("does not treat absence from a list that never showed the test as a deletion", async () => {
      bench.simulator.fault({ operation: "test.get", then: { status: 404 } });
      const state = await flow.create(declared, bench);
      bench.simulator.objects.removeTest("app-1", state.flowId);
      await assert.rejects(
        flow.delete(state, bench.later()),
        /may never have shown it.*If you are sure that the test is gone, .*`pulumi state delete --force '<URN>'`.*--show-urns/s,
      );
    });

    it("names the operation and the setting when tests can neither be read nor listed", async () => {
      for (const settings of deletingOnly) {
        const { id } = bench.simulator.objects.putTest("app-1", {});
        const later = bench.later(settings);
        const state = await flow.create({ appId: "app-1", flowId: id, deletionPolicy: "delete" }, later);
        bench.simulator.fault(refused);
        await assert.rejects(
          flow.delete(state, later),
          /uncertain whether.*test\.list is .*workspace-apps:endpoints.*pulumi state delete/s,
        );
      }
    });
  });

  it("shows no value of its definition when a read or list repeats it", async () => {
    const definition = { name: "Sign in", password: "hunter2-canary" };
    const body = { flow: { password: "hunter2-canary" } };
    bench.simulator.fault({ operation: "test.create", commit: true, then: { status: 500, body } });
    bench.simulator.fault({
      operation: "test.list",
      times: 9,
      then: { status: 500, body: { detail: "hunter2-canary" } },
    });
    await assert.rejects(
      flow.create({ appId: "app-1", definition }, bench),
      (error: Error) => !error.message.includes("hunter2"),
    );
  });

  it("shares a mutex with an equal test whose keys come in another order", async () => {
    bench.simulator.fault({ operation: "test.create", then: "reset" });
    bench.simulator.fault({ operation: "test.create", delayMilliseconds: 50, then: "pass" });
    const turned = { steps: ["Buy a mug"], name: "Checkout" };
    await Promise.all([flow.create(declared, bench), flow.create({ appId: "app-1", definition: turned }, bench)]);
    assert.equal(bench.simulator.objects.tests("app-1").length, 2);
  });
});
