import type { OperationId } from "../../simulator";

/** A command of a story. */
export interface Command {
  readonly words: readonly [program: string, ...args: string[]];
  /** The file that gets its standard output, which is then not shown. */
  readonly into?: string;
  /** @default 0 */
  readonly exitCode?: number;
  /** The command is killed when the service has received this request. */
  readonly killedAt?: OperationId;
}

export function pulumi(...args: string[]): Command {
  return { words: ["pulumi", ...args] };
}

/** `pulumi up` without a preview: it would show the same again. */
export function up(...args: string[]): Command {
  return pulumi("up", "--yes", "--skip-preview", ...args);
}

/** A command of this package, as its users run it. */
export function workspaceApps(...args: string[]): Command {
  return { words: ["npx", "--no", "--", "workspace-apps", ...args] };
}

/** A command as a person types it into a shell. */
export function typed({ words, into }: Command): string {
  const quoted = words.map((word) => (/[^\w./:=@,-]/.test(word) ? `"${word}"` : word)).join(" ");
  return into === undefined ? quoted : `${quoted} > ${into}`;
}
