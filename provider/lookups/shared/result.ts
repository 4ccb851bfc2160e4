/** The fields of a result as the response has them: a field that may be absent in the result may be null there. */
type WireFields<Result> = {
  [Key in keyof Result]-?: object extends Pick<Result, Key> ? Result[Key] | null | undefined : Result[Key];
};

/** A result without the fields that are null or missing in the response. */
export function withoutAbsent<Result extends object>(fields: WireFields<Result>): Result {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Result;
}
