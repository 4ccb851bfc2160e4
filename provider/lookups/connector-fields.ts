import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { connectorField } from "../service/lookup-shapes";
import { fromWire, toWire } from "./shared/fields";
import type { Lookup } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** The arguments of {@link getConnectorFields}. */
export interface GetConnectorFieldsArgs {
  /** The app that uses the connector. */
  appId: string;
  /** The type of the connector. */
  integrationType: string;
}

/** A value that a connector needs before a connection can be started. */
export interface ConnectorField {
  /** The key of its value in a connection's configuration. */
  name: string;
  /** Its label in a form. */
  displayName?: string;
  /** Its description in a form. */
  description?: string;
  /** Its placeholder in a form. */
  placeholder?: string;
  /** Whether a connection needs it. */
  required?: boolean;
  /** The message for a value that does not match `validationPattern`. */
  validationError?: string;
  /**
   * A regular expression for its value, as text. This package never runs it, because a regular expression from outside can
   * block the process. If you run it, use an engine with linear run time, such as RE2.
   */
  validationPattern?: string;
}

/** The result of {@link getConnectorFields}. */
export interface GetConnectorFieldsResult {
  /** The fields of the connector. Empty when it needs none. */
  fields: ConnectorField[];
  /**
   * The values of the app's current connection, by field name. Empty when there is no connection. It is a secret output in
   * both forms of the look-up; the rest of the result is not secret.
   */
  connectionConfig: pulumi.Output<Record<string, unknown>>;
}

/** @internal */
export const connectorFieldsLookup: Lookup<GetConnectorFieldsArgs, GetConnectorFieldsResult> = {
  name: "getConnectorFields",
  operation: "connector.fields",
  purpose: "The fields that a connector needs",
  args: z.strictObject({ appId: identifier(), integrationType: identifier() }),
  secretResults: ["connectionConfig"],
  async run(args, { service }) {
    const answer = await service.call("connector.fields", { parameters: toWire(args) });
    const fields = answer.fields.map((field) => fromWire(connectorField, field));
    return { fields, connectionConfig: answer.connection_config ?? {} };
  },
};

/**
 * Reads the fields that a connector needs before a connection can be started, and the values of the app's current
 * connection.
 *
 * The service documents the operation (`connector.fields`), with 150 requests per minute for each caller. The saved values
 * are secret outputs. The validation patterns are only text and are never run.
 *
 * ```ts
 * const crm = await apps.getConnectorFields({ appId: "app-1", integrationType: "example-crm" });
 * export const needed = crm.fields.filter((field) => field.required).map((field) => field.name);
 * export const current = crm.connectionConfig; // pulumi stack output current --show-secrets
 * ```
 */
export function getConnectorFields(
  args: GetConnectorFieldsArgs,
  opts?: LookupOptions,
): Promise<GetConnectorFieldsResult> {
  return lookUp(connectorFieldsLookup, args, opts);
}

/** {@link getConnectorFields} with inputs. Sends its requests once all inputs are known. */
export function getConnectorFieldsOutput(
  args: LookupInputs<GetConnectorFieldsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetConnectorFieldsResult> {
  return lookUpOutput(connectorFieldsLookup, args, opts);
}
