import { cpus, loadavg, release, totalmem } from "node:os";
import packageJson from "../package.json";

export function machine(): object {
  const all = cpus();
  return {
    processor: all[0]?.model ?? "unknown",
    cores: all.length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    /** The load of the last 1, 5 and 15 minutes, at the end of the run, shows what else ran beside it. */
    load: loadavg().map((load) => Number(load.toFixed(1))),
  };
}

export function versions(): object {
  const { devDependencies, version } = packageJson;
  return {
    package: version,
    node: process.version,
    engine: devDependencies.pulumi,
    sdk: devDependencies["@pulumi/pulumi"],
  };
}
