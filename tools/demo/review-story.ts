import { campaignsOf, shop } from "./campaigns";
import { pulumi, workspaceApps } from "./command";
import type { Story } from "./story";

const plan = "plan.json";
const state = "state.json";

export const reviewStory: Story = {
  title: "The review of a plan that would raise spending",
  steps: [
    {
      look:
        "The budget goes from 5 to 8 a day, and the gate allows 6. Look at the line that begins with Stopped, and at " +
        "what the change would do: delete the campaign permanently and launch another.",
      program: shop(8),
      commands: [
        { ...pulumi("stack", "export"), into: state },
        { ...pulumi("preview", "--json", "--show-sames", "--show-replacement-steps"), into: plan },
        { ...workspaceApps("review", plan, "--state", state, "--max-daily-spend", "6"), exitCode: 4 },
      ],
      promise:
        "the gate is closed (exit code 4), the service was not asked for anything, and the campaign runs as before",
      found: ({ printed, requests, simulator }) => ({
        stopped: /^\*\*Stopped:\*\* (.*)$/m.exec(printed)?.[1],
        deletes: printed.includes("is deleted permanently"),
        launches: /a campaign of app .* is launched/.test(printed),
        total: /^\| \*\*Total\*\* \| (.*) \|$/m.exec(printed)?.[1],
        requests,
        running: campaignsOf(simulator).filter((campaign) => campaign.endsWith("ENABLED")),
      }),
      expected: {
        stopped: "8.00 a day is above 6.00.",
        deletes: true,
        launches: true,
        total: "5.00 | 8.00 | +3.00",
        requests: [],
        running: ["cmp_1, Spring sale-…, 5 a day, ENABLED"],
      },
    },
  ],
};
