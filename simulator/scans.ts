import { z } from "zod";
import { checkEditor } from "./app-access";
import type { Handlers } from "./handler";
import { refusal } from "./refusal";
import type { Scan, ScanObjects } from "./scan-store";
import { readBack } from "./times";
import { sized, validated, validatedPart } from "./validation";

/** "A string of 1 to 128 characters." */
const fingerprint = sized(1, 128);
const ignoring = z.object({ fingerprint });

export function scanHandlers(store: ScanObjects): Handlers {
  return {
    // "These and 200 are the only statuses": an app outside a token's reach is a 403 here, and not a 404.
    "scan.get": ({ parameters: { app_id }, caller }) => {
      if (!caller.reaches(app_id)) throw refusal(403, "app_not_allowed", "The credential does not reach this app.");
      return wire(store.scan(app_id));
    },

    // Any fingerprint, also of no finding: whether the service asks for one is not shown.
    "finding.ignore": ({ parameters: { app_id }, caller, body }) => {
      const sent = validated(ignoring, body);
      checkEditor(app_id, caller, "findings");
      const ignored = new Set(store.ignoredFindings(app_id)).add(sent.fingerprint);
      store.setScan(app_id, { ignored_fingerprints: [...ignored] });
      return { status: "ok" };
    },

    // "`ok`, also when the fingerprint was not ignored (nothing changes)."
    "finding.restore": ({ parameters, caller }) => {
      const restored = validatedPart(fingerprint, "path", "fingerprint", parameters.fingerprint);
      checkEditor(parameters.app_id, caller, "findings");
      const ignored = store.ignoredFindings(parameters.app_id);
      if (ignored.includes(restored))
        store.setScan(parameters.app_id, { ignored_fingerprints: ignored.filter((one) => one !== restored) });
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
