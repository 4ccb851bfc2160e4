import type * as vega from "vega" with { "resolution-mode": "import" };
import type * as vegaLite from "vega-lite" with { "resolution-mode": "import" };

/** A plot in the language of Vega-Lite: https://vega.github.io/vega-lite/docs/. Its types are far longer than a plot. */
export type Spec = object;

/** Vega draws on white. The filter shows a reader of a dark page the same hues on black. */
const darkPages = "<style>@media(prefers-color-scheme:dark){:root{filter:invert(1) hue-rotate(180deg)}}</style>";

/** The same text for the same plot, on every machine: without a canvas, Vega estimates the width of each text. */
export async function svgOf(spec: Spec): Promise<string> {
  // Both are ES modules.
  const { parse, View }: typeof vega = await import("vega");
  const { compile }: typeof vegaLite = await import("vega-lite");
  const svg = await new View(parse(compile(spec as vegaLite.TopLevelSpec).spec), { renderer: "none" }).toSVG();
  return `${svg.replace(/<svg [^>]*>/, (start) => `${start}${darkPages}`)}\n`;
}
