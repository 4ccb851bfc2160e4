import assert from "node:assert/strict";
import { type Lifecycle } from "../../provider/resources/shared/lifecycle";
import { createDeployment, type Deployment, type Step } from "../../provider/resources/shared/deployment";
import { Evidence } from "../../provider/resources/shared/evidence";
import { withDefaults } from "../../provider/pulumi/check-step";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { withoutUndefined } from "../../provider/serializable";
import { ServiceClient } from "../../provider/service/client";
import { readSettings, type SettingKey } from "../../provider/settings";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator";
import { VirtualClock } from "./clock";
import { PartialFailure } from "../../provider/resources/shared/partial-failure";
import { resourceDigitsKey } from "../../provider/pulumi/hidden-inputs";
import { type Properties, SavedFailure } from "../../provider/pulumi/saved";
import { stepsOf } from "../../provider/pulumi/steps";

/** The service and one deployment that uses it, without the engine: for tests of one lifecycle. */
export interface Bench extends Deployment {
  readonly simulator: Simulator;
  readonly service: ServiceClient;
  readonly clock: VirtualClock;
  /** The messages to the user. */
  readonly said: string[];
  /** A later run of `pulumi`: the same service, and only the state is kept. */
  later(settings?: Partial<Record<SettingKey, string>>): Bench;
  /** The same on a machine whose clock is ahead of the right time, or behind if negative. */
  onMachineAhead(milliseconds: number): Bench;
  close(): Promise<void>;
}

/** The service uses the deployment's clock. */
export async function startBench(
  settings: Partial<Record<SettingKey, string>> = {},
  options: SimulatorOptions = {},
): Promise<Bench> {
  const clock = new VirtualClock();
  return benchOn(await startSimulator({ now: () => clock.now(), ...options }), settings, clock);
}

function benchOn(simulator: Simulator, given: Partial<Record<SettingKey, string>>, clock: VirtualClock): Bench {
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  const configured = { baseUrl: simulator.url, accessToken: "full-access-token", ...given };
  const settings = readSettings((key) => configured[key], {});
  const service = new ServiceClient(settings, clock, say);
  return {
    ...createDeployment(service, settings, clock, say),
    simulator,
    said,
    clock,
    later: (changed = {}) => benchOn(simulator, { ...given, ...changed }, clock),
    onMachineAhead: (milliseconds) => benchOn(simulator, given, clock.aheadBy(milliseconds)),
    close: async () => {
      await simulator.close();
      await service.close();
    },
  };
}

/** The requests that the service received, as `operation body`. */
export function seen(simulator: Simulator): string[] {
  return simulator.requests.map(({ operation, body }) =>
    body === undefined ? String(operation) : `${String(operation)} ${JSON.stringify(body)}`,
  );
}

/** The preview where nothing changes. */
export const unchanged = { changes: false, replaces: [] };

/** A state with `readBy` of its evidence. */
export type WithReadBy<State> = State & { readonly readBy?: string };

/** A step of this deployment. `readBy`: the one in the state of its object. */
export function stepOn(deployment: Deployment, readBy?: string, object = "new object"): Step {
  return { ...deployment, evidence: new Evidence(deployment.service.endpoints, object, readBy) };
}

/** A lifecycle as the steps call it: inputs are checked and defaulted, and state is serialized with its `readBy`. */
export function driven<Inputs extends object, State extends object>(lifecycle: Lifecycle<Inputs, State>) {
  const parsed = (inputs: object): Inputs =>
    lifecycle.inputs.parse(
      withDefaults(lifecycle, inputs as Inputs, { place: "project/stack/tested", name: "tested" }, {}),
    );
  const withoutReadBy = ({ readBy, ...state }: WithReadBy<State>): State =>
    (lifecycle.keepsOwnReadBy === true ? { ...state, readBy } : state) as State;
  const stepAbout = (state: WithReadBy<State>, deployment: Deployment): Step =>
    stepOn(deployment, state.readBy, lifecycle.objectName(state));
  /** Runs a step, and returns the state with the `readBy` of now. */
  const run = async <Result extends State | undefined>(
    step: Step,
    work: (step: Step) => Promise<Result>,
  ): Promise<Result extends State ? Result & { readBy: string } : undefined> => {
    const withReadBy = (state: object): object => withoutUndefined({ readBy: step.evidence.readBy, ...state });
    try {
      const state = await work(step);
      return (state === undefined ? undefined : withReadBy(state)) as Awaited<ReturnType<typeof run<Result>>>;
    } catch (error) {
      throw error instanceof PartialFailure ? new PartialFailure(withReadBy(error.state), error.report) : error;
    }
  };
  const steps = stepsOf(lifecycle);
  /** As the engine calls it, which may repeat it. The lease is of no interest here. */
  const creating = async (inputs: Properties, deployment: Deployment): Promise<State & { readBy: string }> => {
    const stateOf = ({ lease: _, ...state }: Properties) => state as State & { readBy: string };
    try {
      return stateOf((await steps.create(inputs, deployment)).outputs);
    } catch (error) {
      if (!(error instanceof SavedFailure)) throw error;
      const { message, saved } = error;
      throw Object.assign(new PartialFailure(stateOf(saved.outputs), { code: "WA1301", what: message }), { message });
    }
  };
  return {
    create: (inputs: object, deployment: Deployment, resourceDigits = "1f0c9a2") =>
      creating({ ...parsed(inputs), [resourceDigitsKey]: resourceDigits }, deployment),
    update: (state: WithReadBy<State>, inputs: object, deployment: Deployment) =>
      run(stepAbout(state, deployment), (step) => lifecycle.update(withoutReadBy(state), parsed(inputs), step)),
    read: (state: WithReadBy<State>, deployment: Deployment) =>
      run(stepAbout(state, deployment), (step) => lifecycle.read(withoutReadBy(state), step)),
    delete: (state: WithReadBy<State>, deployment: Deployment) =>
      lifecycle.delete(withoutReadBy(state), stepAbout(state, deployment), () => false),
    /** The next preview: whether anything changes, and which arguments replace the object. */
    preview: async (state: State, inputs: object, bench: Deployment) => {
      const host = dynamicProvider(lifecycle, () => bench);
      const olds = { ...(state as Record<string, unknown>) };
      const checked = await host.check?.(olds, { ...inputs });
      assert.deepEqual(checked?.failures, []);
      return host.diff?.("id", olds, checked.inputs ?? {});
    },
  };
}

/** The state that a failed step left behind. */
export async function leftBy<State>(step: Promise<State>): Promise<{ state: State; message: string }> {
  const error = await step.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  assert.ok(error instanceof PartialFailure, `expected an unfinished step, got ${String(error)}`);
  return { state: withoutUndefined(error.state) as State, message: error.message };
}
