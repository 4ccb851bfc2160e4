import type { OperationId } from "../../../provider/service/operations";
import type { Category } from "../categories";
import type { Change } from "../changes";
import type { Values } from "../hidden";
import type { Phrase } from "../phrase";

/** Something that a reviewer must know of one resource. */
export interface Finding {
  readonly category: Category;
  /** Follows the resource's name. */
  readonly text: Phrase;
}

/** What a kind knows of the rest of the plan. */
export interface Context {
  /** What a campaign with these properties may spend: `USD 5.00 a day`. */
  readonly daily: (values: Values) => Phrase;
}

/**
 * What a review says of one kind of resource. The lifecycles themselves are not asked: they load Pulumi's SDK, which
 * takes longer than all the rest; tests hold these entries against them.
 */
export interface Kind {
  /** The arguments that together name one object: as the lifecycle's `declares`. */
  readonly identifiedBy: readonly (readonly string[])[];
  /** The argument that takes over an existing object. */
  readonly adoptedBy?: string;
  /** Arguments that keep their value in the service when they leave the program. */
  readonly leftAlone?: readonly string[];
  /** Whether `fields` is such an argument, name by name. */
  readonly leavesFieldsAlone?: boolean;
  /** Names the object: "webhook w of agent a". */
  object(values: Values): Phrase;

  /** Whether a replacement deletes the old object before the new one is made: only who adopts it by its id keeps it. */
  readonly endsFirst?: boolean;

  /** What a new object means; not asked of one that is taken over. */
  made?(change: Change, context: Context): readonly Finding[];
  /** What taking an object over does to it. `found`: as the state has it, where it was another resource's until now. */
  takenOver?(change: Change, found: Values | undefined, context: Context): readonly Finding[];
  /** The declared values for which it cannot be taken over, because it has others. */
  contradicting?(found: Values, after: Values): readonly string[];
  /** What a change in place means. */
  changed?(change: Change, context: Context): readonly Finding[];
  /** What must be known although nothing changes. */
  unchanged?(change: Change, context: Context): readonly Finding[];
  /** What becomes of the object under this deletion policy; undefined when that can be undone and costs nothing. */
  ended?(change: Change, policy: string, context: Context): Finding | undefined;

  /** What the service is asked for, in each case. */
  readonly calls: {
    make(after: Values): readonly OperationId[];
    adopt?(after: Values): readonly OperationId[];
    change?(before: Values, after: Values): readonly OperationId[];
    end?(policy: string, before: Values): readonly OperationId[];
  };
}
