import assert from "node:assert/strict";
import { listedKeys } from "../../provider/resources/ad-campaign/campaign-list";
import { launchIntentLifecycle, linkedOutputs, type State } from "../../provider/resources/ad-campaign/intent";
import { LaunchIntents, type ReplacedIntent } from "../../provider/resources/shared/launch-intents";

const now = Date.parse("2026-01-02T00:00:00Z");

function replaced(nonce: string, campaign: string, writtenAt = "2026-01-01T12:00:00Z"): ReplacedIntent {
  return { nonce, writtenAt, campaign, values: {} };
}

function link(nonce: string, ...before: ReplacedIntent[]) {
  return { nonce, writtenAt: "2026-01-01T23:00:00Z", readBy: "list", replaced: before };
}

describe("What a deployment knows of launch intents", () => {
  let intents: LaunchIntents;
  beforeEach(() => {
    intents = new LaunchIntents();
  });

  it("names what the intents of one resource may have launched, and nothing of others", () => {
    intents.link("c", link("n3", replaced("n1", "a"), replaced("n2", "b")));
    intents.link("d", link("n9", replaced("n8", "e")));
    intents.link("f", { ...link("n7"), replaced: undefined });
    for (const nonce of ["n1", "n2", "n3"]) assert.deepEqual(intents.openPredecessors(nonce, now), ["a", "b"]);
    assert.deepEqual(intents.openPredecessors("n9", now), ["e"]);
    for (const nonce of ["n7", "other", undefined]) assert.deepEqual(intents.openPredecessors(nonce, now), []);
  });

  it("leaves out what was dealt with, and what is older than a day", () => {
    intents.link("c", link("n3", replaced("n1", "a"), replaced("n2", "b")));
    intents.close("n1");
    assert.deepEqual(intents.openPredecessors("n3", now), ["b"]);
    const times = ["2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z"];
    intents.link("c", link("n3", ...times.map((time) => replaced(time, time, time))));
    assert.deepEqual(intents.openPredecessors("n3", now), times.slice(1));
  });

  it("knows which campaign's intent replaced another one, in this command or before", () => {
    intents.recordPredecessors("c", [replaced("n1", "a"), replaced("n2", "b")]);
    intents.recordReplacedBefore("d", [replaced("n8", "e"), replaced("n9", "e")]);
    for (const nonce of ["n1", "n2"]) assert.deepEqual(intents.successorsOf(nonce), ["c"]);
    for (const nonce of ["n8", "n9"]) assert.deepEqual(intents.successorsOf(nonce), ["d"]);
    assert.deepEqual(intents.successorsOf("other"), []);
  });
});

describe("A launch intent", () => {
  const state = { nonce: "n1", appId: "app" } as State;

  it("has its nonce as its id, and needs no operation", () => {
    assert.equal(launchIntentLifecycle.idOf(state), "n1");
    assert.equal(launchIntentLifecycle.objectName(state), "launch intent n1");
    assert.deepEqual(launchIntentLifecycle.requiredOperations({}), []);
  });

  it("gives its campaign what tells it apart, when it was written, and what it announces", () => {
    const written = ["nonce", "writtenAt", "writtenServiceTime", "readBy", "replaced"];
    assert.deepEqual(linkedOutputs, [...written, "appId", ...listedKeys]);
  });
});
