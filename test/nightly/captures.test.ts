import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { launchCapture, previewCapture, reviewCapture } from "../../tools/captures/captures";
import { pageCapture } from "../../tools/captures/page";
import { savedPageText } from "../../tools/captures/page-text";
import { svgOf } from "../../tools/captures/svg";

const whatToDo = "Run `npm run captures` and look at docs/images.";

describe("The pictures in the README", () => {
  const captures = { preview: previewCapture, review: reviewCapture, launch: launchCapture };
  for (const [name, capture] of Object.entries(captures))
    it(`show what a real ${name} prints today`, async () => {
      const picture = await readFile(`docs/images/${name}.svg`, "utf8");
      assert.equal(svgOf(await capture()), picture, whatToDo);
    });

  it("show the simulator's page as a browser shows it today", async () => {
    const { text, png } = await pageCapture();
    assert.deepEqual(text, await savedPageText(), whatToDo);
    const picture = await readFile("docs/images/simulator-page.png");
    assert.deepEqual(sizeOf(picture), sizeOf(png), whatToDo);
  });
});

/** The width and height that a PNG begins with. Its pixels differ from one machine to the next. */
function sizeOf(png: Buffer): [width: number, height: number] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}
