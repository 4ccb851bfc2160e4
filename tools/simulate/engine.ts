import { companionKey } from "../../provider/pulumi/hidden-inputs";
import { unknownValue } from "../../provider/pulumi/unknown";
import { type Host, type Hosts, InitializationFailure, type Properties } from "./host";
import type { Run } from "./run";
import type { Declaration } from "./schedule";
import {
  campaignIdOf,
  deletionPolicyOf,
  inputsOf,
  intentInputsOf,
  keyIn,
  linkTo,
  type Resource,
  type Stack,
} from "./stack";
import { Broken, type Witness } from "./witness";

/** How a resource is saved after a step that succeeded. */
const initialized = { isUninitialized: false, isPendingReplacement: false };

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
    if (kind === "preview") return this.preview();
    if (kind === "preview of a refresh") return this.refresh(false);
    if (this.stack.isLocked) {
      this.run.errors.push("the stack is currently locked by 1 lock(s)");
      return;
    }
    this.stack.isLocked = true;
    if (kind === "refresh") await this.refresh(true);
    else if (kind === "destroy") {
      const { state, intents, replacedIntents } = this.stack;
      await this.deleteAll([...state.keys()].reverse(), [...intents.keys()], [...replacedIntents], this.newHosts());
    } else {
      if (kind === "up") await this.preview();
      if (!this.hasFailed) await this.up();
    }
    this.stack.isLocked = false;
  }

  private async preview(): Promise<void> {
    const hosts = this.newHosts();
    for (const declared of this.registered()) {
      if (this.hasFailed) return;
      await this.attempt(async () => {
        const name = this.stack.nameOf(declared);
        const old = this.stack.state.get(name);
        const news = { ...inputsOf(declared), ...(await this.previewIntent(declared, hosts.intents)) };
        const inputs = await hosts.campaigns.check(old?.inputs ?? {}, news);
        if (old === undefined) return;
        const { replaces } = await hosts.campaigns.diff(old.id, old.outputs, inputs);
        if ((replaces?.length ?? 0) > 0 || old.isPendingReplacement) await hosts.campaigns.check({}, news);
      });
    }
  }

  /** What the campaign gets of its intent during a preview: nothing is known while the intent changes. */
  private async previewIntent(declared: Declaration, host: Host): Promise<Properties> {
    if (declared.campaignId !== undefined) return {};
    const old = this.stack.intents.get(this.stack.nameOf(declared));
    if (!this.isIntentTargeted()) return this.untargetedLink(old);
    const inputs = await host.check(old?.inputs ?? {}, intentInputsOf(declared));
    const isSame = old !== undefined && (await host.diff(old.id, old.outputs, inputs)).changes !== true;
    return { [companionKey]: isSame ? linkTo(old) : unknownValue };
  }

  private async up(): Promise<void> {
    const hosts = this.newHosts();
    const { isChained } = this.stack.program;
    const chains: Promise<void>[] = [];
    for (const declared of this.registered()) {
      if (this.hasFailed) break;
      chains.push(this.register(declared, hosts));
      if (isChained) await chains.at(-1);
      // A program takes its time from one resource to the next.
      else await this.run.cli.sleep(this.run.chance.next() < 0.7 ? 1 : this.run.chance.between(1, 2_000));
    }
    await Promise.all(chains);
    if (!this.hasFailed) await this.deleteWhatLeft(hosts);
  }

  /** The resources of the program that the command is for. */
  private registered(): Declaration[] {
    const { campaigns } = this.stack.program;
    const { target } = this.run.command;
    const only = target === undefined ? undefined : campaigns[target.which % Math.max(1, campaigns.length)];
    return only === undefined ? campaigns : [only];
  }

  private isIntentTargeted(): boolean {
    return this.run.command.target?.withIntent ?? true;
  }

  private untargetedLink(intent: Resource | undefined): Properties {
    if (intent === undefined) throw new Error("depends on LaunchIntent which was not specified in --target list");
    return { [companionKey]: linkTo(intent) };
  }

  /** Registers the intent, and then the campaign that waits for it. */
  private async register(declared: Declaration, hosts: Hosts): Promise<void> {
    this.rename(this.stack.nameOf(declared), declared.resource);
    await this.attempt(async () => {
      let isPlanned = false;
      try {
        const link = await this.intend(declared, hosts.intents);
        const steps = await this.plan(declared, link, hosts.campaigns);
        isPlanned = true;
        for (const step of steps) {
          if (this.hasFailed) return;
          await step();
        }
      } catch (error) {
        for (const intent of this.intentsToName(declared, isPlanned)) this.markDealtWith(intent);
        throw error;
      }
      if (declared.campaignId === undefined) this.markDealtWith(this.stack.intents.get(declared.resource));
    });
  }

  /** The intents whose campaigns this error must name. */
  private intentsToName({ resource, campaignId }: Declaration, isPlanned: boolean): Resource[] {
    // The intent of a campaign that is adopted by its id is deleted later.
    if (campaignId !== undefined) return [];
    const campaign = this.stack.state.get(resource);
    const isLaunchError = isPlanned && (campaign === undefined || campaignIdOf(campaign) === undefined);
    const all = this.stack.withReplaced(resource);
    // Now the engine does not delete the replaced ones, so the error of a launch names their campaigns too.
    return isLaunchError ? all : all.slice(0, 1);
  }

  /** From now on the intent alone is not enough: the state has its campaign, or the error names it. */
  private markDealtWith(intent: Resource | undefined): void {
    if (intent !== undefined) this.run.dealtWith.add(intent.id);
  }

  private rename(from: string, to: string): void {
    if (from === to) return;
    for (const resources of [this.stack.state, this.stack.intents]) {
      const resource = resources.get(from);
      resources.delete(from);
      if (resource !== undefined) resources.set(to, resource);
    }
  }

  /** Writes the intent of a campaign that is not adopted by its id. Returns what the campaign gets of it. */
  private async intend(declared: Declaration, host: Host): Promise<Properties> {
    if (declared.campaignId !== undefined) return {};
    const { intents, replacedIntents } = this.stack;
    const name = declared.resource;
    const old = intents.get(name);
    if (!this.isIntentTargeted()) return this.untargetedLink(old);
    const inputs = await host.check(old?.inputs ?? {}, intentInputsOf(declared));
    const { changes, replaces = [] } = old === undefined ? {} : await host.diff(old.id, old.outputs, inputs);
    let intent: Resource;
    if (old === undefined || replaces.length > 0) {
      intent = { ...initialized, inputs, ...(await host.create(inputs)) };
      this.stack.writtenAt.set(intent.id, this.run.cli.clock.now());
      if (old !== undefined) replacedIntents.push({ name, intent: old, by: intent.id });
    } else {
      const outputs = changes === true ? await host.update(old.id, old.outputs, inputs) : old.outputs;
      intent = { ...old, inputs, outputs };
    }
    intents.set(name, intent);
    return { [companionKey]: linkTo(intent) };
  }

  /** Deletes what is not declared any more, and the intents that were replaced. */
  private async deleteWhatLeft(hosts: Hosts): Promise<void> {
    const { state, intents, replacedIntents, program } = this.stack;
    const declared = new Map(program.campaigns.map((campaign) => [campaign.resource, campaign]));
    const targets =
      this.run.command.target === undefined ? undefined : this.registered().map(({ resource }) => resource);
    const isTargeted = (name: string): boolean => targets?.includes(name) ?? true;
    const isIntentTargeted = (name: string): boolean => isTargeted(name) && this.isIntentTargeted();
    await this.deleteAll(
      [...state.keys()].filter((name) => isTargeted(name) && !declared.has(name)).reverse(),
      [...intents.keys()].filter(
        (name) => isIntentTargeted(name) && (!declared.has(name) || declared.get(name)?.campaignId !== undefined),
      ),
      replacedIntents.filter(({ name }) => isIntentTargeted(name)),
      hosts,
    );
  }

  private async plan(declared: Declaration, link: Properties, host: Host): Promise<(() => Promise<void>)[]> {
    const name = declared.resource;
    const news = { ...inputsOf(declared), ...link };
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

  /** A campaign before its intent. A replaced intent waits for nothing. */
  private async deleteAll(
    campaigns: readonly string[],
    intents: readonly string[],
    replaced: Stack["replacedIntents"],
    hosts: Hosts,
  ): Promise<void> {
    const deleteIntent = (name: string) => () => this.deleteIntent(name, this.stack.intents.get(name), hosts.intents);
    await this.deleteTogether([
      ...campaigns.map((name) => () => this.delete(name, hosts.campaigns)),
      ...intents.filter((name) => !campaigns.includes(name)).map(deleteIntent),
      ...replaced.map(
        ({ name, intent }) =>
          () =>
            this.deleteIntent(name, intent, hosts.intents),
      ),
    ]);
    if (!this.hasFailed)
      await this.deleteTogether(intents.filter((name) => campaigns.includes(name)).map(deleteIntent));
  }

  private async deleteTogether(deletions: readonly (() => Promise<void>)[]): Promise<void> {
    if (!this.stack.program.isChained) await Promise.all(deletions.map((deletion) => this.attempt(deletion)));
    else for (const deletion of deletions) if (!this.hasFailed) await this.attempt(deletion);
  }

  private async deleteIntent(name: string, intent: Resource | undefined, host: Host): Promise<void> {
    if (intent === undefined) return;
    this.markDealtWith(intent);
    await host.delete(intent.id, intent.outputs);
    const { intents, replacedIntents } = this.stack;
    if (intents.get(name) === intent) intents.delete(name);
    const index = replacedIntents.findIndex((replaced) => replaced.intent === intent);
    if (index >= 0) replacedIntents.splice(index, 1);
    if (intent.outputs["campaignId"] === undefined) this.noteLetGo(intent);
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
    const host = this.newHosts().campaigns;
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
