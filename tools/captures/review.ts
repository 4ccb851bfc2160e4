import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { launchChromium } from "../browser/chromium";
import { newWindow } from "../browser/simulator-page";
import { shop } from "../demo/campaigns";
import { up } from "../demo/command";
import { reviewStory } from "../demo/review-story";
import { withStage } from "../demo/stage";

/** The report in the picture. Pixels differ from one machine to the next, so tests compare this. */
export const reviewFile = join(__dirname, "review.txt");

/** The report of `workspace-apps review` on the plan of the demo. It is the same in every run. */
export async function demoReview(): Promise<string> {
  let printed = "";
  const { signal } = new AbortController();
  await withStage({ say: () => undefined, colour: false, signal }, async ({ project }) => {
    const watch = { show: () => undefined, received: () => [] };
    await project.changeProgram(shop(5));
    await project.run(up(), watch);
    for (const { program, commands } of reviewStory.steps) {
      if (program !== undefined) await project.changeProgram(program);
      for (const command of commands) printed = await project.run(command, watch);
    }
  });
  return printed.split("\n").filter(isReport).join("\n");
}

/** Standard error, with the messages of the closed gate and of npm, is not part of the report. */
function isReport(line: string): boolean {
  return !/^(workspace-apps: |npm )/.test(line);
}

/** A report, rendered as a comment on a pull request. */
export async function pictureOf(report: string): Promise<Buffer> {
  const browser = await launchChromium();
  try {
    const page = await newWindow(browser, { width: 880, scale: 2 });
    await page.setContent(commentWith(new MarkdownIt({ html: true }).render(report)));
    return await page.locator("article").screenshot();
  } finally {
    await browser.close();
  }
}

function commentWith(body: string): string {
  return `<!doctype html>
    <style>
      body { margin: 0; background: #fff; color: #1f2328; font: 16px/1.5 "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
      article { width: 860px; box-sizing: border-box; border: 1px solid #d1d9e0; border-radius: 6px; }
      header { padding: 8px 16px; background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; font-size: 14px; color: #59636e; }
      header b { color: #1f2328; }
      header span { border: 1px solid #d1d9e0; border-radius: 9px; padding: 0 7px; margin: 0 4px; font-size: 12px; }
      main { padding: 16px; }
      main > :last-child { margin-bottom: 0; }
      h2, h3 { margin: 24px 0 16px; line-height: 1.25; }
      h2 { margin-top: 0; padding-bottom: 6px; border-bottom: 1px solid #d1d9e0b3; font-size: 24px; }
      h3 { font-size: 20px; }
      p, ul, table { margin: 0 0 16px; }
      ul { padding-left: 32px; }
      li + li { margin-top: 4px; }
      table { border-collapse: collapse; }
      th, td { padding: 6px 13px; border: 1px solid #d1d9e0; }
      code { white-space: nowrap; padding: 3px 6px; background: #818b981f; border-radius: 6px; font: 85% ui-monospace, "DejaVu Sans Mono", monospace; }
    </style>
    <article>
      <header><b>github-actions</b><span>bot</span>commented</header>
      <main>${body}</main>
    </article>`;
}
