import { createHash, randomBytes } from "node:crypto";
import { canonicalJson } from "../shared/compare";
import { parseUrl } from "../../service/urls";

/*
 * Whose campaign it is. The launch intent has a random key, and the service shows the campaign as `Spring sale-` + key +
 * hash of the launch arguments. String equality decides; nothing else does.
 */

const keyDigits = 7;
const hashDigits = 5;
const ending = new RegExp(`-([0-9a-f]{${String(keyDigits)}})[0-9a-f]{${String(hashDigits)}}$`);

export const keyPattern = new RegExp(`^[0-9a-f]{${String(keyDigits)}}$`);

export function newKey(): string {
  return randomBytes(keyDigits).toString("hex").slice(0, keyDigits);
}

/** The key in the name of a campaign that this package launched. */
export function keyIn(name: string): string | undefined {
  return ending.exec(name)?.[1];
}

/** The name without the ending that a launch adds. */
export function baseName(name: string): string {
  return name.replace(ending, "");
}

/** The name under which these arguments are launched. */
export function nameOfLaunch(declared: Declared, key: string): string {
  return declared.campaignName + endingOfLaunch(declared, key);
}

/** A campaign whose name ends like this is this launch, however the service writes the rest of the name. */
export function endingOfLaunch(declared: Declared, key: string): string {
  const values = Object.fromEntries(launchArguments.map((name) => [name, canonical(name, declared[name])]));
  const hash = createHash("sha256").update(canonicalJson(values)).digest("hex").slice(0, hashDigits);
  return `-${key}${hash}`;
}

/** The arguments that make a launch: a change of one replaces the campaign. */
export const launchArguments = [
  "appId",
  "campaignName",
  "campaignType",
  "dailyBudgetMicros",
  "landingPage",
  "businessName",
  "keywordThemes",
  "searchThemes",
  "geoTargets",
  "logoUrl",
  "phoneNumber",
  "extraFields",
] as const;

/** A declared campaign. */
type Declared = Partial<Record<LaunchArgument, unknown>> & { readonly campaignName: string };

type LaunchArgument = (typeof launchArguments)[number];

/** Whether two values of a launch argument mean the same. */
export function sameArgument(name: LaunchArgument, one: unknown, other: unknown): boolean {
  return canonicalJson({ value: canonical(name, one) }) === canonicalJson({ value: canonical(name, other) });
}

const canonicalForms: Partial<Record<LaunchArgument, (value: never) => unknown>> = {
  campaignName: (name: string) => normalizedName(name),
  landingPage: (url: string) => parseUrl(url)?.href ?? url,
  logoUrl: (url: string) => parseUrl(url)?.href ?? url,
  geoTargets: (targets: readonly string[]) => filledList([...new Set(targets)].sort()),
  keywordThemes: filledList,
  searchThemes: filledList,
  extraFields: (fields: object) => (Object.keys(fields).length === 0 ? undefined : fields),
  phoneNumber: (phone: string) => phone.replace(/\D/g, "") || undefined,
};

function canonical(name: LaunchArgument, value: unknown): unknown {
  const form = canonicalForms[name];
  return value === undefined || form === undefined ? value : form(value as never);
}

/** An empty list means the same as none. */
function filledList(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** A service may trim a name, or write its accents in another way. */
export function normalizedName(name: string): string {
  return name.normalize("NFC").trim().replace(/\s+/g, " ");
}
