const isoForm = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * A time as ISO 8601 with a zone and all its fractions; undefined if the text is not a time. A time without a zone is UTC:
 * "Timestamps are ISO 8601 UTC strings".
 */
export function isoWithZone(text: string): string | undefined {
  const [, date, time = "00:00:00", zone = "Z"] = isoForm.exec(text) ?? [];
  if (date === undefined || !isDay(date)) return undefined;
  const iso = `${date}T${time}${zoneOf(zone)}`;
  return Number.isNaN(Date.parse(iso)) ? undefined : iso;
}

/** Date.parse reads the 30th of February as the 2nd of March. */
function isDay(date: string): boolean {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
}

/** `z` → `Z`, `+0200` → `+02:00`, `+02` → `+02:00`. */
function zoneOf(text: string): string {
  if (text.toUpperCase() === "Z") return "Z";
  const digits = text.slice(1).replace(":", "").padEnd(4, "0");
  return `${text.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** A text that is equal for equal times, to any fraction of a second. Undefined unless it is a date with a time of day. */
export function momentOf(text: string): string | undefined {
  const iso = /\d:\d/.test(text) ? isoWithZone(text) : undefined;
  if (iso === undefined) return undefined;
  const [, fraction = ""] = /\.(\d+)/.exec(iso) ?? [];
  return `${String(Math.floor(Date.parse(iso) / 1000))}.${fraction.replace(/0+$/, "")}`;
}
