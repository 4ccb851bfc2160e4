import { randomBytes } from "node:crypto";
import type { ServiceClient } from "../../service/client";
import type { Clock } from "../../service/clock";
import { formatReport, type Report } from "../../service/errors";
import type { Answer } from "../../service/operations";
import type { Settings } from "../../settings";
import type { Evidence } from "./evidence";
import { LaunchMemory } from "./launch-memory";
import { Ledger } from "./ledger";
import { KeyedMutex } from "./mutex";

/** The rest of a failed create of this command, as the engine saves it. */
interface FailedCreate {
  readonly id: string;
  readonly outputs: Record<string, unknown>;
}

/** All resources of a `pulumi` command share it. */
export interface Deployment {
  readonly service: ServiceClient;
  readonly settings: Settings;
  readonly clock: Clock;
  /** Who manages which object, who declares it, and what became of it. */
  readonly ledger: Ledger;
  /** Random digits of the command. */
  readonly command: string;
  /** By its inputs, what a failed create left. An `onError` hook makes the engine repeat it. */
  readonly failedCreates: Map<string, FailedCreate>;
  /** By agent, its webhooks before this command created any. */
  readonly webhooksBefore: Map<string, Promise<readonly Answer<"webhook.update">[]>>;
  /** The launches of this command. */
  readonly launches: LaunchMemory;
  /** Lets one step at a time act on what could be mistaken for each other. */
  readonly mutex: KeyedMutex;
  /** Shows a line to the person who runs the command. */
  readonly log: (line: string) => void;
  /** The same, once in a command. */
  readonly logOnce: (line: string) => void;
  /** The same as a warning, where the host has them. */
  readonly warn: (report: Report) => void;
  readonly warnOnce: (report: Report) => void;
  /** Shows a line before something that must not happen unseen. Rejects when the command that would show it has ended. */
  readonly announce: (line: string) => Promise<void>;
  /** The lines that are shown once and were. */
  readonly loggedOnce: Set<string>;
}

/** The deployment as one step sees it, and the evidence about the object of the step. */
export interface Step extends Deployment {
  readonly evidence: Evidence;
}

/** The deployment with the log and the clock of one step: its lines appear at its resource, and it may be interrupted. */
export function forStep(
  deployment: Deployment,
  { log, warn, announce, clock }: Pick<Deployment, "log" | "announce" | "clock"> & { warn: Deployment["log"] },
): Deployment {
  const service = deployment.service.forStep(clock, log);
  const { loggedOnce } = deployment;
  return {
    ...deployment,
    ...warningTo(warn, loggedOnce),
    log,
    announce,
    clock,
    service,
    logOnce: once(loggedOnce, log),
  };
}

function warningTo(show: (line: string) => void, loggedOnce: Set<string>): Pick<Deployment, "warn" | "warnOnce"> {
  const showOnce = once(loggedOnce, show);
  return {
    warn: (report) => {
      show(formatReport(report));
    },
    warnOnce: (report) => {
      showOnce(formatReport(report));
    },
  };
}

function once(said: Set<string>, log: (line: string) => void): (line: string) => void {
  return (line) => {
    if (!said.has(line)) log(line);
    said.add(line);
  };
}

export function createDeployment(
  service: ServiceClient,
  settings: Settings,
  clock: Clock,
  log: (line: string) => void,
  announce = (line: string): Promise<void> => {
    log(line);
    return Promise.resolve();
  },
): Deployment {
  const loggedOnce = new Set<string>();
  return {
    service,
    settings,
    clock,
    ...warningTo(log, loggedOnce),
    log,
    logOnce: once(loggedOnce, log),
    loggedOnce,
    announce,
    ledger: new Ledger(),
    command: randomBytes(8).toString("hex"),
    failedCreates: new Map(),
    webhooksBefore: new Map(),
    launches: new LaunchMemory(),
    mutex: new KeyedMutex(),
  };
}
