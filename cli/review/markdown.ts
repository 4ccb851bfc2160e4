import { categories, categoryNames } from "../../provider/resources/shared/risk-categories";
import { money, moneyChange } from "../../provider/service/money";
import { inMarkdown, listed, phrase, words } from "../../provider/resources/shared/phrase";
import type { Review } from "./review";
import type { Risk } from "./risks";
import type { Amount, Line } from "./spend";

/** The first line of every report, by which a pipeline finds the comment that it wrote before. */
const marker = "<!-- workspace-apps review -->";

/** GitHub takes 65,536 characters in a comment; the rest is for what a pipeline adds. */
const longest = 65_000;

/** `stops`: why the gates that were given are closed. */
export function markdownOf(review: Review, stops: readonly string[] = []): string {
  const { risks, incomplete, drifted, others } = review;
  const stopped = stops.length === 0 ? [] : [`**Stopped:** ${stops.join("; ")}.`, ""];
  if (risks.length === 0 && incomplete.length === 0 && drifted === 0)
    return fitting([marker, ...stopped, harmless(review)]);
  return fitting([
    marker,
    "",
    ...heading(review),
    ...stopped,
    ...warning(review),
    ...drift(review),
    ...spendTable(review),
    ...sections(risks),
    ...rest(others),
  ]);
}

function heading({ stack }: Review): string[] {
  return stack === undefined ? [] : [`## Plan of ${inMarkdown(phrase`${stack}`)}`, ""];
}

function harmless({ spend, others, unlisted, stack }: Review): string {
  const stays = spend.totals.map((line) =>
    line.before.micros === line.after.micros
      ? `stays at ${amount(line.after, line.currency)}`
      : `goes from ${amount(line.before, line.currency)} to ${amount(line.after, line.currency)}`,
  );
  const daily =
    stays.length === 0 ? "" : ` Daily spend ${stays.join(", ")}${unlisted > 0 ? `, ${withoutUnlisted}` : ""}.`;
  const where = stack === undefined ? "this plan" : `the plan of ${inMarkdown(phrase`${stack}`)}`;
  const named = others.slice(0, mostNamed).map(otherLine);
  const more = others.length > named.length ? ` and ${String(others.length - named.length)} more` : "";
  const what = others.length === 0 ? "nothing of workspace-apps" : `${named.join(", ")}${more}`;
  return `Nothing risky in ${where}: it changes ${what}.${daily}`;
}

const withoutUnlisted = "campaigns that do not change not counted";

/** How many resources are named on one line. */
const mostNamed = 10;

function rest(others: Review["others"]): string[] {
  if (others.length === 0) return [];
  return [`### Also changed (${String(others.length)})`, "", ...others.map((other) => `- ${otherLine(other)}`), ""];
}

function otherLine({ change: { name, kind, action }, what }: Review["others"][number]): string {
  const how = what.length === 0 ? words(`${action}d`) : phrase`${words(`${action}d: `)}${listed(what)}`;
  return `${inMarkdown(phrase`${name}`)} (${kind}, ${inMarkdown(how)})`;
}

function warning({ incomplete }: Review): string[] {
  if (incomplete.length === 0) return [];
  return [
    "**This plan is incomplete, so this report is too:**",
    "",
    ...incomplete.map((why) => `- ${inMarkdown(why)}`),
    "",
  ];
}

function drift({ drifted }: Review): string[] {
  if (drifted === 0) return [];
  const found = drifted === 1 ? "1 resource" : `${String(drifted)} resources`;
  return [
    `The refresh found ${found} changed, and its plan does not say which or how: \`pulumi refresh --preview-only --diff\` does.`,
    "",
  ];
}

function spendTable({ spend, unlisted, incomplete }: Review): string[] {
  if (spend.apps.length === 0) return [];
  const row = (name: string, { before, after, currency }: Line): string =>
    `| ${name} | ${amount(before, currency)} | ${amount(after, currency)} | ${difference(before, after, currency)} |`;
  const { apps } = spend;
  const shownApps = apps.length <= mostApps ? apps : apps.toSorted(movingFirst).slice(0, mostApps);
  const total = ({ currency }: Line): string =>
    `**Total${spend.totals.length > 1 ? ` ${currency ?? "(currency not known)"}` : ""}**`;
  return [
    `| Daily spend${incomplete.length > 0 ? " of what was planned" : ""} | before | after | change |`,
    "| --- | ---: | ---: | ---: |",
    ...spend.totals.map((line) => row(total(line), line)),
    ...shownApps.map((line) => row(inMarkdown(phrase`${line.app}`), line)),
    "",
    ...(apps.length > shownApps.length
      ? [`And ${String(apps.length - shownApps.length)} more apps: \`--format json\` has all.`, ""]
      : []),
    ...(unlisted > 0
      ? [`Unchanged campaigns are not in this plan, nor in these sums: \`--show-sames\` adds them.`, ""]
      : []),
    ...(spend.apps.some(({ currency }) => currency === undefined)
      ? ["Amounts without a currency are of advertising accounts that the state does not know yet.", ""]
      : []),
  ];
}

/** Apps whose spend changes stand before those in which it does not, where there are too many. */
const mostApps = 30;

function movingFirst(one: Line, other: Line): number {
  const isMoving = ({ before, after }: Line): boolean => before.open + after.open > 0 || before.micros !== after.micros;
  return Number(isMoving(other)) - Number(isMoving(one));
}

function amount({ micros, open }: Amount, currency: string | undefined): string {
  return open === 0 ? money(micros, currency) : `${money(micros, currency)} + ${String(open)} not known`;
}

function difference(before: Amount, after: Amount, currency: string | undefined): string {
  return before.open + after.open > 0 ? "not known" : moneyChange(after.micros - before.micros, currency);
}

function sections(risks: readonly Risk[]): string[] {
  return categoryNames.flatMap((category) => {
    const lines = risks.filter((risk) => risk.category === category).map(line);
    return lines.length === 0 ? [] : [`### ${categories[category]} (${String(lines.length)})`, "", ...lines, ""];
  });
}

function line({ resources, text, category }: Risk): string {
  const [only] = resources;
  if (category === "assumed-path" || only === undefined) return `- ${inMarkdown(text)}`;
  return `- ${inMarkdown(phrase`${only.name}`)} (${only.kind}): ${inMarkdown(text)}`;
}

/** As many lines as fit, and how many more there are: the most dangerous stand first. */
function fitting(lines: readonly string[]): string {
  let length = 0;
  const fits = lines.findIndex((text) => (length += text.length + 1) > longest);
  if (fits === -1) return `${lines.join("\n").trimEnd()}\n`;
  const isItem = (text: string): boolean => text.startsWith("- ") || text.startsWith("| ");
  const more = lines.slice(fits).filter(isItem).length;
  return `${lines.slice(0, fits).join("\n").trimEnd()}\n\n**And ${String(more)} more lines**, which a comment has no room for: \`--format json\` has all.\n`;
}
