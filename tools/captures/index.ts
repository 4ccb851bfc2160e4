/**
 * `npm run captures`: rewrites the pictures in docs/images/. They show the output of the real Pulumi CLI, of
 * `workspace-apps review` and of the demo, and the simulator's page in a real browser. Everything runs against the simulator.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { install, uninstall } from "../harness/installation";
import { launchCapture, previewCapture, reviewCapture } from "./captures";
import { pageCapture } from "./page";
import { pageTextFile } from "./page-text";
import { type Capture, svgOf } from "./svg";

const folder = resolve(__dirname, "..", "..", "docs", "images");

async function main(): Promise<void> {
  await mkdir(folder, { recursive: true });
  await install();
  try {
    await save("preview", await previewCapture());
    await save("review", await reviewCapture());
    await save("launch", await launchCapture());
    await savePage();
  } finally {
    await uninstall();
  }
}

async function save(name: string, capture: Capture): Promise<void> {
  await writeFile(join(folder, `${name}.svg`), svgOf(capture));
  process.stdout.write(`${name}.svg\n${capture.output}\n`);
}

async function savePage(): Promise<void> {
  const { png, text } = await pageCapture();
  await writeFile(join(folder, "simulator-page.png"), png);
  await writeFile(pageTextFile, `${JSON.stringify(text, undefined, 2)}\n`);
  process.stdout.write(`simulator-page.png\n${text.lines.join("\n")}\n`);
}

void main();
