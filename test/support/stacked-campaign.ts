import type { dynamic } from "@pulumi/pulumi";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { nameKey, placeKey } from "../../provider/pulumi/hidden-inputs";
import type { State } from "../../provider/resources/ad-campaign/campaign";
import { launchIntentLifecycle, type State as Intent } from "../../provider/resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import type { Bench } from "./deployment";

type Values = Record<string, unknown>;

interface How {
  /** `--replace`, for which the engine calls no `diff`. */
  readonly replace?: boolean;
  /** `--target`: the engine calls nothing for the intent. */
  readonly isIntentSeen?: boolean;
}

interface Outcome {
  readonly did: "create" | "nothing" | "update" | "replace";
  readonly replaces: readonly string[];
}

/**
 * A campaign of a program with what the state of its stack has of it. Each method calls the two lifecycles as the engine
 * does: the intent first, and a replacement is checked twice, deleted, and created.
 */
export class StackedCampaign {
  intent: Intent | undefined;
  state: State | undefined;
  private inputs: Values | undefined;
  private bench: Bench;
  private campaigns: dynamic.ResourceProvider;
  private intents: dynamic.ResourceProvider;

  constructor(
    bench: Bench,
    /** As the program has it by now. With an alias, a renamed resource stays the same. */
    public name = "spring",
  ) {
    this.bench = bench;
    this.campaigns = dynamicProvider(adCampaignLifecycle, () => this.bench) as dynamic.ResourceProvider;
    this.intents = dynamicProvider(launchIntentLifecycle, () => this.bench) as dynamic.ResourceProvider;
  }

  /** The same stack in a later command. */
  in(bench: Bench): this {
    this.bench = bench;
    this.campaigns = dynamicProvider(adCampaignLifecycle, () => this.bench) as dynamic.ResourceProvider;
    this.intents = dynamicProvider(launchIntentLifecycle, () => this.bench) as dynamic.ResourceProvider;
    return this;
  }

  /** As if a command had been killed before Pulumi saved the campaign. */
  loseState(): void {
    this.state = undefined;
    this.inputs = undefined;
  }

  /** As if the campaign were declared with another intent. */
  loseIntent(): void {
    this.intent = undefined;
  }

  preview(args: object, how: How = {}): Promise<Outcome> {
    return this.run(args, how, true);
  }

  up(args: object, how: How = {}): Promise<Outcome> {
    return this.run(args, how, false);
  }

  async refresh(): Promise<void> {
    const { props } = (await this.campaigns.read?.("id", this.state)) ?? {};
    this.state = props as State | undefined;
  }

  async destroy(): Promise<void> {
    if (this.state !== undefined) await this.campaigns.delete?.("id", this.state);
    this.state = undefined;
    this.inputs = undefined;
    if (this.intent !== undefined) await this.intents.delete?.("id", this.intent);
    this.intent = undefined;
  }

  private async run(args: object, { replace = false, isIntentSeen = true }: How, isPreview: boolean): Promise<Outcome> {
    const hidden = { [placeKey]: `project/stack/${this.name}`, [nameKey]: this.name };
    // A campaign that is adopted by its id has no intent. One that it had is removed at the end of the command.
    const removed = "campaignId" in args ? this.intent : undefined;
    const key = "campaignId" in args ? undefined : await this.keepIntent(args, hidden, isPreview, isIntentSeen);
    const news = { ...args, ...hidden, ...(key === undefined ? {} : { launchIntent: key }) };
    const inputs = await this.check(this.inputs ?? {}, news);
    const outcome = await this.compare(inputs, replace);
    if (outcome.did === "replace" || outcome.did === "create") await this.check({}, news);
    if (isPreview) return outcome;
    if (outcome.did === "replace") {
      await this.campaigns.delete?.("id", this.state);
      this.state = undefined;
      this.inputs = undefined;
    }
    if (outcome.did === "update")
      await this.save(inputs, async () => (await this.campaigns.update?.("id", this.state, inputs))?.outs as Values);
    else if (outcome.did !== "nothing")
      await this.save(inputs, async () => (await this.campaigns.create?.(inputs))?.outs as Values);
    this.inputs = inputs;
    if (removed !== undefined) await this.intents.delete?.("id", removed);
    if (removed !== undefined) this.intent = undefined;
    return outcome;
  }

  private async keepIntent(args: object, hidden: object, isPreview: boolean, isSeen: boolean): Promise<string> {
    const { appId, deletionPolicy } = args as { appId?: unknown; deletionPolicy?: unknown };
    const news: Values = { appId, ...(deletionPolicy === undefined ? {} : { deletionPolicy }), ...hidden };
    const { intent } = this;
    if (!isSeen && intent !== undefined) return intent.key;
    const { inputs } = (await this.intents.check?.(intent ?? {}, news)) ?? {};
    if (intent === undefined) {
      if (isPreview) return unknownKey;
      this.intent = (await this.intents.create?.(inputs))?.outs as Intent;
      return this.intent.key;
    }
    const { changes = false } = (await this.intents.diff?.("id", intent, inputs)) ?? {};
    if (changes && !isPreview) this.intent = (await this.intents.update?.("id", intent, inputs))?.outs as Intent;
    return intent.key;
  }

  private async check(olds: Values, news: Values): Promise<Values> {
    const { inputs, failures = [] } = (await this.campaigns.check?.(olds, news)) ?? {};
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return inputs as Values;
  }

  private async compare(inputs: Values, replace: boolean): Promise<Outcome> {
    if (this.state === undefined) return { did: "create", replaces: [] };
    if (replace) return { did: "replace", replaces: [] };
    const { changes = false, replaces = [] } = (await this.campaigns.diff?.("id", this.state, inputs)) ?? {};
    return { did: replaces.length > 0 ? "replace" : changes ? "update" : "nothing", replaces };
  }

  /** The engine saves what a failed step left behind. */
  private async save(inputs: Values, step: () => Promise<Values>): Promise<void> {
    try {
      this.state = (await step()) as unknown as State;
    } catch (error) {
      const { properties } = error as { properties?: State };
      if (properties !== undefined) [this.state, this.inputs] = [properties, inputs];
      throw error;
    }
  }
}

/** As the engine writes what a preview does not know. */
const unknownKey = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The message of a step that fails. */
export function failureOf(step: Promise<unknown>): Promise<string> {
  return step.then(
    () => {
      throw new Error("the step should have failed");
    },
    (error: unknown) => (error as Error).message,
  );
}
