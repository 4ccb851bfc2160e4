import assert from "node:assert/strict";
import type { Lifecycle } from "../../provider/resources/shared/lifecycle";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { codingSessionLifecycle } from "../../provider/resources/coding-session/lifecycle";
import { conversionTrackingLifecycle } from "../../provider/resources/conversion-tracking/lifecycle";
import { entityRecordLifecycle } from "../../provider/resources/entity-record/lifecycle";
import { folderMembershipLifecycle } from "../../provider/resources/folder-membership/lifecycle";
import { ignoredFindingLifecycle } from "../../provider/resources/ignored-finding/lifecycle";
import { testFlowLifecycle } from "../../provider/resources/test-flow/lifecycle";
import { webhookLifecycle } from "../../provider/resources/webhook/lifecycle";
import type { Simulator } from "../../simulator";
import { asStored, declared as campaign } from "../support/campaigns";
import { type Bench, driven, startBench } from "../support/deployment";

/** The operations of each step, in order. What is not there is not done by this resource, or costs nothing. */
interface Life {
  lifecycle: unknown;
  args: object;
  /** An object that is there already, to be adopted by these further arguments. */
  there?: (simulator: Simulator) => object;
  create: string[];
  change?: object;
  update?: string[];
  read: string[];
  delete: string[];
}

const webhook = { agentId: "agent-1", targetUrl: "https://hooks.example.com/a", events: ["message.created"] };
const record = { appId: "app-1", entityName: "Product", fields: { name: "Mug" } };
const test = { appId: "app-1", definition: { name: "Checkout" } };

/**
 * Every resource's life, each step in a command of its own. A creation is read back once: only then can a later 404 be
 * told from a wrong path. Before a launch the list is read, because a second campaign is money.
 */
const lives: Record<string, Life> = {
  Webhook: {
    lifecycle: webhookLifecycle,
    args: webhook,
    create: ["webhook.create", "webhook.get"],
    change: { description: "d", enabled: false },
    update: ["webhook.update"],
    read: ["webhook.get"],
    delete: ["webhook.delete"],
  },
  "Webhook, signed and off": {
    lifecycle: webhookLifecycle,
    args: { ...webhook, signed: true, enabled: false },
    create: ["webhook.create", "webhook.get", "webhook.update"],
    change: { rotateSecret: "1", description: "d" },
    update: ["webhook.update"],
    read: ["webhook.get"],
    delete: ["webhook.delete"],
  },
  "Webhook, adopted as it is": {
    lifecycle: webhookLifecycle,
    args: webhook,
    there: ({ objects }) => ({
      webhookId: objects.putWebhook("agent-1", { target_url: webhook.targetUrl, events: webhook.events }).id,
    }),
    create: ["webhook.get"],
    change: { deletionPolicy: "delete" },
    update: [],
    read: ["webhook.get"],
    delete: ["webhook.delete"],
  },
  AdCampaign: {
    lifecycle: adCampaignLifecycle,
    args: campaign,
    create: ["campaign.list", "campaign.readiness", "campaign.launch", "campaign.list"],
    change: { paused: true },
    update: ["campaign.pause"],
    read: ["campaign.list"],
    delete: ["campaign.delete"],
  },
  "AdCampaign, adopted as it is": {
    lifecycle: adCampaignLifecycle,
    args: campaign,
    there: ({ objects }) => ({ campaignId: objects.putCampaign("app-1", asStored).id }),
    create: ["campaign.list"],
    change: { deletionPolicy: "delete" },
    update: [],
    read: ["campaign.list"],
    delete: ["campaign.delete"],
  },
  FolderMembership: {
    lifecycle: folderMembershipLifecycle,
    args: { folderId: "folder-1", appId: "app-1" },
    create: ["folderItem.add", "folderItem.list"],
    change: { deletionPolicy: "delete" },
    update: [],
    read: ["folderItem.list"],
    delete: ["folderItem.remove"],
  },
  EntityRecord: {
    lifecycle: entityRecordLifecycle,
    args: record,
    create: ["record.create", "record.get"],
    change: { fields: { name: "Cup" } },
    update: ["record.update"],
    read: ["record.get"],
    delete: ["record.delete"],
  },
  "EntityRecord, adopted as it is": {
    lifecycle: entityRecordLifecycle,
    args: record,
    there: ({ objects }) => ({ recordId: objects.putRecord("app-1", "Product", { name: "Mug" }).id }),
    create: ["record.get"],
    change: { deletionPolicy: "delete" },
    update: [],
    read: ["record.get"],
    delete: ["record.delete"],
  },
  TestFlow: {
    lifecycle: testFlowLifecycle,
    args: test,
    create: ["test.create", "test.get"],
    change: { definition: { name: "Payment" } },
    update: ["test.update", "test.get"],
    read: ["test.get"],
    delete: ["test.delete"],
  },
  IgnoredFinding: {
    lifecycle: ignoredFindingLifecycle,
    args: { appId: "app-1", fingerprint: "f" },
    create: ["finding.ignore", "scan.get"],
    change: { deletionPolicy: "delete" },
    update: [],
    read: ["scan.get"],
    delete: ["finding.restore"],
  },
  ConversionTracking: {
    lifecycle: conversionTrackingLifecycle,
    args: { appId: "app-1" },
    create: ["tracking.bootstrap"],
    change: { rerun: "1" },
    update: ["tracking.bootstrap"],
    read: [],
    delete: [],
  },
  CodingSession: {
    lifecycle: codingSessionLifecycle,
    args: { appId: "app-1", prompt: "p", title: "t" },
    create: ["codingSession.launch"],
    read: [],
    delete: [],
  },
};

describe("The requests of a resource's life, the fewest that safety allows", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  for (const [name, life] of Object.entries(lives))
    it(name, async () => {
      const resource = driven(life.lifecycle as Lifecycle<object, object>);
      const given = { ...life.args, ...life.there?.(bench.simulator) };
      const requests = (): string[] => {
        const seen = bench.simulator.requests.map(({ operation }) => String(operation));
        bench.simulator.clearRequests();
        return seen;
      };
      let state = await resource.create(given, bench);
      assert.deepEqual(requests(), life.create, "create");
      if (life.update !== undefined) {
        state = await resource.update(state, { ...given, ...life.change }, bench.later());
        assert.deepEqual(requests(), life.update, "update");
      }
      state = (await resource.read(state, bench.later())) ?? assert.fail("it is there");
      assert.deepEqual(requests(), life.read, "read");
      await resource.delete(state, bench.later());
      assert.deepEqual(requests(), life.delete, "delete");
    });
});
