/** The part of markdown-it that the linter and the pictures use. The package has no types of its own. */
declare module "markdown-it" {
  export interface Token {
    readonly type: string;
    readonly content: string;
    /** First line, from 0, and the line after the last. */
    readonly map: readonly [number, number] | null;
    readonly children: readonly Token[] | null;
  }

  export default class MarkdownIt {
    constructor(options?: { readonly html?: boolean; readonly linkify?: boolean });
    parse(text: string, environment: object): Token[];
    render(text: string): string;
  }
}
