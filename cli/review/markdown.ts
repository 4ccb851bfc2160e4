import { listed, phrase, toMarkdown, words } from "./phrase";
import { categories, categoryNames } from "./risk-categories";
import { money, moneyChange } from "../../provider/service/money";
import type { Review } from "./review";
import type { Risk } from "./risks";
import type { Amount, SpendLine } from "./spend";

/** The first line of every report. A pipeline finds its earlier comment by it. */
const marker = "<!-- workspace-apps review -->";

/** A GitHub comment has at most 65,536 characters. The rest is for what a pipeline adds. */
const maxCharacters = 65_000;

/** `gateProblems`: why gates failed. */
export function markdownOf(review: Review, gateProblems: readonly string[] = []): string {
  const { risks, incomplete, drifted, others } = review;
  const stopped = gateProblems.length === 0 ? [] : [`**Stopped:** ${gateProblems.join("; ")}.`, ""];
  if (risks.length === 0 && incomplete.length === 0 && drifted === 0)
    return truncated([marker, ...stopped, nothingRisky(review), ...unseenNote(review, gateProblems)]);
  return truncated([
    marker,
    "",
    ...heading(review),
    ...stopped,
    ...incompleteWarning(review),
    ...driftNote(review),
    ...spendTable(review),
    ...riskSections(risks),
    ...otherChanges(others),
    ...unseenNote(review, gateProblems),
  ]);
}

/** With a gate, the same is a reason to stop. */
function unseenNote({ unseen }: Review, gateProblems: readonly string[]): string[] {
  if (unseen.length === 0 || gateProblems.length > 0) return [];
  return ["", "This review could not see everything:", "", ...unseen.map((reason) => `- ${toMarkdown(reason)}`)];
}

function heading({ stack }: Review): string[] {
  return stack === undefined ? [] : [`## Plan of ${toMarkdown(phrase`${stack}`)}`, ""];
}

function nothingRisky({ spend, others, unlisted, stack, unseen }: Review): string {
  const totals = spend.totals.map((line) =>
    line.before.micros === line.after.micros
      ? `stays at ${amount(line.after, line.currency)}`
      : `changes from ${amount(line.before, line.currency)} to ${amount(line.after, line.currency)}`,
  );
  const daily =
    totals.length === 0
      ? ""
      : ` Daily spend ${totals.join(", ")}${unlisted > 0 ? " (without unchanged campaigns)" : ""}.`;
  const plan = stack === undefined ? "this plan" : `the plan of ${toMarkdown(phrase`${stack}`)}`;
  const where = unseen.length > 0 ? `what the review could see of ${plan}` : plan;
  const named = others.slice(0, maxNamed).map(otherLine);
  const more = others.length > named.length ? ` and ${String(others.length - named.length)} more` : "";
  const changed = others.length === 0 ? "no resources of workspace-apps" : `${named.join(", ")}${more}`;
  return `Nothing risky in ${where}. It changes ${changed}.${daily}`;
}

/** The most resources named on one line. */
const maxNamed = 10;

function otherChanges(others: Review["others"]): string[] {
  if (others.length === 0) return [];
  return [`### Also changed (${String(others.length)})`, "", ...others.map((other) => `- ${otherLine(other)}`), ""];
}

function otherLine({ change: { name, kind, action }, changedArguments }: Review["others"][number]): string {
  const how =
    changedArguments.length === 0 ? words(`${action}d`) : phrase`${words(`${action}d: `)}${listed(changedArguments)}`;
  return `${toMarkdown(phrase`${name}`)} (${kind}, ${toMarkdown(how)})`;
}

function incompleteWarning({ incomplete }: Review): string[] {
  if (incomplete.length === 0) return [];
  return [
    "**This plan is incomplete, so this report is too:**",
    "",
    ...incomplete.map((reason) => `- ${toMarkdown(reason)}`),
    "",
  ];
}

function driftNote({ drifted }: Review): string[] {
  if (drifted === 0) return [];
  const found = drifted === 1 ? "1 changed resource" : `${String(drifted)} changed resources`;
  return [
    `The refresh found ${found}, but its plan does not show which, or how. \`pulumi refresh --preview-only --diff\` shows it.`,
    "",
  ];
}

function spendTable({ spend, unlisted, incomplete }: Review): string[] {
  if (spend.apps.length === 0) return [];
  const row = (name: string, { before, after, currency }: SpendLine): string =>
    `| ${name} | ${amount(before, currency)} | ${amount(after, currency)} | ${difference(before, after, currency)} |`;
  const { apps } = spend;
  const shownApps = apps.length <= maxApps ? apps : apps.toSorted(changingFirst).slice(0, maxApps);
  const total = ({ currency }: SpendLine): string =>
    `**Total${spend.totals.length > 1 ? ` ${currency ?? "(currency not known)"}` : ""}**`;
  return [
    `| Daily spend${incomplete.length > 0 ? " (incomplete)" : ""} | before | after | change |`,
    "| --- | ---: | ---: | ---: |",
    ...spend.totals.map((line) => row(total(line), line)),
    ...shownApps.map((line) => row(toMarkdown(phrase`${line.app}`), line)),
    "",
    ...(apps.length > shownApps.length
      ? [`${String(apps.length - shownApps.length)} more apps are not shown; \`--format json\` lists all.`, ""]
      : []),
    ...(unlisted > 0
      ? ["Unchanged campaigns are missing from this plan and from these sums. `--show-sames` adds them.", ""]
      : []),
    ...(spend.apps.some(({ currency }) => currency === undefined)
      ? ["Amounts without a currency belong to advertising accounts whose currency is not in the state yet.", ""]
      : []),
  ];
}

/** With more apps than this, those whose spend changes are shown first. */
const maxApps = 30;

function changingFirst(one: SpendLine, other: SpendLine): number {
  const isChanging = ({ before, after }: SpendLine): boolean =>
    before.unknownBudgets + after.unknownBudgets > 0 || before.micros !== after.micros;
  return Number(isChanging(other)) - Number(isChanging(one));
}

function amount({ micros, unknownBudgets }: Amount, currency: string | undefined): string {
  const text = money(micros, currency);
  return unknownBudgets === 0 ? text : `${text} + ${String(unknownBudgets)} not known`;
}

function difference(before: Amount, after: Amount, currency: string | undefined): string {
  return before.unknownBudgets + after.unknownBudgets > 0
    ? "not known"
    : moneyChange(after.micros - before.micros, currency);
}

function riskSections(risks: readonly Risk[]): string[] {
  return categoryNames.flatMap((category) => {
    const lines = risks.filter((risk) => risk.category === category).map(riskLine);
    return lines.length === 0 ? [] : [`### ${categories[category]} (${String(lines.length)})`, "", ...lines, ""];
  });
}

function riskLine({ resources, text, category }: Risk): string {
  const [only] = resources;
  if (category === "assumed-path" || only === undefined) return `- ${toMarkdown(text)}`;
  return `- ${toMarkdown(phrase`${only.name}`)} (${only.kind}): ${toMarkdown(text)}`;
}

/** As many lines as fit into a comment, most dangerous first, and the number of those that do not. */
function truncated(lines: readonly string[]): string {
  let length = 0;
  const end = lines.findIndex((text) => (length += text.length + 1) > maxCharacters);
  if (end === -1) return `${lines.join("\n").trimEnd()}\n`;
  const isItem = (text: string): boolean => text.startsWith("- ") || text.startsWith("| ");
  const more = lines.slice(end).filter(isItem).length;
  return `${lines.slice(0, end).join("\n").trimEnd()}\n\n**${String(more)} more lines** do not fit into a comment; \`--format json\` has all.\n`;
}
