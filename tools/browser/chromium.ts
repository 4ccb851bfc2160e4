import { existsSync } from "node:fs";
import path from "node:path";
import { type Browser, chromium } from "playwright-core";

/** The names of the program: Debian's, Ubuntu's, and the vendor's own. */
const names = ["chromium", "chromium-browser", "google-chrome"];

/** The Chromium of this machine. Nothing is downloaded, so that the tests use a browser that gets security updates. */
export function findChromium(searchPath = process.env["PATH"] ?? ""): string {
  const files = searchPath.split(path.delimiter).flatMap((folder) => names.map((name) => path.join(folder, name)));
  const found = files.find((file) => existsSync(file));
  if (found === undefined)
    throw new Error(
      `The tests and the picture of the simulator's page need Chromium, and none of ${names.join(", ")} is on PATH. Install it: apt-get install chromium`,
    );
  return found;
}

/** Starts Chromium without a window. */
export function launchChromium(): Promise<Browser> {
  // Chromium's sandbox refuses to run as root, as in most containers. Only the simulator's own page is opened.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath: findChromium(), chromiumSandbox: !isRoot });
}
