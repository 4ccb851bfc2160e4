import { z } from "zod";
import { checkReach } from "../app-access";
import type { Area } from "../area";
import { id, ofApp, route } from "../control/route";
import type { Handlers } from "../handler";
import type { ConnectorField, ConnectorObjects } from "../types";
import { anyObject } from "../validation";

function openConnectors() {
  const connectors = new Map<string, ConnectorField[]>([["example-crm", exampleFields]]);
  const connections = new Map<string, Record<string, unknown>>();
  const key = (appId: string, integrationType: string): string => JSON.stringify([appId, integrationType]);
  const objects: ConnectorObjects = {
    setConnector: (integrationType, fields) => {
      connectors.set(
        integrationType,
        fields.map((field) => ({ ...emptyField, ...field })),
      );
    },
    setConnection: (appId, integrationType, values) => {
      if (values === null) connections.delete(key(appId, integrationType));
      else connections.set(key(appId, integrationType), structuredClone(values));
    },
  };
  const handlers: Handlers = {
    // Any connector exists: "empty when the connector needs none".
    "connector.fields": ({ parameters: { app_id, integration_type }, caller }) => {
      checkReach(app_id, caller);
      return {
        fields: connectors.get(integration_type) ?? [],
        connection_config: connections.get(key(app_id, integration_type)) ?? {},
      };
    },
  };
  return { objects, handlers };
}

const emptyField: ConnectorField = {
  description: "",
  display_name: "",
  name: "field",
  placeholder: "",
  required: false,
  validation_error: "",
  validation_pattern: "",
};

const exampleFields: ConnectorField[] = [
  {
    ...emptyField,
    name: "subdomain",
    display_name: "Subdomain",
    description: "The first part of your address",
    placeholder: "my-company",
    required: true,
    validation_error: "Letters, digits and hyphens",
    validation_pattern: "^[a-z0-9-]+$",
  },
  { ...emptyField, name: "region", display_name: "Region" },
];

const connectorField: z.ZodType<Partial<ConnectorField>> = z
  .strictObject({
    description: z.string(),
    display_name: z.string(),
    name: id,
    placeholder: z.string(),
    required: z.boolean(),
    validation_error: z.string(),
    validation_pattern: z.string(),
  })
  .exactPartial();

export const connectors = {
  open: openConnectors,
  controlRoutes: [
    route({
      endpoint: "PUT connectors",
      description: "Sets the fields of a connector, for all apps.",
      input: z.strictObject({ integrationType: id, fields: z.array(connectorField) }),
      examples: [{ integrationType: "crm", fields: [{ name: "key", required: true }] }],
      handle: ({ objects }, { integrationType, fields }) => {
        objects.setConnector(integrationType, fields);
      },
    }),
    route({
      endpoint: "PUT connections",
      description: "Sets the values saved on the app's connection. Null removes the connection.",
      input: ofApp.extend({ integrationType: id, values: anyObject.nullable() }),
      examples: [{ appId: "a", integrationType: "crm", values: { key: "k" } }],
      handle: ({ objects }, { appId, integrationType, values }) => {
        objects.setConnection(appId, integrationType, values);
      },
    }),
  ],
} satisfies Area;
