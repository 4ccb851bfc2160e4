import { webhookLifecycle } from "../../provider/resources/webhook/lifecycle";
import type { State } from "../../provider/resources/webhook/lifecycle";
import type { Webhook } from "../../simulator";
import { type Bench, driven } from "./deployment";
import { newRequests } from "./requests";

export const webhook = driven(webhookLifecycle);

/** The least that a program declares. */
export const declared = {
  agentId: "agent-1",
  targetUrl: "https://hooks.example.com/replies",
  events: ["message.completed"],
};

/** Whether the next `up` goes on with it, also where nothing else changed. */
export function isUnfinished(state: State): boolean | undefined {
  return webhookLifecycle.isUnfinished?.(state);
}

/** What the agent's webhooks are. */
export function live({ simulator }: Bench): Webhook[] {
  return simulator.objects.webhooks("agent-1");
}

/** What the service saw since the last look. */
export function requests({ simulator }: Bench): string[] {
  return newRequests(simulator);
}
