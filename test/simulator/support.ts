import { request } from "node:http";
import {
  type AdvertisingAccount,
  type Campaign,
  type LoggedRequest,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
  type Webhook,
} from "../../simulator";

/** The fields that tests read from responses of any kind. */
interface AnswerBody extends Webhook, Campaign {
  secret: string | null;
  webhooks: AnswerBody[];
  campaign: Campaign;
  account: AdvertisingAccount;
  campaigns: Campaign[];
  items: { app_id: string; added_date: string }[];
  code: string;
  detail: { loc: (string | number)[]; msg: string; type: string }[];
  requests: LoggedRequest[];
  error: string;
}

export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  json: AnswerBody;
}

export type Headers = Record<string, string>;

export interface Sending {
  /** JSON, unless it is a string. */
  body?: unknown;
  headers?: Headers | undefined;
}

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
export const apiKey = (key: string): Headers => ({ api_key: key });

/** Sends one request on its own connection, with the path unchanged. By default it sends the full-access token. */
export async function send(to: Simulator, method: string, path: string, sending: Sending = {}): Promise<Reply> {
  const { body, headers = bearer("full-access-token") } = sending;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return await new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: "127.0.0.1",
        port: to.port,
        method,
        path,
        agent: false,
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      },
      (incoming) => {
        let received = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (chunk: string) => (received += chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const status = incoming.statusCode ?? 0;
          resolve({ status, headers: incoming.headers, text: received, json: jsonOf(received) as AnswerBody });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Waits until the condition holds, or until mocha's timeout. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that moves only with `advance`. */
class TestClock {
  private milliseconds = 0;
  readonly now = () => this.milliseconds;
  reset(): void {
    this.milliseconds = Date.parse("2026-11-01T12:00:00.000Z");
  }
  advance(milliseconds: number): void {
    this.milliseconds += milliseconds;
  }
}

/** Starts a simulator on its own clock for each test of a suite, and sends to it. */
export function onSimulator(options: SimulatorOptions = {}) {
  const clock = new TestClock();
  let current: Simulator;
  const start = async (more = options): Promise<void> => {
    current = await startSimulator({ now: clock.now, ...more });
  };
  beforeEach(async () => {
    clock.reset();
    await start();
  });
  afterEach(() => current.close());
  /** The simulator of the current test. */
  const simulator = new Proxy({} as Simulator, { get: (_, key) => Reflect.get(current, key) as unknown });
  const sender = (method: string) => (path: string, body?: unknown, headers?: Headers) =>
    send(simulator, method, path, { body, headers });
  return {
    simulator,
    clock,
    /** Replaces the simulator with one that has these options. */
    restart: async (options: SimulatorOptions): Promise<void> => {
      await current.close();
      await start(options);
    },
    get: (path: string, headers?: Headers) => send(simulator, "GET", path, { headers }),
    post: sender("POST"),
    put: sender("PUT"),
    patch: sender("PATCH"),
    remove: (path: string, headers?: Headers) => send(simulator, "DELETE", path, { headers }),
    /** Sends to the control interface, without a credential. */
    control: (method: string, path: string, body?: unknown) =>
      send(simulator, method, `/__simulator/${path}`, { body, headers: {} }),
  };
}

export const webhookBody = { target_url: "https://hooks.example.com/in", events: ["message.created"] };

export const campaignBody = {
  campaign_name: "Spring",
  campaign_type: "SMART",
  daily_budget_micros: 5_000_000,
  landing_page: "https://shop.example.com/",
};
