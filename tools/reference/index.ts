/** `npm run reference`: rewrites docs/reference/ from the doc comments of what users import. */
import { generateReference, referenceFolder } from "./generate";

generateReference(referenceFolder).catch((error: unknown) => {
  process.stderr.write(`reference: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
