const isoForm = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * A time as ISO 8601 with a zone, its fractions kept; undefined where it is no time. "Timestamps are ISO 8601 UTC
 * strings": what lacks a zone is in UTC.
 */
export function isoWithZone(text: string): string | undefined {
  const [, date, time = "00:00:00", zone = "Z"] = isoForm.exec(text) ?? [];
  if (date === undefined) return undefined;
  const iso = `${date}T${time}${zoneOf(zone)}`;
  return Number.isNaN(Date.parse(iso)) ? undefined : iso;
}

/** `z` → `Z`, `+0200` → `+02:00`, `+02` → `+02:00`. */
function zoneOf(text: string): string {
  if (text.toUpperCase() === "Z") return "Z";
  const digits = text.slice(1).replace(":", "").padEnd(4, "0");
  return `${text.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
