/**
 * A request that the service refuses. The specification shows only the body of a 422. The others have a code and a
 * message, as `folder_not_found` and `read_only_credential_route_not_allowed` suggest.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    readonly body: Record<string, unknown>,
    readonly headers: Record<string, string> = {},
  ) {
    super(`refused with ${String(status)}`);
  }
}

export function refusal(status: number, code: string, message: string, headers?: Record<string, string>): Refusal {
  return new Refusal(status, { code, message }, headers);
}
