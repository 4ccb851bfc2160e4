import { Service } from "../../provider/service/client";
import type { OperationId } from "../../provider/service/operations";
import { systemClock } from "../../provider/service/clock";
import { connectionTo } from "../../test/service/support/client";
import { atMost, type Goal, measured } from "../goals";

interface Answered {
  id: OperationId;
  text: string;
  /** @default 200 */
  status?: number;
  /** What was sent. */
  body?: Record<string, unknown>;
}

/** The largest answers that are read to their end, of what costs most in each: many rows, many fields, texts, spaces. */
function answers(): Record<string, Answered> {
  const rows = (count: number, row: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => row(index)).join();
  const time = "2026-01-02T03:04:05Z";
  const webhook = (index: number): string =>
    `{"id":"hook-${String(index)}","target_url":"https://hooks.example.com/","events":["message.completed"],"has_secret":true,"created_date":"${time}"}`;
  const field = (index: number): string => `"field${String(index)}":0`;
  const quotes = (mebibytes: number): string => '\\"'.repeat((mebibytes * 2 ** 20) / 2 - 20);
  const values = Array.from({ length: 9_600 }, (_, index): [string, string] => [
    `field${String(index)}`,
    `the value ${String(index)}/ü`,
  ]);
  const problem = (index: number): string => `{"loc":["body","field${String(index)}"],"msg":"wrong: the value 7/ü"}`;
  const refusal = { id: "record.create", status: 422, text: `{"detail":[${rows(1_000, problem)}]}` } as const;
  return {
    "42,000 webhooks": { id: "webhook.list", text: `[${rows(42_000, webhook)}]` },
    "149,000 records": { id: "record.list", text: `[${rows(149_000, (index) => `{"id":"${String(index)}"}`)}]` },
    "149,000 assets": { id: "asset.list", text: `{"durable":[${rows(149_000, () => '{"a":1}')}]}` },
    "16 MiB of records": {
      id: "record.list",
      text: `[${rows(15_000, (index) => `{"id":"${String(index)}","text":"${"x".repeat(1_000)}"}`)}]`,
    },
    "16 MiB of quotes": { id: "record.list", text: `[${rows(4, () => `{"id":"${quotes(3.9)}"}`)}]` },
    "a record of 12,000 fields": { id: "record.get", text: `{"id":"a",${rows(11_990, field)}}` },
    "a refusal of 200 values": { ...refusal, body: Object.fromEntries(values.slice(0, 200)) },
    "a refusal of 9,600 values": { ...refusal, body: Object.fromEntries(values) },
    "16 MiB of nothing but lists": { id: "record.list", text: `[${"[],".repeat(5_500_000)}[]]` },
  };
}

/**
 * How long nothing else in the process has its turn while the largest answers are read and checked: the longest stretch
 * between two turns, of the calmest round, because other processes take time as well. Collecting garbage is in it. What
 * the work alone takes stands beside it: the same is done in every round, so of each stretch the shortest counts.
 */
export async function stallGoals(rounds: number): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const [what, answered] of Object.entries(answers())) {
    const { text } = answered;
    process.stdout.write(`stall by ${what}\n`);
    const stretches: number[][] = [];
    const parses: number[] = [];
    for (let round = 0; round < rounds; round++) {
      stretches.push(await watched(() => call(answered)));
      parses.push(timed(() => JSON.parse(text) as unknown));
    }
    const shortest = (stretches[0] ?? []).map((_, turn) => Math.min(...stretches.map((all) => all[turn] ?? 0)));
    const at = `${what}, ${(text.length / 2 ** 20).toFixed(1)} MiB`;
    const calmest = Math.min(...stretches.map((all) => Math.max(...all)));
    const from = `${String(shortest.length)} stretches, ${String(rounds)} rounds; the work alone ${Math.max(...shortest).toFixed(1)} ms`;
    goals.push(
      atMost(50, { what: "longest stall by an answer", at, value: calmest, unit: "ms", from }),
      measured({ what: "JSON.parse of it in one go", at, value: Math.min(...parses), unit: "ms", from: "shortest" }),
    );
  }
  return goals;
}

async function call({ id, text, status = 200, body }: Answered): Promise<void> {
  const transport = { send: () => Promise.resolve({ status, headers: {}, text }), close: () => Promise.resolve() };
  const service = new Service(connectionTo("https://service.example.com"), systemClock, () => undefined, transport);
  const parameters = { agent_id: "agent", app_id: "app", entity_name: "Note", entity_id: "record" };
  const sent = { parameters, once: true, ...(body === undefined ? {} : { body }) };
  // What is refused takes its time too.
  await service.call(id, sent as Parameters<Service["call"]>[1]).catch(() => undefined);
}

/** The milliseconds between the turns that others have while the work goes on. */
async function watched(work: () => Promise<void>): Promise<number[]> {
  const stretches: number[] = [];
  let last = performance.now();
  let isDone = false;
  const probe = (): void => {
    const now = performance.now();
    stretches.push(now - last);
    last = now;
    if (!isDone) setImmediate(probe);
  };
  setImmediate(probe);
  await work();
  isDone = true;
  await new Promise((resolve) => setImmediate(resolve));
  return stretches;
}

function timed(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
