import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { readAll, type Row } from "../service/lists";
import { toWire } from "./shared/fields";
import type { Lookup } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** The arguments of {@link getTestFlows}. */
export interface GetTestFlowsArgs {
  /** The tested app. */
  appId: string;
}

/** An automated test as the list shows it. */
export interface ListedTestFlow {
  /** The id of the test. */
  flowId: string;
  /** Everything else that the list shows of it. The shape is not documented, and may be less than the whole test. */
  fields: Record<string, unknown>;
}

/** The result of {@link getTestFlows}. */
export interface GetTestFlowsResult {
  /** Every test of the app, in the service's order. */
  tests: ListedTestFlow[];
}

/** @internal */
export const testFlowsLookup: Lookup<GetTestFlowsArgs, GetTestFlowsResult> = {
  name: "getTestFlows",
  operation: "test.list",
  purpose: "An app's automated tests",
  args: z.strictObject({ appId: identifier() }),
  run: async (args, { service }) => ({
    tests: (await readAll(service, "test.list", toWire(args))).map(testFlowOf),
  }),
};

/** From wire to result. */
function testFlowOf({ id, flow_id: _, ...fields }: Row<"test.list">): ListedTestFlow {
  return { flowId: id, fields };
}

/**
 * Lists the automated tests of an app.
 *
 * The path of this operation (`test.list`) is assumed, and the shape of a test is not documented. A list that cannot be
 * read to its end is an error.
 *
 * ```ts
 * const { tests } = await apps.getTestFlows({ appId: "app-1" });
 * export const flowIds = tests.map((test) => test.flowId);
 * ```
 */
export function getTestFlows(args: GetTestFlowsArgs, opts?: LookupOptions): Promise<GetTestFlowsResult> {
  return lookUp(testFlowsLookup, args, opts);
}

/** {@link getTestFlows} with inputs. Sends its requests once all inputs are known. */
export function getTestFlowsOutput(
  args: LookupInputs<GetTestFlowsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetTestFlowsResult> {
  return lookUpOutput(testFlowsLookup, args, opts);
}
