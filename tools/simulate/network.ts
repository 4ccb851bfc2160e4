import { operations, parameterNames } from "../../provider/service/operations";
import { type HttpAnswer, type HttpRequest, type Transport, TransportFailure } from "../../provider/service/transport";
import type { ServiceAnswer, ServiceRequest } from "../../simulator/service";
import { endingOf, type Fault, faultyOperations, type FaultyOperation } from "./faults";
import { never } from "./process";
import type { Run } from "./run";
import type { Living, VirtualTime } from "./time";
import { currentStep, type Entry, type Witness } from "./witness";

export const requestTimeout = 30_000;
/** With the longest lag of a list, still within the watch that follows a killed command. */
export const maxLatency = 3_000;

/** What was sent arrives, whatever process dies. */
const onTheWay: Living = { isAlive: true };

interface Target {
  operation: FaultyOperation;
  parameters: Record<string, string>;
}

type Service = (request: Omit<ServiceRequest, "presented">, usesSecondToken: boolean) => ServiceAnswer;

/** The network to the simulated service: latency, and the faults and crashes that are scripted for a command. */
export class Network {
  constructor(
    private readonly time: VirtualTime,
    private readonly service: Service,
    private readonly witness: Witness,
    private readonly maxLateness: number,
  ) {}

  transportOf(run: Run): Pick<Transport, "send" | "close"> {
    return { send: (request) => this.send(run, request), close: () => Promise.resolve() };
  }

  private async send(run: Run, request: HttpRequest): Promise<HttpAnswer> {
    const target = targetOf(request);
    const { fault, crash } = run.meet(target.operation);
    if (run.host.isEnding) run.host.kill();
    if (crash?.point === "before") run.crash(crash);
    if (!run.host.isAlive) return never();
    if (fault?.then === "not sent") {
      await run.host.sleep(latency(run));
      throw new TransportFailure("connect ECONNREFUSED 192.0.2.1:443", false);
    }
    const body = request.body === undefined ? undefined : (JSON.parse(request.body) as unknown);
    const step = currentStep.getStore();
    if (step === undefined) throw new Error(`internal error: ${target.operation} belongs to no step`);
    const entry = this.witness.sends(step, target.operation, target.parameters, body, fault);
    if (crash?.point === "sent") run.crash(crash);

    await this.time.sleep(latency(run), onTheWay);
    const carriedOut = this.carryOut(run, entry, target, body, fault);
    if (crash?.point === "committed") run.crash(crash);
    await run.host.sleep(latency(run));
    if (crash?.point === "answered") run.crashAfterAnswer(crash);
    return this.end(run, entry, carriedOut, fault);
  }

  private carryOut(run: Run, entry: Entry, target: Target, body: unknown, fault?: Fault): ServiceAnswer | undefined {
    const own = (): ServiceAnswer => {
      const given = body === undefined ? { problem: { loc: ["body"], msg: "", type: "missing" } } : { json: body };
      const answer = this.service({ ...target, body: given }, run.command.usesSecondToken);
      this.witness.carriedOut(entry, answer);
      return answer;
    };
    if (fault === undefined || fault.carriedOut === "before") return own();
    if (fault.carriedOut === "late") this.time.after(run.chance.between(1_000, this.maxLateness), onTheWay, own);
    return undefined;
  }

  private async end(run: Run, entry: Entry, own?: ServiceAnswer, fault?: Fault): Promise<HttpAnswer> {
    const ending = fault === undefined ? undefined : endingOf(fault.then);
    if (ending === "no answer") await run.host.sleep(entry.at + requestTimeout - this.time.now());
    this.witness.ends(entry, own);
    switch (ending) {
      case undefined:
      case "half a list": {
        const { status, body, headers = {} } = own ?? { status: 200, body: { campaigns: [] } };
        const whole = ending === undefined ? body : { ...(body as object), has_more: true };
        const date = new Date(this.time.now()).toUTCString();
        return { status, headers: { date, ...headers }, text: whole === undefined ? "" : JSON.stringify(whole) };
      }
      case "reset":
        throw new TransportFailure("socket hang up (ECONNRESET)", true);
      case "no answer":
        throw new TransportFailure(`no response within ${String(requestTimeout / 1000)} s`, true);
      case "not sent":
        throw new Error("internal error: a request that was not sent has no ending");
      default:
        return ending;
    }
  }
}

/** Mostly quick, and sometimes so slow that other commands overtake. */
function latency({ chance }: Run): number {
  return chance.next() < 0.9 ? chance.between(5, 200) : chance.between(200, maxLatency);
}

const routes = faultyOperations.map((operation) => {
  const [method, template] = operations[operation].endpoint.split(" ") as [string, string];
  const pattern = new RegExp(`^${template.replace(/\{[^{}]*\}/g, "([^/?]+)")}(\\?|$)`);
  return { operation, method, pattern, names: parameterNames(template) };
});

function targetOf({ method, path }: HttpRequest): Target {
  for (const route of routes) {
    const match = route.method === method ? route.pattern.exec(path) : null;
    if (match === null) continue;
    const values = route.names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? "")]);
    return { operation: route.operation, parameters: Object.fromEntries(values) as Record<string, string> };
  }
  throw new Error(`No campaign operation has ${method} ${path}.`);
}
