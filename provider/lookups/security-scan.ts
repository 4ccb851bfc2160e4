import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import type { Lookup, LookupContext } from "./shared/lookup";
import {
  lookUp,
  type LookupInputs,
  lookUpOutput,
  type LookupOptions,
  type LookupOutputOptions,
} from "../pulumi/lookup-functions";
import { asSeconds } from "../service/clock";
import { ProviderError } from "../service/errors";
import type { Answer } from "../service/operations";
import { scanResult } from "../service/shapes";
import { withoutAbsent } from "./shared/result";

/** Which scan, and whether to wait for it. */
export interface GetSecurityScanArgs {
  /** The scanned app. */
  appId: string;
  /**
   * Waits while a scan is queued or running, for so many seconds at most, above 0 and up to 3600; then it fails. A scan
   * is never started.
   * @default what there is now
   */
  waitForScan?: {
    /** Above 0, at most 3600. */
    timeoutSeconds: number;
  };
}

/** The groups of a scan's findings. */
export type FindingGroup =
  | "rlsRecommendations"
  | "hardcodedSecrets"
  | "backendFunctions"
  | "dependencyVulnerabilities"
  | "staticCodeFindings"
  | "headerRecommendations";

/** What a scan found. The shapes of the findings are not documented: they come out as the service sent them. */
export interface ScanFindings {
  /** The scanner's own words. */
  analysisSummary?: string;
  /** Entities whose row-level security is too open. */
  rlsRecommendations?: unknown[];
  /** In the app's own code. */
  hardcodedSecrets?: unknown[];
  /** In the app's own functions. */
  backendFunctions?: unknown[];
  /** In npm packages. Empty for a caller outside that rollout. */
  dependencyVulnerabilities?: unknown[];
  /** From reading code. Empty unless `staticCodeEnabled`. */
  staticCodeFindings?: unknown[];
  /** HTTP headers of the published app. */
  headerRecommendations?: unknown[];
  /** The values are not documented. */
  coreIntegrationRecommendation?: string;
  /** ISO 8601. */
  scannedAt?: string;
}

/** A group in which nothing was found, which proves nothing. */
export interface InconclusiveGroup {
  /** Its name in `result`. */
  group: FindingGroup;
  /** Why it is no evidence. */
  reason: string;
}

/** The latest scan, and what it does not prove. */
export interface GetSecurityScanResult {
  /** `up_to_date`, `out_of_date`, `none`, `pending`, `scanning`, `scan_failed`. To be read before `result`. */
  status: string;
  /** Absent without a scan, and when the last one came from another version of the scanner. */
  result?: ScanFindings;
  /** There is a result, and it is of an earlier state of the app: the status is not `up_to_date`. */
  findingsAreStale: boolean;
  /** The groups of `result` that are empty, and why that is not evidence of nothing to find. */
  inconclusiveGroups: InconclusiveGroup[];
  /** Whether code-reading analysis is on for the app. */
  staticCodeEnabled?: boolean;
  /** The fingerprints of ignored findings, which stay in the result. */
  ignoredFingerprints: string[];
  /** What the answer leaves open, in sentences; empty when nothing. */
  notes: string[];
}

const mostSeconds = 3_600;
const bounds = `must be a number of seconds above 0 and up to ${String(mostSeconds)}`;

const args = z.strictObject({
  appId: identifier(),
  waitForScan: z
    .strictObject(
      { timeoutSeconds: z.number(bounds).positive(bounds).max(mostSeconds, bounds) },
      "must be an object with timeoutSeconds",
    )
    .optional(),
});

type Wire = Answer<"scan.get">;

export const securityScanLookup: Lookup<z.output<typeof args>, GetSecurityScanResult> = {
  name: "getSecurityScan",
  purpose: "The latest security scan and its findings",
  args,
  async run({ appId, waitForScan }, context) {
    const scan = await read(appId, context);
    return resultOf(waitForScan === undefined ? scan : await settled(scan, appId, waitForScan.timeoutSeconds, context));
  },
};

function read(appId: string, { service }: LookupContext): Promise<Wire> {
  return service.call("scan.get", { parameters: { app_id: appId } });
}

const firstWait = 2_000;
const longestWait = 30_000;

/** "Poll while status is `pending` or `scanning`": both settle on their own. */
async function settled(first: Wire, appId: string, timeoutSeconds: number, context: LookupContext): Promise<Wire> {
  const { clock, log } = context;
  const end = clock.now() + timeoutSeconds * 1000;
  let scan = first;
  for (let wait = firstWait; isGoingOn(scan); wait = Math.min(longestWait, wait * 2)) {
    const left = end - clock.now();
    if (left <= 0)
      throw new ProviderError(
        `The security scan of app ${appId} is still ${scan.status} after ${String(timeoutSeconds)} s (waitForScan.timeoutSeconds). It goes on: run the command again later, or leave waitForScan out to read what there is.`,
      );
    const pause = Math.min(wait, left);
    log(`the security scan of app ${appId} is ${scan.status}; reading it again in ${asSeconds(pause)}.`);
    await clock.sleep(pause);
    scan = await read(appId, context);
  }
  return scan;
}

function isGoingOn({ status }: Wire): boolean {
  return status === "pending" || status === "scanning";
}

/** From wire to result. */
function resultOf(wire: Wire): GetSecurityScanResult {
  const result = wire.result == null ? undefined : findingsOf(wire.result);
  const staticCodeEnabled = wire.static_code_enabled ?? undefined;
  const inconclusiveGroups = result === undefined ? [] : inconclusive(result, staticCodeEnabled);
  const findingsAreStale = result !== undefined && wire.status !== "up_to_date";
  return withoutAbsent<GetSecurityScanResult>({
    status: wire.status,
    result,
    findingsAreStale,
    inconclusiveGroups,
    staticCodeEnabled,
    ignoredFingerprints: wire.ignored_fingerprints ?? [],
    notes: [
      ...(result === undefined ? [`There are no findings to look at (${wire.status}), which proves nothing.`] : []),
      ...(findingsAreStale
        ? [`The findings are of an earlier state of the app (${wire.status}): run a new scan before acting on them.`]
        : []),
      ...inconclusiveGroups.map(({ group, reason }) => `${group} is empty, which proves nothing: ${reason}.`),
    ],
  });
}

/** A result that cannot be read is an error: it must not pass for one without findings. */
function findingsOf(result: unknown): ScanFindings {
  const { data: wire, error } = scanResult.safeParse(result);
  if (error !== undefined) {
    const problems = error.issues.map((issue) => `result.${issue.path.join(".")}: ${issue.message}`);
    throw new ProviderError(`scan.get: the result of the scan could not be read (${problems.join("; ")}).`);
  }
  return withoutAbsent<ScanFindings>({
    analysisSummary: wire.analysis_summary,
    rlsRecommendations: wire.rls_recommendations,
    hardcodedSecrets: wire.hardcoded_secrets,
    backendFunctions: wire.backend_functions,
    dependencyVulnerabilities: wire.dependency_vulnerabilities,
    staticCodeFindings: wire.static_code_findings,
    headerRecommendations: wire.header_recommendations,
    coreIntegrationRecommendation: wire.core_integration_recommendation,
    scannedAt: wire.scanned_at,
  });
}

const groups: readonly FindingGroup[] = [
  "rlsRecommendations",
  "hardcodedSecrets",
  "backendFunctions",
  "dependencyVulnerabilities",
  "staticCodeFindings",
  "headerRecommendations",
];

/** "An empty group is not evidence of nothing to find." */
function inconclusive(findings: ScanFindings, staticCodeEnabled: boolean | undefined): InconclusiveGroup[] {
  return groups
    .filter((group) => (findings[group] ?? []).length === 0)
    .map((group) => ({ group, reason: reasonFor(group, staticCodeEnabled) }));
}

function reasonFor(group: FindingGroup, staticCodeEnabled: boolean | undefined): string {
  if (group === "staticCodeFindings" && staticCodeEnabled !== true)
    return "code-reading analysis is not on for the app (staticCodeEnabled)";
  if (group === "dependencyVulnerabilities") return "it is always empty for a caller outside that rollout";
  return "the service does not tell nothing found from nothing looked for";
}

/**
 * The latest security scan of an app. It never starts one.
 *
 * Documented by the service, but for the shapes of the findings. Read `status` before `result`: an earlier result stays
 * while a scan is pending, running, failed or out of date (`findingsAreStale`), and an empty group proves nothing
 * (`inconclusiveGroups`).
 *
 * ```ts
 * const scan = await apps.getSecurityScan({ appId: "app-1", waitForScan: { timeoutSeconds: 300 } });
 * if (scan.status !== "up_to_date" || scan.result === undefined)
 *     throw new Error(`The scan is ${scan.status}: nothing is launched.`);
 * if (scan.result.hardcodedSecrets?.length) throw new Error("There are secrets in the code: nothing is launched.");
 * ```
 */
export function getSecurityScan(args: GetSecurityScanArgs, opts?: LookupOptions): Promise<GetSecurityScanResult> {
  return lookUp(securityScanLookup, args, opts);
}

/** {@link getSecurityScan} with inputs: asks once they are known. */
export function getSecurityScanOutput(
  args: LookupInputs<GetSecurityScanArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetSecurityScanResult> {
  return lookUpOutput(securityScanLookup, args, opts);
}
