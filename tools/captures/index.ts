/**
 * `npm run captures`: rewrites the samples of output in the pages, and the pictures in docs/images/. These show a real
 * review as a comment on a pull request, and the simulator's page. Both are rendered by a real browser. Everything runs
 * against the simulator.
 */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { install, uninstall } from "../harness/installation";
import { pageCapture } from "./page";
import { pageTextFile } from "./page-text";
import { pagesWithSamples } from "./pages";
import { demoReview, pictureOf, reviewFile } from "./review";
import { samplesOfPulumi, samples } from "./samples";

const folder = resolve(__dirname, "..", "..", "docs", "images");

async function main(): Promise<void> {
  for (const [page, text] of await pagesWithSamples({ ...samples, ...samplesOfPulumi })) await writeFile(page, text);
  await saveReview();
  await install();
  try {
    await savePage();
  } finally {
    await uninstall();
  }
}

async function saveReview(): Promise<void> {
  const review = await demoReview();
  await writeFile(join(folder, "review.png"), await pictureOf(review));
  await writeFile(reviewFile, `${review}\n`);
  process.stdout.write(`review.png\n${review}\n`);
}

async function savePage(): Promise<void> {
  const { png, text } = await pageCapture();
  await writeFile(join(folder, "simulator-page.png"), png);
  await writeFile(pageTextFile, `${JSON.stringify(text, undefined, 2)}\n`);
  process.stdout.write(`simulator-page.png\n${text.lines.join("\n")}\n`);
}

void main();
