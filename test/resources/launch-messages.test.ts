import assert from "node:assert/strict";
import type { Confirmed, Inputs, State } from "../../provider/resources/ad-campaign/campaign";
import {
  confirmedNote,
  foundRunning,
  notLaunched,
  unconfirmedLaunch,
} from "../../provider/resources/ad-campaign/launch-messages";
import { declared } from "../support/campaigns";

const inputs = declared as Inputs;
const at = Date.parse("2026-01-01T00:00:00.123Z");
const described = 'campaign "Spring sale" (app-1, 5.00 a day)';

describe("What is said of a launch", () => {
  it("that did not happen: why, and what an earlier command has left open", () => {
    const end = { is: "not-launched", why: { known: ["No card."] } } as const;
    assert.deepEqual(notLaunched(inputs, end, ["campaign old"], {} as State), {
      what: `This command did not launch ${described}.`,
      known: [
        "No card.",
        "The campaign old was ended before, to launch this one in its place.",
        "The launch that was attempted at an unknown time is still unconfirmed.",
      ],
      next: [],
    });
  });

  it("that is not confirmed: how to stop it, which a destroy cannot do by the program", () => {
    const end = {
      is: "unconfirmed",
      attempt: { at, setAside: [] as string[] },
      quarantinedUntil: at + 900_000,
      isShownAbsent: true,
      why: { known: ["A 409."], next: ["Look there."] },
    } as const;
    const destroyed = unconfirmedLaunch(inputs, end, at, "destroy");
    assert.equal(
      destroyed.what,
      `MONEY MAY BE MOVING: ${described} may be live; its launch, sent before 2026-01-01T00:00:00Z, is not confirmed.`,
    );
    assert.deepEqual(destroyed.next, [
      "Run the same command after 2026-01-01T00:15:00Z. It ends the campaign if the list shows it, and forgets it only if a complete list does not.",
      "To stop it now: delete it in the service.",
      "Look there.",
    ]);
    const retained = unconfirmedLaunch({ ...inputs, deletionPolicy: "retain" }, end, at, "destroy");
    assert.match(
      String(retained.next?.[0]),
      /It leaves the campaign running if the list shows it, and forgets it only if/,
    );
    const next = unconfirmedLaunch(inputs, { ...end, why: { known: [] } }, at, "up").next ?? [];
    assert.deepEqual(
      next.map((line) => line.slice(0, 20)),
      ["Run `pulumi up` afte", "If you see it in the", "To stop it now: paus"],
    );
  });

  it("that was found: what happens to it now", () => {
    const end = { is: "running", how: "confirmed", campaign: { id: "cmp_1" } } as unknown as Parameters<
      typeof foundRunning
    >[1];
    const confirmed = `The launch of ${described} is confirmed: it runs as cmp_1 (status unknown).`;
    assert.equal(foundRunning(inputs, end, false), confirmed);
    assert.equal(foundRunning(inputs, end, true), `${confirmed} It is ended now, by its deletionPolicy.`);
    assert.equal(foundRunning({ ...inputs, deletionPolicy: "retain" }, end, true), confirmed);
  });

  it("at preview, only where an earlier command left something open", () => {
    const state = { ...inputs, campaignId: "cmp_1" } as Confirmed;
    assert.equal(confirmedNote(state), undefined);
    assert.match(confirmedNote({ ...state, pauseState: "uncertain" }) ?? "", /it is not known whether .* is paused/);
    assert.match(
      confirmedNote({ ...state, twins: ["cmp_2"] }) ?? "",
      /MOVING TWICE[^]*cmp_2[^]*If both must stay, give this one another campaignName/,
    );
  });
});
