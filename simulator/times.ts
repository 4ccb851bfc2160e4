/** A time as in a record just created. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** "A record read back from storage may lack" the `Z`. Here it always does. */
export function readBack<Time extends string | null>(time: Time): Time {
  return (time?.replace(/Z$/, "") ?? null) as Time;
}
