import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator";
import { type ProgramOptions, PulumiProject } from "../../tools/harness/engine";

/** A simulator for each test of a suite, and projects that use it. */
export function onSimulator(options: SimulatorOptions = {}) {
  let current: Simulator;
  beforeEach(async () => {
    current = await startSimulator(options);
  });
  afterEach(() => current.close());
  return {
    /** The simulator of the current test. */
    simulator: new Proxy({} as Simulator, { get: (_, key) => Reflect.get(current, key) as unknown }),
    project: (program: string, more: Partial<ProgramOptions> = {}): Promise<PulumiProject> =>
      PulumiProject.create({ program, baseUrl: current.url, ...more }),
  };
}
