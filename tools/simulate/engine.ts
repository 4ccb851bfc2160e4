import { type Host, InitializationFailure, type Properties } from "./host";
import type { Run } from "./run";
import type { Declaration } from "./schedule";
import { campaignIdOf, inputsOf, keyIn, deletionPolicyOf, type Resource, type Stack } from "./stack";
import { Broken, type Witness } from "./witness";

/**
 * The Pulumi engine as far as a provider can tell: which calls it makes in which order, what it saves of their results,
 * and what it skips after a failure (deployment_executor, step_generator and step of 3.259).
 */
export class Engine {
  private hasFailed = false;

  constructor(
    private readonly stack: Stack,
    private readonly run: Run,
    /** Every operation has its own host process. */
    private readonly newHost: () => Host,
    private readonly witness: Witness,
  ) {}

  /** Resolves when the command ends. Failures are in the run's errors. */
  async carryOut(): Promise<void> {
    const { kind } = this.run.command;
    if (kind === "preview") return this.preview();
    if (kind === "preview of a refresh") return this.refresh(false);
    if (this.stack.isLocked) {
      this.run.errors.push("the stack is currently locked by 1 lock(s)");
      return;
    }
    this.stack.isLocked = true;
    if (kind === "refresh") await this.refresh(true);
    else if (kind === "destroy") await this.deleteAll([...this.stack.state.keys()].reverse(), this.newHost());
    else {
      if (kind === "up") await this.preview();
      if (!this.hasFailed) await this.up();
    }
    this.stack.isLocked = false;
  }

  private async preview(): Promise<void> {
    const host = this.newHost();
    for (const declared of this.stack.program.campaigns) {
      if (this.hasFailed) return;
      await this.attempt(async () => {
        const old = this.stack.state.get(declared.resource);
        const inputs = await host.check(old?.inputs ?? {}, inputsOf(declared));
        if (old !== undefined) await host.diff(old.id, old.outputs, inputs);
      });
    }
  }

  private async up(): Promise<void> {
    const host = this.newHost();
    const { campaigns, isChained } = this.stack.program;
    const chains: Promise<void>[] = [];
    for (const declared of campaigns) {
      if (this.hasFailed) break;
      const chain = await this.register(declared, host);
      chains.push(chain());
      if (isChained) await chains.at(-1);
      // A program takes its time from one resource to the next.
      else await this.run.cli.sleep(this.run.chance.next() < 0.7 ? 1 : this.run.chance.between(1, 2_000));
    }
    await Promise.all(chains);
    if (this.hasFailed) return;
    const declared = new Set(campaigns.map(({ resource }) => resource));
    await this.deleteAll([...this.stack.state.keys()].filter((name) => !declared.has(name)).reverse(), host);
  }

  /** Checks and compares one resource. Returns its steps, which run beside those of other resources. */
  private async register(declared: Declaration, host: Host): Promise<() => Promise<void>> {
    let chain: (() => Promise<void>)[] = [];
    await this.attempt(async () => {
      chain = await this.plan(declared, host);
    });
    return async () => {
      for (const step of chain) {
        if (this.hasFailed) return;
        await this.attempt(step);
      }
    };
  }

  private async plan(declared: Declaration, host: Host): Promise<(() => Promise<void>)[]> {
    const name = declared.resource;
    const news = inputsOf(declared);
    const old = this.stack.state.get(name);
    const inputs = await host.check(old?.inputs ?? {}, news);
    if (old === undefined) return [() => this.create(name, inputs, host)];
    const { changes, replaces } = await host.diff(old.id, old.outputs, inputs);
    if ((replaces?.length ?? 0) > 0 || old.isPendingReplacement) {
      const created = await host.check({}, news);
      const create = (): Promise<void> => this.create(name, created, host);
      return old.isPendingReplacement ? [create] : [() => this.deleteToReplace(name, old, host), create];
    }
    if (changes === true || old.isUninitialized) return [() => this.update(name, old, inputs, host)];
    this.stack.state.set(name, { ...old, inputs });
    return [];
  }

  private async create(name: string, inputs: Properties, host: Host): Promise<void> {
    this.witness.stepBegins(this.run, keyIn(inputs));
    await this.saving(name, inputs, () => host.create(inputs));
  }

  private async update(name: string, old: Resource, inputs: Properties, host: Host): Promise<void> {
    this.witness.stepBegins(this.run, keyIn(inputs));
    await this.saving(name, inputs, async () => {
      try {
        return { id: old.id, outputs: await host.update(old.id, old.outputs, inputs) };
      } catch (error) {
        // An update cannot change the ID.
        if (error instanceof InitializationFailure)
          throw new InitializationFailure(error.message, old.id, error.properties);
        throw error;
      }
    });
  }

  private async deleteToReplace(name: string, old: Resource, host: Host): Promise<void> {
    await host.delete(old.id, old.outputs);
    this.stack.state.set(name, { ...old, isPendingReplacement: true });
    this.noteLetGo(old);
  }

  private async deleteAll(names: string[], host: Host): Promise<void> {
    const deletions = names.map((name) => () => this.attempt(() => this.delete(name, host)));
    if (!this.stack.program.isChained) await Promise.all(deletions.map((deletion) => deletion()));
    else for (const deletion of deletions) if (!this.hasFailed) await deletion();
  }

  private async delete(name: string, host: Host): Promise<void> {
    const resource = this.stack.state.get(name);
    if (resource === undefined) return;
    if (!resource.isPendingReplacement) await host.delete(resource.id, resource.outputs);
    this.stack.state.delete(name);
    if (!resource.isPendingReplacement) this.noteLetGo(resource);
  }

  /** Reads every resource, even if some fail, and saves at the end. */
  private async refresh(isSaved: boolean): Promise<void> {
    const host = this.newHost();
    const found = new Map<string, Resource | undefined>();
    const reads = [...this.stack.state].map(([name, old]) =>
      this.attempt(async () => {
        if (old.isPendingReplacement) return;
        const read = await host.read(old.id, old.outputs);
        if (read === undefined) {
          found.set(name, undefined);
          return;
        }
        const { id, outputs, inputs = old.inputs } = read;
        // To show the drift.
        await host.diff(id, outputs, old.inputs);
        found.set(name, { id, outputs, inputs, isUninitialized: false, isPendingReplacement: false });
      }),
    );
    await Promise.all(reads);
    if (!isSaved) return;
    for (const [name, resource] of found)
      if (resource === undefined) this.stack.state.delete(name);
      else this.save(name, resource);
  }

  /** Runs a step that creates or updates a resource. Also saves the state that an initialization failure carries. */
  private async saving(
    name: string,
    inputs: Properties,
    step: () => Promise<{ id: string; outputs: Properties }>,
  ): Promise<void> {
    try {
      const { id, outputs } = await step();
      this.save(name, { id, inputs, outputs, isUninitialized: false, isPendingReplacement: false });
    } catch (error) {
      if (error instanceof InitializationFailure) {
        const { id, properties: outputs } = error;
        this.save(name, { id, inputs, outputs, isUninitialized: true, isPendingReplacement: false });
      }
      throw error;
    }
  }

  private save(name: string, resource: Resource): void {
    this.stack.state.set(name, resource);
    const id = campaignIdOf(resource);
    if (id === undefined) return;
    this.witness.saved.add(id);
    // Declared again, and found.
    this.witness.letGo.delete(id);
  }

  private noteLetGo(resource: Resource): void {
    if (deletionPolicyOf(resource) === "delete") return;
    const { outputs } = resource;
    const managed = this.stack.managed();
    for (const { id, declaredAs } of this.witness.live(this.stack.number)) {
      const isIt = outputs["campaignId"] === undefined ? declaredAs === keyIn(outputs) : id === outputs["campaignId"];
      if (isIt && !managed.has(id)) this.witness.letGo.add(id);
    }
  }

  private async attempt(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (error instanceof Broken) this.witness.breaks(error.message);
      this.hasFailed = true;
      this.run.errors.push(error instanceof Error ? error.message : String(error));
    }
  }
}
