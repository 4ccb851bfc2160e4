/** `npm run schema`: writes plugin/schema.json, from which Pulumi makes SDKs and documentation. */
import { writeFile } from "node:fs/promises";
import { schemaFile, schemaText } from "./generate";

async function main(): Promise<void> {
  await writeFile(schemaFile, schemaText());
}

main().catch((error: unknown) => {
  process.stderr.write(`schema: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
