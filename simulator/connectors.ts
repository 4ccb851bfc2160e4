import { checkReach } from "./app-access";
import type { Handlers } from "./handler";

/** What a connector asks for before a connection is started, in the field names of the service. */
export interface ConnectorField {
  description: string;
  display_name: string;
  name: string;
  placeholder: string;
  required: boolean;
  validation_error: string;
  validation_pattern: string;
}

/** What connectors ask for, and what apps have given them. */
export interface ConnectorObjects {
  /** The fields of a connector, of whatever app; what is left out is empty. */
  setConnector(integrationType: string, fields: Partial<ConnectorField>[]): void;
  /** The values saved on the app's current connection; null: it has none. */
  setConnection(appId: string, integrationType: string, values: Record<string, unknown> | null): void;
}

export interface Connectors {
  objects: ConnectorObjects;
  handlers: Handlers;
}

export function openConnectors(): Connectors {
  const connectors = new Map<string, ConnectorField[]>([["example-crm", exampleFields]]);
  const connections = new Map<string, Record<string, unknown>>();
  const key = (appId: string, integrationType: string): string => JSON.stringify([appId, integrationType]);
  return {
    objects: {
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
    },
    handlers: {
      // Any connector exists: "empty when the connector needs none".
      "connector.fields": ({ parameters: { app_id, integration_type }, caller }) => {
        checkReach(app_id, caller);
        return {
          fields: connectors.get(integration_type) ?? [],
          connection_config: connections.get(key(app_id, integration_type)) ?? {},
        };
      },
    },
  };
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
