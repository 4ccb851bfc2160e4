import assert from "node:assert/strict";
import { type HttpRequest, TransportFailure } from "../../../provider/service/transport";

export const post: HttpRequest = {
  method: "POST",
  path: "/things",
  headers: { "content-type": "application/json" },
  body: '{"a":1}',
  ownConnection: true,
};
export const get: HttpRequest = { method: "GET", path: "/things", headers: {}, ownConnection: false };

/** The TransportFailure of a failed request. */
export async function transportFailureOf(sending: Promise<unknown>): Promise<TransportFailure> {
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof TransportFailure, String(error));
  return error;
}
