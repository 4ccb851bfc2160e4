import fc from "fast-check";

/** Any well-formed text, control characters included. */
export function anyText(minLength: number): fc.Arbitrary<string> {
  const codePoint = fc.oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  );
  return fc.array(codePoint, { minLength, maxLength: 40 }).map((points) => String.fromCodePoint(...points));
}
