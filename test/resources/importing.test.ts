import assert from "node:assert/strict";
import { changedArguments } from "../../provider/pulumi/changed-arguments";
import { withFirstDeclared } from "../../provider/pulumi/imported";
import { importNoteIn, SavedFailure } from "../../provider/pulumi/saved";
import { stepsOf } from "../../provider/pulumi/steps";
import { unknownValue, withoutUndefined } from "../../provider/serializable";
import { companions, type KindName, kindNames, kinds } from "../../provider/registry";
import { argumentsIn } from "../../provider/resources/shared/lifecycle";
import { ProviderError } from "../../provider/service/errors";
import { isRead } from "../../provider/service/operations";
import type { StoredObjects } from "../../simulator";
import { type Bench, startBench } from "../support/deployment";
import { newRequests } from "../support/requests";

type Values = Record<string, unknown>;

interface Existing {
  /** The id that the user gives. */
  readonly id: string;
  /** Puts the object into the service. */
  readonly put?: (objects: StoredObjects) => void;
  /** Takes it away again. */
  readonly remove?: (objects: StoredObjects) => void;
  /** The arguments of a program. */
  readonly declared: Values;
  /** The error when the object is not there. */
  readonly absent?: RegExp;
  /** The arguments that the service does not show. */
  readonly leftOut?: readonly string[];
}

const declaration = { place: "project/stack/named", name: "named" };
const targetUrl = "https://hooks.example.com/replies";
const events = ["message.completed"];
const campaign = {
  campaignName: "Spring sale",
  campaignType: "SMART",
  dailyBudgetMicros: 5_000_000,
  landingPage: "https://shop.example.com/",
};
const stored = {
  campaign_name: "Spring sale",
  campaign_type: "SMART",
  daily_budget_micros: 5_000_000,
  landing_page: "https://shop.example.com/",
};
const launchOnly = ["businessName", "keywordThemes", "searchThemes", "logoUrl", "extraFields"];

const existing: Record<string, Partial<Record<KindName, Existing>>> = {
  "with all values": {
    Webhook: {
      id: "agent-1/wh_1",
      put: (objects) =>
        void objects.putWebhook("agent-1", {
          id: "wh_1",
          target_url: targetUrl,
          events,
          description: "Replies",
          disabled_at: "2026-01-01T00:00:00Z",
          has_secret: true,
        }),
      remove: (objects) => void objects.removeWebhook("agent-1", "wh_1"),
      declared: {
        agentId: "agent-1",
        webhookId: "wh_1",
        targetUrl,
        events,
        description: "Replies",
        enabled: false,
        signed: true,
      },
      absent: /^The webhook wh_1 of agent agent-1 was not found\. Nothing was changed\./,
      leftOut: ["rotateSecret"],
    },
    AdCampaign: {
      id: "app-1/cmp_1",
      put: (objects) =>
        void objects.putCampaign("app-1", {
          ...stored,
          id: "cmp_1",
          status: "PAUSED",
          geo_targets: ["geo/1"],
          phone_number: "+49 30 1",
        }),
      remove: (objects) => void objects.changeCampaign("app-1", "cmp_1", { status: "REMOVED" }),
      declared: {
        appId: "app-1",
        campaignId: "cmp_1",
        ...campaign,
        geoTargets: ["geo/1"],
        phoneNumber: "+49 30 1",
        // Nobody knows whose pause the list shows, so paused is left out.
      },
      absent: /^Campaign cmp_1 of app app-1 was not adopted: it was removed, which is permanent\./,
      leftOut: launchOnly,
    },
    FolderMembership: {
      id: "folder-1/app-1",
      put(objects) {
        objects.addFolderItem("folder-1", "app-1");
      },
      remove: (objects) => void objects.removeFolderItem("folder-1", "app-1"),
      declared: { folderId: "folder-1", appId: "app-1", adopt: true },
      absent:
        /^App app-1 is not in folder folder-1, so there is nothing to adopt\. \[WA1301\]\n {2}- Check folderId and appId\.$/,
    },
    EntityRecord: {
      id: "app-1/TaxRate/rec_1",
      put: (objects) =>
        void objects.putRecord("app-1", "TaxRate", { id: "rec_1", country: "DE", rate: 19, valid: { to: null } }),
      remove: (objects) => void objects.removeRecord("app-1", "TaxRate", "rec_1"),
      declared: {
        appId: "app-1",
        entityName: "TaxRate",
        recordId: "rec_1",
        fields: { country: "DE", rate: 19, valid: { to: null } },
      },
      absent: /^The TaxRate record rec_1 of app app-1 was not found\. Nothing was changed\./,
    },
    TestFlow: {
      id: "app-1/flow_1",
      put: (objects) => void objects.putTest("app-1", { id: "flow_1", definition: { name: "Checkout" } }),
      remove: (objects) => void objects.removeTest("app-1", "flow_1"),
      declared: { appId: "app-1", flowId: "flow_1" },
      absent: /^The test flow_1 of app app-1 was not found\. Nothing was changed\./,
      leftOut: ["definition"],
    },
    IgnoredFinding: {
      id: "app-1/fp1",
      put: (objects) => void objects.setScan("app-1", { ignored_fingerprints: ["fp1"] }),
      remove: (objects) => void objects.setScan("app-1", { ignored_fingerprints: [] }),
      declared: { appId: "app-1", fingerprint: "fp1", adopt: true },
      absent:
        /^Finding fp1 of app app-1 is not ignored, so there is nothing to adopt\. \[WA1301\]\n {2}- Check the fingerprint\.$/,
    },
    ConversionTracking: {
      id: "app-1",
      declared: { appId: "app-1", wireEvents: false },
      leftOut: ["wireEvents", "rerun"],
    },
  },
  "with as little as there can be": {
    Webhook: {
      id: "agent-1/wh_1",
      put: (objects) => void objects.putWebhook("agent-1", { id: "wh_1", target_url: targetUrl, events }),
      declared: { agentId: "agent-1", webhookId: "wh_1", targetUrl, events, enabled: true },
      leftOut: ["rotateSecret"],
    },
    AdCampaign: {
      id: "app-1/cmp_1",
      put: (objects) =>
        void objects.putCampaign("app-1", { ...stored, id: "cmp_1", geo_targets: [], phone_number: "" }),
      declared: { appId: "app-1", campaignId: "cmp_1", ...campaign },
      leftOut: [...launchOnly, "phoneNumber"],
    },
    EntityRecord: {
      id: "app-1/TaxRate/rec_1",
      put: (objects) => void objects.putRecord("app-1", "TaxRate", { id: "rec_1" }),
      declared: { appId: "app-1", entityName: "TaxRate", recordId: "rec_1", fields: {} },
    },
  },
};

const cases = Object.entries(existing).flatMap(([title, byKind]) =>
  Object.entries(byKind).map(([kind, object]) => ({ title, kind: kind as KindName, ...object })),
);

function changedBy(kind: KindName, state: Values, inputs: Values): readonly string[] | undefined {
  return kinds[kind].outputsChangedBy?.(withFirstDeclared(state, inputs), inputs);
}

describe("Importing", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  /** The state as Pulumi would store it. */
  const imported = async (kind: KindName, id: string, deployment: Bench = bench): Promise<Values> => {
    const { outputs, inputs } = await stepsOf(kinds[kind]).import(id, deployment);
    assert.match(String(outputs["lease"]), /^[0-9a-f]{6}$/);
    assert.deepEqual(inputs, declaredFrom(kind, outputs));
    return outputs;
  };
  /** The steps of later commands, as the engine calls them. */
  const stepped = (kind: KindName) => {
    const checked = (state: Values, inputs: Values, later: Bench) => {
      const steps = stepsOf(kinds[kind]);
      const olds = argumentsIn(kinds[kind], state) as Values;
      const { inputs: news, problems } = steps.check(olds, inputs, declaration, later);
      assert.deepEqual(problems, []);
      return { steps, news };
    };
    return {
      // eslint-disable-next-line @typescript-eslint/require-await -- rejects where a preview refuses
      async preview(state: Values, inputs: Values, later: Bench) {
        const { steps, news } = checked(state, inputs, later);
        const { isChanged, replaces } = steps.diff(state, news, () => later);
        return { isChanged, replaces };
      },
      async update(state: Values, inputs: Values, later: Bench): Promise<Values> {
        const { steps, news } = checked(state, inputs, later);
        return (await steps.update(state, news, later)).outputs;
      },
      read: async (state: Values, later: Bench) => (await stepsOf(kinds[kind]).read(state, later))?.outputs,
      delete: (state: Values, later: Bench) => stepsOf(kinds[kind]).delete(state, later),
    };
  };
  const leftOutOf = (state: Values): readonly string[] => importNoteIn(state)?.leftOut ?? [];
  const writes = (): string[] =>
    bench.simulator.requests.flatMap(({ operation, method }) =>
      operation !== undefined && isRead(operation, method) ? [] : [String(operation)],
    );
  const refusal = async (step: Promise<unknown>): Promise<string> => {
    const error = await step.then(
      () => assert.fail("it was not refused"),
      (failure: unknown) => failure,
    );
    assert.ok(error instanceof ProviderError || error instanceof SavedFailure, String(error));
    return error.message;
  };
  /** The state's own arguments, with changes, as a program would declare them. */
  const declaredFrom = (kind: KindName, state: Values, changes: Values = {}): Values =>
    withoutUndefined({ ...argumentsIn(kinds[kind], state), ...changes });

  it("is for every kind that exists by itself", () => {
    const importable = kindNames.filter((kind) => kinds[kind].importing !== undefined);
    assert.deepEqual(importable, Object.keys(existing["with all values"] ?? {}));
    assert.deepEqual(
      kindNames.filter((kind) => !importable.includes(kind)),
      ["CodingSession"],
    );
    assert.equal(companions.LaunchIntent.importing, undefined);
  });

  for (const { title, kind, id, put, declared, leftOut = [] } of cases)
    it(`reads ${kind} ${title}, sends no write, and leaves nothing to change`, async () => {
      const lifecycle = kinds[kind];
      put?.(bench.simulator.objects);
      const state = await imported(kind, id);
      assert.deepEqual(declaredFrom(kind, state), declared);
      assert.deepEqual(withoutUndefined(lifecycle.inputs.parse(declared)), declared);
      assert.deepEqual(changedArguments(lifecycle, state, lifecycle.inputs.parse(declared)), []);
      assert.equal(lifecycle.hasMoreToDo?.(state) ?? false, false);
      assert.deepEqual([...leftOutOf(state)].sort(), [...leftOut].sort());
      assert.deepEqual(lifecycle.outputsChangedBy?.(state, lifecycle.inputs.parse(declared)) ?? [], []);
      assert.equal(state["origin"], "adopted");
      assert.deepEqual(await stepped(kind).read(state, bench.later()), state, "a refresh finds a difference");
      const { by: _, ...note } = importNoteIn(state) ?? {};
      const accepted = withoutUndefined({ ...state, imported: leftOut.length === 0 ? undefined : note });
      assert.deepEqual(await stepped(kind).update(state, declared, bench.later()), accepted);
      await stepped(kind).delete(state, bench.later());
      assert.deepEqual(writes(), []);
    });

  for (const { kind, id, put, remove, absent } of cases.filter(({ absent }) => absent !== undefined))
    it(`of ${kind} is refused when the object is not there, and after that its later absence is seen`, async () => {
      await refusal(imported(kind, id, bench.later()));
      put?.(bench.simulator.objects);
      const state = await imported(kind, id);
      remove?.(bench.simulator.objects);
      assert.match(await refusal(imported(kind, id, bench.later())), absent ?? /^$/);
      assert.equal(await stepped(kind).read(state, bench.later()), undefined);
      assert.deepEqual(writes(), []);
    });

  for (const { kind, id, put } of cases.filter(({ title }) => title === "with all values")) {
    it(`of ${kind} twice is recognized as two resources of one object`, async () => {
      put?.(bench.simulator.objects);
      const steps = stepsOf(kinds[kind]);
      const [one, other] = [await steps.import(id, bench), await steps.import(id, bench)];
      const { inputs } = steps.check(one.inputs, one.inputs, declaration, bench);
      assert.equal(steps.diff(one.outputs, inputs, () => bench).isChanged, false);
      assert.throws(() => steps.diff(other.outputs, inputs, () => bench), /is managed by two resources of this stack/);
    });

    it(`of ${kind} says which id is expected, and sends no request for another`, async () => {
      const { id: names = [] } = kinds[kind].importing ?? {};
      for (const wrong of ["", `${id}/more`, id.replace(/[^/]+$/, ".."), ...(names.length > 1 ? ["one"] : [])]) {
        const why = await refusal(imported(kind, wrong));
        assert.ok(/^"[^"]*" is not the id of an? \w+\. No request was sent\./.test(why), why);
        assert.ok(why.endsWith(`\n  - Give ${names.join("/")}.`), why);
      }
      assert.deepEqual(bench.simulator.requests, []);
    });
  }

  it("by get does not stop another resource from changing the object", async () => {
    bench.simulator.objects.putWebhook("agent-1", { id: "wh_1", target_url: targetUrl, events });
    const steps = stepsOf(kinds.Webhook);
    const managed = await stepsOf(kinds.Webhook).import("agent-1/wh_1", bench.later());
    await steps.import("agent-1/wh_1", bench);
    const { inputs } = steps.check(managed.inputs, { ...managed.inputs, description: "other" }, declaration, bench);
    assert.deepEqual(steps.diff(managed.outputs, inputs, () => bench).changed, ["description"]);
  });

  it("by get keeps the object of a declaration that it takes the place of", async () => {
    bench.simulator.objects.putWebhook("agent-1", { id: "wh_1", target_url: targetUrl, events });
    const steps = stepsOf(kinds.Webhook);
    const { outputs } = await stepsOf(kinds.Webhook).import("agent-1/wh_1", bench);
    await steps.import("agent-1/wh_1", bench, "urn of replies");
    const created = { ...outputs, origin: "created" };
    assert.match(
      await refusal(steps.delete(created, bench, "urn of another")),
      /^The webhook wh_1 of agent agent-1 was not deleted: the program reads it with get\./,
    );
    await steps.delete({ ...created, deletionPolicy: "retain" }, bench, "urn of another");
    await steps.delete(created, bench, "urn of replies");
    assert.match(bench.said.join(), /is not deleted: the program reads it with get, and no longer manages it/);
    assert.deepEqual(writes(), []);
  });

  it("refuses an object that a program cannot declare, with the reasons", async () => {
    bench.simulator.objects.putWebhook("agent-1", { id: "wh_1", target_url: "http://10.0.0.1/" });
    assert.match(
      await refusal(imported("Webhook", "agent-1/wh_1")),
      /^The webhook wh_1 of agent agent-1 was not imported: a program cannot declare it as the service shows it\. Nothing was changed\. \[WA1613\]\n {2}targetUrl must .*\n {2}- Change it in the service, or leave it unmanaged\.$/,
    );
    const row = { id: "cmp_1", campaign_name: "Spring sale", status: "ENABLED" };
    bench.simulator.fault({ operation: "campaign.list", then: { status: 200, body: [row] } });
    assert.match(await refusal(imported("AdCampaign", "app-1/cmp_1")), /\n {2}landingPage is required\.\n/);
  });

  it("refuses records of the User entity", async () => {
    assert.match(await refusal(imported("EntityRecord", "app-1/User/rec_1")), /entityName must not be User/);
    assert.deepEqual(bench.simulator.requests, []);
  });

  it("leaves out the fields of a record that a program cannot hold, and names them", async () => {
    const row = String.raw`{"id": "rec_1", "serial": 9007199254740993, "name": "A", "toString": "x", "text": "\ud800"}`;
    bench.simulator.fault({
      operation: "record.get",
      then: { status: 200, body: row, headers: { "content-type": "application/json" } },
    });
    const state = await imported("EntityRecord", "app-1/TaxRate/rec_1");
    assert.deepEqual(state["fields"], { name: "A" });
    assert.deepEqual(bench.said, [
      "The TaxRate record rec_1 of app app-1 is imported in part. Left out, because a program cannot hold these fields as they are: serial, toString, text.",
    ]);
  });

  it("of conversion tracking sends nothing, and says that the outputs stay empty", async () => {
    const state = await imported("ConversionTracking", "app-1");
    assert.deepEqual(state, {
      appId: "app-1",
      wireEvents: false,
      composerPrompt: "",
      origin: "adopted",
      readBy: state["readBy"],
      lease: state["lease"],
      imported: { by: bench.command, leftOut: ["wireEvents", "rerun"] },
    });
    assert.match(bench.said.join(), /without a request.* Its outputs stay empty until rerun changes\.$/);
    assert.deepEqual(bench.simulator.requests, []);
  });

  it("of conversion tracking remembers the first rerun and wireEvents, says so, and runs when one changes", async () => {
    const resource = stepped("ConversionTracking");
    const state = await imported("ConversionTracking", "app-1");
    const first = { appId: "app-1", wireEvents: true, rerun: "1" };
    assert.deepEqual(changedBy("ConversionTracking", state, first), []);
    const later = bench.later();
    const remembered = await resource.update(state, first, later);
    assert.match(later.said.join(), /wireEvents and rerun are stored, and nothing was run\. Change rerun to run it\.$/);
    assert.deepEqual(bench.simulator.requests, []);
    const { imported: _, ...rest } = state;
    assert.deepEqual(remembered, { ...rest, ...first });
    await resource.update(remembered, { ...first, rerun: "2" }, bench.later());
    assert.deepEqual(newRequests(bench.simulator), ['tracking.bootstrap {"wire_events":true}']);
  });

  describe("by the option import", () => {
    /** A command's effect on the imported object: whether it changes, and what is saved. */
    const applied = async (kind: KindName, declared: Values) => {
      const object = existing["with all values"]?.[kind];
      object?.put?.(bench.simulator.objects);
      const steps = stepsOf(kinds[kind]);
      const found = await steps.import(object?.id ?? "", bench);
      const { inputs, problems } = steps.check(found.inputs, declared, declaration, bench);
      assert.deepEqual(problems, []);
      const { isChanged, replaces } = steps.diff(found.outputs, inputs, () => bench);
      assert.deepEqual(replaces, []);
      return isChanged ? steps.update(found.outputs, inputs, bench) : found;
    };
    const without = (kind: KindName, ...names: string[]): Values =>
      Object.fromEntries(
        Object.entries(existing["with all values"]?.[kind]?.declared ?? {}).filter(([name]) => !names.includes(name)),
      );
    const accepted: [title: string, kind: KindName, declared: Values][] = [
      ["a deletionPolicy", "Webhook", { ...without("Webhook"), deletionPolicy: "retain" }],
      ["a deletionPolicy", "AdCampaign", { ...without("AdCampaign"), deletionPolicy: "delete" }],
      ["overwrite", "EntityRecord", { ...without("EntityRecord"), overwrite: true }],
      ["signed left out", "Webhook", without("Webhook", "signed")],
      ["paused left out", "AdCampaign", without("AdCampaign", "paused")],
      ["only some fields", "EntityRecord", { ...without("EntityRecord"), fields: { rate: 19 } }],
      ["first values", "ConversionTracking", { appId: "app-1", wireEvents: true, rerun: "1" }],
    ];
    for (const [title, kind, declared] of accepted)
      it(`accepts ${title} of ${kind}, sends no write, and leaves nothing to change`, async () => {
        const { outputs } = await applied(kind, declared);
        const [steps, later] = [stepsOf(kinds[kind]), bench.later()];
        const { inputs } = steps.check(outputs, declared, declaration, later);
        assert.deepEqual(steps.diff(outputs, inputs, () => later).changed, []);
        assert.deepEqual(writes(), []);
      });

    it("accepts flags that say what is so, and sends no write", async () => {
      const { objects } = bench.simulator;
      objects.putWebhook("agent-1", { id: "wh_2", target_url: targetUrl, events });
      objects.putCampaign("app-2", { ...stored, id: "cmp_2" });
      const flags: [KindName, string, Values][] = [
        ["Webhook", "agent-1/wh_2", { agentId: "agent-1", targetUrl, events, signed: false }],
        ["AdCampaign", "app-2/cmp_2", { appId: "app-2", ...campaign, paused: false, campaignId: "cmp_2" }],
      ];
      for (const [kind, id, declared] of flags) {
        const steps = stepsOf(kinds[kind]);
        const found = await steps.import(id, bench);
        const { inputs } = steps.check(found.inputs, declared, declaration, bench);
        assert.equal(steps.diff(found.outputs, inputs, () => bench).isChanged, true);
        await steps.update(found.outputs, inputs, bench);
      }
      assert.deepEqual(writes(), []);
    });

    const refused: [KindName, Values, string][] = [
      ["Webhook", { ...without("Webhook", "description"), deletionPolicy: "retain" }, "description"],
      ["Webhook", { ...without("Webhook"), signed: false }, "signed"],
      ["AdCampaign", { ...without("AdCampaign"), paused: true }, "paused"],
      ["EntityRecord", { ...without("EntityRecord"), fields: { rate: 20 } }, "fields"],
      ["EntityRecord", { ...without("EntityRecord"), fields: { other: 1 } }, "fields"],
    ];
    for (const [kind, declared, name] of refused)
      it(`refuses another ${name} of ${kind}`, async () => {
        assert.match(
          await refusal(applied(kind, declared)),
          new RegExp(`was not imported: .* another value for ${name}\\.`),
        );
        assert.deepEqual(writes(), []);
      });

    it("that was refused is refused by later commands too, until the program declares what is there", async () => {
      const declared = { ...without("Webhook"), description: "other" };
      const error: unknown = await applied("Webhook", declared).catch((failure: unknown) => failure);
      assert.ok(error instanceof SavedFailure, String(error));
      let { outputs } = error.saved;
      const inLater = async (inputs: Values, isChanged = true): Promise<void> => {
        const [steps, later] = [stepsOf(kinds.Webhook), bench.later()];
        const checked = steps.check(outputs, inputs, declaration, later).inputs;
        const difference = steps.diff(outputs, checked, () => later);
        assert.deepEqual([difference.isChanged, difference.replaces], [isChanged, []]);
        if (isChanged) ({ outputs } = await steps.update(outputs, checked, later));
      };
      outputs = (await stepsOf(kinds.Webhook).read(outputs, bench.later()))?.outputs ?? assert.fail("gone");
      assert.match(await refusal(inLater(declared)), /another value for description\./);
      assert.match(await refusal(inLater({ ...declared, agentId: "agent-2" })), /value for agentId, description\./);
      await inLater(without("Webhook"));
      await inLater(without("Webhook"), false);
      assert.deepEqual(writes(), []);
      await inLater(declared);
      assert.deepEqual(writes(), ["webhook.update"]);
    });

    it("overwrites nothing, also not where the program says so", async () => {
      const declared = { appId: "app-1", flowId: "flow_1", definition: { name: "Other" }, overwrite: true };
      assert.match(await refusal(applied("TestFlow", declared)), /definition\.name/);
      assert.deepEqual(writes(), []);
    });

    it("does not refuse what is not known yet", () =>
      applied("Webhook", { ...without("Webhook"), targetUrl: unknownValue }).then(
        () => assert.fail("it was not checked"),
        (error: unknown) => {
          assert.doesNotMatch(String(error), /was not imported/);
        },
      ));
  });

  it("names the service's id when the ad platform's id of a campaign was given", async () => {
    const { platform_campaign_id: id } = bench.simulator.objects.putCampaign("app-1", { ...stored, id: "cmp_1" });
    assert.match(
      await refusal(imported("AdCampaign", `app-1/${id}`)),
      /is the ad platform's id of a campaign, so nothing was adopted\. \[WA1301\]\n {2}- Declare campaignId "cmp_1" instead\.$/,
    );
  });

  describe("of a campaign", () => {
    const lifecycle = kinds.AdCampaign;
    const resource = stepped("AdCampaign");
    let state: Values;
    beforeEach(async () => {
      bench.simulator.objects.putCampaign("app-1", { ...stored, id: "cmp_1", phone_number: "+49 30 1" });
      state = await imported("AdCampaign", "app-1/cmp_1");
      newRequests(bench.simulator);
    });

    it("accepts and stores the first declaration of each argument that the list does not show, without a request", async () => {
      const first = {
        businessName: "Shop",
        keywordThemes: ["mugs"],
        searchThemes: ["cups"],
        logoUrl: "https://shop.example.com/logo.png",
        extraFields: { eu_political_ads: false },
      };
      assert.deepEqual(Object.keys(first).sort(), [...launchOnly].sort());
      for (const [name, value] of Object.entries(first)) {
        const inputs = declaredFrom("AdCampaign", state, { [name]: value });
        assert.deepEqual(await resource.preview(state, inputs, bench.later()), { isChanged: true, replaces: [] });
        assert.ok(leftOutOf(state).includes(name));
        state = await resource.update(state, inputs, bench.later());
        assert.deepEqual(state[name], value);
        assert.ok(!leftOutOf(state).includes(name));
        assert.deepEqual(changedArguments(lifecycle, state, inputs), []);
      }
      assert.deepEqual(newRequests(bench.simulator), []);
      assert.equal("imported" in state, false);
      const changed = declaredFrom("AdCampaign", state, { logoUrl: "https://shop.example.com/other.png" });
      await assert.rejects(resource.preview(state, changed, bench.later()), {
        message: /differ in logoUrl, and that would replace it\. It is declared by its own campaignId/,
      });
    });

    it("keeps what was never declared through refreshes, pauses and other updates", async () => {
      const read = (await resource.read(state, bench.later())) ?? assert.fail("it is gone");
      const paused = await resource.update(read, declaredFrom("AdCampaign", read, { paused: true }), bench.later());
      const kept = await resource.update(
        paused,
        declaredFrom("AdCampaign", paused, { deletionPolicy: "pause" }),
        bench.later(),
      );
      assert.deepEqual(leftOutOf(kept), launchOnly);
      assert.equal(bench.simulator.objects.campaign("app-1", "cmp_1")?.status, "PAUSED");
    });

    it("saves the first declaration also when a pause in the same update stays uncertain", async () => {
      bench.simulator.fault({ operation: "campaign.pause", times: "always", then: { status: 500 } });
      bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 500 } });
      const inputs = declaredFrom("AdCampaign", state, { paused: true, businessName: "Shop" });
      const error: unknown = await resource.update(state, inputs, bench.later()).catch((failure: unknown) => failure);
      const left = (error as SavedFailure).saved.outputs;
      assert.deepEqual([left["businessName"], left["pausedBy"]], ["Shop", "unknown"]);
      assert.ok(!leftOutOf(left).includes("businessName"));
    });

    it("refuses another value of an argument that the list shows", () =>
      assert.rejects(
        resource.preview(state, declaredFrom("AdCampaign", state, { phoneNumber: "+49 30 2" }), bench.later()),
        { message: /differ in phoneNumber, and that would replace it/ },
      ));
  });

  describe("of a webhook", () => {
    const lifecycle = kinds.Webhook;
    const resource = stepped("Webhook");
    let state: Values;
    beforeEach(async () => {
      bench.simulator.objects.putWebhook("agent-1", { id: "wh_1", target_url: targetUrl, events, has_secret: true });
      state = await imported("Webhook", "agent-1/wh_1");
      newRequests(bench.simulator);
    });

    it("remembers the first rotateSecret without a request, says so, and rotates when it changes", async () => {
      const first = declaredFrom("Webhook", state, { rotateSecret: "1" });
      assert.deepEqual(changedArguments(lifecycle, state, first), ["rotateSecret"]);
      assert.deepEqual(changedBy("Webhook", state, first), []);
      const later = bench.later();
      const remembered = await resource.update(state, first, later);
      assert.deepEqual(newRequests(bench.simulator), []);
      assert.match(later.said.join(), /rotateSecret is stored, and the secret was not rotated/);
      assert.deepEqual([remembered["rotateSecret"], "imported" in remembered], ["1", false]);
      const second = { ...first, rotateSecret: "2" };
      assert.deepEqual(changedBy("Webhook", remembered, second), ["hasSecret", "secret"]);
      const rotated = await resource.update(remembered, second, bench.later());
      assert.equal(typeof rotated["secret"], "string");
    });

    it("rotates nothing either when other arguments change before or with it", async () => {
      const before = await resource.update(state, declaredFrom("Webhook", state, { description: "d" }), bench.later());
      assert.deepEqual(leftOutOf(before), ["rotateSecret"]);
      const both = declaredFrom("Webhook", before, { description: "e", rotateSecret: "1" });
      const after = await resource.update(before, both, bench.later());
      assert.equal(after["secret"], undefined);
      assert.deepEqual(newRequests(bench.simulator), [
        'webhook.update {"description":"d"}',
        'webhook.update {"description":"e"}',
      ]);
    });

    it("tells which outputs signing changes", () => {
      const inputs = declaredFrom("Webhook", state);
      assert.deepEqual(changedBy("Webhook", state, { ...inputs, signed: false }), ["hasSecret", "secret"]);
      assert.deepEqual(changedBy("Webhook", state, { ...inputs, signed: unknownValue }), ["hasSecret", "secret"]);
      assert.deepEqual(changedBy("Webhook", state, { ...inputs, description: "d", enabled: false }), []);
      assert.deepEqual(changedBy("Webhook", { ...state, unconfirmed: true }, inputs), lifecycle.outputs);
    });
  });

  describe("of a test", () => {
    const resource = stepped("TestFlow");
    let state: Values;
    beforeEach(async () => {
      bench.simulator.objects.putTest("app-1", { id: "flow_1", definition: { name: "Checkout", steps: [1] } });
      state = await imported("TestFlow", "app-1/flow_1");
    });
    const definition = () => bench.simulator.objects.test("app-1", "flow_1")?.definition;

    it("compares the first definition as an adoption does, and sends nothing", async () => {
      const same = await resource.update(
        state,
        declaredFrom("TestFlow", state, { definition: { name: "Checkout" } }),
        bench.later(),
      );
      assert.deepEqual([same["definition"], "imported" in same], [{ name: "Checkout" }, false]);
      const other = declaredFrom("TestFlow", state, { definition: { name: "Other" } });
      assert.match(
        await refusal(resource.update(state, other, bench.later())),
        /^The test flow_1 of app app-1 was not adopted: it differs .*\n {2}definition\.name: .*Or set overwrite: true/s,
      );
      assert.deepEqual(writes(), []);
      assert.deepEqual(definition(), { name: "Checkout", steps: [1] });
    });

    it("overwrites it only where the program says so, and afterwards changes it as usual", async () => {
      const other = declaredFrom("TestFlow", state, { definition: { name: "Other" }, overwrite: true });
      const changed = await resource.update(state, other, bench.later());
      assert.deepEqual(definition(), { name: "Other" });
      await resource.update(changed, { ...other, definition: { name: "Third" }, overwrite: false }, bench.later());
      assert.deepEqual(definition(), { name: "Third" });
    });

    it("waits for it through other updates", async () => {
      const kept = await resource.update(
        state,
        declaredFrom("TestFlow", state, { deletionPolicy: "retain" }),
        bench.later(),
      );
      assert.deepEqual(leftOutOf(kept), ["definition"]);
    });
  });
});

describe("The outputs that an update may change", () => {
  it("are all of conversion tracking when it runs again", () => {
    const lifecycle = kinds.ConversionTracking;
    const state = { appId: "app-1", wireEvents: false, rerun: "1", composerPrompt: "p" };
    assert.deepEqual(changedBy("ConversionTracking", state, { ...state, rerun: "2" }), lifecycle.outputs);
    assert.deepEqual(changedBy("ConversionTracking", state, { ...state, wireEvents: true }), lifecycle.outputs);
    assert.deepEqual(changedBy("ConversionTracking", state, { ...state, rerun: undefined }), []);
  });

  it("are all of a campaign, with its id, until its launch is confirmed", () => {
    const lifecycle = kinds.AdCampaign;
    const state = { appId: "app-1", ...campaign, launchState: "unconfirmed" };
    assert.deepEqual(changedBy("AdCampaign", state, state), ["campaignId", ...lifecycle.outputs]);
    assert.deepEqual(changedBy("AdCampaign", { ...state, campaignId: "cmp_1" }, { ...state, paused: true }), []);
  });

  it("are all of a record while it is not known what was stored", () => {
    const lifecycle = kinds.EntityRecord;
    const inputs = { appId: "app-1", entityName: "TaxRate", fields: { rate: 7 } };
    const state = { ...inputs, recordId: "rec_1" };
    assert.deepEqual(changedBy("EntityRecord", state, inputs), []);
    assert.deepEqual(changedBy("EntityRecord", { ...state, unconfirmed: true }, inputs), lifecycle.outputs);
  });
});
