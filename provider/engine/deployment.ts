import { type Clock, systemClock } from "../service/clock";
import { Service } from "../service/client";
import { SharedReads } from "../service/shared-reads";
import { configNamespace, readSettings, type Settings, SettingsError } from "../settings";
import { Claims } from "./claims";
import { Declarations } from "./declarations";
import type { Deployment } from "./lifecycle";

/**
 * One host process serves all resources of a `pulumi` command, so connections, rate limits and claims are shared by
 * keeping them here.
 */
let current: Deployment | SettingsError | undefined;

/** Takes the stack's configuration. The first resource's call counts: all get the same. */
export function configure(get: (key: string) => string | undefined): void {
  current ??= deploymentFrom(get);
}

/** Throws what is wrong with the settings, at the first step that needs them. */
export function currentDeployment(): Deployment {
  current ??= deploymentFrom(() => undefined);
  if (current instanceof SettingsError) throw current;
  return current;
}

function deploymentFrom(get: (key: string) => string | undefined): Deployment | SettingsError {
  try {
    const settings = readSettings((key) => get(`${configNamespace}:${key}`));
    // What the host prints appears among the messages of the stack.
    const say = (line: string): void => {
      process.stdout.write(`${line}\n`);
    };
    return deploymentOf(new Service(settings, systemClock, say), settings, systemClock, say);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
}

export function deploymentOf(
  service: Service,
  settings: Settings,
  clock: Clock,
  say: (line: string) => void,
): Deployment {
  return {
    service,
    settings,
    clock,
    say,
    claims: new Claims(),
    declarations: new Declarations(),
    reads: new SharedReads(clock),
  };
}
