import type * as typedoc from "typedoc" with { "resolution-mode": "import" };

/* Typedoc is an ES module, and this is none: its types come by these imports, its code by `import()`. */
export type { Application, Context, DeclarationReflection, Logger, ProjectReflection } from "typedoc" with {
  "resolution-mode": "import",
};
export type { PluginOptions } from "typedoc-plugin-markdown" with { "resolution-mode": "import" };

export type Typedoc = typeof typedoc;
