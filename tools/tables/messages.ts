import { type CatalogueEntry, messageCodes, type Money } from "../../provider/service/message-codes";

/* The entries of docs/operations/troubleshooting.md, from the catalogue of message codes. */

/** By the first digits of its codes. */
const areas: Readonly<Record<string, string>> = {
  WA10: "Settings",
  WA11: "Arguments",
  WA12: "Campaigns and money",
  WA13: "Creating, adopting and changing",
  WA14: "Evidence that an object is gone",
  WA15: "Responses of the service",
  WA16: "Pulumi and the two forms",
  WA17: "Look-ups",
  WA18: "Records, findings, tracking and coding sessions",
  WA20: "Command line and policy pack",
};

const moneyInWords: Record<Money, string> = {
  no: "No.",
  "as before": "As before.",
  perhaps: "**Perhaps.**",
  yes: "**Yes.**",
};

/** A heading for each area, and an entry for each code. The anchor is the code, so that links survive another title. */
export function messageEntries(): string {
  const entries = Object.entries<CatalogueEntry>(messageCodes);
  const lost = entries.find(([code]) => !(code.slice(0, 4) in areas));
  if (lost !== undefined) throw new Error(`${lost[0]} belongs to no area`);
  return Object.entries(areas)
    .flatMap(([prefix, title]) => {
      const ofArea = entries.filter(([code]) => code.startsWith(prefix));
      return [`## ${title}`, ...ofArea.map(([code, entry]) => entryOf(code, entry))];
    })
    .join("\n\n");
}

function entryOf(code: string, { title, meaning, money, next }: CatalogueEntry): string {
  return [
    `### <a id="${code.toLowerCase()}"></a>${code}: ${title}`,
    meaning,
    `Is money moving? ${moneyInWords[money]}`,
    next.map((step) => `- ${step}`).join("\n"),
  ].join("\n\n");
}
