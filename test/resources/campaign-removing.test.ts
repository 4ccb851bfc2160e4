import assert from "node:assert/strict";
import type { SettingKey } from "../../provider/settings";
import type { Campaign, RequestFault, SimulatorOptions } from "../../simulator";
import { asStored, declared, faulting, held, requests } from "../support/campaigns";
import { type Bench, startBench } from "../support/deployment";
import { failureOf, StackedCampaign } from "../support/stacked-campaign";

/** Responses that leave it uncertain whether the change was made. */
const uncertain: Record<string, RequestFault["then"]> = {
  "a 409": { status: 409, body: { detail: "timed out after being sent" } },
  "a 500": { status: 500 },
  "a 504 web page": { status: 504, body: "<html>" },
  "a reset": "reset",
  "a 200 web page": { status: 200, body: "<html>" },
};

/** Responses that say that nothing was changed. A 404 among them proves nothing. */
const refusals = [400, 401, 402, 403, 404, 405, 422];

const credentials: SimulatorOptions["credentials"] = [
  { value: "full-access-token", kind: "personal-token" },
  { value: "other-token", kind: "personal-token" },
  { value: "limited-token", kind: "personal-token", apps: ["app-2"] },
];

describe("AdCampaign, removing", () => {
  let bench: Bench;
  let stack: StackedCampaign;
  beforeEach(async () => {
    bench = await startBench({}, { credentials });
    stack = new StackedCampaign(bench);
    await stack.up(declared);
    later();
  });
  afterEach(() => bench.close());

  const later = (settings: Partial<Record<SettingKey, string>> = {}): Bench => {
    const next = bench.later(settings);
    stack.in(next);
    requests(bench);
    return next;
  };
  const fault = faulting(() => bench);
  const set = (status: string) => bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status });
  const hide = () => bench.simulator.objects.removeCampaign("app-1", "cmp_1");
  const sent = (): string[] => requests(bench).filter((operation) => operation !== "list");
  const staysInState = (): void => {
    assert.equal(stack.state?.campaignId, "cmp_1");
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  };
  /** A launch of this resource that the service carried out late. */
  const putDuplicate = (fields: Partial<Campaign> = {}): Campaign =>
    bench.simulator.objects.putCampaign("app-1", {
      ...asStored,
      campaign_name: String(stack.state?.launchedName),
      ...fields,
    });

  it("deletes the campaign permanently by the service's id, and then looks for duplicates", async () => {
    await stack.destroy();
    assert.equal(bench.simulator.requests[0]?.parameters["campaign_id"], "cmp_1");
    assert.deepEqual([requests(bench), held(bench)], [["delete", "list"], ["cmp_1 REMOVED"]]);
  });

  it("is done after a 200 with any body", async () => {
    fault("campaign.delete", { status: 200, body: { status: "queued", extra: 1 } }, { commit: true });
    await stack.destroy();
    assert.deepEqual(sent(), ["delete"]);
  });

  for (const [what, then] of Object.entries(uncertain)) {
    it(`is done after ${what} when the list shows the campaign as removed`, async () => {
      fault("campaign.delete", then, { commit: true });
      await stack.destroy();
      assert.deepEqual([sent(), stack.state], [["delete"], undefined]);
    });

    it(`reads the list after ${what} before it sends another request`, async () => {
      fault("campaign.delete", then);
      await stack.destroy();
      assert.deepEqual(requests(bench).slice(0, 3), ["delete", "list", "delete"]);
      assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
    });

    it(`fails after ${what} three times while the list shows the campaign, which stays in the state`, async () => {
      fault("campaign.delete", then, { times: 3 });
      const message = await failureOf(stack.destroy());
      assert.match(
        message,
        /^MONEY MAY BE MOVING: the campaign cmp_1 of app app-1 was not deleted\. The list still shows it as ENABLED\. \[WA1207\]\n/,
      );
      assert.match(message, /\n {2}- Check campaign cmp_1 in the service, then run the command again\.$/);
      assert.deepEqual(requests(bench), ["delete", "list", "delete", "list", "delete", "list"]);
      staysInState();
    });
  }

  for (const status of refusals) {
    it(`reads the list after a ${String(status)}, fails while it shows the campaign, and sends no other request`, async () => {
      fault("campaign.delete", { status, body: { detail: "Not you" } });
      assert.match(
        await failureOf(stack.destroy()),
        new RegExp(
          `^MONEY MAY BE MOVING: .*\n {2}campaign\\.delete failed: .* ${String(status)}\\.\n {2}The service said: Not`,
        ),
      );
      assert.deepEqual(requests(bench), ["delete", "list"]);
      staysInState();
    });

    it(`is done after a ${String(status)} when the list shows the campaign as removed`, async () => {
      fault("campaign.delete", { status });
      set("REMOVED");
      await stack.destroy();
      assert.deepEqual([sent(), stack.state], [["delete"], undefined]);
    });

    it(`is done after a ${String(status)} when the campaign is missing from the list for the whole watch`, async () => {
      fault("campaign.delete", { status });
      hide();
      const command = later({ launchSettleSeconds: "10" });
      await stack.destroy();
      assert.equal(sent().join(), "delete");
      assert.ok(command.clock.sleeps.reduce((sum, one) => sum + one, 0) >= 10_000, "the list was watched");
      assert.equal(stack.state, undefined);
    });
  }

  for (const status of [201, 202, 204])
    it(`is not done after a ${String(status)}, nor is a pause: only a 200 says that a change was made`, async () => {
      const then = { status, body: status === 204 ? undefined : { status: "deleted" } };
      fault("campaign.delete", then, { times: "always" });
      fault("campaign.pause", then, { times: "always" });
      assert.match(await failureOf(stack.destroy()), /^MONEY MAY BE MOVING: .*only a 200/s);
      assert.match(await failureOf(stack.up({ ...declared, paused: true })), /the service did not confirm the pause/);
      staysInState();
    });

  it("does not believe a list that is empty only for a while", async () => {
    fault("campaign.delete", { status: 404 });
    fault("campaign.list", { status: 200, body: [] }, { times: 3 });
    assert.match(await failureOf(stack.destroy()), /The list still shows it as ENABLED/);
    assert.deepEqual(requests(bench), ["delete", "list", "list", "list", "list"]);
    staysInState();
  });

  it("does not believe one empty list after others that could not be read", async () => {
    bench.simulator.fault({ operation: "campaign.delete", times: "always", then: { status: 409 } });
    bench.simulator.fault({ operation: "campaign.list", times: 3, then: { status: 403 } });
    bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 200, body: [] } });
    assert.match(await failureOf(stack.destroy()), /does not show it, but was not always readable/);
    staysInState();
  });

  it("does not believe an empty list that another credential reads", async () => {
    fault("campaign.delete", { status: 404 });
    fault("campaign.list", { status: 200, body: [] }, { times: "always" });
    later({ accessToken: "other-token" });
    const message = await failureOf(stack.destroy());
    assert.match(
      message,
      /^MONEY MAY BE MOVING: it is unknown whether the campaign cmp_1 of app app-1 was deleted\..*answered 404.*has not shown it with the credential of now/s,
    );
    assert.match(message, /- If the token has changed: Use the earlier token.*pulumi state delete/s);
    staysInState();
  });

  it("believes an empty list with another credential that has read the campaign before", async () => {
    later({ accessToken: "other-token" });
    await stack.refresh();
    hide();
    later({ accessToken: "other-token" });
    await stack.destroy();
    assert.equal(stack.state, undefined);
  });

  it("fails with a token that is limited to other apps, which cannot read the list either", async () => {
    later({ accessToken: "limited-token" });
    const message = await failureOf(stack.destroy());
    assert.match(
      message,
      /^MONEY MAY BE MOVING: it is unknown whether the campaign cmp_1 of app app-1 was deleted\. \[WA1208\]\n/,
    );
    assert.match(message, /A token that is limited to other apps may get a 404 too\.\n/);
    assert.equal(sent().join(), "delete");
    staysInState();
  });

  it("fails while the list cannot be read after an uncertain response, and sends no other request", async () => {
    fault("campaign.delete", { status: 409, body: { detail: "timed out" } });
    fault("campaign.list", { status: 403 }, { times: "always" });
    const message = await failureOf(stack.destroy());
    assert.match(
      message,
      /^MONEY MAY BE MOVING: it is unknown whether the campaign cmp_1 of app app-1 was deleted\. \[WA1208\]\n/,
    );
    assert.match(message, /The service said: timed out\n.*The campaign list could not be read:\n.*403/s);
    assert.match(
      message,
      /\n {2}- Check campaign cmp_1 in the service, then run the command again\.\n {2}- If you are sure that it is gone: `pulumi state delete/,
    );
    assert.equal(sent().join(), "delete");
    staysInState();
  });

  it("sends nothing at another base URL", async () => {
    later({ baseUrl: bench.simulator.url.replace("127.0.0.1", "localhost") });
    assert.match(
      await failureOf(stack.destroy()),
      /at another base URL\. No request was sent\. \[WA1401\]\n {2}- Check workspace-apps:baseUrl/,
    );
    assert.deepEqual(requests(bench), []);
    staysInState();
  });

  it("says that money may be moving when it must not be called, and what to do", async () => {
    later({ endpoints: `{"campaign.delete": "none"}` });
    assert.match(
      await failureOf(stack.destroy()),
      /^MONEY MAY BE MOVING: the campaign cmp_1 of app app-1 was not deleted\. \[WA1207\]\n.*campaign\.delete is set to "none"/,
    );
    assert.deepEqual(requests(bench), []);
    staysInState();
  });

  it("says that money may be moving while the rate limit keeps it from being sent", async () => {
    fault("campaign.delete", { status: 429 }, { times: "always" });
    assert.match(
      await failureOf(stack.destroy()),
      /^MONEY MAY BE MOVING: the campaign cmp_1 of app app-1 was not deleted\. \[WA1207\]\n {2}campaign\.delete failed: the service answered 429\..*nothing was changed/s,
    );
    assert.equal(requests(bench).includes("list"), false);
    staysInState();
  });

  it("is uncertain after a lost response, although the rate limit refuses the next attempt", async () => {
    fault("campaign.delete", "reset");
    fault("campaign.delete", { status: 429 }, { times: "always" });
    assert.match(
      await failureOf(stack.destroy()),
      /^MONEY MAY BE MOVING: the service did not confirm that the campaign cmp_1 of app app-1 was deleted\. \[WA1207\]\n/,
    );
    staysInState();
  });

  it("under the policy pause, says that the campaign may start by itself while the rate limit keeps the pause from being sent", async () => {
    await stack.up({ ...declared, deletionPolicy: "pause" });
    later();
    fault("campaign.pause", { status: 429 }, { times: "always" });
    const message = await failureOf(stack.destroy());
    assert.match(message, /^MONEY MAY BE MOVING: the campaign cmp_1 of app app-1 was not paused\. \[WA1207\]\n/);
    assert.match(message, /start by itself when conversion tracking verifies\.\n.*set deletionPolicy to "retain"/s);
    staysInState();
  });

  it("launches nothing in the place of a campaign that was not deleted", async () => {
    fault("campaign.delete", { status: 404 });
    await failureOf(stack.up({ ...declared, dailyBudgetMicros: 6_000_000 }));
    assert.equal(bench.simulator.objects.launches().length, 1);
    staysInState();
  });

  it("does not adopt a campaign that this command has deleted, although a slow list still shows it", async () => {
    const command = later();
    await stack.destroy();
    set("ENABLED");
    const other = new StackedCampaign(command, "other");
    assert.match(await failureOf(other.up({ ...declared, campaignId: "cmp_1" })), /just deleted or paused/);
  });

  it("happens to no campaign that another resource adopts, whichever comes first", async () => {
    const command = later();
    const heir = new StackedCampaign(command, "heir");
    await heir.up({ ...declared, campaignId: "cmp_1" });
    await stack.destroy();
    assert.deepEqual([sent(), held(bench), heir.state?.campaignId], [[], ["cmp_1 ENABLED"], "cmp_1"]);
  });

  it("happens to no campaign that is replaced while another resource declares it by its id", async () => {
    const command = later();
    const dearer = { ...declared, dailyBudgetMicros: 6_000_000 };
    await stack.preview(dearer);
    const heir = new StackedCampaign(command, "heir");
    assert.match(await failureOf(heir.preview({ ...declared, campaignId: "cmp_1" })), /is about to be replaced/);
    await stack.up(dearer);
    assert.match(command.said.join("\n"), /is declared by its campaignId, so it is not deleted\./);
    assert.deepEqual(held(bench), ["cmp_1 ENABLED", "cmp_2 ENABLED"]);
  });

  it("retains a campaign by the policy, and says that it goes on spending", async () => {
    await stack.up({ ...declared, deletionPolicy: "retain" });
    const command = later();
    await stack.destroy();
    assert.deepEqual([requests(bench), held(bench)], [[], ["cmp_1 ENABLED"]]);
    assert.match(command.said.join("\n"), /campaign cmp_1 of app app-1 is retained: it goes on spending\./);
  });

  it("says of a retained campaign that is paused by us that it stays paused", async () => {
    await stack.up({ ...declared, deletionPolicy: "retain", paused: true });
    const command = later();
    await stack.destroy();
    assert.match(command.said.join("\n"), /campaign cmp_1 of app app-1 is retained: it stays paused\./);
  });

  it("says of a retained campaign that the service holds that it may start by itself", async () => {
    await bench.close();
    bench = await startBench({}, { tracking: "pending" });
    stack = new StackedCampaign(bench);
    await stack.up({ ...declared, deletionPolicy: "retain" });
    const command = later();
    await stack.destroy();
    assert.match(command.said.join("\n"), /is retained: it may spend, or start to by itself/);
  });

  it("saves a changed deletionPolicy and timezone without a request", async () => {
    const changed = { ...declared, deletionPolicy: "retain", timezone: "Asia/Tokyo" };
    await stack.up(changed);
    assert.deepEqual([stack.state?.deletionPolicy, stack.intent?.deletionPolicy], ["retain", "retain"]);
    later();
    assert.equal((await stack.up({ ...changed, timezone: "Europe/Berlin" })).did, "nothing", "the account exists");
    await stack.up(declared);
    assert.equal(stack.state?.deletionPolicy, undefined);
    assert.deepEqual(requests(bench), []);
  });

  describe("a late duplicate of its key", () => {
    it("ends at destroy, by the policy delete", async () => {
      putDuplicate();
      const command = later();
      await stack.destroy();
      assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 REMOVED"]);
      assert.match(command.said.join("\n"), /campaign cmp_2 of app app-1 .* so it was deleted\./);
    });

    it("is paused at destroy, by the policy pause", async () => {
      await stack.up({ ...declared, deletionPolicy: "pause" });
      putDuplicate();
      later();
      await stack.destroy();
      assert.deepEqual(held(bench), ["cmp_1 PAUSED", "cmp_2 PAUSED"]);
    });

    it("is left at destroy, by the policy retain", async () => {
      await stack.up({ ...declared, deletionPolicy: "retain" });
      putDuplicate();
      later();
      await stack.destroy();
      assert.deepEqual([sent(), held(bench)], [[], ["cmp_1 ENABLED", "cmp_2 ENABLED"]]);
    });

    it("is named by a refresh and by the preview, and ends at the next up", async () => {
      const { id } = putDuplicate();
      const refresh = later();
      await stack.refresh();
      const twice = new RegExp(`^MONEY MAY BE MOVING TWICE: ${id} of app app-1 .* beside cmp_1\\.`, "m");
      assert.match(refresh.said.join("\n"), twice);
      const preview = later();
      assert.equal((await stack.preview(declared)).did, "update");
      assert.match(preview.said.join("\n"), twice);
      later();
      await stack.up(declared);
      assert.deepEqual([sent(), held(bench)], [["delete"], ["cmp_1 ENABLED", `${id} REMOVED`]]);
      later();
      assert.equal((await stack.up(declared)).did, "nothing");
    });

    it("stays known when it was not deleted, and the next up deletes it", async () => {
      putDuplicate();
      await stack.refresh();
      fault("campaign.delete", { status: 403 });
      later();
      assert.match(await failureOf(stack.up(declared)), /^MONEY MAY BE MOVING TWICE: cmp_2/);
      later();
      await stack.up(declared);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED", "cmp_2 REMOVED"]);
    });

    it("that is not deleted does not keep a declared pause from being sent", async () => {
      putDuplicate();
      await stack.refresh();
      fault("campaign.delete", { status: 403 }, { times: "always" });
      later();
      assert.match(await failureOf(stack.up({ ...declared, paused: true })), /MONEY MAY BE MOVING TWICE: cmp_2/);
      assert.deepEqual(held(bench), ["cmp_1 PAUSED", "cmp_2 ENABLED"]);
    });

    it("keeps the resource in the state when the duplicate is not deleted at destroy", async () => {
      putDuplicate();
      fault("campaign.delete", { status: 200 }, { commit: true });
      fault("campaign.delete", { status: 403 });
      assert.match(
        await failureOf(stack.destroy()),
        /^MONEY MAY BE MOVING: the campaign cmp_1 .* was deleted\..* \[WA1210\]\n.*cmp_2/,
      );
      assert.ok(stack.state);
      later();
      await stack.destroy();
      assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 REMOVED"]);
    });

    it("that another resource adopted is left alone, although that resource comes later", async () => {
      const autumn = { ...declared, campaignName: "Autumn sale" };
      const { id } = putDuplicate({ campaign_name: `Autumn sale-${String(stack.intent?.key)}00000` });
      const heir = new StackedCampaign(later(), "heir");
      await heir.up({ ...autumn, campaignId: id });
      heir.in(later());
      await Promise.all([stack.refresh(), heir.refresh()]);
      heir.in(later());
      await stack.up(declared);
      await heir.up({ ...autumn, campaignId: id });
      assert.deepEqual(held(bench), ["cmp_1 ENABLED", `${id} ENABLED`]);
    });

    it("says what happened when the list cannot be read after the deletion", async () => {
      fault("campaign.list", { status: 403 }, { times: "always" });
      assert.match(
        await failureOf(stack.destroy()),
        /^MONEY MAY BE MOVING: the campaign cmp_1 .* was deleted\. It is unknown whether a late duplicate of it is live in app-1\. \[WA1210\]\n/,
      );
    });

    it("is unknown where an earlier app is gone: a refresh says so, and destroy names the way out", async () => {
      await stack.up({ ...declared, appId: "app-2" });
      fault("campaign.list", { status: 404 }, { parameters: { app_id: "app-1" }, times: "always" });
      const { state } = stack;
      const refresh = later();
      await stack.refresh();
      assert.deepEqual(stack.state, state);
      assert.match(refresh.said.join("\n"), /unknown whether a late duplicate of it is live in app-1, app-2/);
      later();
      assert.match(await failureOf(stack.destroy()), /`pulumi state delete --force '<URN>'`/);
      assert.deepEqual(
        bench.simulator.objects.campaigns("app-2").map(({ status }) => status),
        ["REMOVED"],
      );
    });

    it("is named by a refresh under the policy retain too", async () => {
      await stack.up({ ...declared, deletionPolicy: "retain" });
      putDuplicate();
      const refresh = later();
      await stack.refresh();
      assert.match(refresh.said.join("\n"), /^MONEY MAY BE MOVING TWICE: cmp_2 .*\n.*\n.*retain" keeps both/m);
    });

    it("is paused by the up after a refresh, by the policy pause", async () => {
      await stack.up({ ...declared, deletionPolicy: "pause" });
      putDuplicate();
      later();
      await stack.refresh();
      await stack.up({ ...declared, deletionPolicy: "pause" });
      assert.deepEqual(held(bench), ["cmp_1 ENABLED", "cmp_2 PAUSED"]);
    });

    it("does not count as gone in the list of another token", async () => {
      putDuplicate();
      later();
      await stack.refresh();
      fault("campaign.list", { status: 200, body: [] }, { times: "always" });
      later({ accessToken: "other-token" });
      assert.match(
        await failureOf(stack.up(declared)),
        /^MONEY MAY BE MOVING TWICE: cmp_2 of app app-1.*Its absence does not prove that it was deleted/s,
      );
      assert.deepEqual(stack.state?.duplicates, ["cmp_2"]);
    });
  });
});
