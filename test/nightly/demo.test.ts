import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import type { LoggedRequest } from "../../simulator";
import { killedStory } from "../../tools/demo/killed-story";
import { launchStory } from "../../tools/demo/launch-story";
import { reviewStory } from "../../tools/demo/review-story";
import { webhookStory } from "../../tools/demo/webhook-story";
import { Demo } from "../support/demo";

const stories = [webhookStory, launchStory, killedStory, reviewStory];

describe("npm run demo", () => {
  it("tells every story, checks every step, and keeps the simulator for its page until Ctrl-C", async () => {
    const demo = await Demo.start("--keep");
    const page = await demo.printing(/The simulator still runs\. Open (http:\S+\/__simulator\/) /);
    const { printed } = demo;
    const shown = stories.flatMap(({ title, steps }) => [title, ...steps.map(({ promise }) => `Checked: ${promise}.`)]);
    const lines = printed.split("\n").map((line) => line.trim());
    assert.deepEqual(
      lines.filter((line) => shown.includes(line)),
      shown,
      printed,
    );
    assert.equal(printed, stripVTControlCharacters(printed), "colours without a terminal");

    const requests = (await (await fetch(`${page}requests`)).json()) as { requests: LoggedRequest[] };
    const launches = requests.requests.filter(({ operation }) => operation === "campaign.launch");
    assert.deepEqual(
      launches.map(({ status }) => status),
      [409, "none"],
    );
    assert.deepEqual(await demo.interrupt(), { code: 0, left: [] });
  });

  it("cleans up after Ctrl-C in the middle of a command", async () => {
    const demo = await Demo.start();
    await demo.printing(/\$ pulumi up/);
    assert.deepEqual(await demo.interrupt(), { code: 130, left: [] });
    assert.match(demo.printed, /^demo: interrupted by SIGINT$/m);
  });
});
