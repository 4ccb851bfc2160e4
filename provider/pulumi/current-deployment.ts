import { createDeployment, type Deployment } from "../resources/shared/deployment";
import { ServiceClient } from "../service/client";
import { systemClock } from "../service/clock";
import {
  configNamespace,
  inWordsOfProvider,
  readProviderSettings,
  readSettings,
  SettingsError,
  type TextOf,
} from "../settings";
import { explicitKey } from "./provider-arguments";

/** One host process serves all resources of a `pulumi` command, so what they share is kept here. */
let current: Deployment | SettingsError | undefined;
let isExplicit = false;

/** Takes the stack's configuration. The first call counts: all resources get the same. */
export function configure(get: (key: string) => string | undefined): void {
  current ??= deploymentFrom(get);
}

/** Throws a SettingsError at the first step that needs the settings. */
export function currentDeployment(): Deployment {
  current ??= deploymentFrom(() => undefined);
  if (current instanceof SettingsError) throw current;
  return current;
}

/** A message in the words of this host's settings. */
export function inOwnWords(message: string): string {
  return isExplicit ? inWordsOfProvider(message) : message;
}

function deploymentFrom(get: (key: string) => string | undefined): Deployment | SettingsError {
  try {
    const given: TextOf = (key) => get(`${configNamespace}:${key}`);
    isExplicit = get(`${configNamespace}:${explicitKey}`) !== undefined;
    const settings = isExplicit ? readProviderSettings(given) : readSettings(given);
    // Without a listener, a line that nobody can read any more keeps the host busy with uncaught errors for ever.
    process.stdout.on("error", () => undefined);
    const log = (line: string): void => void announce(line).catch(() => undefined);
    return createDeployment(new ServiceClient(settings, systemClock, log), settings, systemClock, log, announce);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
}

/**
 * Writes a line, which appears among the messages of the stack. The host outlives a killed CLI. The pipe between them shows
 * that: a write fails when nobody reads it any more.
 */
function announce(line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${inOwnWords(line)}\n`, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
