/** `npm run tables`: writes the tables in README and docs that repeat what the code says. */
import { writeTables } from "./pages";

writeTables().then(
  (pages) => {
    process.stdout.write(pages.length === 0 ? "All tables are current.\n" : `Written: ${pages.join(", ")}\n`);
  },
  (error: unknown) => {
    process.stderr.write(`tables: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
