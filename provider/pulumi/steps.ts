import type { Problem } from "../argument-problems";
import type { Deployment } from "../resources/shared/deployment";
import type { Lifecycle } from "../resources/shared/lifecycle";
import { actingSteps } from "./acting-steps";
import { checkStep, type Declaration } from "./check-step";
import { diffStep, type Difference } from "./diff-step";
import type { Properties, Saved } from "./saved";

/** The steps of a lifecycle, as every host of Pulumi calls them: the dynamic host and the packaged provider. */
export interface Steps {
  /** `deployment` is undefined while the settings are wrong. */
  check(
    olds: Properties,
    news: Properties,
    declaration: Declaration,
    deployment: Deployment | undefined,
  ): { inputs: Properties; problems: Problem[] };
  diff(olds: Properties, news: Properties, deployment: () => Deployment): Difference;
  create(news: Properties, deployment: Deployment): Promise<Saved>;
  /** Undefined on evidence that the object is gone. */
  read(olds: Properties, deployment: Deployment): Promise<(Saved & { inputs: Properties }) | undefined>;
  /** Throws where an update would change an object that was only imported. A preview asks this, and sends nothing. */
  requireImportUnchanged(olds: Properties, news: Properties, deployment: Deployment): void;
  /** Reads an object by Pulumi's id: for `pulumi import`, the option `import` and `get`. Changes nothing. */
  import(id: string, deployment: Deployment, urn?: string): Promise<Saved & { inputs: Properties }>;
  update(olds: Properties, news: Properties, deployment: Deployment): Promise<Saved>;
  delete(olds: Properties, deployment: Deployment, urn?: string): Promise<void>;
}

export function stepsOf<Inputs extends object, State extends object>(lifecycle: Lifecycle<Inputs, State>): Steps {
  /**
   * The inputs that `check` has seen in this process, right or wrong. A refresh calls `diff` without `check`, and is
   * never refused.
   */
  const checked = new Set<string>();
  return { check: checkStep(lifecycle, checked), diff: diffStep(lifecycle, checked), ...actingSteps(lifecycle) };
}
