import { isoTime } from "./times";

/** The result of a security scan; the shapes of what is in its lists are not shown. */
export interface ScanResult {
  analysis_summary: string;
  rls_recommendations: unknown[];
  hardcoded_secrets: unknown[];
  backend_functions: unknown[];
  dependency_vulnerabilities: unknown[];
  static_code_findings: unknown[];
  header_recommendations: unknown[];
  core_integration_recommendation: string;
  scanned_at: string;
}

export const scanStatuses = ["up_to_date", "out_of_date", "none", "pending", "scanning", "scan_failed"] as const;

/** An app's latest security scan, in the field names of the service. */
export interface Scan {
  status: (typeof scanStatuses)[number];
  /** Always null while the status is `none`. */
  result: ScanResult | null;
  static_code_enabled: boolean;
  ignored_fingerprints: string[];
}

/** What is left out of a result is empty. */
export type ScanChange = Partial<Omit<Scan, "result">> & { result?: Partial<ScanResult> | null };

/** The security scans that the service holds. */
export interface ScanObjects {
  /** A copy. An app that was never scanned has the status `none`. */
  scan(appId: string): Scan;
  /** Changes these fields; an `up_to_date` scan without a result gets one that found nothing. */
  setScan(appId: string, fields: ScanChange): Scan;
  /** In the order in which they were ignored. */
  ignoredFindings(appId: string): string[];
}

export interface ScanStore {
  objects: ScanObjects;
  all: () => Record<string, Scan>;
}

/** The security scans of all apps. What it gives out are copies. */
export function openScanStore(now: () => number): ScanStore {
  const byApp = new Map<string, Scan>();

  const scan = (appId: string) => structuredClone(byApp.get(appId) ?? neverScanned);

  function resultAfter(before: ScanResult | null, { status, result }: ScanChange): ScanResult | null {
    const foundNothing = nothingFound(isoTime(now()));
    if (status === "none" || result === null) return null;
    if (result !== undefined) return { ...foundNothing, ...result };
    return before ?? (status === "up_to_date" ? foundNothing : null);
  }

  return {
    objects: {
      scan,

      setScan: (appId, fields) => {
        const before = scan(appId);
        const { status = before.status } = fields;
        const result = resultAfter(before.result, { ...fields, status });
        byApp.set(appId, structuredClone({ ...before, ...fields, result }));
        return scan(appId);
      },

      ignoredFindings: (appId) => scan(appId).ignored_fingerprints,
    },

    all: () => Object.fromEntries([...byApp.keys()].map((appId) => [appId, scan(appId)])),
  };
}

const neverScanned: Scan = { status: "none", result: null, static_code_enabled: false, ignored_fingerprints: [] };

function nothingFound(scanned_at: string): ScanResult {
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
