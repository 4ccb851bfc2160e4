import assert from "node:assert/strict";
import { type Campaign, type LoggedRequest, type RequestFault, type Simulator, startSimulator } from "../../simulator";
import { declared } from "./campaigns";
import { killDuring, type Victim } from "./crash";
import { assertDone, assertFailed, programOf, PulumiProject } from "./engine";

/*
 * Every way in which a campaign is changed, cut off at every moment that makes a difference. What follows is what a
 * pipeline does: `pulumi cancel` where the CLI was killed, and the same command again, which must finish the change.
 */

const app = declared.appId;
const campaign = (more: object = {}): string => programOf("AdCampaign", { ...declared, ...more });
const without = `require("pulumi-workspace-apps");`;

/** The quarantine is over when a command follows another. */
const environment = { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "1", WORKSPACE_APPS_LAUNCH_QUARANTINE_SECONDS: "1" };

/** The declared campaign as the service holds it. */
const running = {
  campaign_name: declared.campaignName,
  campaign_type: declared.campaignType,
  daily_budget_micros: declared.dailyBudgetMicros,
  landing_page: declared.landingPage,
  status: "ENABLED",
};
const paused = { ...running, status: "PAUSED" };

/** A change of a campaign, and what the service holds once it is made. */
interface Change {
  /** "A campaign whose … is killed [when], …" */
  when: string;
  /** "… [becomes]" */
  becomes: string;
  /** Makes what there is before. */
  prepare?: (stack: PulumiProject, simulator: Simulator) => Promise<void>;
  program: string;
  /** Makes the change, and again after the crash. @default "up" */
  command?: "up" | "destroy";
  request: RequestFault["operation"];
  moments: Moment[];
  /** How many launches the change makes. @default 0 */
  launches?: number;
  /** What is not removed in the end. @default none */
  live?: typeof running;
  /** Whether the stack keeps what is live. @default true */
  isKept?: boolean;
}

/** Where a change is cut off. Each is a fault of the service that keeps the command waiting there for its end. */
const moments = {
  /** Nothing was sent but reads. */
  "while the campaign list is read before the request": () => ({ operation: "campaign.list", then: "hang" }),
  "while launch readiness is read before the request": () => ({ operation: "campaign.readiness", then: "hang" }),
  /** The service has the whole request, and drops it. */
  "when the service has the request and does nothing": (operation) => ({ operation, then: "hang" }),
  /** No byte of the answer was sent. */
  "when it is carried out but not answered": (operation) => ({ operation, commit: true, then: "hang" }),
  /** The answer was sent whole; the host was stopped before it could read it, the CLI before it could hear or save it. */
  "when it is answered but not saved": (operation) => ({ operation, commit: true, then: "hold" }),
  /** The host has read the answer of the launch, and the engine has heard nothing of it. */
  "while the list is read after the answer": () => ({ operation: "campaign.list", skip: 1, then: "hang" }),
} satisfies Record<string, (request: RequestFault["operation"]) => RequestFault>;

type Moment = keyof typeof moments;

const afterArrival: Moment[] = ["when it is carried out but not answered", "when it is answered but not saved"];
const withoutRead: Moment[] = ["when the service has the request and does nothing", ...afterArrival];
const afterList: Moment[] = ["while the campaign list is read before the request", ...afterArrival];
const ofLaunch: Moment[] = [...afterList, "while the list is read after the answer"];

const launched =
  (more: object = {}) =>
  async (stack: PulumiProject): Promise<void> => {
    assertDone(await stack.apply(campaign(more)), { create: 1 });
  };

const changes: Change[] = [
  {
    when: "in its first launch",
    becomes: "is launched once and runs",
    program: campaign(),
    request: "campaign.launch",
    moments: Object.keys(moments) as Moment[],
    launches: 1,
    live: running,
  },
  {
    when: "in the pause that follows its launch",
    becomes: "is launched once and paused",
    program: campaign({ paused: true }),
    request: "campaign.pause",
    moments: withoutRead,
    launches: 1,
    live: paused,
  },
  {
    when: "in the launch that follows an unconfirmed one after its quarantine",
    becomes: "is launched once and runs",
    prepare: async (stack, simulator) => {
      simulator.fault({ operation: "campaign.launch", then: { status: 409, body: "" } });
      assertFailed(await stack.apply(campaign()), /MONEY MAY BE MOVING/);
    },
    program: campaign(),
    request: "campaign.launch",
    moments: ofLaunch,
    launches: 1,
    live: running,
  },
  {
    when: "in an adoption that pauses it",
    becomes: "is adopted and paused, and none is launched",
    prepare: (_stack, simulator) => {
      simulator.objects.putCampaign(app, { ...running, id: "existing" });
      return Promise.resolve();
    },
    program: campaign({ campaignId: "existing", paused: true }),
    request: "campaign.pause",
    moments: afterList,
    live: paused,
  },
  {
    when: "in a pause",
    becomes: "is paused",
    prepare: launched(),
    program: campaign({ paused: true }),
    request: "campaign.pause",
    moments: withoutRead,
    live: paused,
  },
  {
    when: "in a resumption",
    becomes: "runs again",
    prepare: launched({ paused: true }),
    program: campaign({ paused: false }),
    request: "campaign.resume",
    moments: withoutRead,
    live: running,
  },
  {
    when: "in the deletion that makes room for its replacement",
    becomes: "is gone, and the replacement is launched once",
    prepare: launched(),
    program: campaign({ dailyBudgetMicros: 7_000_000 }),
    request: "campaign.delete",
    moments: withoutRead,
    launches: 1,
    live: { ...running, daily_budget_micros: 7_000_000 },
  },
  {
    when: "in the launch of its replacement",
    becomes: "is gone, and the replacement is launched once",
    prepare: launched(),
    program: campaign({ dailyBudgetMicros: 7_000_000 }),
    request: "campaign.launch",
    moments: ofLaunch,
    launches: 1,
    live: { ...running, daily_budget_micros: 7_000_000 },
  },
  {
    when: "while it is destroyed",
    becomes: "is gone",
    prepare: launched(),
    program: campaign(),
    command: "destroy",
    request: "campaign.delete",
    moments: withoutRead,
  },
  {
    when: "while it is destroyed by pausing",
    becomes: "stays paused and leaves the stack",
    prepare: launched({ deletionPolicy: "pause" }),
    program: campaign({ deletionPolicy: "pause" }),
    command: "destroy",
    request: "campaign.pause",
    moments: withoutRead,
    live: paused,
    isKept: false,
  },
  {
    when: "while it leaves the program",
    becomes: "is gone",
    prepare: launched(),
    program: without,
    request: "campaign.delete",
    moments: withoutRead,
  },
];

/** A suite with a test for each change and moment. */
export function campaignCrashes(victim: Victim): void {
  describe(`A campaign whose ${victim === "host" ? "dynamic host" : "whole CLI"} is killed`, () => {
    for (const change of changes)
      describe(change.when, () => {
        let simulator: Simulator;
        let prepared: PulumiProject;
        let campaigns: Campaign[];

        // Once for all moments: each begins with a copy of the stack, and with what the service held.
        before(async () => {
          simulator = await startSimulator();
          prepared = await PulumiProject.create({ program: without, baseUrl: simulator.url, environment });
          await change.prepare?.(prepared, simulator);
          await prepared.write(change.program);
          campaigns = simulator.objects.campaigns(app);
        });
        after(() => simulator.close());
        beforeEach(() => {
          for (const { id } of simulator.objects.campaigns(app)) simulator.objects.removeCampaign(app, id);
          for (const one of campaigns) simulator.objects.putCampaign(app, one);
        });

        for (const moment of change.moments)
          it(`${moment}, ${change.becomes}`, async () => {
            const { command = "up", launches = 0 } = change;
            const stack = await prepared.copy();
            const launchesBefore = simulator.objects.launches(app).length;
            await killDuring({ stack, simulator }, command, victim, moments[moment](change.request));
            if (victim === "cli") assertDone(await stack.pulumi("cancel", "--yes", "dev"));
            assertDone(await stack[command]());
            assert.equal(simulator.objects.launches(app).length - launchesBefore, launches);
            await assertAsDeclared(stack, simulator, change);

            simulator.clearRequests();
            assertDone(await stack[command](), stays(change) && command === "up" ? { same: 1 } : {});
            if (moment === "when it is answered but not saved") assertDone(await stack.refresh("--expect-no-changes"));
            assert.deepEqual(writes(simulator), [], "a further command changes nothing");
            assert.equal(simulator.objects.launches(app).length - launchesBefore, launches);
          });
      });
  });
}

/** What is live is what is declared, and the stack knows it by its id. */
async function assertAsDeclared(stack: PulumiProject, simulator: Simulator, change: Change): Promise<void> {
  const live = simulator.objects.campaigns(app).filter(({ status }) => status !== "REMOVED");
  assert.deepEqual(
    live.map(({ campaign_name, campaign_type, daily_budget_micros, landing_page, status }) => ({
      campaign_name,
      campaign_type,
      daily_budget_micros,
      landing_page,
      status,
    })),
    change.live === undefined ? [] : [change.live],
  );
  assert.deepEqual(
    (await stack.stored()).map(({ outputs, initErrors }) => [
      outputs?.["campaignId"],
      outputs?.["launchState"],
      initErrors,
    ]),
    stays(change) ? live.map(({ id }) => [id, "confirmed", undefined]) : [],
  );
}

/** Whether the stack has a campaign in the end. */
function stays({ live, isKept = true }: Change): boolean {
  return live !== undefined && isKept;
}

function writes(simulator: Simulator): LoggedRequest[] {
  return simulator.requests.filter(({ method }) => method !== "GET");
}
