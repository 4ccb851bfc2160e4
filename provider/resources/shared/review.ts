import type { OperationId } from "../../service/operations";
import type { Values } from "./hidden-values";
import type { Phrase } from "./phrase";
import type { Category } from "./risk-categories";

/* What the review command asks each kind of resource about a plan. */

/** What a plan does with one resource of this package. */
export interface Change {
  readonly name: string;
  readonly urn: string;
  readonly kind: string;
  /** `gone`: a refresh did not find the object; nothing is done to it. */
  readonly action: "create" | "update" | "replace" | "delete" | "gone" | "same";
  /** As the state has it. Empty for a new resource. */
  readonly before: Values;
  /** As the program declares it. Empty for a resource that leaves the program. */
  readonly after: Values;
  /** The arguments that replace it. */
  readonly reasons: readonly string[];
  readonly wasProtected: boolean;
  readonly isProtected: boolean;
  /** By a resource option, `retainOnDelete` or `deletedWith`: Pulumi forgets it without calling this package. */
  readonly wasRetained: boolean;
  readonly isRetained: boolean;
}

/** Something that a reviewer must know about one resource. */
export interface Finding {
  readonly category: Category;
  /** Follows the resource's name. */
  readonly text: Phrase;
}

/** What a kind knows about the rest of the plan. */
export interface ReviewContext {
  /** What a campaign with these properties may spend: `USD 5.00 a day`. */
  readonly daily: (values: Values) => Phrase;
}

/** What a review says about one kind of resource, besides what its lifecycle says already. */
export interface KindReview {
  /** Names the object: "webhook w of agent a". */
  object(values: Values): Phrase;

  /** What a new object means. Not called for an adopted one. */
  created?(change: Change, context: ReviewContext): readonly Finding[];
  /** What adopting an object does to it. `found`: as the state has it, where it was another resource's until now. */
  adopted?(change: Change, found: Values | undefined, context: ReviewContext): readonly Finding[];
  /** The declared values that differ from the object, so that it cannot be adopted. */
  contradicting?(found: Values, after: Values): readonly string[];
  /** What a change in place means. */
  updated?(change: Change, context: ReviewContext): readonly Finding[];
  /** What a reviewer must know although nothing changes. */
  unchanged?(change: Change, context: ReviewContext): readonly Finding[];
  /** What happens to the object under this deletion policy; undefined when that can be undone and costs nothing. */
  deleted?(change: Change, policy: string, context: ReviewContext): Finding | undefined;

  /** The operations that each step calls. */
  readonly calls: {
    create(after: Values): readonly OperationId[];
    adopt?(after: Values): readonly OperationId[];
    update?(before: Values, after: Values): readonly OperationId[];
    delete?(policy: string, before: Values): readonly OperationId[];
  };
}
