import type { Problem } from "../argument-problems";
import { canonicalJson } from "../resources/shared/compare";
import type { Deployment, Step } from "../resources/shared/deployment";
import { Evidence, requireThisService } from "../resources/shared/evidence";
import { newLease } from "../resources/shared/ledger";
import { argumentsIn, type Lifecycle, PartialFailure } from "../resources/shared/lifecycle";
import {
  deletionPolicyOf,
  ifManagedUnseen,
  managedTwice,
  type Origin,
  requireNoHeir,
} from "../resources/shared/ownership";
import { removeFromStack } from "../resources/shared/state-delete";
import { type Attempt, attemptKey, UnfinishedCreate } from "../resources/shared/unfinished-create";
import { formatReport, ProviderError, ReportedError } from "../service/errors";
import {
  adoptionProblems,
  creationProblems,
  declarationProblems,
  declaredObjects,
  problemsInCommand,
  problemsOf,
  withDefaults,
} from "./check";
import { changedArguments } from "./diff";
import {
  argumentsOfId,
  differingFromImport,
  firstDeclared,
  importKey,
  importNoteIn,
  type ImportNote,
  importWouldChange,
  noteAfterUpdate,
  notImportable,
  stillRead,
  withFirstDeclared,
} from "./importing";
import { hiddenInputs, identityKey, nameIn } from "./hidden-inputs";
import { withoutUndefined } from "../serializable";
import { hasUnknown, withoutUnknown } from "./unknown";

/* The steps of a lifecycle, as every host of Pulumi calls them: the dynamic host and the packaged provider. */

/** Inputs or outputs as a host passes them: plain values, and `unknownValue` for what a preview does not know. */
export type Properties = Record<string, unknown>;

/** What a host knows of a resource besides its values. */
interface Declaration {
  /** `project/stack/[parent/]name`, or nothing where that does not matter. */
  readonly place: string;
  /** The resource's own name. */
  readonly name: string;
  /** Digits that only this resource has. */
  readonly identity?: string | undefined;
}

interface Difference {
  readonly isChanged: boolean;
  readonly changed: readonly string[];
  readonly replaces: readonly string[];
}

/** A resource as Pulumi saves it. */
export interface Saved {
  readonly id: string;
  readonly outputs: Properties;
}

/** A step that failed after it changed something: what exists is saved, and the message shown. */
export class SavedFailure extends Error {
  constructor(
    message: string,
    readonly saved: Saved,
  ) {
    super(message);
  }
}

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
  /** The inputs of a step that acts: `check` has accepted them, and nothing is unknown any more. */
  const parse = (properties: Properties): Inputs => lifecycle.inputs.parse(visible(properties));
  /** The inputs that passed `check` in this process. A refresh calls `diff` without `check`, and is never refused. */
  const checked = new Set<string>();
  /** By place, the names that resources keep. A replacement is checked once more, without what it was declared with. */
  const keptNames = new Map<string, Partial<Inputs>>();
  const named = (earlier: Partial<Inputs>, { place }: Declaration, isNew: boolean): Partial<Inputs> => {
    if (lifecycle.namedBy === undefined) return earlier;
    if (!isNew) keptNames.set(place, { [lifecycle.namedBy]: earlier[lifecycle.namedBy] } as Partial<Inputs>);
    return isNew ? (keptNames.get(place) ?? earlier) : earlier;
  };
  /** Whether this is an import that the program does not match yet. */
  const isImport = (olds: Properties, { command }: Deployment): boolean => {
    const note = importNoteIn(olds);
    return note !== undefined && (note.isRefused === true || note.by === command);
  };

  return {
    check(olds, news, declaration, deployment) {
      const earlier = visible(olds) as Partial<Inputs>;
      const isNew = Object.keys(olds).length === 0;
      const inputs = withDefaults(lifecycle, visible(news) as Inputs, declaration, named(earlier, declaration, isNew));
      checked.add(canonicalJson(withoutUndefined(inputs)));
      const problems = problemsIn(inputs, isNew ? undefined : earlier, declaration, deployment);
      const kept = lifecycle.needsIdentity === true ? { [identityKey]: declaration.identity } : {};
      return { inputs: withoutUndefined({ ...inputs, ...kept }), problems };
    },

    diff(olds, news, currentDeployment) {
      const state = olds as State;
      const inputs = visible(news) as Inputs;
      const changed = changedArguments(lifecycle, state, inputs);
      // A refresh calls `diff` without `check`.
      const isRefresh = !checked.has(canonicalJson(inputs));
      const attempt = attemptIn(olds);
      const isUnfinished =
        attempt !== undefined ||
        (lifecycle.isUnfinished?.(state, isRefresh ? undefined : currentDeployment()) ?? false);
      // An id that is not known yet may turn out to be left out.
      const known = withoutUnknown(inputs);
      const identifies = (given: Inputs): boolean =>
        attempt === undefined ? (lifecycle.identifiesUnfinished?.(state, given) ?? false) : givesId(given);
      const mayBeIdentified = identifies(inputs);
      const isIdentified = identifies(known);
      const { isRefused = false, leftOut = [] } = importNoteIn(olds) ?? {};
      const mayReplace = changed
        .filter((key) => lifecycle.replacedBy.includes(key) && !isIdentified && !leftOut.includes(key))
        .filter((key) => key !== lifecycle.adoptedBy || !mayBeIdentified);
      // Pulumi deletes first what would be replaced after a dependency. Nothing is deleted for a value that is not known.
      const replaces = mayReplace.filter((key) => lifecycle.deleteBeforeReplace !== true || !hasUnknown(inputs[key]));
      if (isRefresh) return { isChanged: changed.length > 0 || isUnfinished, changed, replaces };
      const deployment = currentDeployment();
      requireHere(olds, deployment);
      if (attempt !== undefined) {
        deployment.logOnce(mayExist(olds));
        return { isChanged: true, changed, replaces };
      }
      // Refused by the update, which can save that: the engine has saved the import already.
      if (isImport(olds, deployment) && differingFromImport(lifecycle, state, inputs).length > 0)
        return { isChanged: true, changed: [], replaces: [] };
      const object = lifecycle.objectName(state);
      const isReplaced = replaces.length > 0;
      const note = lifecycle.previewNote?.(state, known, isReplaced, deployment);
      if (note !== undefined) deployment.logOnce(note);
      if (mayReplace.length > 0 && replaces.length === 0)
        deployment.logOnce(
          `The ${object} may be replaced, which deletes it: this preview does not know ${mayReplace.join(", ")}. If the value stays the same, the object stays.`,
        );
      const isCertain = !mayBeIdentified && replaces.some((key) => !hasUnknown(inputs[key]));
      const refusal = isCertain ? lifecycle.replacementRefusal?.(state, inputs, deployment) : undefined;
      // An object that is about to be replaced is free: another resource may adopt it.
      if (!isReplaced || refusal !== undefined) restoreClaim(olds, inputs, deployment);
      if (refusal !== undefined)
        throw new ProviderError({
          ...refusal,
          what: `The program and the ${object} differ in ${replaces.join(", ")}, and that would replace it. ${refusal.what}`,
        });
      if (isReplaced) lifecycle.beforeReplace?.(state, inputs, deployment);
      else lifecycle.beforeKeep?.(state, inputs, deployment);
      return { isChanged: changed.length > 0 || isUnfinished || isRefused, changed, replaces };
    },

    create,

    async read(olds, deployment) {
      const state = stateIn(olds);
      // Only `pulumi up` looks for it: what it finds it may have to send once more.
      if (attemptIn(olds) !== undefined) return { ...unfinished(olds), inputs: argumentsOf(state) };
      requireHere(olds, deployment);
      const step = stepFor(olds, deployment);
      const found = await lifecycle.read(state, step);
      if (found === undefined) return undefined;
      return withInputs(found, { lease: leaseIn(olds), imported: importNoteIn(olds) }, step);
    },

    requireImportUnchanged,

    async import(id, deployment, urn = "") {
      const { importing, kind } = lifecycle;
      if (importing === undefined) throw notImportable(kind);
      const step = stepFor({}, deployment);
      const { state, leftOut } = await importing.read(argumentsOfId(lifecycle, importing, id), step);
      const object = lifecycle.objectName(state);
      deployment.ledger.addReader(object, urn);
      // Not claimed: `get` only reads. The lease tells it apart from a resource that manages the object already.
      return withInputs(state, { lease: newLease(), imported: { by: deployment.command, leftOut } }, step);
    },

    async update(olds, news, deployment) {
      requireHere(olds, deployment);
      const attempt = attemptIn(olds);
      const step = stepFor(olds, deployment);
      if (attempt !== undefined) return continueCreate(olds, news, attempt, step);
      if (isImport(olds, deployment)) return acceptImport(olds, news, step);
      return change(olds, parse(news), step);
    },

    async delete(olds, deployment, urn = "") {
      if (attemptIn(olds) !== undefined) {
        deployment.warn(`${mayExist(olds)} It leaves the stack, and nothing was deleted: look for it in the service.`);
        return;
      }
      const state = stateIn(olds);
      const object = lifecycle.objectName(state);
      // After a rename, or when a list of resources shifts, the object lives on under another resource.
      const isManagedElsewhere = (claimed: string): boolean => {
        const isOthers = deployment.ledger.isOthers(claimed, leaseIn(olds));
        if (isOthers)
          deployment.log(
            `The ${claimed} is not deleted: another resource of this stack, or the replacement of this one, manages it.`,
          );
        return isOthers;
      };
      if (!isManagedElsewhere(object) && !isOnlyRead(object, urn, state, deployment)) {
        if (mayDelete(state)) {
          requireHere(olds, deployment);
          requireNoHeir(object, idArgumentIn(state), deployment);
        }
        await lifecycle.delete(state, stepFor(olds, deployment), isManagedElsewhere);
        // Unless another resource adopted it in the meantime.
        if (!deployment.ledger.isOthers(object, leaseIn(olds))) deployment.ledger.release(object);
      }
    },
  };

  async function create(news: Properties, deployment: Deployment): Promise<Saved> {
    const inputs = parse(news);
    const step = stepFor({}, deployment);
    try {
      const state = await savingPartialFailure(step, claimed, () =>
        lifecycle.create(inputs, step, news[identityKey] as string | undefined),
      );
      if ((state as { origin?: Origin }).origin === "adopted") deployment.logOnce(ifManagedUnseen);
      return saved(state, claimed(state, step), step);
    } catch (error) {
      if (!(error instanceof UnfinishedCreate) || lifecycle.unfinishedCreate === undefined) throw error;
      throw new SavedFailure(error.message, unfinished({ ...inputs, [attemptKey]: error.attempt }));
    }
  }

  /** Looks for what an earlier command may have created. Only if a complete list does not show it, it is created. */
  async function continueCreate(olds: Properties, news: Properties, attempt: Attempt, step: Step): Promise<Saved> {
    const inputs = parse(news);
    const declared = argumentsOf(stateIn(olds));
    const identity = news[identityKey] as string | undefined;
    const found = givesId(inputs)
      ? undefined
      : await savingPartialFailure(step, claimed, async () =>
          lifecycle.unfinishedCreate?.find(declared, attempt, step, identity),
        );
    if (found === undefined) {
      if (!givesId(inputs)) step.log(`The list does not show the ${whatIn(olds)}, so it is created now.`);
      const created = await create(news, step);
      warnOfId(olds, step);
      return created;
    }
    warnOfId(olds, step);
    const changed = changedArguments(lifecycle, found, inputs);
    if (changed.length > 0) throw foundOtherwise(found, changed, step);
    return saved(found, claimed(found, step), step);
  }

  /** An update cannot change Pulumi's id. */
  function warnOfId(olds: Properties, { warn }: Deployment): void {
    const instead = lifecycle.adoptedBy === undefined ? "" : ` Use ${lifecycle.adoptedBy}.`;
    warn(`Pulumi keeps the id "unfinished" of the ${whatIn(olds)} until \`pulumi refresh\`.${instead}`);
  }

  /** What was found by its values may be somebody else's. A person sees that before it is changed. */
  function foundOtherwise(found: State, changed: readonly string[], step: Step): SavedFailure {
    const object = lifecycle.objectName(found);
    const message = formatReport({
      what: `The ${object} was found by its values and adopted. It was not changed: the program declares another ${changed.join(", ")} by now.`,
      next: ["If it is yours, run `pulumi up` again. It changes it.", removeFromStack("If it is somebody else's")],
    });
    const failure = new SavedFailure(message, saved(found, claimed(found, step), step));
    // If the engine repeats this step, it is found again.
    step.ledger.release(object);
    return failure;
  }

  /** Whether the program names the object, so that nothing must be looked for. */
  function givesId(inputs: Inputs): boolean {
    return lifecycle.adoptedBy !== undefined && inputs[lifecycle.adoptedBy] !== undefined;
  }

  function unfinished(outputs: Properties): Saved {
    return { id: "unfinished", outputs: withoutUndefined(outputs) };
  }

  function mayExist(olds: Properties): string {
    return `An earlier command may have created the ${whatIn(olds)}: the response to its create was lost.`;
  }

  function whatIn(olds: Properties): string {
    return lifecycle.unfinishedCreate?.what(visible(olds) as Inputs) ?? lifecycle.kind;
  }

  function argumentsOf(state: State): Inputs & Properties {
    return withoutUndefined(argumentsIn(lifecycle, state)) as Inputs & Properties;
  }

  /** Of an object that this command created or adopted. */
  function claimed(state: State, { ledger }: Deployment): Kept {
    return { lease: ledger.leaseOf(lifecycle.objectName(state)) };
  }

  /** Refuses an object of another base URL. What only leaves the stack sends no request, and may do so anywhere. */
  function requireHere(olds: Properties, { service }: Deployment): void {
    const mark = markIn(olds);
    // A state that a program gives to `get` has none.
    if (mark !== undefined) requireThisService(service, objectIn(olds), mark, lifecycle.adoptedBy);
  }

  function stepFor(olds: Properties, deployment: Deployment): Step {
    const object = Object.keys(olds).length === 0 ? lifecycle.kind : objectIn(olds);
    return { ...deployment, evidence: new Evidence(deployment.service.endpoints, object, markIn(olds)) };
  }

  function objectIn(olds: Properties): string {
    return attemptIn(olds) === undefined ? lifecycle.objectName(stateIn(olds)) : whatIn(olds);
  }

  /** The state as its kind sees it. */
  function stateIn(outputs: Properties): State {
    const { [markKey]: mark, ...state } = visible(outputs);
    return (lifecycle.keepsOwnMark === true ? { ...state, [markKey]: mark } : state) as State;
  }

  function requireImportUnchanged(olds: Properties, news: Properties, deployment: Deployment): void {
    const state = olds as State;
    const differing = isImport(olds, deployment) ? differingFromImport(lifecycle, state, visible(news) as Inputs) : [];
    if (differing.length > 0) throw importWouldChange(lifecycle.objectName(state), differing);
  }

  /** The first update after an import. A refusal is saved, so that the next command does not take it for accepted. */
  async function acceptImport(olds: Properties, news: Properties, step: Step): Promise<Saved> {
    try {
      requireImportUnchanged(olds, news, step);
      // An import overwrites nothing.
      return await change(olds, { ...parse(news), overwrite: undefined }, step);
    } catch (error) {
      if (!(error instanceof ReportedError)) throw error;
      const { leftOut } = importNoteIn(olds) ?? {};
      const refused = { lease: leaseIn(olds), imported: { isRefused: true as const, leftOut } };
      throw new SavedFailure(error.message, saved(stateIn(olds), refused, step));
    }
  }

  async function change(olds: Properties, inputs: Inputs, step: Step): Promise<Saved> {
    const state = stateIn(withFirstDeclared(olds, inputs as Properties));
    const first = firstDeclared(olds, inputs as Properties);
    const kept = { lease: leaseIn(olds), imported: noteAfterUpdate(olds, inputs as Properties) };
    const changed = await savingPartialFailure(
      step,
      () => kept,
      () => lifecycle.update(state, inputs, step, first),
    );
    const note = lifecycle.importing?.firstDeclared;
    if (first.length > 0 && note !== undefined) step.log(`The ${lifecycle.objectName(changed)} was imported: ${note}`);
    return saved(changed, kept, step);
  }

  function problemsIn(
    inputs: Inputs,
    earlier: Partial<Inputs> | undefined,
    { place }: Declaration,
    deployment: Deployment | undefined,
  ): Problem[] {
    const problems = problemsOf(lifecycle, inputs, deployment?.settings, earlier);
    if (problems.length > 0 || deployment === undefined) return problems;
    const isNew = earlier === undefined;
    const name = nameIn(place);
    return [
      ...(isNew ? creationProblems(lifecycle, inputs, deployment) : []),
      ...(isNew ? adoptionProblems(lifecycle, inputs, deployment) : []),
      ...declarationProblems(lifecycle, inputs, deployment, name),
      ...problemsInCommand(lifecycle, inputs, place, earlier, deployment),
    ];
  }

  /** Claims the object of a resource that stays. A second one that manages it, or declares it by its id, is refused. */
  function restoreClaim(olds: Properties, inputs: Inputs, { ledger }: Deployment): void {
    const object = lifecycle.objectName(olds as State);
    const isOwn = declaredObjects(lifecycle, inputs).some((declared) => declared.object === object);
    const hasId = idArgumentIn(olds as State) !== undefined;
    const isDeclaredElsewhere = hasId && !isOwn && ledger.declaredBy(object) !== undefined;
    if (!ledger.restore(object, leaseIn(olds)) || isDeclaredElsewhere) throw managedTwice(object);
  }

  /**
   * Whether `get` has taken the place of this declaration: the object stays. A refusal would lose it, because Pulumi drops a
   * declaration from its state that a `get` replaces. A `get` of another name is refused.
   */
  function isOnlyRead(object: string, urn: string, state: State, { ledger, log }: Deployment): boolean {
    const readers = ledger.readersOf(object);
    if (readers.size === 0 || !mayDelete(state)) return false;
    if (!readers.has(urn)) throw stillRead(object);
    log(`The ${object} is not deleted: the program reads it with get, and no longer manages it.`);
    return true;
  }

  /** Whether destroy may delete or change the object. A kind that adopts nothing only leaves the stack. */
  function mayDelete(state: State): boolean {
    return lifecycle.adoptedBy !== undefined && deletionPolicyOf(state) !== "retain";
  }

  /** The argument that adopts the object by its id. */
  function idArgumentIn(state: State): string | undefined {
    const { adoptedBy } = lifecycle;
    return adoptedBy !== undefined && typeof (state as Properties)[adoptedBy] === "string" ? adoptedBy : undefined;
  }

  function withInputs(state: State, kept: Kept, step: Step): Saved & { inputs: Properties } {
    return { ...saved(state, kept, step), inputs: argumentsOf(state) };
  }

  function saved(state: State, { lease, imported }: Kept, { evidence }: Step): Saved {
    return {
      id: lifecycle.idOf(state),
      outputs: withoutUndefined({ [markKey]: evidence.mark, ...state, [leaseKey]: lease, [importKey]: imported }),
    };
  }

  /** Keeps what exists when a step fails halfway. */
  async function savingPartialFailure<Result>(
    step: Step,
    keptOf: (state: State, step: Step) => Kept,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PartialFailure)) throw error;
      const state = error.state as State;
      throw new SavedFailure(error.message, saved(state, keptOf(state, step), step));
    }
  }
}

/** The output that tells the resources of one object apart; see Ledger. */
const leaseKey = "lease";
/** The output with the mark of what has shown the object; see Evidence. */
const markKey = "readBy";
const hiddenKeys: readonly string[] = [...hiddenInputs, leaseKey, attemptKey, importKey];

/** What the state has besides what the lifecycle returns, and the mark of the evidence. */
interface Kept {
  readonly lease: string | undefined;
  readonly imported?: ImportNote | undefined;
}

/** What a lifecycle sees. A configuration file or a JavaScript program gives null for nothing. */
export function visible(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).filter(([key, value]) => !hiddenKeys.includes(key) && value !== null),
  );
}

function leaseIn(properties: Properties): string | undefined {
  return properties[leaseKey] as string | undefined;
}

function markIn(properties: Properties): string | undefined {
  return (attemptIn(properties) ?? (properties as Partial<Attempt>)).readBy;
}

function attemptIn(properties: Properties): Attempt | undefined {
  return properties[attemptKey] as Attempt | undefined;
}
