import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { previewCapture, reviewCapture } from "../../tools/captures/captures";
import { svgOf } from "../../tools/captures/svg";

describe("The pictures in the README", () => {
  for (const [name, capture] of Object.entries({ preview: previewCapture, review: reviewCapture }))
    it(`show what a real ${name} prints today`, async () => {
      const picture = await readFile(`docs/images/${name}.svg`, "utf8");
      assert.equal(svgOf(await capture()), picture, "Run `npm run captures` and look at docs/images.");
    });
});
