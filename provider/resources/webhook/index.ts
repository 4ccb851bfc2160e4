import * as pulumi from "@pulumi/pulumi";
import { registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { webhookLifecycle } from "./lifecycle";

/** An event that an agent's webhook can deliver. */
export type WebhookEvent = "message.created" | "message.completed";

/** Which events go where, or which webhook to adopt. */
export interface WebhookArgs {
  /** The agent's app id. A change replaces the webhook. */
  agentId: pulumi.Input<string>;
  /** Receives the events: a public https URL. */
  targetUrl: pulumi.Input<string>;
  /** One or more of `message.created`, `message.completed`; their order does not matter. */
  events: pulumi.Input<pulumi.Input<WebhookEvent>[]>;
  /** A label. Left out: none. */
  description?: pulumi.Input<string>;
  /**
   * Whether events are delivered. The service turns a webhook off after 20 failed deliveries in a row; `pulumi refresh`
   * finds that, and the next `up` turns it on again.
   * @default true
   */
  enabled?: pulumi.Input<boolean>;
  /** Whether deliveries are signed. Left out: signing is left as it is. */
  signed?: pulumi.Input<boolean>;
  /** Any text; a change of it generates a new signing secret. Adoption never does. */
  rotateSecret?: pulumi.Input<string>;
  /** Adopts this existing webhook instead of creating one. A change to another id replaces. */
  webhookId?: pulumi.Input<string>;
  /**
   * What destroy does: `delete` it, `disable` it (turn it off and leave it), or `retain` it as it is.
   * @default `delete` for a webhook that this stack created, `retain` for an adopted one
   */
  deletionPolicy?: pulumi.Input<"delete" | "disable" | "retain">;
}

/**
 * A webhook subscription of an agent: the service sends `message.created` and `message.completed` events to a public
 * https URL.
 *
 * Changing, disabling and signing are documented by the service; creating, reading and deleting rest on assumed paths,
 * which `workspace-apps:endpoints` can change. Only changed fields are sent. A change of `agentId`, or to another
 * `webhookId`, replaces the webhook. Destroy deletes a webhook that this stack created and retains an adopted one,
 * unless `deletionPolicy` says otherwise.
 *
 * ```ts
 * const hook = new apps.Webhook("replies", {
 *     agentId: "agent-1",
 *     targetUrl: "https://hooks.example.com/replies",
 *     events: ["message.completed"],
 *     signed: true,
 * });
 * export const signingSecret = hook.secret;
 * ```
 */
export class Webhook extends pulumi.CustomResource {
  declare readonly agentId: pulumi.Output<string>;
  declare readonly targetUrl: pulumi.Output<string>;
  declare readonly events: pulumi.Output<WebhookEvent[]>;
  declare readonly description: pulumi.Output<string | undefined>;
  declare readonly enabled: pulumi.Output<boolean>;
  declare readonly signed: pulumi.Output<boolean | undefined>;
  declare readonly rotateSecret: pulumi.Output<string | undefined>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;
  /** The service's id. */
  declare readonly webhookId: pulumi.Output<string>;
  /** Whether deliveries are signed. */
  declare readonly hasSecret: pulumi.Output<boolean>;
  /** The signing secret, always a Pulumi secret. Unknown to this package for an adopted webhook until it is rotated. */
  declare readonly secret: pulumi.Output<string | undefined>;
  /** When the service created it, ISO 8601. */
  declare readonly createdDate: pulumi.Output<string>;

  constructor(name: string, args: WebhookArgs, options?: pulumi.CustomResourceOptions) {
    using _ = shortTraces();
    super(...registration(webhookLifecycle, name, args, options));
  }
}
