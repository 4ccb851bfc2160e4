import { z } from "zod";
import { checkEditor } from "../app-access";
import type { Area } from "../area";
import { ofApp, route, time } from "../control/route";
import { byName } from "../exported";
import type { Handlers } from "../handler";
import { refusal } from "../refusal";
import { isoTime, readBack } from "../times";
import type { AllObjects, Scan, ScanChange, ScanObjects, ScanResult } from "../types";
import { sized, validated, validatedPart } from "../validation";

/** The security scans of all apps. All returned objects are copies. */
function openStore(now: () => number) {
  const byApp = new Map<string, Scan>();

  const scan = (appId: string) => structuredClone(byApp.get(appId) ?? neverScanned);

  function resultAfter(before: ScanResult | null, { status, result }: ScanChange): ScanResult | null {
    const empty = emptyResult(isoTime(now()));
    if (status === "none" || result === null) return null;
    if (result !== undefined) return { ...empty, ...result };
    return before ?? (status === "up_to_date" ? empty : null);
  }

  const objects: ScanObjects = {
    scan,
    setScan: (appId, fields) => {
      const before = scan(appId);
      const { status = before.status } = fields;
      const result = resultAfter(before.result, { ...fields, status });
      byApp.set(appId, structuredClone({ ...before, ...fields, result }));
      return scan(appId);
    },
    ignoredFindings: (appId) => scan(appId).ignored_fingerprints,
  };
  return {
    objects,
    snapshot: () => ({ scans: Object.fromEntries([...byApp.keys()].map((appId) => [appId, scan(appId)])) }),
    restore: ({ scans }: AllObjects): void => {
      byApp.clear();
      for (const [appId, given] of Object.entries(scans)) byApp.set(appId, given);
    },
  };
}

const neverScanned: Scan = { status: "none", result: null, static_code_enabled: false, ignored_fingerprints: [] };

function emptyResult(scanned_at: string): ScanResult {
  return {
    analysis_summary: "",
    rls_recommendations: [],
    hardcoded_secrets: [],
    backend_functions: [],
    dependency_vulnerabilities: [],
    static_code_findings: [],
    header_recommendations: [],
    core_integration_recommendation: "",
    scanned_at,
  };
}

/** "A string of 1 to 128 characters." */
const fingerprint = sized(1, 128);
const ignoring = z.object({ fingerprint });

function handlersOf(objects: ScanObjects): Handlers {
  return {
    // "These and 200 are the only statuses": for an app that the token does not reach, 403 and not 404.
    "scan.get": ({ parameters: { app_id }, caller }) => {
      if (!caller.reaches(app_id)) throw refusal(403, "app_not_allowed", "The credential does not reach this app.");
      return wire(objects.scan(app_id));
    },

    // Any fingerprint: the specification does not say that it must be of a finding.
    "finding.ignore": ({ parameters: { app_id }, caller, body }) => {
      const sent = validated(ignoring, body);
      checkEditor(app_id, caller, "findings");
      const ignored = new Set(objects.ignoredFindings(app_id)).add(sent.fingerprint);
      objects.setScan(app_id, { ignored_fingerprints: [...ignored] });
      return { status: "ok" };
    },

    // "`ok`, also when the fingerprint was not ignored (nothing changes)."
    "finding.restore": ({ parameters, caller }) => {
      const restored = validatedPart(fingerprint, "path", "fingerprint", parameters.fingerprint);
      checkEditor(parameters.app_id, caller, "findings");
      const ignored = objects.ignoredFindings(parameters.app_id);
      if (ignored.includes(restored))
        objects.setScan(parameters.app_id, { ignored_fingerprints: ignored.filter((one) => one !== restored) });
      return { status: "ok" };
    },
  };
}

function wire(scan: Scan): Scan {
  const { result, static_code_enabled } = scan;
  if (result === null) return scan;
  // "`static_code_findings` is an empty list unless static_code_enabled is true."
  const static_code_findings = static_code_enabled ? result.static_code_findings : [];
  return { ...scan, result: { ...result, static_code_findings, scanned_at: readBack(result.scanned_at) } };
}

const findings = z.array(z.unknown());

const scanResult = z.strictObject({
  analysis_summary: z.string(),
  rls_recommendations: findings,
  hardcoded_secrets: findings,
  backend_functions: findings,
  dependency_vulnerabilities: findings,
  static_code_findings: findings,
  header_recommendations: findings,
  core_integration_recommendation: z.string(),
  scanned_at: time,
});

const scanShape = z.strictObject({
  status: z.enum(["up_to_date", "out_of_date", "none", "pending", "scanning", "scan_failed"]),
  result: scanResult.nullable(),
  static_code_enabled: z.boolean(),
  ignored_fingerprints: z.array(z.string()),
});

const scanFields: z.ZodType<ScanChange> = scanShape
  .extend({ result: scanResult.exactPartial().nullable() })
  .exactPartial();

export const scans = {
  open: ({ now }) => {
    const { objects, snapshot, restore } = openStore(now);
    return { objects, handlers: handlersOf(objects), snapshot, restore };
  },
  exported: { scans: byName(scanShape) },
  controlRoutes: [
    route({
      endpoint: "PUT objects/scans",
      description:
        "Sets fields of the app's security scan: any of `status`, `result`, `static_code_enabled` and `ignored_fingerprints`.",
      input: ofApp.extend({ fields: scanFields }),
      examples: [{ appId: "a", fields: { status: "up_to_date", ignored_fingerprints: ["f"] } }],
      handle: ({ objects }, { appId, fields }) => objects.setScan(appId, fields),
    }),
  ],
} satisfies Area;
