import { resourceDigitsKey } from "../../provider/pulumi/hidden-inputs";
import type { Properties } from "../../provider/pulumi/saved";
import { stepsOf } from "../../provider/pulumi/steps";
import { createDeployment } from "../../provider/resources/shared/deployment";
import { webhookLifecycle } from "../../provider/resources/webhook/lifecycle";
import { ServiceClient } from "../../provider/service/client";
import type { Clock } from "../../provider/service/clock";
import { readSettings } from "../../provider/settings";
import { startSimulator } from "../../simulator";
import { atMost, exactly, type Goal } from "../goals";

/** As documented. */
const perMinute = 100;

/** Time passes only when everything that was sent has been answered: an exchange takes none of it. */
class IdleClock implements Clock {
  private time = Date.parse("2026-01-01T00:00:00Z");
  private waits = 0;
  answered = 0;
  now = (): number => this.time;
  random = (): number => 0.5;
  async sleep(milliseconds: number): Promise<void> {
    // The pace waits when a minute's worth has left.
    this.waits++;
    for (let turn = 0; this.answered < this.waits * perMinute && turn < 10_000; turn++)
      await new Promise((resolve) => setTimeout(resolve, 1));
    this.time += milliseconds;
  }
}

/** Updates under the service's rate limit, by a clock that both sides live by. */
export async function pacingGoals(size: number): Promise<Goal[]> {
  process.stdout.write(`pacing of ${String(size)} updates at ${String(perMinute)} a minute\n`);
  const clock = new IdleClock();
  const simulator = await startSimulator({ now: clock.now, limits: { "webhook.update": perMinute } });
  const given: Partial<Record<string, string>> = { baseUrl: simulator.url, accessToken: "full-access-token" };
  const settings = readSettings((key) => given[key], {});
  const quiet = (): void => undefined;
  const service = new ServiceClient(settings, clock, quiet);
  const deployment = createDeployment(service, settings, clock, quiet);
  try {
    const steps = stepsOf(webhookLifecycle);
    const inputs = (number: number, description: string): Properties => ({
      agentId: "agent",
      targetUrl: `https://hooks.example.com/${String(number)}`,
      events: ["message.created"],
      description,
      [resourceDigitsKey]: number.toString(16).padStart(7, "0"),
    });
    const numbers = Array.from({ length: size }, (_, number) => number);
    const made = await Promise.all(numbers.map((number) => steps.create(inputs(number, "one"), deployment)));
    const began = clock.now();
    simulator.clearRequests();
    await Promise.all(
      made.map(async ({ outputs }, number) => {
        await steps.update(outputs, inputs(number, "two"), deployment);
        clock.answered++;
      }),
    );
    // The first of them go at once.
    const needed = (Math.ceil(size / perMinute) - 1) * 60;
    const took = (clock.now() - began) / 1000;
    const at = `${String(size)} updates at ${String(perMinute)} a minute`;
    const refused = simulator.requests.filter(({ status }) => status === 429).length;
    return [
      atMost(1.05, {
        what: "time of updates to what the limit needs",
        at,
        value: took / needed,
        unit: "x",
        from: `${took.toFixed(1)} s to ${String(needed)} s, virtual`,
      }),
      exactly(0, { what: "answers of 429", at, value: refused, unit: "answers", from: "counted" }),
    ];
  } finally {
    await service.close();
    await simulator.close();
  }
}
