import { didYouMean } from "../provider/did-you-mean";

/**
 * A usage error as one line of complete sentences. Node's own messages about options span several lines, and the one for
 * an unknown option explains positional arguments instead. The options that exist are read from the command's help.
 */
export function usageMessage(message: string, help: string): string {
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
  if (unknown !== undefined) return `Unknown option ${unknown}.${suggestion(unknown, help)}`;
  const line = message.replaceAll("\n", " ");
  return /[.?!]$/.test(line) ? line : `${line}.`;
}

function suggestion(option: string, help: string): string {
  const options = [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name = ""]) => name);
  const nearest = didYouMean(option, options);
  return nearest === undefined ? "" : ` Did you mean ${nearest}?`;
}
