/** `npm run plots`: writes the plots of docs/performance.md from the figures that `npm run bench` saved. */
import { basename } from "node:path";
import { writePlots } from "./files";

writePlots().then(
  (files) => {
    const names = files.map((file) => basename(file)).join(", ");
    process.stdout.write(files.length === 0 ? "All plots are current.\n" : `Written: ${names}\n`);
  },
  (error: unknown) => {
    process.stderr.write(`plots: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
