import { withoutUndefined } from "../../provider/serializable";
import { createDeployment, type Deployment } from "../../provider/resources/shared/deployment";
import { ServiceClient } from "../../provider/service/client";
import { isOperationId, type OperationId, operations, parameterNames } from "../../provider/service/operations";
import type { HttpAnswer, HttpRequest } from "../../provider/service/transport";
import { readSettings, type SettingKey } from "../../provider/settings";
import { Service as SimulatedService } from "../../simulator/service";
import { VirtualClock } from "./clock";

/** Handles one request. `carryOut` is the service's own work, and its response may be dropped. */
type Answering = (operation: OperationId, carryOut: () => HttpAnswer) => HttpAnswer;

/** A service without sockets, for thousands of runs in seconds. */
export class InMemory {
  readonly clock = new VirtualClock();
  /** The operations that the service received. */
  readonly requests: OperationId[] = [];
  private readonly service = new SimulatedService({ now: () => this.clock.now() });

  constructor(
    private readonly configured: Partial<Record<SettingKey, string>>,
    private readonly answering: Answering,
  ) {}

  get objects() {
    return this.service.areas.objects;
  }

  /** How long the list lags behind. */
  lag(lagMilliseconds: number): void {
    this.service.faults.add({ operation: "campaign.list", lagMilliseconds });
  }

  /** One run of `pulumi`: only the state is kept. */
  deployment(): Deployment {
    const given: InMemory["configured"] = {
      baseUrl: "https://service.example.com",
      accessToken: "full-access-token",
      ...this.configured,
    };
    const settings = readSettings((key) => given[key], {});
    const say = (): void => undefined;
    const transport = {
      send: (request: HttpRequest) => Promise.resolve(this.answer(request)),
      close: () => Promise.resolve(),
    };
    return createDeployment(new ServiceClient(settings, this.clock, say, transport), settings, this.clock, say);
  }

  private answer(request: HttpRequest): HttpAnswer {
    const { operation, parameters } = route(request);
    this.requests.push(operation);
    return this.answering(operation, () => {
      const { status, body } = this.service.answer({
        operation,
        parameters,
        body: { json: request.body === undefined ? undefined : JSON.parse(request.body) },
        presented: { form: "bearer", value: "full-access-token" },
      });
      return { status, headers: {}, text: JSON.stringify(withoutUndefined(body as object)) };
    });
  }
}

/** The operation of a request, by the paths of the table. */
export function route({ method, path }: HttpRequest): { operation: OperationId; parameters: Record<string, string> } {
  for (const { operation, pattern, names } of routes) {
    const values = pattern.exec(`${method} ${path.replace(/\?.*/, "")}`);
    if (values !== null)
      return { operation, parameters: Object.fromEntries(names.map((name, at) => [name, values[at + 1] ?? ""])) };
  }
  throw new Error(`No operation has ${method} ${path}.`);
}

const routes = Object.keys(operations)
  .filter(isOperationId)
  .map((operation) => {
    const { endpoint } = operations[operation];
    const pattern = new RegExp(`^${endpoint.replace(/\{[^{}]*\}/g, "([^/]*)")}$`);
    return { operation, pattern, names: parameterNames(endpoint) };
  });
