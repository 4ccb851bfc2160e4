/** The fields of a result as they come from the wire: what may be absent in the result may be null there. */
type WireFields<Result> = {
  [Key in keyof Result]-?: object extends Pick<Result, Key> ? Result[Key] | null | undefined : Result[Key];
};

/** A result without the fields for which the service has nothing. */
export function withoutAbsent<Result extends object>(fields: WireFields<Result>): Result {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Result;
}
