import * as pulumi from "@pulumi/pulumi";
import { formOf, registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { webhookLifecycle } from "./lifecycle";

/** An event that an agent's webhook can deliver. */
export type WebhookEvent = "message.created" | "message.completed";

/** The arguments of a {@link Webhook}. */
export interface WebhookArgs {
  /** The id of the agent, which is an app of the kind agent. A change replaces the webhook. */
  agentId: pulumi.Input<string>;
  /**
   * The public https URL that receives the events. No credentials, and no private or local address. Changed in place.
   */
  targetUrl: pulumi.Input<string>;
  /** One or more of `message.created` and `message.completed`. The order does not matter. Changed in place. */
  events: pulumi.Input<pulumi.Input<WebhookEvent>[]>;
  /** A label. If it is left out, the webhook has none. Changed in place. */
  description?: pulumi.Input<string>;
  /**
   * Whether events are delivered. The service turns a webhook off after 20 failed deliveries in a row. `pulumi refresh`
   * shows that, and the next `pulumi up` turns it on again and resets the count.
   * @default true
   */
  enabled?: pulumi.Input<boolean>;
  /**
   * Whether deliveries are signed, with an HMAC-SHA256 of the body in the header `X-Service-Signature`. `true`
   * generates a secret if there is none, `false` removes the secret. If it is left out, signing stays unchanged.
   */
  signed?: pulumi.Input<boolean>;
  /**
   * Any text. A change generates a new signing secret, and receivers that know only the old one refuse the events from
   * then on. Adopting a webhook never rotates its secret: the text is remembered.
   */
  rotateSecret?: pulumi.Input<string>;
  /**
   * The id of an existing webhook to adopt, instead of creating one. Adoption changes nothing: it fails if the webhook
   * differs from what is declared, and lists every difference. A change to another id replaces the resource.
   */
  webhookId?: pulumi.Input<string>;
  /**
   * Whether adoption changes a webhook that differs to what is declared. Only what differs is sent. `signed: true` then
   * generates a secret for a webhook that has none, and never a new one. Without `webhookId` it has no effect, and
   * changing it later changes nothing.
   * @default false
   */
  overwrite?: pulumi.Input<boolean>;
  /**
   * Effect of destroy: `delete` the webhook, `disable` it (turn it off and leave it), or `retain` it unchanged.
   * @default `delete` if this stack created the webhook, `retain` if it adopted it
   */
  deletionPolicy?: pulumi.Input<"delete" | "disable" | "retain">;
}

/**
 * A webhook of an agent. The service sends the chosen events to a public https URL. It sends `message.created` when a
 * message is added to a conversation, and `message.completed` when the agent finishes a reply. The service does not
 * document the body of a delivery, how often it retries, or when it times out.
 *
 * - **Documented:** updating, which includes turning on and off and signing. Needs a token with full access whose owner
 *   is an editor of the agent, and a plan that includes webhooks.
 * - **Assumed:** the paths for creating, reading, listing and deleting. `workspace-apps:endpoints` can change them.
 * - **Replaced** by a change of `agentId`, or to another `webhookId`. All other changes are made in place, and only
 *   changed fields are sent.
 * - **Destroy** deletes a webhook that this stack created, and retains an adopted one, unless `deletionPolicy` says
 *   otherwise.
 *
 * The service shows a signing secret only once, when it generates it. If somebody else rotates the secret, neither
 * `pulumi refresh` nor `pulumi up` can notice: `secret` then has the old value. Change `rotateSecret` to get a known
 * one.
 *
 * ```ts
 * const hook = new apps.Webhook("replies", {
 *     agentId: "agent-1",
 *     targetUrl: "https://hooks.example.com/replies",
 *     events: ["message.completed"],
 *     description: "Replies for the help desk",
 *     signed: true,
 *     rotateSecret: "2026-01", // change it to rotate
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
  declare readonly overwrite: pulumi.Output<boolean | undefined>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;
  /** The service's id of the webhook. */
  declare readonly webhookId: pulumi.Output<string>;
  /** Whether deliveries are signed. */
  declare readonly hasSecret: pulumi.Output<boolean>;
  /** The signing secret, always a Pulumi secret. Undefined for an adopted webhook until `rotateSecret` changes. */
  declare readonly secret: pulumi.Output<string | undefined>;
  /** When the service created the webhook, in ISO 8601. */
  declare readonly createdDate: pulumi.Output<string>;

  constructor(name: string, args: WebhookArgs, options?: pulumi.CustomResourceOptions) {
    const registered = registration(formOf(new.target), webhookLifecycle, name, args, options);
    using _ = shortTraces();
    super(...registered);
  }
}
