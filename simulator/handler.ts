import type { OperationId, Parameters } from "../provider/service/operations";
import type { Caller } from "./credentials";
import type { RequestBody } from "./validation";

/** The query parameters. */
export type Query = Readonly<Record<string, string | undefined>>;

/** A request that passed the checks that all operations share. */
interface Call<Id extends OperationId> {
  parameters: Parameters<Id>;
  body: RequestBody;
  caller: Caller;
  query: Query;
  /** The `Idempotency-Key` header; undefined if it was not sent. */
  idempotencyKey: string | undefined;
  /** The `Accept-Language` header; undefined if it was not sent. */
  language: string | undefined;
  /** Whether a list shows an object with this creation time, given its lag. */
  isListed: (createdDate: string) => boolean;
}

/** Carries out an operation. Returns the body of the 200 response, or throws a Refusal. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => unknown;

export type Handlers = { readonly [Id in OperationId]?: Handler<Id> };
