import { canonicalJson } from "../resources/shared/compare";
import type { Deployment, Step } from "../resources/shared/deployment";
import { newLease } from "../resources/shared/ledger";
import { type Lifecycle } from "../resources/shared/lifecycle";
import { deletionPolicyOf, ifManagedUnseen, type Origin, requireNoHeir } from "../resources/shared/ownership";
import { removeFromStack } from "../resources/shared/state-delete";
import { type UnfinishedCreate, UnfinishedCreateError } from "../resources/shared/unfinished-create";
import { formatReport, messageOf, ReportedError } from "../service/errors";
import { changedArguments } from "./changed-arguments";
import { resourceDigitsKey } from "./hidden-inputs";
import {
  argumentsOfId,
  differingFromImport,
  firstDeclared,
  importWouldChange,
  noteAfterUpdate,
  notImportable,
  stillRead,
  withFirstDeclared,
} from "./imported";
import {
  argumentsOf,
  unfinishedIn,
  evidenceIn,
  givesId,
  idArgumentIn,
  importNoteIn,
  isImport,
  leaseIn,
  mayExist,
  type Notes,
  objectIn,
  type Properties,
  requireSameBaseUrl,
  type Saved,
  saved,
  SavedFailure,
  stateIn,
  savedUnfinished,
  visible,
} from "./saved";
import { PartialFailure } from "../resources/shared/partial-failure";

/** The steps that send requests: create, read, import, update and delete. */
export function actingSteps<Inputs extends object, State extends object>(lifecycle: Lifecycle<Inputs, State>) {
  /** The inputs of a step that acts: `check` has accepted them, and nothing is unknown any more. */
  const parse = (properties: Properties): Inputs => lifecycle.inputs.parse(visible(properties));

  return {
    create,

    /** Undefined on evidence that the object is gone. */
    async read(olds: Properties, deployment: Deployment): Promise<(Saved & { inputs: Properties }) | undefined> {
      const unfinished = unfinishedIn(olds);
      const state = stateIn(lifecycle, olds);
      // Only `pulumi up` looks for the object: it may have to send the create once more.
      if (unfinished !== undefined)
        return { ...savedUnfinished(olds, unfinished), inputs: argumentsOf(lifecycle, state) };
      requireSameBaseUrl(lifecycle, olds, deployment);
      const step = stepFor(olds, deployment);
      const found = await lifecycle.read(state, step);
      return found && withInputs(found, { lease: leaseIn(olds), imported: importNoteIn(olds) }, step);
    },

    requireImportUnchanged,

    async import(id: string, deployment: Deployment, urn = ""): Promise<Saved & { inputs: Properties }> {
      const { importing, kind } = lifecycle;
      if (importing === undefined) throw notImportable(kind);
      const step = stepFor({}, deployment);
      const { state, leftOut } = await importing.read(argumentsOfId(lifecycle, importing, id), step);
      deployment.ledger.addReader(lifecycle.objectName(state), urn);
      // Not claimed: `get` only reads. The lease tells it apart from a resource that manages the object already.
      return withInputs(state, { lease: newLease(), imported: { by: deployment.command, leftOut } }, step);
    },

    async update(olds: Properties, news: Properties, deployment: Deployment): Promise<Saved> {
      if (unfinishedIn(olds) !== undefined) return finishCreate(olds, news, deployment);
      requireSameBaseUrl(lifecycle, olds, deployment);
      const step = stepFor(olds, deployment);
      if (isImport(olds, deployment)) return acceptImport(olds, news, step);
      return change(olds, parse(news), step);
    },

    async delete(olds: Properties, deployment: Deployment, urn = ""): Promise<void> {
      const { ledger, log, warn } = deployment;
      const object = objectIn(lifecycle, olds);
      if (unfinishedIn(olds) !== undefined) {
        const removed = "It is removed from the stack, and nothing was deleted: look for it in the service.";
        warn({ code: "WA1305", what: `${mayExist(object)} ${removed}` });
        return;
      }
      const state = stateIn(lifecycle, olds);
      // After a rename, or when a list of resources shifts, the object lives on under another resource.
      const isManagedElsewhere = (): boolean => {
        const isOthers = ledger.isOthers(object, leaseIn(olds));
        if (isOthers)
          log(
            `The ${object} is not deleted: another resource of this stack, or the replacement of this one, manages it.`,
          );
        return isOthers;
      };
      if (isManagedElsewhere() || isOnlyRead(object, urn, state, deployment)) return;
      if (mayDelete(state)) {
        requireSameBaseUrl(lifecycle, olds, deployment);
        requireNoHeir(object, idArgumentIn(lifecycle, state), deployment);
      }
      await lifecycle.delete(state, stepFor(olds, deployment), isManagedElsewhere);
      // Unless another resource adopted it in the meantime.
      if (!ledger.isOthers(object, leaseIn(olds))) ledger.release(object);
    },
  };

  /** An `onError` hook makes the engine repeat a failed create. It continues as the next command would. */
  function create(news: Properties, deployment: Deployment): Promise<Saved> {
    return remembering(news, deployment, (left) =>
      left === undefined ? createNew(news, deployment) : resume(left.outputs, news, deployment, true),
    );
  }

  async function createNew(news: Properties, deployment: Deployment): Promise<Saved> {
    const inputs = parse(news);
    const step = stepFor({}, deployment);
    try {
      const state = await savingPartialFailure(step, claimNotes, () =>
        lifecycle.create(inputs, step, news[resourceDigitsKey] as string | undefined),
      );
      if ((state as { origin?: Origin }).origin === "adopted") deployment.logOnce(ifManagedUnseen);
      return saved(lifecycle, state, claimNotes(state, step), step.evidence);
    } catch (error) {
      if (!(error instanceof UnfinishedCreateError) || lifecycle.unfinishedCreate === undefined) throw error;
      throw new SavedFailure(error.message, savedUnfinished(inputs, error.unfinished), error);
    }
  }

  /** Remembers what a failure leaves for a repetition of the step with the same inputs, and saves it again if that fails. */
  async function remembering(
    news: Properties,
    { failedCreates }: Deployment,
    work: (left: Saved | undefined) => Promise<Saved>,
  ): Promise<Saved> {
    const identity = canonicalJson([lifecycle.kind, news]);
    const left = failedCreates.get(identity);
    try {
      const done = await work(left);
      failedCreates.delete(identity);
      return done;
    } catch (error) {
      const failure =
        error instanceof SavedFailure || left === undefined ? error : new SavedFailure(messageOf(error), left, error);
      if (!(failure instanceof SavedFailure)) throw failure;
      failedCreates.set(identity, failure.saved);
      const isSaved =
        unfinishedIn(failure.saved.outputs) === undefined || lifecycle.unfinishedCreate?.what !== undefined;
      throw isSaved ? failure : failure.cause;
    }
  }

  /** Continues with what a failed create left. `isRepeated`: this command has sent the create. */
  function resume(olds: Properties, news: Properties, deployment: Deployment, isRepeated: boolean): Promise<Saved> {
    const unfinished = unfinishedIn(olds);
    const step = stepFor(olds, deployment);
    if (unfinished === undefined) return change(olds, parse(news), step);
    return findOrCreate(olds, news, unfinished, isRepeated, step);
  }

  /** Looks for what may have been created. Only if a complete list does not show it, it is created. */
  async function findOrCreate(
    olds: Properties,
    news: Properties,
    unfinished: UnfinishedCreate,
    isRepeated: boolean,
    step: Step,
  ): Promise<Saved> {
    if (givesId(lifecycle, parse(news))) return createNew(news, step);
    const declared = argumentsOf(lifecycle, stateIn(lifecycle, olds));
    const found = await savingPartialFailure(step, claimNotes, async () =>
      lifecycle.unfinishedCreate?.find(
        declared,
        unfinished,
        isRepeated,
        step,
        news[resourceDigitsKey] as string | undefined,
      ),
    );
    if (found !== undefined) return saved(lifecycle, found, claimNotes(found, step), step.evidence);
    step.log(`The list does not show the ${objectIn(lifecycle, olds)}, so it is created now.`);
    return createNew(news, step);
  }

  /** The first update of a create that an earlier command did not finish. */
  async function finishCreate(olds: Properties, news: Properties, deployment: Deployment): Promise<Saved> {
    requireSameBaseUrl(lifecycle, olds, deployment);
    const done = await remembering(news, deployment, async (left) =>
      left !== undefined && isFoundOtherwise(left.outputs, news)
        ? left
        : resume(left?.outputs ?? olds, news, deployment, left !== undefined),
    );
    // An update cannot change Pulumi's id.
    const instead = lifecycle.adoptedBy === undefined ? "" : ` Use ${lifecycle.adoptedBy}.`;
    const what = `Pulumi keeps the id "unfinished" of the ${objectIn(lifecycle, olds)} until \`pulumi refresh\`.${instead}`;
    deployment.warn({ code: "WA1308", what });
    const found = stateIn(lifecycle, done.outputs);
    const changed = changedArguments(lifecycle, found, parse(news));
    if (changed.length > 0) throw foundOtherwise(found, changed, done, deployment);
    return done;
  }

  /** Whether an earlier repetition found an object by its values, and the program declares others by now. */
  function isFoundOtherwise(outputs: Properties, news: Properties): boolean {
    const state = stateIn(lifecycle, outputs) as State & { origin?: Origin };
    const isFound = unfinishedIn(outputs) === undefined && state.origin === "adopted";
    return isFound && changedArguments(lifecycle, state, parse(news)).length > 0;
  }

  /** An object that was found by its values may be somebody else's. A person sees that before it is changed. */
  function foundOtherwise(found: State, changed: readonly string[], done: Saved, { ledger }: Deployment): SavedFailure {
    const object = lifecycle.objectName(found);
    const message = formatReport({
      code: "WA1307",
      what: `The ${object} was found by its values and adopted. It was not changed: the program declares another ${changed.join(", ")} by now.`,
      next: ["If it is yours, run `pulumi up` again. It changes it.", removeFromStack("If it is somebody else's")],
    });
    // If the engine repeats this step, it is found again.
    ledger.release(object);
    return new SavedFailure(message, done);
  }

  /** The notes about an object that this command created or adopted. */
  function claimNotes(state: State, { ledger }: Deployment): Notes {
    return { lease: ledger.leaseOf(lifecycle.objectName(state)) };
  }

  function stepFor(olds: Properties, deployment: Deployment): Step {
    return { ...deployment, evidence: evidenceIn(lifecycle, olds, deployment) };
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
      throw new SavedFailure(error.message, saved(lifecycle, stateIn(lifecycle, olds), refused, step.evidence));
    }
  }

  async function change(olds: Properties, inputs: Inputs, step: Step): Promise<Saved> {
    const newlyDeclared = firstDeclared(olds, inputs as Properties);
    const state = stateIn(lifecycle, withFirstDeclared(olds, inputs as Properties, newlyDeclared));
    const notes = { lease: leaseIn(olds), imported: noteAfterUpdate(olds, newlyDeclared) };
    const changed = await savingPartialFailure(
      step,
      () => notes,
      () => lifecycle.update(state, inputs, step, newlyDeclared),
    );
    const sentence = lifecycle.importing?.firstDeclared;
    if (newlyDeclared.length > 0 && sentence !== undefined)
      step.log(`The ${lifecycle.objectName(changed)} was imported: ${sentence}`);
    return saved(lifecycle, changed, notes, step.evidence);
  }

  /**
   * Whether `get` has taken the place of this declaration: the object stays. A refusal would lose it, because Pulumi
   * drops a declaration from its state that a `get` replaces. A `get` of another name is refused.
   */
  function isOnlyRead(object: string, urn: string, state: State, { ledger, log }: Deployment): boolean {
    const readers = ledger.readersOf(object);
    if (readers.size === 0 || !mayDelete(state)) return false;
    if (!readers.has(urn)) throw stillRead(object);
    log(`The ${object} is not deleted: the program reads it with get, and no longer manages it.`);
    return true;
  }

  /** Whether destroy may delete or change the object. A kind that adopts nothing is only removed from the stack. */
  function mayDelete(state: State): boolean {
    return lifecycle.adoptedBy !== undefined && deletionPolicyOf(state) !== "retain";
  }

  function withInputs(state: State, notes: Notes, { evidence }: Step): Saved & { inputs: Properties } {
    return { ...saved(lifecycle, state, notes, evidence), inputs: argumentsOf(lifecycle, state) };
  }

  /** Keeps what exists when a step fails halfway. */
  async function savingPartialFailure<Result>(
    step: Step,
    notesOf: (state: State, step: Step) => Notes,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PartialFailure)) throw error;
      const state = error.state as State;
      throw new SavedFailure(error.message, saved(lifecycle, state, notesOf(state, step), step.evidence));
    }
  }
}
