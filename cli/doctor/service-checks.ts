import type { Clock } from "../../provider/service/clock";
import { EndpointMap } from "../../provider/service/endpoints";
import { type Operation, type OperationId, operations } from "../../provider/service/operations";
import { type Proxy, proxyFor } from "../../provider/service/proxy";
import { Transport } from "../../provider/service/transport";
import type { Settings } from "../../provider/settings";
import { clockCheck } from "./clock-check";
import { credentialCheckName, type Credentials, credentialChecks, formUsed } from "./credential-checks";
import { Ids } from "./ids";
import { operationCheck, operationResult } from "./operation-checks";
import { type Exchange, type Outcome, Prober } from "./probe";
import { blockingOutcome, reachabilityResult } from "./reachability";
import { readOperations, reasonNotCalled } from "./read-operations";
import { type Check, type CredentialForm, notChecked, type OperationCheck } from "./report";
import type { ProbeContext } from "./verdict";

interface ServiceChecks {
  readonly checks: readonly Check[];
  readonly operations: readonly OperationCheck[];
  readonly requests: number;
}

interface ServiceCheckOptions {
  readonly settings: Settings;
  readonly ids: ReadonlyMap<string, string>;
  readonly keyRemoval: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** Checks everything about the service that can be checked without changing it. */
export async function checkService({
  settings,
  keyRemoval,
  environment,
  clock,
  ...given
}: ServiceCheckOptions): Promise<ServiceChecks> {
  const transport = new Transport(settings.baseUrl, settings.requestTimeoutSeconds * 1000, environment);
  const endpoints = new EndpointMap(settings);
  const ids = new Ids(given.ids);
  try {
    const prober = new Prober(settings, transport, clock);
    const outcomes = await new ProbeRun(settings, endpoints, ids, prober).run();
    const baseUrlProbe = outcomes.length === 0 ? await prober.probeBaseUrl() : undefined;
    const credentials = { hasKey: settings.apiKey !== undefined, keyRemoval };
    const checks = checksFrom(
      { outcomes, baseUrlProbe },
      settings,
      { endpoints, ids, route: { proxy: usableProxy(settings, environment), environment } },
      credentials,
    );
    return { ...checks, requests: prober.requests };
  } finally {
    await transport.close();
  }
}

/** Undefined also for a malformed one: the transport reports it. */
function usableProxy({ baseUrl }: Settings, environment: NodeJS.ProcessEnv): Proxy | undefined {
  try {
    return proxyFor(baseUrl, environment);
  } catch {
    return undefined;
  }
}

/** The rows of the report if the service could not be called. */
export function skippedServiceChecks(reason: string, settings?: Settings): ServiceChecks {
  const names = ["reachability", credentialCheckName("bearer"), credentialCheckName("api_key"), "clock"];
  return {
    checks: names.map((check) => ({ check, ...notChecked(reason) })),
    operations: readOperations.map((id) => operationCheck(id, notChecked(reason), [], settings)),
    requests: 0,
  };
}

/** Calls the operations in batches, because one batch can find the ids for the next. */
class ProbeRun {
  private readonly outcomes: Outcome[] = [];

  constructor(
    private readonly settings: Settings,
    private readonly endpoints: EndpointMap,
    private readonly ids: Ids,
    private readonly prober: Prober,
  ) {}

  async run(): Promise<readonly Outcome[]> {
    // Probe one operation first, so the token is not sent to the wrong server.
    const [first] = this.callable();
    if (first !== undefined) await this.callAll([first]);
    while (!this.isFinished()) await this.callAll(this.callable());
    return this.outcomes;
  }

  private isFinished(): boolean {
    return blockingOutcome(this.outcomes, this.endpoints) !== undefined || this.callable().length === 0;
  }

  /** The operations that can be called and were not yet, those with the fewest ids first. */
  private callable(): OperationId[] {
    const called = new Set(this.outcomes.map(({ operation }) => operation));
    return readOperations
      .filter((id) => !called.has(id) && reasonNotCalled(id, this.settings) === undefined)
      .filter((id) => this.ids.parametersOf(id) !== undefined)
      .sort((one, other) => this.idCount(one) - this.idCount(other));
  }

  private idCount(id: OperationId): number {
    return Object.keys(this.ids.parametersOf(id) ?? {}).length;
  }

  private async callAll(operations: readonly OperationId[]): Promise<void> {
    const calls = operations.flatMap((id) => {
      const parameters = this.ids.parametersOf(id) ?? {};
      return this.formsFor(id).map((form) => this.prober.call(id, form, parameters));
    });
    const outcomes = await Promise.all(calls);
    for (const outcome of outcomes) this.ids.addListed(outcome);
    this.outcomes.push(...outcomes);
  }

  /** The form that `pulumi up` uses, and the other one if both are set and the rate limit allows two calls. */
  private formsFor(id: OperationId): CredentialForm[] {
    const used = formUsed(id, this.settings.apiKey !== undefined);
    const { perMinute = Infinity }: Operation = operations[id];
    const allowsTwo = (this.settings.rateLimits[id] ?? perMinute) > 1;
    return used === "api_key" && allowsTwo ? ["api_key", "bearer"] : [used];
  }
}

interface Probed {
  readonly outcomes: readonly Outcome[];
  readonly baseUrlProbe: Exchange | undefined;
}

function checksFrom(
  { outcomes, baseUrlProbe }: Probed,
  settings: Settings,
  context: ProbeContext,
  credentials: Credentials,
): Omit<ServiceChecks, "requests"> {
  const reachability: Check = { check: "reachability", ...reachabilityResult(outcomes, baseUrlProbe, context) };
  if (reachability.state !== "ok") {
    const { checks, operations } = skippedServiceChecks("the service was not reached", settings);
    return { checks: checks.map((check) => (check.check === reachability.check ? reachability : check)), operations };
  }
  const exchanges = [
    ...outcomes.map(({ exchange }) => exchange),
    ...(baseUrlProbe === undefined ? [] : [baseUrlProbe]),
  ];
  const clock: Check = { check: "clock", ...clockCheck(exchanges) };
  const operations = readOperations.map((id) => {
    const own = outcomes.filter(({ operation }) => operation === id);
    const result =
      own.length > 0
        ? operationResult(id, own, credentials.hasKey, context)
        : notChecked(reasonNotCalled(id, settings) ?? context.ids.missingIdsHint(id));
    return operationCheck(id, result, own, settings);
  });
  return { checks: [reachability, ...credentialChecks(outcomes, credentials), clock], operations };
}
