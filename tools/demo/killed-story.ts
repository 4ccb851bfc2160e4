import { campaignsOf, operationsOf, shop } from "./campaigns";
import { pulumi, up } from "./command";
import type { Story } from "./story";

/** Pulumi does not save a create that is interrupted. The launch intent was saved before it. */
export const killedStory: Story = {
  title: "A launch whose process is killed, and whose change is reverted",
  steps: [
    {
      look:
        "A second campaign is launched, and the machine dies before the response arrives. Look at the last request: it " +
        "has no response, and the campaign spends.",
      program: shop(5, 7),
      meanwhile: (simulator) => {
        simulator.fault({ operation: "campaign.launch", commit: true, then: "hang" });
      },
      commands: [{ ...up(), killedAt: "campaign.launch" }],
      promise: "the campaign runs, and the command that launched it did not learn of it",
      found: ({ requests, simulator }) => ({
        requests: operationsOf(requests),
        campaigns: campaignsOf(simulator),
      }),
      expected: {
        requests: ["campaign.list 200", "campaign.readiness 200", "campaign.launch none"],
        campaigns: ["cmp_1, Spring sale-…, 5 a day, ENABLED", "cmp_2, Summer sale-…, 7 a day, ENABLED"],
      },
    },
    {
      look:
        "The killed command left a lock, which is removed. Look at the state: it has no campaign for summer, but the " +
        "LaunchIntent with the key of the launch, which was saved before it.",
      commands: [pulumi("cancel", "--yes", "demo"), pulumi("stack")],
      promise: "the state has an intent for summer, and no campaign",
      found: ({ printed }) =>
        printed
          .match(/(?<=:)(LaunchIntent|AdCampaign) +(spring|summer)/g)
          ?.map(oneSpace)
          .toSorted(),
      expected: ["AdCampaign spring", "LaunchIntent spring", "LaunchIntent summer"],
    },
    {
      look:
        "The change is reverted: summer is removed from the program. Look at the list that is read because of the intent, " +
        "and at the DELETE for the campaign whose name has its key. Then the list is watched for a late one.",
      program: shop(5),
      commands: [up()],
      promise: "the forgotten campaign was found by its key and deleted, and the other one still runs",
      found: ({ requests, simulator }) => ({
        requests: operationsOf(requests),
        campaigns: campaignsOf(simulator),
      }),
      expected: {
        requests: ["campaign.list 200", "campaign.delete 200", "campaign.list 200"],
        campaigns: ["cmp_1, Spring sale-…, 5 a day, ENABLED", "cmp_2, Summer sale-…, 7 a day, REMOVED"],
      },
    },
  ],
};

function oneSpace(text: string): string {
  return text.replace(/ +/, " ");
}
