import assert from "node:assert/strict";
import { launchStory } from "../../tools/demo/launch-story";
import { storyText } from "../../tools/demo/story-text";
import { Demo } from "../support/demo";

describe("npm run demo", () => {
  it("cleans up after Ctrl-C in the middle of a command", async () => {
    const demo = await Demo.start();
    await demo.printing(/\$ pulumi up/);
    assert.deepEqual(await demo.interrupt(), { code: 130, left: [] });
    assert.match(demo.printed, /^demo: interrupted by SIGINT$/m);
  });

  it("gives the text of one story, the same in every run", async () => {
    const ads = "/api/apps/app-shop/ads-platform";
    const text = await storyText(launchStory);
    assert.ok(text.startsWith(`${launchStory.title}\n`), text);
    assert.deepEqual(
      text.split("\n").filter((line) => line.startsWith("   > ")),
      [
        `   > GET ${ads}/campaigns -> 200`,
        `   > GET ${ads}/launch-readiness -> 200`,
        `   > POST ${ads}/launch {"campaign":{"campaign_name":"Spring sale-1f0c9a23b7c4","campaign_type":"SMART","daily_budget_micros":5000000,"landing_page":"https://shop.example.com/spring"}} -> 409`,
        `   > GET ${ads}/campaigns -> 200`,
      ],
    );
    assert.doesNotMatch(text, /Duration|\d+s\)|127\.0\.0\.1:(?!4010)/);
  });
});
