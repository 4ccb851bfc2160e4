/**
 * `npm run captures`: rewrites the pictures in docs/images/ with the output of the real Pulumi CLI and of
 * `workspace-apps review` for stacks against the simulator.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { install, uninstall } from "../harness/installation";
import { previewCapture, reviewCapture } from "./captures";
import { type Capture, svgOf } from "./svg";

const folder = resolve(__dirname, "..", "..", "docs", "images");

async function main(): Promise<void> {
  await mkdir(folder, { recursive: true });
  await install();
  try {
    await save("preview", await previewCapture());
    await save("review", await reviewCapture());
  } finally {
    await uninstall();
  }
}

async function save(name: string, capture: Capture): Promise<void> {
  await writeFile(join(folder, `${name}.svg`), svgOf(capture));
  process.stdout.write(`${name}.svg\n${capture.output}\n`);
}

void main();
