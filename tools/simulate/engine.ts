import type { Properties } from "../../provider/pulumi/saved";
import { unknownValue } from "../../provider/serializable";
import { type Hosts, InitializationFailure, type Result } from "./host";
import type { Run } from "./run";
import type { Declaration } from "./schedule";
import { inputsOf, type Resource, type Stack, type Type } from "./stack";
import { never } from "./time";
import { Broken, currentStep, type EngineStep, type Witness } from "./witness";

/**
 * The Pulumi engine as far as a provider can tell (deployment_executor, step_generator and step of 3.259). It makes the
 * same calls in the same order, saves the same parts of their results, and skips the same steps after a failure.
 */
export class Engine {
  private hasFailed = false;

  constructor(
    private readonly stack: Stack,
    private readonly run: Run,
    /** Every operation has its own host process. */
    private readonly newHosts: () => Hosts,
    private readonly witness: Witness,
  ) {}

  /** Resolves when the command ends. Failures are in the run's errors. */
  async carryOut(): Promise<void> {
    const { kind } = this.run.command;
    if (kind === "preview") return this.registerAll(true, this.newHosts());
    if (this.stack.isLocked) {
      this.run.errors.push("the stack is currently locked by 1 lock(s)");
      return;
    }
    this.stack.isLocked = true;
    if (kind === "up") await this.registerAll(true, this.newHosts());
    // With --refresh, the same processes refresh and go on.
    const hosts = this.newHosts();
    if (kind.endsWith("refresh")) await this.refresh(hosts);
    if (!this.hasFailed && kind.startsWith("destroy")) await this.deleteAll(hosts, () => true);
    if (!this.hasFailed && kind.startsWith("up")) await this.registerAll(false, hosts);
    this.stack.isLocked = false;
  }

  private async registerAll(isPreview: boolean, hosts: Hosts): Promise<void> {
    const { program } = this.stack;
    const all: Promise<void>[] = [];
    for (const declared of program) {
      if (this.hasFailed) break;
      if (!this.isTargeted("campaign", declared.resource)) continue;
      all.push(this.attempt(() => this.register(declared, hosts, isPreview)));
      // A program takes its time from one resource to the next.
      await this.run.cli.sleep(this.run.chance.next() < 0.7 ? 1 : this.run.chance.between(1, 2_000));
    }
    await Promise.all(all);
    if (this.hasFailed || isPreview) return;
    await this.deleteAll(hosts, ({ name, isPendingDeletion }) => {
      const declared = program.find(({ resource }) => resource === name);
      return isPendingDeletion === true || declared === undefined;
    });
  }

  /** Registers the intent, and then the campaign that depends on it. */
  private async register(declared: Declaration, hosts: Hosts, isPreview: boolean): Promise<void> {
    this.stack.rename(declared);
    const place = (type: Type, more: Properties = {}): Promise<string | undefined> =>
      this.place(type, declared.resource, { ...inputsOf(type, declared), ...more }, hosts, isPreview);
    await place("campaign", { launchIntent: (await place("intent")) ?? unknownValue });
  }

  /** Plans and carries out the steps of one resource. Returns its id, if that is known. */
  private async place(
    type: Type,
    name: string,
    news: Properties,
    hosts: Hosts,
    isPreview: boolean,
  ): Promise<string | undefined> {
    const host = hosts[type];
    const old = this.stack.find(type, name);
    if (!this.isTargeted(type, name)) {
      if (old === undefined) throw new Error(`depends on ${type} ${name}, which was not specified in --target list`);
      return old.id;
    }
    const inputs = await host.check(old?.inputs ?? {}, news);
    const create = (given: Properties, replaced?: Resource): Promise<string> => {
      const created: Resource = { type, name, id: "", inputs: given, outputs: given };
      return this.save(replaced, created, this.stepOf(created), () => host.create(given));
    };
    if (old === undefined) return isPreview ? undefined : create(inputs);
    // The engine calls no `diff` for --replace.
    const { changes = false, replaces = [] } = this.isForced(type, name)
      ? { replaces: ["id"] }
      : await host.diff(old.id, old.outputs, inputs);
    if (replaces.length > 0 || old.isPendingReplacement === true) {
      const created = await host.check({}, news);
      if (isPreview) return undefined;
      if (type === "intent") {
        const id = await create(created);
        this.stack.put(old, { ...old, isPendingDeletion: true });
        return id;
      }
      // The option deleteBeforeReplace.
      const pending = { ...old, isPendingReplacement: true };
      if (old.isPendingReplacement !== true) await this.delete(old, hosts, pending);
      return this.hasFailed ? undefined : create(created, this.stack.find(type, name));
    }
    if (isPreview) return old.id;
    if (!changes && old.isUnfinished !== true) this.stack.put(old, { ...old, inputs });
    else
      await this.save(old, { ...old, inputs }, this.stepOf(old, inputs), () =>
        host.update(old.id, old.outputs, inputs),
      );
    return old.id;
  }

  /** Runs a step that creates or updates a resource. Also saves the state that an initialization failure carries. */
  private async save(
    old: Resource | undefined,
    { type, name, id, inputs }: Resource,
    step: EngineStep,
    work: () => Promise<Result>,
  ): Promise<string> {
    let error: unknown;
    const result = await this.act(step, work).catch((thrown: unknown) => {
      error = thrown;
      return thrown instanceof InitializationFailure ? thrown.saved : undefined;
    });
    if (result !== undefined) await this.saves();
    // An update cannot change the id.
    const saved = result && { type, name, inputs, ...result, id: id || result.id, isUnfinished: error !== undefined };
    if (saved !== undefined || !this.run.isInterrupted) this.witness.stepEnds(step, saved);
    if (saved !== undefined) this.stack.put(old, saved);
    if (saved === undefined || error !== undefined) throw error;
    return saved.id;
  }

  /** Deletes a campaign before its intent. */
  private async deleteAll(hosts: Hosts, isMeant: (resource: Resource) => boolean): Promise<void> {
    const meant = this.stack.state.filter((one) => isMeant(one) && this.isTargeted(one.type, one.name)).reverse();
    const waitsFor = ({ type, name, isPendingDeletion }: Resource): boolean =>
      type === "intent" &&
      isPendingDeletion !== true &&
      meant.some((other) => other.type === "campaign" && other.name === name);
    for (const group of [meant.filter((one) => !waitsFor(one)), meant.filter(waitsFor)]) {
      if (this.hasFailed) return;
      await Promise.all(group.map((resource) => this.attempt(() => this.delete(resource, hosts))));
    }
  }

  /** The engine forgets a pending replacement without a call. */
  private async delete(resource: Resource, hosts: Hosts, left?: Resource): Promise<void> {
    const { type, id, outputs, isPendingReplacement } = resource;
    const step = this.stepOf(resource);
    if (isPendingReplacement !== true) await this.act(step, () => hosts[type].delete(id, outputs));
    await this.saves();
    this.stack.put(resource, left);
    if (isPendingReplacement !== true) this.witness.deleted(resource, step);
  }

  /** Reads every resource, even if some fail, and saves at the end. */
  private async refresh(hosts: Hosts): Promise<void> {
    const found: [Resource, Resource | undefined][] = [];
    const reads = this.stack.state.map((old) =>
      this.attempt(async () => {
        const { type, name, id, inputs, outputs, isPendingReplacement, isPendingDeletion } = old;
        if (isPendingReplacement === true || isPendingDeletion === true || !this.isTargeted(type, name)) return;
        const step = this.stepOf(old);
        const read = await currentStep.run(step, () => hosts[type].read(id, outputs));
        const resource = read && { ...old, ...read, isUnfinished: false };
        // To show the drift.
        if (read !== undefined) await hosts[type].diff(read.id, read.outputs, inputs);
        if (resource !== undefined) this.witness.stepEnds(step, resource);
        found.push([old, resource]);
      }),
    );
    await Promise.all(reads);
    await this.saves();
    for (const [old, resource] of found) this.stack.put(old, resource);
  }

  private isTargeted(type: Type, name: string): boolean {
    const { target } = this.run.command;
    return target === undefined || (this.nameOf(target.which) === name && (type === "campaign" || target.withIntent));
  }

  private isForced(type: Type, name: string): boolean {
    const { replace, kind } = this.run.command;
    const isMeant = replace !== undefined && kind.startsWith("up") && this.nameOf(replace.which) === name;
    return isMeant && (replace.what === type || replace.what === "both");
  }

  /** One of the resources in the program or in the state. */
  private nameOf(which: number): string | undefined {
    const { program, state } = this.stack;
    const names = [...new Set([...program.map(({ resource }) => resource), ...state.map(({ name }) => name)])];
    return names[which % Math.max(1, names.length)];
  }

  private stepOf({ type, id, inputs, outputs }: Resource, news: Properties = {}): EngineStep {
    const texts = (name: string): string[] =>
      [inputs, outputs, news].map((values) => values[name]).filter((value) => typeof value === "string");
    const [keys, ids] = type === "intent" ? [[id], []] : [texts("launchIntent"), texts("campaignId")];
    return { type, run: this.run, stack: this.stack, keys, ids };
  }

  /** Calls the provider. An error hook may repeat what failed: not a step of an intent. */
  private async act<T>(step: EngineStep, work: () => Promise<T>): Promise<T> {
    for (let left = step.type === "campaign" ? this.run.command.repeats : 0; ; left--)
      try {
        return await currentStep.run(step, work);
      } catch (error) {
        if (left === 0 || !this.run.host.isAlive || error instanceof Broken) throw error;
      }
  }

  /** A result is about to be saved. */
  private async saves(): Promise<void> {
    const { crash } = this.run.meet("save");
    if (crash !== undefined) this.run.crash({ ...crash, point: "before" });
    if (!this.run.cli.isAlive) await never();
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
