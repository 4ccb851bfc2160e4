export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function kebabCase(kind: string): string {
  return kind.replace(/(?!^)[A-Z]/g, "-$&").toLowerCase();
}
