import * as pulumi from "@pulumi/pulumi";
import { LookupFailure, LookupRun } from "../../provider/pulumi/lookup-run";
import { type Lookup } from "../../provider/lookups/shared/lookup";
import type { SettingKey } from "../../provider/settings";
import type { GivenMember, SimulatorOptions } from "../../simulator";
import { type Bench, startBench } from "../support/deployment";

/** For each test of a suite: a service with a virtual clock, and one program run that uses it. */
export function onService(settings: Partial<Record<SettingKey, string>> = {}, options: SimulatorOptions = {}) {
  let bench: Bench;
  let run: LookupRun;
  const lines = { said: [] as string[], warned: [] as string[] };
  const log = {
    info: (line: string) => void lines.said.push(line),
    warn: (line: string) => void lines.warned.push(line),
  };
  beforeEach(async () => {
    lines.said = [];
    lines.warned = [];
    bench = await startBench(settings, options);
    run = new LookupRun(bench.service, bench.clock);
  });
  afterEach(() => bench.close());
  const ask = <Args extends object, Result>(lookup: Lookup<Args, Result>, args: object, after = "", isSecret = false) =>
    run.run(lookup, args, log, { after, isSecret, isOutput: (value) => pulumi.Output.isInstance(value) });
  return {
    lines,
    ask,
    /** The error message of a failed look-up. */
    failure: async <Args extends object, Result>(
      lookup: Lookup<Args, Result>,
      args: object,
      isSecret = false,
    ): Promise<string> => {
      try {
        await ask(lookup, args, "", isSecret);
      } catch (error) {
        if (error instanceof LookupFailure) return error.message;
        throw error;
      }
      throw new Error("the look-up did not fail");
    },
    simulator: new Proxy({} as Bench["simulator"], {
      get: (_, key) => Reflect.get(bench.simulator, key) as unknown,
    }),
    clock: new Proxy({} as Bench["clock"], {
      get: (_, key) => {
        const value = Reflect.get(bench.clock, key) as unknown;
        return typeof value === "function" ? (value.bind(bench.clock) as unknown) : value;
      },
    }),
    /** Starts another run with the same service and other settings. */
    later: (changed: Partial<Record<SettingKey, string>>) => {
      run = new LookupRun(bench.later(changed).service, bench.clock);
    },
  };
}

/** Creates this many members. */
export const crowd = (count: number): GivenMember[] =>
  Array.from({ length: count }, (_, index) => ({
    email: `member-${String(index).padStart(5, "0")}@example.com`,
    full_name: `Member ${String(index)}`,
    role: "editor" as const,
    credits_used: index,
    last_active: "2026-01-02T03:04:05.000Z",
  }));
