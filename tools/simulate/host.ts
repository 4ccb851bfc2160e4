import type { dynamic } from "@pulumi/pulumi";
import type { Properties } from "../../provider/pulumi/saved";
import type { Run } from "./run";
import { never } from "./time";
import { Broken } from "./witness";

type Provider = Required<dynamic.ResourceProvider<Properties, Properties>>;

/** The parts of a created, updated or read resource that the engine saves. */
export interface Result {
  id: string;
  outputs: Properties;
  inputs?: Properties;
}

/** An error that carries the state to save. */
export class InitializationFailure extends Error {
  constructor(
    message: string,
    readonly saved: Result,
  ) {
    super(message);
  }
}

/** The dynamic host of one command, as the engine calls it for each type of resource. */
export type Hosts = Record<"campaign" | "intent", Host>;

/** The dynamic host as it ships in `@pulumi/pulumi`: what it adds to results, and that it can be killed. */
export class Host {
  constructor(
    private readonly provider: dynamic.ResourceProvider<Properties, Properties>,
    private readonly run: Run,
  ) {}

  async check(olds: Properties, news: Properties): Promise<Properties> {
    const { inputs, failures = [] } = await this.call("check", olds, news);
    if (failures.length > 0)
      throw new Error(failures.map(({ property, reason }) => `${property} ${reason}`).join("; "));
    return sent(inputs ?? {}, news);
  }

  diff(id: string, olds: Properties, news: Properties): Promise<dynamic.DiffResult> {
    return this.call("diff", id, olds, news);
  }

  async create(inputs: Properties): Promise<Result> {
    const { id, outs } = await this.call("create", inputs);
    return { id, outputs: sent(outs ?? {}, inputs) };
  }

  async update(id: string, olds: Properties, inputs: Properties): Promise<Result> {
    const { outs } = await this.call("update", id, olds, inputs);
    return { id, outputs: sent(outs ?? {}, inputs) };
  }

  /** Undefined when it is gone. */
  async read(id: string, outputs: Properties): Promise<Result | undefined> {
    const read = await this.call("read", id, outputs);
    if (read.id === undefined) return undefined;
    const { props = {}, inputs } = read;
    return {
      id: read.id,
      outputs: sent(props, outputs),
      ...(inputs === undefined ? {} : { inputs: sent(inputs, outputs) }),
    };
  }

  delete(id: string, outputs: Properties): Promise<void> {
    return this.call("delete", id, outputs);
  }

  private async call<Name extends "check" | "diff" | "create" | "read" | "update" | "delete">(
    name: Name,
    ...given: Parameters<Provider[Name]>
  ): Promise<Awaited<ReturnType<Provider[Name]>>> {
    type Answer = Awaited<ReturnType<Provider[Name]>>;
    const { host, cli } = this.run;
    const method = this.provider[name] as unknown as (...values: unknown[]) => Promise<Answer>;
    try {
      const answer = host.isAlive ? await Promise.race([method(...given), host.death]) : await host.death;
      if (!host.isEnding) return cli.isAlive ? answer : await never();
    } catch (error) {
      if (!cli.isAlive) return never();
      if (host.isAlive && !host.isEnding) throw failure(error);
    }
    host.kill();
    return cli.isAlive ? host.death : never();
  }
}

function failure(error: unknown): unknown {
  const { message, id, properties } = error as { message: string; id?: string; properties?: Properties };
  if (id === undefined || properties === undefined) return error;
  return new InitializationFailure(message, { id, outputs: sent(properties, properties) });
}

/** A result after its way over the wire, with the locator. `undefined` cannot pass: a finished step would be lost. */
function sent(properties: Properties, { __provider }: Properties): Properties {
  const text = JSON.stringify({ ...properties, __provider }, (key, value: unknown) => {
    if (value === undefined) throw new Broken(`Unexpected struct type: ${key} is undefined.`);
    return value;
  });
  return JSON.parse(text) as Properties;
}
