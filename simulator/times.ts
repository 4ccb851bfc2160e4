/** A time of the service's clock, as a record just created carries it. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** "A record read back from storage may lack" the `Z`: here it always does. */
export function readBack<Time extends string | null>(time: Time): Time {
  return (time?.replace(/Z$/, "") ?? null) as Time;
}
