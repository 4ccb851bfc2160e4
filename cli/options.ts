import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError } from "./command";

/** Node's `parseArgs`. Throws a UsageError for an option that does not exist or lacks its value. */
export function parseOptions<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
