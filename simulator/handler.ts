import type { OperationId, Parameters } from "../provider/service/operations";
import type { RequestBody } from "./validation";
import type { Caller } from "./credentials";

/** The query's parameters. */
export type Query = Readonly<Record<string, string | undefined>>;

/** A request that passed the checks that all operations share. */
interface Call<Id extends OperationId> {
  parameters: Parameters<Id>;
  body: RequestBody;
  caller: Caller;
  query: Query;
  /** The `Idempotency-Key` header; undefined when it was not sent. */
  idempotencyKey: string | undefined;
  /** The `Accept-Language` header; undefined when it was not sent. */
  language: string | undefined;
  /** Whether a list shows an object created then, given the lag that was asked for. */
  isListed: (createdDate: string) => boolean;
}

/** Carries an operation out and gives the body of its 200, or throws a Refusal. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => unknown;

export type Handlers = { readonly [Id in OperationId]?: Handler<Id> };
