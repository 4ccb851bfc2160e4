import { unknownValue } from "../../provider/pulumi/unknown";
import { type Hosts, InitializationFailure, type Properties } from "./host";
import { never } from "./process";
import type { Run } from "./run";
import type { Declaration } from "./schedule";
import { campaignIdOf, campaignInputsOf, intentInputsOf, type Resource, type Stack, type Type } from "./stack";
import { Broken, currentStep, type EngineStep, type Witness } from "./witness";

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
    private readonly newHosts: () => Hosts,
    private readonly witness: Witness,
  ) {}

  /** Resolves when the command ends. Failures are in the run's errors. */
  async carryOut(): Promise<void> {
    const { kind } = this.run.command;
    if (kind === "preview") return this.registerAll(true);
    if (this.stack.isLocked) {
      this.run.errors.push("the stack is currently locked by 1 lock(s)");
      return;
    }
    this.stack.isLocked = true;
    if (kind === "refresh") await this.refresh();
    else if (kind === "destroy") await this.deleteAll(this.newHosts(), () => true);
    else {
      if (kind === "up") await this.registerAll(true);
      if (!this.hasFailed) await this.registerAll(false);
    }
    this.stack.isLocked = false;
  }

  private async registerAll(isPreview: boolean): Promise<void> {
    const hosts = this.newHosts();
    const all: Promise<void>[] = [];
    for (const declared of this.stack.program) {
      if (this.hasFailed) break;
      if (!this.isTargeted("campaign", declared.resource)) continue;
      all.push(this.attempt(() => this.register(declared, hosts, isPreview)));
      // A program takes its time from one resource to the next.
      await this.run.cli.sleep(this.run.chance.next() < 0.7 ? 1 : this.run.chance.between(1, 2_000));
    }
    await Promise.all(all);
    if (this.hasFailed || isPreview) return;
    const { program } = this.stack;
    await this.deleteAll(hosts, ({ type, name, isPendingDeletion }) => {
      const declared = program.find(({ resource }) => resource === name);
      return isPendingDeletion || declared === undefined || (type === "intent" && declared.campaignId !== undefined);
    });
  }

  /** Registers the intent, and then the campaign that depends on it. */
  private async register(declared: Declaration, hosts: Hosts, isPreview: boolean): Promise<void> {
    this.stack.rename(declared);
    const { resource: name, campaignId } = declared;
    const inputs = campaignInputsOf(declared);
    if (campaignId === undefined) {
      const launchIntent = await this.place("intent", name, intentInputsOf(declared), hosts, isPreview);
      inputs["launchIntent"] = launchIntent ?? unknownValue;
    }
    await this.place("campaign", name, inputs, hosts, isPreview);
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
    if (old === undefined) return isPreview ? undefined : this.create(type, name, inputs, hosts);
    // The engine calls no `diff` for --replace.
    const { changes = false, replaces = [] } = this.isForced(type, name)
      ? { replaces: ["id"] }
      : await host.diff(old.id, old.outputs, inputs);
    if (replaces.length > 0 || old.isPendingReplacement) {
      const created = await host.check({}, news);
      if (isPreview) return undefined;
      if (type === "intent") {
        const id = await this.create(type, name, created, hosts);
        this.put(old, { ...old, isPendingDeletion: true });
        return id;
      }
      // The option deleteBeforeReplace.
      if (!old.isPendingReplacement) {
        const step = this.stepOf(old);
        await this.act(step, () => host.delete(old.id, old.outputs));
        await this.saves();
        this.put(old, { ...old, isPendingReplacement: true });
        this.witness.deleted(old, step);
      }
      return this.hasFailed ? undefined : this.create(type, name, created, hosts);
    }
    if (isPreview) return old.id;
    if (!changes && !old.isUnfinished) this.put(old, { ...old, inputs });
    else
      await this.save(old, { type, name, inputs }, this.stepOf(old, inputs), () =>
        host.update(old.id, old.outputs, inputs),
      );
    return old.id;
  }

  private async create(type: Type, name: string, inputs: Properties, hosts: Hosts): Promise<string> {
    const old = this.stack.find(type, name);
    const isReplaced = type === "intent" || old?.isPendingReplacement !== true;
    const step = this.stepOf({ type, id: "", inputs, outputs: inputs });
    return this.save(isReplaced ? undefined : old, { type, name, inputs }, step, () => hosts[type].create(inputs));
  }

  /** Runs a step that creates or updates a resource. Also saves the state that an initialization failure carries. */
  private async save(
    old: Resource | undefined,
    { type, name, inputs }: Pick<Resource, "type" | "name" | "inputs">,
    step: EngineStep,
    work: () => Promise<{ id: string; outputs: Properties }>,
  ): Promise<string> {
    const saved = { type, name, inputs, isPendingReplacement: false, isPendingDeletion: false };
    try {
      const resource: Resource = { ...saved, ...(await this.act(step, work)), isUnfinished: false };
      await this.saves();
      this.witness.stepEnds(step, resource);
      this.put(old, resource);
      return resource.id;
    } catch (error) {
      const { id, properties: outputs } = error instanceof InitializationFailure ? error : {};
      const isSaved = id !== undefined && outputs !== undefined;
      const resource: Resource | undefined = isSaved ? { ...saved, id, outputs, isUnfinished: true } : undefined;
      if (resource !== undefined) await this.saves();
      if (resource !== undefined || !this.run.isInterrupted) this.witness.stepEnds(step, resource);
      if (resource !== undefined) this.put(old, resource);
      throw error;
    }
  }

  /** Deletes a campaign before its intent. The engine forgets a pending replacement without a call. */
  private async deleteAll(hosts: Hosts, isMeant: (resource: Resource) => boolean): Promise<void> {
    const meant = this.stack.state.filter((one) => isMeant(one) && this.isTargeted(one.type, one.name)).reverse();
    const waitsFor = ({ type, name, isPendingDeletion }: Resource): boolean =>
      type === "intent" &&
      !isPendingDeletion &&
      meant.some((other) => other.type === "campaign" && other.name === name);
    for (const group of [meant.filter((one) => !waitsFor(one)), meant.filter(waitsFor)]) {
      if (this.hasFailed) return;
      await Promise.all(group.map((resource) => this.attempt(() => this.delete(resource, hosts))));
    }
  }

  private async delete(resource: Resource, hosts: Hosts): Promise<void> {
    const { type, id, outputs, isPendingReplacement } = resource;
    const step = this.stepOf(resource);
    if (!isPendingReplacement)
      await this.act(step, () => hosts[type].delete(id, outputs)).catch((error: unknown) => {
        this.witness.deletionFailed(step);
        throw error;
      });
    await this.saves();
    this.stack.state = this.stack.state.filter((one) => one !== resource);
    if (!isPendingReplacement) this.witness.deleted(resource, step);
  }

  /** Reads every resource, even if some fail, and saves at the end. */
  private async refresh(): Promise<void> {
    const hosts = this.newHosts();
    const found: [Resource, Resource | undefined][] = [];
    const reads = this.stack.state.map((old) =>
      this.attempt(async () => {
        const { type, name, isPendingReplacement, isPendingDeletion } = old;
        if (isPendingReplacement || isPendingDeletion || !this.isTargeted(type, name)) return;
        const step = this.stepOf(old);
        const read = await this.act(step, () => hosts[type].read(old.id, old.outputs));
        if (read === undefined) {
          found.push([old, undefined]);
          return;
        }
        const { id, outputs, inputs = old.inputs } = read;
        // To show the drift.
        await hosts[type].diff(id, outputs, old.inputs);
        const resource = { ...old, id, outputs, inputs, isUnfinished: false };
        this.witness.stepEnds(step, resource);
        found.push([old, resource]);
      }),
    );
    await Promise.all(reads);
    await this.saves();
    for (const [old, resource] of found)
      if (resource === undefined) this.stack.state = this.stack.state.filter((one) => one !== old);
      else this.put(old, resource);
  }

  private isTargeted(type: Type, name: string): boolean {
    const { target } = this.run.command;
    if (target === undefined) return true;
    return this.nameOf(target.which) === name && (type === "campaign" || target.withIntent);
  }

  private isForced(type: Type, name: string): boolean {
    const { replace, kind } = this.run.command;
    if (replace === undefined || !kind.startsWith("up") || this.nameOf(replace.which) !== name) return false;
    return replace.what === type || replace.what === "both";
  }

  /** One of the resources in the program or in the state. */
  private nameOf(which: number): string | undefined {
    const names = [...this.stack.program.map(({ resource }) => resource), ...this.stack.state.map(({ name }) => name)];
    const all = [...new Set(names)];
    return all[which % Math.max(1, all.length)];
  }

  private stepOf(old: Pick<Resource, "type" | "id" | "inputs" | "outputs">, news: Properties = {}): EngineStep {
    const values = [old.inputs, old.outputs, news];
    const texts = (name: string): string[] =>
      values.map((value) => value[name]).filter((value) => typeof value === "string");
    const isIntent = old.type === "intent";
    return {
      type: old.type,
      run: this.run,
      stack: this.stack,
      keys: isIntent ? [old.id] : texts("launchIntent"),
      ids: isIntent ? [] : texts("campaignId"),
      posts: [],
    };
  }

  /** Calls the provider. An error hook may repeat what failed. */
  private async act<T>(step: EngineStep, work: () => Promise<T>): Promise<T> {
    // A refresh has no hooks, and an intent gets none.
    const isHooked = step.type === "campaign" && this.run.command.kind !== "refresh";
    for (let left = isHooked ? this.run.command.repeats : 0; ; left--)
      try {
        return await currentStep.run(step, work);
      } catch (error) {
        if (left === 0 || !this.run.host.isAlive || error instanceof Broken) throw error;
      }
  }

  /** A result is about to be saved. */
  private async saves(): Promise<void> {
    this.run.meetSave();
    if (!this.run.cli.isAlive) await never();
  }

  private put(old: Resource | undefined, resource: Resource): void {
    const index = old === undefined ? -1 : this.stack.state.indexOf(old);
    this.stack.state = index < 0 ? [...this.stack.state, resource] : this.stack.state.with(index, resource);
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

/** The campaigns of a program that the state has, with their declarations. */
export function declaredCampaigns(stack: Stack): { declared: Declaration; resource: Resource; id: string }[] {
  return stack.program.flatMap((declared) => {
    const resource = stack.find("campaign", declared.resource);
    const [id] = resource === undefined ? [] : (campaignIdOf(resource) ?? []);
    return resource === undefined || id === undefined ? [] : [{ declared, resource, id }];
  });
}
