import { didYouMean } from "../provider/did-you-mean";

/**
 * Words of wrong use, as one line of whole sentences: Node's own for a wrong option are several lines without an end, and
 * of one that does not exist they speak of something else. Which options there are, a command's help says.
 */
export function wordingOf(message: string, help: string): string {
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
  if (unknown !== undefined) return `There is no option ${unknown}.${hint(unknown, help)}`;
  const line = message.replaceAll("\n", " ");
  return /[.?!]$/.test(line) ? line : `${line}.`;
}

function hint(option: string, help: string): string {
  const options = [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name = ""]) => name);
  const instead = didYouMean(option, options);
  return instead === undefined ? "" : ` Did you mean ${instead}?`;
}
