import { operations, parameterNames } from "../../provider/service/operations";
import { type HttpAnswer, type HttpRequest, type Transport, TransportFailure } from "../../provider/service/transport";
import type { ServiceAnswer } from "../../simulator/service";
import { faultyOperations, responseOf } from "./faults";
import type { Run } from "./run";
import { never, type VirtualTime } from "./time";
import { currentStep, type Entry, type Target, type Witness } from "./witness";

export const requestTimeout = 30_000;
/** With the longest lag of a list, still within the watch that follows a killed command. */
export const maxLatency = 3_000;

/** The network to the simulated service: latency, and the faults and crashes that are scripted for a command. */
export class Network {
  constructor(
    private readonly time: VirtualTime,
    private readonly service: (target: Target, body: unknown, usesSecondToken: boolean) => ServiceAnswer,
    private readonly witness: Witness,
    private readonly maxLateness: number,
  ) {}

  transportOf(run: Run): Pick<Transport, "send" | "close"> {
    return { send: (request) => this.send(run, request), close: () => Promise.resolve() };
  }

  private async send(run: Run, request: HttpRequest): Promise<HttpAnswer> {
    const { time, witness } = this;
    const target = targetOf(request);
    const { fault, crash } = run.meet(target.operation);
    const crashAt = (point: string): void => {
      if (crash?.point === point) run.crash(crash);
    };
    if (run.host.isEnding) run.host.kill();
    crashAt("before");
    if (!run.host.isAlive) return never();
    const step = currentStep.getStore();
    if (step === undefined) throw new Error(`internal error: ${target.operation} belongs to no step`);
    if (fault?.then === "not sent") {
      await run.host.sleep(latency(run));
      throw new TransportFailure("connect ECONNREFUSED 192.0.2.1:443", false);
    }
    const body = request.body === undefined ? undefined : (JSON.parse(request.body) as unknown);
    const entry = witness.sends(step, target, body, fault);
    crashAt("sent");
    // A request that was sent arrives, whatever process dies.
    await time.sleep(latency(run));
    let own: ServiceAnswer | undefined;
    const carryOut = (): void => {
      own = this.service(target, body, run.command.usesSecondToken);
      witness.carriedOut(entry, own);
    };
    if (fault?.carriedOut === "late") time.after(run.chance.between(1_000, this.maxLateness), carryOut);
    else if (fault?.carriedOut !== "never") carryOut();
    crashAt("committed");
    await run.host.sleep(latency(run));
    crashAt("answered");
    if (fault?.then === "no answer") await run.host.sleep(entry.at + requestTimeout - time.now());
    witness.ends(entry, own);
    return this.receive(entry, own);
  }

  private receive({ fault, operation }: Entry, own: ServiceAnswer | undefined): HttpAnswer {
    const then = fault?.then;
    if (then === "reset") throw new TransportFailure("socket hang up (ECONNRESET)", true);
    if (then === "no answer") throw new TransportFailure(`no response within ${String(requestTimeout)} ms`, true);
    if (then === "half a list") return { status: 200, headers: {}, text: '{"campaigns": [], "has_more": true}' };
    const { status, body, headers = {} } = own ?? { status: 500 };
    // A change that the service refused is not answered with a 200 that confirms it.
    const isConfirming = then === "200 of another shape" && operation !== "campaign.launch";
    if (then !== undefined && !(isConfirming && own !== undefined && status >= 400)) return responseOf(then);
    const date = new Date(this.time.now()).toUTCString();
    return { status, headers: { date, ...headers }, text: JSON.stringify(body) };
  }
}

/** Mostly quick, and sometimes so slow that other commands overtake. */
function latency({ chance }: Run): number {
  return chance.next() < 0.9 ? chance.between(5, 200) : chance.between(200, maxLatency);
}

const routes = faultyOperations.map((operation) => {
  const [method, template = ""] = operations[operation].endpoint.split(" ");
  const pattern = new RegExp(`^${template.replace(/\{[^{}]*\}/g, "([^/?]+)")}(\\?|$)`);
  return { operation, method, pattern, names: parameterNames(template) };
});

function targetOf({ method, path }: HttpRequest): Target {
  for (const { operation, pattern, names, ...route } of routes) {
    const match = route.method === method ? pattern.exec(path) : null;
    if (match === null) continue;
    const values = names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? "")] as const);
    return { operation, parameters: Object.fromEntries(values) };
  }
  throw new Error(`No campaign operation has ${method} ${path}.`);
}
