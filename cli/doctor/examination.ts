import type { Clock } from "../../provider/service/clock";
import { EndpointMap } from "../../provider/service/endpoints";
import { type Operation, type OperationId, operations } from "../../provider/service/operations";
import { Transport } from "../../provider/service/transport";
import type { Settings } from "../../provider/settings";
import { clockOf } from "./clock";
import { checkName, type Credentials, credentialChecks, formUsed } from "./credentials";
import { type Check, type Form, notChecked, type OperationCheck } from "./finding";
import { Ids } from "./ids";
import { operationCheck, operationFinding } from "./operations";
import { type Exchange, type Outcome, Prober } from "./probe";
import { reachOf, stoppedBy } from "./reach";
import { reads, whyNotCalled } from "./reads";

interface Examined {
  readonly checks: readonly Check[];
  readonly operations: readonly OperationCheck[];
  readonly requests: number;
}

export interface Examination {
  readonly settings: Settings;
  readonly ids: ReadonlyMap<string, string>;
  readonly keyRemoval: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** Asks the service all that can be asked without changing anything. */
export async function examine({ settings, keyRemoval, environment, clock, ...given }: Examination): Promise<Examined> {
  const transport = new Transport(settings.baseUrl, settings.requestTimeoutSeconds * 1000);
  const endpoints = new EndpointMap(settings);
  const ids = new Ids(given.ids);
  try {
    const prober = new Prober(settings, transport, clock);
    const outcomes = await new Visit(settings, endpoints, ids, prober).all();
    const knock = outcomes.length === 0 ? await prober.knock() : undefined;
    const seen = { outcomes, knock, around: { endpoints, ids, environment } };
    const credentials = { hasKey: settings.apiKey !== undefined, keyRemoval };
    return { ...findings(settings, seen, credentials), requests: prober.requests };
  } finally {
    await transport.close();
  }
}

/** What is listed where the service could not be asked. */
export function unexamined(why: string, settings?: Settings): Examined {
  const names = [checkName("bearer"), checkName("api_key"), "clock"];
  return {
    checks: ["reachability", ...names].map((check) => ({ check, ...notChecked(why) })),
    operations: reads.map((id) => operationCheck(id, notChecked(why), [], settings)),
    requests: 0,
  };
}

/** The calls, in an order in which each wave may give the ids for the next. */
class Visit {
  private readonly outcomes: Outcome[] = [];

  constructor(
    private readonly settings: Settings,
    private readonly endpoints: EndpointMap,
    private readonly ids: Ids,
    private readonly prober: Prober,
  ) {}

  async all(): Promise<readonly Outcome[]> {
    // One alone goes first: where it finds nobody, or somebody else, the credential is not shown around any further.
    const [first] = this.ready();
    if (first !== undefined) await this.wave([first]);
    while (!this.isOver()) await this.wave(this.ready());
    return this.outcomes;
  }

  private isOver(): boolean {
    return stoppedBy(this.outcomes, this.endpoints) !== undefined || this.ready().length === 0;
  }

  /** What can be called and was not; what needs no id, first. */
  private ready(): OperationId[] {
    const called = new Set(this.outcomes.map(({ operation }) => operation));
    return reads
      .filter((id) => !called.has(id) && whyNotCalled(id, this.settings) === undefined)
      .filter((id) => this.ids.parametersOf(id) !== undefined)
      .sort((one, other) => this.idsOf(one) - this.idsOf(other));
  }

  private idsOf(id: OperationId): number {
    return Object.keys(this.ids.parametersOf(id) ?? {}).length;
  }

  private async wave(operations: readonly OperationId[]): Promise<void> {
    const calls = operations.flatMap((id) => {
      const parameters = this.ids.parametersOf(id) ?? {};
      return this.formsOf(id).map((form) => this.prober.call(id, form, parameters));
    });
    const outcomes = await Promise.all(calls);
    for (const outcome of outcomes) this.ids.learn(outcome);
    this.outcomes.push(...outcomes);
  }

  /** The form in use, and the other one where both exist and the rate limit leaves room for it. */
  private formsOf(id: OperationId): Form[] {
    const used = formUsed(id, this.settings.apiKey !== undefined);
    const { perMinute = Infinity }: Operation = operations[id];
    const hasRoom = (this.settings.rateLimits[id] ?? perMinute) > 1;
    return used === "api_key" && hasRoom ? ["api_key", "bearer"] : [used];
  }
}

interface Seen {
  outcomes: readonly Outcome[];
  knock: Exchange | undefined;
  around: { endpoints: EndpointMap; ids: Ids; environment: NodeJS.ProcessEnv };
}

function findings(settings: Settings, { outcomes, knock, around }: Seen, credentials: Credentials) {
  const reach: Check = { check: "reachability", ...reachOf(outcomes, knock, around) };
  if (reach.state !== "ok") {
    const { checks, operations } = unexamined("the service was not reached", settings);
    return { checks: checks.map((check) => (check.check === reach.check ? reach : check)), operations };
  }
  const exchanges = [...outcomes.map(({ exchange }) => exchange), ...(knock === undefined ? [] : [knock])];
  const clock: Check = { check: "clock", ...clockOf(exchanges) };
  const operations = reads.map((id) => {
    const own = outcomes.filter(({ operation }) => operation === id);
    const finding =
      own.length > 0
        ? operationFinding(id, own, credentials.hasKey, around)
        : notChecked(whyNotCalled(id, settings) ?? around.ids.wantedFor(id));
    return operationCheck(id, finding, own, settings);
  });
  return { checks: [reach, ...credentialChecks(outcomes, credentials), clock], operations };
}
