import type * as typedoc from "typedoc" with { "resolution-mode": "import" };

/* Typedoc is an ES module and this project is not: these imports bring its types, and `import()` its code. */
export type { Application, Context, DeclarationReflection, Logger, ProjectReflection } from "typedoc" with {
  "resolution-mode": "import",
};
export type { PluginOptions } from "typedoc-plugin-markdown" with { "resolution-mode": "import" };

export type Typedoc = typeof typedoc;
