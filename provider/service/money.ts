/* Amounts in micros as money, computed with whole numbers and decimal texts, never with floating-point fractions. */

/** The currency code of an account, three letters of ISO 4217. A text, because JSON schemas use it too. */
export const currencyPattern = "^[A-Z]{3}$";
const isCurrency = new RegExp(currencyPattern);

export const microsPerUnit = 1_000_000n;

/** `USD 12.50`, `JPY 1,500`, or `12.50` when the currency is not known. The same on every machine. */
export function money(micros: bigint | number, currency: string | undefined): string {
  return formatted(BigInt(micros), currency, "auto");
}

/** With its sign: `+USD 3.00`. */
export function moneyChange(micros: bigint, currency: string | undefined): string {
  return formatted(micros, currency, "exceptZero");
}

function formatted(micros: bigint, currency: string | undefined, signDisplay: "auto" | "exceptZero"): string {
  // At least the currency's own number of digits, and more if the amount has more, so that nothing is rounded.
  const style: Intl.NumberFormatOptions =
    currency === undefined ? { minimumFractionDigits: 2 } : { style: "currency", currency, currencyDisplay: "code" };
  const key = `${signDisplay} ${currency ?? ""}`;
  const format =
    formats.get(key) ?? new Intl.NumberFormat("en-US", { ...style, maximumFractionDigits: 6, signDisplay });
  formats.set(key, format);
  return format.format(decimal(micros)).replaceAll("\u00a0", " ");
}

/** Making one takes longer than all the rest of a message. */
const formats = new Map<string, Intl.NumberFormat>();

function decimal(micros: bigint): Intl.StringNumericLiteral {
  const size = micros < 0n ? -micros : micros;
  const fraction = String(size % microsPerUnit).padStart(6, "0");
  return `${micros < 0n ? "-" : ""}${String(size / microsPerUnit)}.${fraction}` as Intl.StringNumericLiteral;
}

/** `12.50` → 12500000n; undefined when it is not an amount. */
export function microsOf(text: string): bigint | undefined {
  const [, whole, fraction = ""] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole) * microsPerUnit + BigInt(fraction.padEnd(6, "0"));
}

/** The value if it is a currency code that can be formatted. A state may hold anything. */
export function currencyCode(value: unknown): string | undefined {
  return typeof value === "string" && isCurrency.test(value) ? value : undefined;
}
