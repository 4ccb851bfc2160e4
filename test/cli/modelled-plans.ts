import type { Chance } from "../../tools/simulate/chance";
import { type PlanStep, urnOf } from "./support";

/*
 * Random plans, with what an `up` of each does. The engine is modelled forwards, as it carries out a program, and not as
 * the review reads a plan. `npm run simulate -- gates` compares reviews with the real engine.
 */

/** The actions of an `up` that a gate must have announced. */
export type Action =
  { is: "permanent-delete"; id: string } | { is: "launch"; name: string } | { is: "spend"; id: string };

export interface ModelledPlan {
  readonly steps: readonly PlanStep[];
  readonly actions: readonly Action[];
}

type Kind = "AdCampaign" | "TestFlow";

/** A resource in the state. */
interface Stored {
  readonly name: string;
  readonly kind: Kind;
  readonly id: string;
  readonly values: Record<string, unknown>;
  /** A resource whose change replaces this one. */
  readonly needs: string | undefined;
  readonly deletedWith: string | undefined;
  readonly retainOnDelete: boolean;
  readonly is: "whole" | "waiting for deletion" | "pending replacement";
  readonly initErrors: readonly string[];
}

/** The program's change to a resource of the state. */
type Fate = "same" | "change in place" | "replace" | "leave";

export function drawPlan(chance: Chance): ModelledPlan {
  const state = drawState(chance);
  const fates = new Map(
    state.map(({ name }) => [name, chance.pick<Fate>(["same", "same", "change in place", "replace", "leave"])]),
  );
  const engine = new Engine(state, fates, chance);
  for (const stored of state) if (stored.is !== "waiting for deletion") engine.register(stored);
  for (let count = chance.between(0, 2); count > 0; count--) engine.create(`new-${String(count)}`);
  engine.deleteTheRest();
  return engine;
}

function drawState(chance: Chance): Stored[] {
  const state: Stored[] = [];
  for (let index = 0; index < 5; index++) {
    const kind = chance.pick<Kind>(["AdCampaign", "TestFlow"]);
    const other = (share: number): string | undefined =>
      state.length > 0 && chance.next() < share ? chance.pick(state).name : undefined;
    const id = `${kind}-${String(index)}`;
    const isUnfinished = chance.next() < 0.1;
    const stored: Stored = {
      name: `r${String(index)}`,
      kind,
      id,
      values: kind === "AdCampaign" ? drawCampaign(id, isUnfinished, chance) : { appId: "app-1", flowId: id },
      needs: other(0.4),
      deletedWith: other(0.3),
      retainOnDelete: chance.next() < 0.1,
      is: kind === "AdCampaign" && chance.next() < 0.1 ? "pending replacement" : "whole",
      initErrors: isUnfinished ? ["not finished"] : [],
    };
    state.push(stored);
    if (chance.next() < 0.15) {
      const older = { ...stored, id: `${id}-old`, is: "waiting for deletion" as const };
      state.push({ ...older, values: { ...older.values, campaignId: older.id, flowId: older.id } });
    }
  }
  return state;
}

function drawCampaign(id: string, isUnfinished: boolean, chance: Chance): Record<string, unknown> {
  return {
    appId: "app-1",
    campaignName: id,
    campaignId: id,
    dailyBudgetMicros: 5_000_000,
    launchState: isUnfinished ? "unconfirmed" : "confirmed",
    pausedBy: chance.pick([undefined, "us", "service", "other", "unknown"]),
    ...(chance.next() < 0.5 ? { paused: chance.next() < 0.5 } : {}),
    ...(chance.next() < 0.2 ? { deletionPolicy: chance.pick(["delete", "pause", "retain"]) } : {}),
  };
}

class Engine implements ModelledPlan {
  readonly steps: PlanStep[] = [];
  readonly actions: Action[] = [];
  /** As the engine's map of the same name: what it deletes, except for the root of a replacement that deletes first. */
  private readonly deletes = new Set<string>();
  private readonly deleted = new Set<Stored>();
  private readonly registered = new Set<string>();
  private readonly lastDeletions: Stored[] = [];
  private readonly adopted = new Set<string>();

  constructor(
    private readonly state: readonly Stored[],
    private readonly fates: ReadonlyMap<string, Fate>,
    private readonly chance: Chance,
  ) {}

  register(stored: Stored): void {
    const fate = this.fates.get(stored.name);
    if (fate === "leave") return;
    this.registered.add(stored.name);
    const isRecreated = this.deleted.has(stored);
    if (isRecreated || stored.is === "pending replacement") this.recreate(stored);
    else if (fate === "replace") this.replace(stored);
    else if (fate === "change in place" || stored.initErrors.length > 0) this.update(stored);
    else this.add("same", stored, declaredIn(stored));
  }

  create(name: string): void {
    const leaving = this.state.filter((one) => this.fates.get(one.name) === "leave" && one.kind === "AdCampaign");
    const isAdopted = leaving.length > 0 && this.chance.next() < 0.4;
    const found = isAdopted ? this.chance.pick(leaving) : undefined;
    // The value may turn out to be left out.
    const isHidden = this.chance.next() < 0.2;
    const campaignId = found?.id ?? (isHidden ? "[secret]" : undefined);
    const after = { appId: "app-1", campaignName: name, dailyBudgetMicros: 5_000_000, campaignId };
    this.steps.push({ op: "create", urn: urnOf("AdCampaign", name), newState: { inputs: after } });
    if (found === undefined) this.actions.push({ is: "launch", name });
    // An object that was deleted before cannot be adopted any more.
    else if (!this.deleted.has(found) && found.is !== "pending replacement") this.adopted.add(found.id);
  }

  deleteTheRest(): void {
    const leaving = this.state.filter(
      (one) => !this.deleted.has(one) && one.is !== "pending replacement" && this.fates.get(one.name) === "leave",
    );
    const waiting = this.state.filter((one) => one.is === "waiting for deletion" && !this.deleted.has(one));
    const last = [...new Set([...leaving, ...waiting, ...this.lastDeletions])];
    for (const { name, kind } of last) this.deletes.add(urnOf(kind, name));
    for (const one of last) {
      const isReplaced = one.is === "waiting for deletion" || this.lastDeletions.includes(one);
      this.add(isReplaced ? "delete-replaced" : "delete", one, undefined, isReplaced ? { delete: true } : {});
      this.end(one);
    }
  }

  private replace(stored: Stored): void {
    const isDeletedFirst = stored.kind === "AdCampaign" ? this.chance.next() < 0.8 : this.chance.next() < 0.3;
    if (isDeletedFirst) {
      for (const dependent of this.dependentsOf(stored).toReversed()) {
        this.add("delete-replaced", dependent);
        this.end(dependent);
        this.deletes.add(urnOf(dependent.kind, dependent.name));
        this.deleted.add(dependent);
      }
      this.add("delete-replaced", stored);
      this.end(stored);
      this.deleted.add(stored);
      this.recreate(stored);
    } else {
      this.add("create-replacement", stored, this.changed(stored));
      this.launched(stored);
      this.add("replace", stored, this.changed(stored), { delete: true });
      this.lastDeletions.push(stored);
    }
  }

  private recreate(stored: Stored): void {
    this.add("replace", stored, this.changed(stored), { pendingReplacement: true });
    this.add("create-replacement", stored, this.changed(stored), { pendingReplacement: true });
    this.launched(stored);
  }

  private update(stored: Stored): void {
    const { values, kind, name, id } = stored;
    const after: Record<string, unknown> = declaredIn(stored);
    if (kind === "AdCampaign") after["paused"] = this.chance.pick([true, false, undefined]);
    const isSecret = this.chance.next() < 0.3;
    const shown = isSecret ? { paused: "[secret]" } : {};
    this.add("update", { ...stored, values: { ...values, ...shown } }, { ...after, ...shown });
    if (kind !== "AdCampaign") return;
    if (values["launchState"] === "unconfirmed") this.actions.push({ is: "launch", name });
    else if (isResumed(values["pausedBy"], after)) this.actions.push({ is: "spend", id });
  }

  /** Those that a replacement of this one would replace, and that are not registered yet, in the order of the state. */
  private dependentsOf(root: Stored): Stored[] {
    const replaced = new Set([root.name]);
    return this.state.filter((one) => {
      if (one.needs === undefined || !replaced.has(one.needs) || this.registered.has(one.name)) return false;
      if (one.is !== "whole" || this.deleted.has(one)) return false;
      replaced.add(one.name);
      return true;
    });
  }

  /** Calls the provider to delete an object. */
  private end({ id, kind, values, retainOnDelete, deletedWith, is }: Stored): void {
    const target = this.state.find(({ name }) => name === deletedWith);
    const isSpared = target !== undefined && this.deletes.has(urnOf(target.kind, target.name));
    if (retainOnDelete || isSpared || is === "pending replacement" || this.adopted.has(id)) return;
    const policy = values["deletionPolicy"] ?? "delete";
    if (kind === "TestFlow" || policy === "delete") this.actions.push({ is: "permanent-delete", id });
  }

  private launched({ kind, name }: Stored): void {
    if (kind === "AdCampaign") this.actions.push({ is: "launch", name });
  }

  private changed(stored: Stored): Record<string, unknown> {
    return { ...declaredIn(stored), appId: "app-2" };
  }

  private add(op: string, stored: Stored, after?: Record<string, unknown>, more: Record<string, unknown> = {}): void {
    const { kind, name, id, values, retainOnDelete, initErrors } = stored;
    const urn = urnOf(kind, name);
    const target = this.state.find((one) => one.name === stored.deletedWith);
    const deletedWith = target === undefined ? undefined : urnOf(target.kind, target.name);
    const oldState = { urn, id, inputs: values, outputs: values, retainOnDelete, deletedWith, initErrors, ...more };
    this.steps.push({ op, urn, oldState, ...(after === undefined ? {} : { newState: { urn, inputs: after } }) });
  }
}

/** Whether `up` resumes a confirmed campaign. One that the service holds starts by itself. */
function isResumed(pausedBy: unknown, { paused, deletionPolicy }: Record<string, unknown>): boolean {
  if (paused === undefined) return pausedBy === "unknown" && deletionPolicy === "pause";
  return paused === false && pausedBy !== undefined && pausedBy !== "service";
}

/** The arguments of a resource that its object was created with. */
function declaredIn({ values }: Stored): Record<string, unknown> {
  const { campaignId: _, flowId: __, launchState: ___, pausedBy: ____, ...declared } = values;
  return declared;
}
