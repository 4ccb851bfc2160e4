import type { OperationId } from "../../provider/service/operations";
import type { Values } from "./hidden-values";
import type { Phrase } from "./phrase";
import type { Category } from "./risk-categories";

/* How each kind of resource takes part in the review command. */

/** The change that a plan makes to one resource of this package. */
export interface Change {
  readonly name: string;
  readonly urn: string;
  /** In the state. Another one if the resource is renamed with `aliases` or moves to the packaged form. */
  readonly urnBefore: string;
  readonly kind: string;
  /** `gone`: a refresh did not find the object; nothing is done to it. */
  readonly action: "create" | "update" | "replace" | "delete" | "gone" | "same";
  /** From the state. Empty for a new resource. */
  readonly before: Values;
  /** From the program. Empty for a resource that is removed from the program. */
  readonly after: Values;
  /** The arguments whose change replaces it. */
  readonly reasons: readonly string[];
  /** The object exists, and the option `import` puts it under management without a change. */
  readonly isImported: boolean;
  /** A replacement whose old object was deleted by an earlier command, which failed then. */
  readonly isPendingReplacement: boolean;
  /** The object is deleted when everything else is done, so that another resource can adopt it before. */
  readonly isDeletedLast: boolean;
  readonly wasProtected: boolean;
  readonly isProtected: boolean;
  /** By the resource option `retainOnDelete` or `deletedWith`: Pulumi forgets it without calling this package. */
  readonly wasRetained: boolean;
  readonly isRetained: boolean;
  /** The URN and the id of its provider. Each has a host process of its own. A provider that is replaced gets a new id. */
  readonly providerBefore: string | undefined;
  readonly providerAfter: string | undefined;
}

/** Something that a reviewer should know about one resource. */
export interface Finding {
  readonly category: Category;
  /** Follows the resource's name. */
  readonly text: Phrase;
}

/** The rest of the plan, as far as a kind needs it. */
export interface ReviewContext {
  /** The amount that a campaign with these properties may spend: `USD 5.00 a day`. */
  readonly daily: (values: Values) => Phrase;
}

/** The part of a review that depends on the kind of a resource, besides its lifecycle. */
export interface KindReview {
  /** Names the object: "webhook w of agent a". */
  object(values: Values): Phrase;
  /** The effect of destroy under the policy `delete`. @default "deletes it" */
  readonly deleting?: string;

  /** For a new object. Not called for an adopted one. */
  created?(change: Change, context: ReviewContext): readonly Finding[];
  /** For an adopted object. `found`: its state, if another resource managed it until now. */
  adopted?(change: Change, found: Values | undefined, context: ReviewContext): readonly Finding[];
  /** The arguments that differ from the object, so that it cannot be adopted. */
  contradicting?(found: Values, after: Values): readonly string[];
  /** For a change in place. */
  updated?(change: Change, context: ReviewContext): readonly Finding[];
  /** For a resource that does not change. */
  unchanged?(change: Change, context: ReviewContext): readonly Finding[];
  /** The fate of the object under this deletion policy. Undefined if that can be undone and costs nothing. */
  deleted?(change: Change, policy: string, context: ReviewContext): Finding | undefined;

  /** Parts of an argument that are removed from the program and keep their value in the service. Undefined where they are hidden. */
  leftAlone?(before: Values, after: Values): readonly string[] | undefined;
  /** Whether it spends its `dailyBudgetMicros` while it is not `paused`. */
  readonly spends?: true;

  /** The operations that each step calls. To create or adopt, besides those that the lifecycle requires. */
  readonly calls?: {
    create?(after: Values): readonly OperationId[];
    adopt?(after: Values): readonly OperationId[];
    update?(before: Values, after: Values): readonly OperationId[];
    delete?(policy: string, before: Values): readonly OperationId[];
  };
}
