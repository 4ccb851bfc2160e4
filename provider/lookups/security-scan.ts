import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { asSeconds } from "../service/clock";
import { checkService, ProviderError } from "../service/errors";
import type { Answer } from "../service/operations";
import { oneLine } from "../service/redaction";
import { scan, scanResult } from "../service/shapes";
import { fromWire, notesOf, withoutAbsent } from "./shared/fields";
import type { Lookup, LookupContext } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** The arguments of {@link getSecurityScan}. */
export interface GetSecurityScanArgs {
  /** The scanned app. */
  appId: string;
  /**
   * Waits while a scan is queued or running. It never starts one.
   * @default no wait
   */
  waitForScan?: {
    /** The longest wait in seconds, above 0 and up to 3600. After it, the look-up fails. */
    timeoutSeconds: number;
  };
}

/** The groups of a scan's findings. */
export type FindingGroup = (typeof findingGroups)[number];

/** The findings of a scan. They are as the service sent them, because their shapes are not documented. */
export interface ScanFindings {
  /** The scanner's summary. */
  analysisSummary?: string;
  /** Entities whose row-level security is too open. */
  rlsRecommendations?: unknown[];
  /** Secrets in the app's own code. */
  hardcodedSecrets?: unknown[];
  /** Findings in the app's own functions. */
  backendFunctions?: unknown[];
  /** Vulnerabilities in npm packages. Always empty if the feature is not rolled out to the caller. */
  dependencyVulnerabilities?: unknown[];
  /** Findings from reading code. Empty unless `staticCodeEnabled` is true. */
  staticCodeFindings?: unknown[];
  /** Findings about HTTP headers of the published app. */
  headerRecommendations?: unknown[];
  /** A recommendation about core integrations. The values are not documented. */
  coreIntegrationRecommendation?: string;
  /** When the scan ran, ISO 8601. */
  scannedAt?: string;
}

/** A group without findings, which does not prove that there is nothing to find. */
export interface InconclusiveGroup {
  /** The name of the group in `result`. */
  group: FindingGroup;
  /** Why it proves nothing. */
  reason: string;
}

/** The result of {@link getSecurityScan}. */
export interface GetSecurityScanResult {
  /** `up_to_date`, `out_of_date`, `none`, `pending`, `scanning` or `scan_failed`. Check it before `result`. */
  status: string;
  /** The findings. Absent when there was no scan, or when another scanner version made the last one. */
  result?: ScanFindings;
  /** Whether the findings are of an earlier version of the app: there is a result, but the status is not `up_to_date`. */
  findingsAreStale: boolean;
  /** The empty groups of `result`, and why each proves nothing. */
  inconclusiveGroups: InconclusiveGroup[];
  /** Whether code-reading analysis is on for the app. */
  staticCodeEnabled?: boolean;
  /** The fingerprints of ignored findings, which stay in `result`. Absent when the service does not say which are ignored. */
  ignoredFingerprints?: string[];
  /** Sentences that say what the result does not prove. Empty if there is nothing to explain. */
  notes: string[];
}

const findingGroups = [
  "rlsRecommendations",
  "hardcodedSecrets",
  "backendFunctions",
  "dependencyVulnerabilities",
  "staticCodeFindings",
  "headerRecommendations",
] as const;

const maxSeconds = 3_600;
const bounds = `must be a number of seconds above 0 and up to ${String(maxSeconds)}`;

const args = z.strictObject({
  appId: identifier(),
  waitForScan: z
    .strictObject(
      { timeoutSeconds: z.number(bounds).positive(bounds).max(maxSeconds, bounds) },
      "must be an object with timeoutSeconds",
    )
    .optional(),
});

type Wire = Answer<"scan.get">;

/** @internal */
export const securityScanLookup: Lookup<z.output<typeof args>, GetSecurityScanResult> = {
  name: "getSecurityScan",
  operation: "scan.get",
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
const maxWait = 30_000;

/** "Poll while status is `pending` or `scanning`": both settle on their own. */
async function settled(first: Wire, appId: string, timeoutSeconds: number, context: LookupContext): Promise<Wire> {
  const { clock, log } = context;
  const end = clock.now() + timeoutSeconds * 1000;
  let scan = first;
  for (let wait = firstWait; isGoingOn(scan); wait = Math.min(maxWait, wait * 2)) {
    const left = end - clock.now();
    if (left <= 0)
      throw new ProviderError({
        code: "WA1705",
        what: `The security scan of app ${appId} is still ${scan.status} after ${String(timeoutSeconds)} s (waitForScan.timeoutSeconds).`,
        next: [
          "Run the command again later. The scan continues.",
          "To read the scan without waiting, remove waitForScan.",
        ],
      });
    const pause = Math.min(wait, left);
    log(`the security scan of app ${appId} is ${scan.status}; checking again in ${asSeconds(pause)}.`);
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
  const { status, result: sent, ...rest } = fromWire(scan, wire);
  const result = sent === undefined ? undefined : findingsOf(sent);
  const inconclusiveGroups = result === undefined ? [] : inconclusive(result, rest.staticCodeEnabled);
  const findingsAreStale = result !== undefined && status !== "up_to_date";
  const shownStatus = oneLine(status);
  const otherVersion = status === "out_of_date" ? " The last scan was made by another version of the scanner." : "";
  return {
    status,
    ...withoutAbsent({ result }),
    findingsAreStale,
    inconclusiveGroups,
    ...rest,
    notes: notesOf(
      result === undefined && `There is no scan result (status ${shownStatus}), so nothing is known.${otherVersion}`,
      findingsAreStale &&
        `The findings are from an earlier scan (status ${shownStatus}) and may be out of date. Run a new scan before you act on them.`,
      rest.ignoredFingerprints === undefined &&
        "The response does not say which findings are ignored (no ignored_fingerprints), so any may be.",
      ...inconclusiveGroups.map(({ group, reason }) => `${group} is empty, which proves nothing: ${reason}.`),
    ),
  };
}

/** An unreadable result is an error. It must not be treated as no findings. */
function findingsOf(result: unknown): ScanFindings {
  const { data, error } = scanResult.safeParse(result);
  if (error === undefined) return fromWire(scanResult, data);
  const problems = error.issues.map((issue) => `result.${issue.path.join(".")}: ${issue.message}`);
  throw new ProviderError({
    code: "WA1704",
    what: `scan.get failed: the result of the scan could not be read: ${problems.join("; ")}.`,
    next: [checkService],
  });
}

/** "An empty group is not evidence of nothing to find." */
function inconclusive(findings: ScanFindings, staticCodeEnabled: boolean | undefined): InconclusiveGroup[] {
  return findingGroups
    .filter((group) => (findings[group] ?? []).length === 0)
    .map((group) => ({ group, reason: reasonFor(group, staticCodeEnabled) }));
}

function reasonFor(group: FindingGroup, staticCodeEnabled: boolean | undefined): string {
  if (group === "staticCodeFindings" && staticCodeEnabled !== true)
    return staticCodeEnabled === false
      ? "code-reading analysis is off for this app (staticCodeEnabled)"
      : "the response does not say whether code-reading analysis is on for this app";
  if (group === "dependencyVulnerabilities") return "it is always empty if the feature is not rolled out to the caller";
  return "the response does not show whether the scanner looked for it";
}

/**
 * Reads the latest security scan of an app. It never starts a scan.
 *
 * The service documents the operation (`scan.get`), but not the shapes of the findings. Check `status` before `result`. An
 * earlier result stays while a scan is pending, running, failed or out of date (`findingsAreStale`). An empty group does not
 * prove that there is nothing to find (`inconclusiveGroups`).
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

/** {@link getSecurityScan} with inputs. Sends its requests once all inputs are known. */
export function getSecurityScanOutput(
  args: LookupInputs<GetSecurityScanArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetSecurityScanResult> {
  return lookUpOutput(securityScanLookup, args, opts);
}
