import { campaignsOf, operationsOf, shop } from "./campaigns";
import { up } from "./command";
import type { Story } from "./story";

/** The service has no idempotency key for launches. Another POST after this 409 would spend twice. */
export const launchStory: Story = {
  title: "A launch that is answered with 409 after the campaign went live",
  steps: [
    {
      look:
        "The service launches the campaign, and then answers 409. Look at the name in the one POST: it ends with the key " +
        "of the launch and a hash. By that name the campaign list shows what became of it.",
      program: shop(5),
      meanwhile: (simulator) => {
        simulator.fault({
          operation: "campaign.launch",
          commit: true,
          then: { status: 409, body: { detail: "The launch timed out. The campaign may be live." } },
        });
      },
      commands: [up()],
      promise: "the launch was sent once, and the campaign that it started was found in the list by its name",
      found: ({ printed, requests, simulator }) => ({
        requests: operationsOf(requests),
        campaigns: campaignsOf(simulator),
        campaignId: /campaignId: "(.*)"/.exec(printed)?.[1],
      }),
      expected: {
        requests: ["campaign.list 200", "campaign.readiness 200", "campaign.launch 409", "campaign.list 200"],
        campaigns: ["cmp_1, Spring sale-…, 5 a day, ENABLED"],
        campaignId: "cmp_1",
      },
    },
    {
      look: "Up again. Look for a second launch: there is none, because the campaign is in the state.",
      commands: [up("--expect-no-changes")],
      promise: "one campaign runs, and nothing was sent",
      found: ({ requests, simulator }) => ({ requests, campaigns: campaignsOf(simulator) }),
      expected: { requests: [], campaigns: ["cmp_1, Spring sale-…, 5 a day, ENABLED"] },
    },
  ],
};
