/* Values of a program that is written by code. */

/** Code in the place of a value. */
export class Source {
  constructor(readonly code: string) {}
}

/** A fixture builds the arguments of its resources from these. */
export interface ArgumentParts {
  /** Changes with the environment variable LABEL: "recorded" at first, then "changed". */
  readonly label: Source;
  readonly isChanged: Source;
  /** A text that is secret, by the name of the path that it takes; `inside` are characters that are written in many ways. */
  readonly text: (path: string, before?: string | Source, inside?: string) => Source;
  /** Marks a value as a secret. */
  readonly secret: (value: unknown) => Source;
}

export function sourceOf(value: unknown): string {
  if (value instanceof Source) return value.code;
  if (Array.isArray(value)) return `[${value.map(sourceOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${sourceOf(inner)}`)
    .join(", ")} }`;
}
