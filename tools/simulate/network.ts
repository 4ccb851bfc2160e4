import { operations, parameterNames } from "../../provider/service/operations";
import { type HttpAnswer, type HttpRequest, type Transport, TransportFailure } from "../../provider/service/transport";
import type { ServiceAnswer, ServiceRequest } from "../../simulator/service";
import { endingOf, type Fault, faultyOperations, type FaultyOperation } from "./faults";
import { never } from "./process";
import type { Run } from "./run";
import type { Living, VirtualTime } from "./time";
import type { Entry, Witness } from "./witness";

export const requestTimeout = 30_000;
/** A late request is carried out this long before the quarantine ends, so that a list read then shows it despite its lag. */
const visibleBefore = 45_000;

/** What was sent arrives, whatever process dies. */
const onTheWay: Living = { isAlive: true };

interface Target {
  operation: FaultyOperation;
  parameters: Record<string, string>;
}

/** The network to the simulated service: latency, and the faults and crashes that are scripted for a command. */
export class Network {
  constructor(
    private readonly time: VirtualTime,
    private readonly answer: (request: ServiceRequest) => ServiceAnswer,
    private readonly witness: Witness,
    private readonly quarantine: number,
  ) {}

  transportOf(run: Run): Pick<Transport, "send" | "close"> {
    return { send: (request) => this.send(run, request), close: () => Promise.resolve() };
  }

  private async send(run: Run, request: HttpRequest): Promise<HttpAnswer> {
    const target = targetOf(request);
    const { fault, crash } = run.meet(target.operation);
    if (run.host.isEnding) run.host.kill();
    if (!run.host.isAlive) return never();
    if (crash?.point === "before" && !run.crash(crash)) return never();
    const body = request.body === undefined ? undefined : (JSON.parse(request.body) as unknown);
    if (fault?.then === "not sent") {
      await run.host.sleep(latency(run));
      throw new TransportFailure("connect ECONNREFUSED 192.0.2.1:443", false);
    }
    const entry = this.witness.sends(run, target.operation, target.parameters, body, fault);

    await this.time.sleep(latency(run), onTheWay);
    const carriedOut = this.carryOut(run, entry, target, body, fault);
    if (crash?.point === "committed") run.crash(crash);
    await run.host.sleep(latency(run));
    if (crash?.point === "answered") run.crashAfterAnswer(crash);
    return this.end(run, entry, carriedOut, fault);
  }

  private carryOut(run: Run, entry: Entry, target: Target, body: unknown, fault?: Fault): ServiceAnswer | undefined {
    const own = (): ServiceAnswer => {
      const answer = this.answer({
        ...target,
        body: body === undefined ? { problem: { loc: ["body"], msg: "", type: "missing" } } : { json: body },
        presented: { form: "bearer", value: "full-access-token" },
      });
      this.witness.carriedOut(entry, answer);
      return answer;
    };
    if (fault === undefined || fault.carriedOut === "before") return own();
    if (fault.carriedOut === "late")
      this.time.after(run.chance.between(1_000, this.quarantine - visibleBefore), onTheWay, own);
    return undefined;
  }

  private async end(
    run: Run,
    entry: Entry,
    own: ServiceAnswer | undefined,
    fault: Fault | undefined,
  ): Promise<HttpAnswer> {
    const ending = fault === undefined ? undefined : endingOf(fault.then);
    const note = (): void => {
      this.witness.ends(entry, own);
    };
    switch (ending) {
      case undefined:
      case "half a list": {
        note();
        const { status, body, headers = {} } = own ?? { status: 500 };
        const whole = ending === undefined ? body : { ...(body as object), has_more: true };
        const date = new Date(this.time.now()).toUTCString();
        return { status, headers: { date, ...headers }, text: whole === undefined ? "" : JSON.stringify(whole) };
      }
      case "reset":
        note();
        throw new TransportFailure("socket hang up (ECONNRESET)", true);
      case "no answer":
        await run.host.sleep(entry.at + requestTimeout - this.time.now());
        note();
        throw new TransportFailure(`no response within ${String(requestTimeout / 1000)} s`, true);
      case "not sent":
        throw new Error("internal error: a request that was not sent has no ending");
      default:
        note();
        return ending;
    }
  }
}

/** Mostly quick, and sometimes so slow that other commands overtake. */
function latency({ chance }: Run): number {
  return chance.next() < 0.9 ? chance.between(5, 200) : chance.between(200, 6_000);
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
