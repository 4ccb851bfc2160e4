import type { RequestFault } from "../../simulator";
import { declared } from "./campaigns";

/* Every change of a campaign, and every moment at which an interruption matters. */

/** The declared campaign as the service has it, without the ending of its name. */
export const running = {
  campaign_name: declared.campaignName,
  campaign_type: declared.campaignType,
  daily_budget_micros: declared.dailyBudgetMicros,
  landing_page: declared.landingPage,
  status: "ENABLED",
};
const paused = { ...running, status: "PAUSED" };

/** A change of a campaign, and what the service has when it is done. */
export interface Change {
  /** "A campaign whose … is killed [when], …" */
  when: string;
  /** "… [becomes]" */
  becomes: string;
  /** The campaign before: an unmanaged campaign, one of the stack, or an unconfirmed launch. @default none */
  before?: "existing" | "launched" | "unconfirmed";
  /** The declared arguments then, besides the required arguments. @default nothing */
  earlier?: object;
  /** The declared arguments now, besides the required arguments; null: the campaign was removed. @default nothing */
  later?: object | null;
  /** Makes the change, and again after the crash. @default "up" */
  command?: "up" | "destroy";
  request: RequestFault["operation"];
  moments: Moment[];
  /** How many launches belong to the change. @default 0 */
  launches?: number;
  /** The campaign that is live at the end. @default none */
  live?: typeof running;
  /** Whether the stack still contains the live campaign. @default true */
  isKept?: boolean;
}

/** Where a change is interrupted. Each is a fault of the service that keeps the command waiting there. */
export const moments = {
  /** Only reads were sent. */
  "while the campaign list is read before the request": () => ({ operation: "campaign.list", then: "hang" }),
  "while launch readiness is read before the request": () => ({ operation: "campaign.readiness", then: "hang" }),
  /** The service has received the whole request, and ignores it. */
  "after the service received the request but before it acts": (operation) => ({ operation, then: "hang" }),
  /** No byte of the response was sent. */
  "after the change but before the response": (operation) => ({ operation, commit: true, then: "hang" }),
  /** The whole response was sent. The host was stopped before it could read it, the CLI before it could save the result. */
  "after the response but before the state is saved": (operation) => ({ operation, commit: true, then: "hold" }),
  /** The host has read the response to the launch, and has not told the engine. */
  "while the list is read after the response": () => ({ operation: "campaign.list", skip: 1, then: "hang" }),
} satisfies Record<string, (request: RequestFault["operation"]) => RequestFault>;

export type Moment = keyof typeof moments;

const afterArrival: Moment[] = [
  "after the change but before the response",
  "after the response but before the state is saved",
];
const withoutRead: Moment[] = ["after the service received the request but before it acts", ...afterArrival];
const afterList: Moment[] = ["while the campaign list is read before the request", ...afterArrival];

const raised = { dailyBudgetMicros: 7_000_000 };

export const changes: Change[] = [
  {
    when: "during its first launch",
    becomes: "is launched once and runs",
    request: "campaign.launch",
    moments: Object.keys(moments) as Moment[],
    launches: 1,
    live: running,
  },
  {
    when: "during the pause after its launch",
    becomes: "is launched once and paused",
    later: { paused: true },
    request: "campaign.pause",
    moments: withoutRead,
    launches: 1,
    live: paused,
  },
  {
    when: "during the launch after the quarantine of an unconfirmed one",
    becomes: "is launched once and runs",
    before: "unconfirmed",
    request: "campaign.launch",
    moments: afterList,
    launches: 1,
    live: running,
  },
  {
    when: "during an adoption",
    becomes: "is adopted, without a launch",
    before: "existing",
    later: { campaignId: "existing" },
    request: "campaign.list",
    moments: [
      "after the service received the request but before it acts",
      "after the response but before the state is saved",
    ],
    live: running,
  },
  {
    when: "during a pause",
    becomes: "is paused",
    before: "launched",
    later: { paused: true },
    request: "campaign.pause",
    moments: withoutRead,
    live: paused,
  },
  {
    when: "during a resume",
    becomes: "runs again",
    before: "launched",
    earlier: { paused: true },
    later: { paused: false },
    request: "campaign.resume",
    moments: withoutRead,
    live: running,
  },
  {
    when: "during the deletion before its replacement",
    becomes: "is gone, and the replacement is launched once",
    before: "launched",
    later: raised,
    request: "campaign.delete",
    moments: withoutRead,
    launches: 1,
    live: { ...running, daily_budget_micros: raised.dailyBudgetMicros },
  },
  {
    when: "during the launch of its replacement",
    becomes: "is gone, and the replacement is launched once",
    before: "launched",
    later: raised,
    request: "campaign.launch",
    moments: afterList,
    launches: 1,
    live: { ...running, daily_budget_micros: raised.dailyBudgetMicros },
  },
  {
    when: "while it is destroyed",
    becomes: "is gone",
    before: "launched",
    command: "destroy",
    request: "campaign.delete",
    moments: withoutRead,
  },
  {
    when: "while it is destroyed by pausing",
    becomes: "stays paused and is removed from the stack",
    before: "launched",
    earlier: { deletionPolicy: "pause" },
    later: { deletionPolicy: "pause" },
    command: "destroy",
    request: "campaign.pause",
    moments: withoutRead,
    live: paused,
    isKept: false,
  },
  {
    when: "while it is removed from the program",
    becomes: "is gone",
    before: "launched",
    later: null,
    request: "campaign.delete",
    moments: withoutRead,
  },
];

/** Whether the stack has a campaign at the end. */
export function stays({ live, isKept = true }: Change): boolean {
  return live !== undefined && isKept;
}
