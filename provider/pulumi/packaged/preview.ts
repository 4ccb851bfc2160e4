import type { AnyLifecycle } from "../../registry";
import { unknownValue } from "../../serializable";
import { withFirstDeclared } from "../imported";
import type { Properties } from "../saved";

/**
 * The outputs of a resource as a preview shows them: declared or unchanged values are known, all others are not.
 * `olds` is empty for a resource that is about to be created.
 */
export function previewOf(lifecycle: AnyLifecycle, olds: Properties, news: Properties): Properties {
  const { outputs, adoptedBy, inputs, importing } = lifecycle;
  const isNew = Object.keys(olds).length === 0;
  // adoptedBy names the argument with the object's id, which is an output too, or the flag adopt, which is not.
  const idName = adoptedBy !== undefined && importing?.id.includes(adoptedBy) ? [adoptedBy] : [];
  const changed = isNew
    ? [...outputs, ...idName]
    : (lifecycle.outputsChangedBy?.(withFirstDeclared(olds, news), news) ?? []);
  const kept = Object.entries(olds).filter(([name]) => !(name in inputs.shape) || idName.includes(name));
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(changed.map((name) => [name, unknownValue])),
    ...news,
  };
}
