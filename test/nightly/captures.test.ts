import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { pageCapture } from "../../tools/captures/page";
import { savedPageText } from "../../tools/captures/page-text";
import { demoReview, reviewFile } from "../../tools/captures/review";
import { pagesWithSamples } from "../../tools/captures/pages";
import { samplesOfPulumi } from "../../tools/captures/samples";

const whatToDo = "Run `npm run captures` and look at docs/images.";

describe("The samples in the docs", () => {
  it("show what the Pulumi CLI prints today", async () => {
    for (const [page, text] of await pagesWithSamples(samplesOfPulumi))
      assert.equal(await readFile(page, "utf8"), text, "Run `npm run captures`.");
  });
});

describe("The pictures in the docs", () => {
  it("show what the demo's review prints today", async () => {
    assert.equal(`${await demoReview()}\n`, await readFile(reviewFile, "utf8"), whatToDo);
  });

  it("show the simulator's page as a browser shows it today", async () => {
    const { text, png } = await pageCapture();
    assert.deepEqual(text, await savedPageText(), whatToDo);
    const picture = await readFile("docs/images/simulator-page.png");
    assert.deepEqual(sizeOf(picture), sizeOf(png), whatToDo);
  });
});

/** The width and height that a PNG begins with. Its pixels differ from one machine to the next. */
function sizeOf(picture: Buffer): [width: number, height: number] {
  return [picture.readUInt32BE(16), picture.readUInt32BE(20)];
}
