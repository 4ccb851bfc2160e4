import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import type { Lookup } from "./shared/lookup";
import {
  lookUp,
  type LookupInputs,
  lookUpOutput,
  type LookupOptions,
  type LookupOutputOptions,
} from "../pulumi/lookup-functions";
import type { Answer } from "../service/operations";
import { withoutAbsent } from "./shared/result";

/** Which connector of which app. */
export interface GetConnectorFieldsArgs {
  /** The app to connect. */
  appId: string;
  /** The kind of connector. */
  integrationType: string;
}

/** A value that a connector needs before a connection is started. */
export interface ConnectorField {
  /** The key of its value in a connection's configuration. */
  name: string;
  /** What a form calls it. */
  displayName?: string;
  /** What a form says about it. */
  description?: string;
  /** What an empty field of a form shows. */
  placeholder?: string;
  /** Whether a connection needs a value for it. */
  required?: boolean;
  /** What to say of a value that does not match. */
  validationError?: string;
  /**
   * A regular expression, as text. It comes from the service and is never run here: a pattern can be made to hang the
   * engine that runs it, so use one that cannot, such as RE2.
   */
  validationPattern?: string;
}

/** What the connector asks for, and what the app has given it. */
export interface GetConnectorFieldsResult {
  /** Empty when the connector needs none. */
  fields: ConnectorField[];
  /**
   * The values saved on the app's current connection, by field name; empty when there is none. A secret output in both
   * forms of the look-up, while the rest of the result is plain.
   */
  connectionConfig: pulumi.Output<Record<string, unknown>>;
}

const args = z.strictObject({ appId: identifier(), integrationType: identifier() });

export const connectorFieldsLookup: Lookup<GetConnectorFieldsArgs, GetConnectorFieldsResult> = {
  name: "getConnectorFields",
  purpose: "The fields that a connector needs",
  args,
  run: async ({ appId, integrationType }, { service }) =>
    resultOf(
      await service.call("connector.fields", { parameters: { app_id: appId, integration_type: integrationType } }),
    ),
};

/** From wire to result. */
function resultOf({ fields, connection_config }: Answer<"connector.fields">): GetConnectorFieldsResult {
  const connectionConfig = pulumi.secret(connection_config ?? {}).apply((values): Record<string, unknown> => values);
  return { fields: fields.map(fieldOf), connectionConfig };
}

function fieldOf(wire: Answer<"connector.fields">["fields"][number]): ConnectorField {
  return withoutAbsent<ConnectorField>({
    name: wire.name,
    displayName: wire.display_name,
    description: wire.description,
    placeholder: wire.placeholder,
    required: wire.required,
    validationError: wire.validation_error,
    validationPattern: wire.validation_pattern,
  });
}

/**
 * What a connector needs before a connection is started, and the values of the app's current connection.
 *
 * Documented by the service. The values are secret; the validation patterns are text that nothing here runs.
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

/** {@link getConnectorFields} with inputs: asks once they are known. */
export function getConnectorFieldsOutput(
  args: LookupInputs<GetConnectorFieldsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetConnectorFieldsResult> {
  return lookUpOutput(connectorFieldsLookup, args, opts);
}
