import type { dynamic } from "@pulumi/pulumi";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { nameKey, placeKey } from "../../provider/pulumi/hidden-inputs";
import type { State } from "../../provider/resources/ad-campaign/campaign";
import { launchIntentLifecycle, type State as Intent } from "../../provider/resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import type { Bench } from "./deployment";

type Values = Record<string, unknown>;
type Host = Required<dynamic.ResourceProvider<Values, Values>>;

interface How {
  /** `--replace`, for which the engine calls no `diff`. */
  readonly replace?: boolean;
  /** The option `replaceOnChanges`: the engine replaces what `diff` would keep. */
  readonly replaceOnChanges?: boolean;
  readonly retainOnDelete?: boolean;
  /** The option `deleteBeforeReplace: false`. */
  readonly createFirst?: boolean;
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
  private savedIntent: Values | undefined;
  private saved: Values | undefined;
  private inputs: Values | undefined;
  private bench: Bench;
  private campaigns: Host;
  private intents: Host;

  constructor(
    bench: Bench,
    /** As the program has it by now. With an alias, a renamed resource stays the same. */
    public name = "spring",
  ) {
    this.bench = bench;
    this.campaigns = dynamicProvider(adCampaignLifecycle, () => this.bench) as Host;
    this.intents = dynamicProvider(launchIntentLifecycle, () => this.bench) as Host;
  }

  get intent(): Intent | undefined {
    return this.savedIntent as Intent | undefined;
  }

  get state(): State | undefined {
    return this.saved as State | undefined;
  }

  /** The same stack in a later command. */
  in(bench: Bench): this {
    this.bench = bench;
    this.campaigns = dynamicProvider(adCampaignLifecycle, () => this.bench) as Host;
    this.intents = dynamicProvider(launchIntentLifecycle, () => this.bench) as Host;
    return this;
  }

  /** As if a command had been killed before Pulumi saved the campaign. */
  loseState(): void {
    this.saved = undefined;
    this.inputs = undefined;
  }

  /** As if the campaign were declared with another intent. */
  loseIntent(): void {
    this.savedIntent = undefined;
  }

  preview(args: object, how: How = {}): Promise<Outcome> {
    return this.run(args, how, true);
  }

  up(args: object, how: How = {}): Promise<Outcome> {
    return this.run(args, how, false);
  }

  async refresh(): Promise<void> {
    const { props } = await this.campaigns.read("id", this.saved);
    this.saved = props;
    if (props === undefined) this.loseState();
  }

  async destroy(): Promise<void> {
    if (this.saved !== undefined) await this.campaigns.delete("id", this.saved);
    this.saved = undefined;
    this.inputs = undefined;
    if (this.savedIntent !== undefined) await this.intents.delete("id", this.savedIntent);
    this.savedIntent = undefined;
  }

  private async run(args: object, how: How, isPreview: boolean): Promise<Outcome> {
    const { retainOnDelete = false, createFirst = false } = how;
    const hidden = { [placeKey]: `project/stack/${this.name}`, [nameKey]: this.name };
    // A campaign that is adopted by its id has no intent. One that it had is removed at the end of the command.
    const removed = "campaignId" in args ? this.savedIntent : undefined;
    const key = "campaignId" in args ? undefined : await this.keepIntent(args, hidden, isPreview);
    const news = { ...args, ...hidden, ...(key === undefined ? {} : { launchIntent: key }) };
    const inputs = await this.check(this.inputs ?? {}, news);
    const outcome = await this.compare(inputs, how);
    const old = this.saved ?? {};
    if (outcome.did === "replace" || outcome.did === "create") await this.check({}, news);
    if (isPreview) return outcome;
    if (outcome.did === "replace") {
      if (!retainOnDelete && !createFirst) await this.campaigns.delete("id", old);
      this.saved = undefined;
      this.inputs = undefined;
    }
    if (outcome.did === "update")
      await this.save(inputs, async () => (await this.campaigns.update("id", this.saved ?? {}, inputs)).outs ?? {});
    else if (outcome.did !== "nothing")
      await this.save(inputs, async () => (await this.campaigns.create(inputs)).outs ?? {});
    this.inputs = inputs;
    if (createFirst) await this.campaigns.delete("id", old);
    if (removed !== undefined) await this.intents.delete("id", removed);
    if (removed !== undefined) this.savedIntent = undefined;
    return outcome;
  }

  private async keepIntent(args: object, hidden: object, isPreview: boolean): Promise<string> {
    const { appId, deletionPolicy } = args as { appId?: unknown; deletionPolicy?: unknown };
    const news: Values = { appId, ...(deletionPolicy === undefined ? {} : { deletionPolicy }), ...hidden };
    const { savedIntent: intent } = this;
    const { inputs = {} } = await this.intents.check(intent ?? {}, news);
    if (intent === undefined) {
      if (isPreview) return unknownKey;
      this.savedIntent = (await this.intents.create(inputs)).outs ?? {};
      return String(this.savedIntent["key"]);
    }
    const { changes = false } = await this.intents.diff("id", intent, inputs);
    if (changes && !isPreview) this.savedIntent = (await this.intents.update("id", intent, inputs)).outs ?? {};
    return String(intent["key"]);
  }

  private async check(olds: Values, news: Values): Promise<Values> {
    const { inputs, failures = [] } = await this.campaigns.check(olds, news);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return inputs ?? {};
  }

  private async compare(inputs: Values, { replace = false, replaceOnChanges = false }: How): Promise<Outcome> {
    if (this.saved === undefined) return { did: "create", replaces: [] };
    if (replace) return { did: "replace", replaces: [] };
    const { changes = false, replaces = [] } = await this.campaigns.diff("id", this.saved, inputs);
    return { did: replaces.length > 0 || replaceOnChanges ? "replace" : changes ? "update" : "nothing", replaces };
  }

  /** The engine saves what a failed step left behind. */
  private async save(inputs: Values, step: () => Promise<Values>): Promise<void> {
    try {
      this.saved = await step();
    } catch (error) {
      const { properties } = error as { properties?: Values };
      if (properties !== undefined) [this.saved, this.inputs] = [properties, inputs];
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
