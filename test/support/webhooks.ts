import { webhookLifecycle } from "../../provider/resources/webhook/lifecycle";
import type { State } from "../../provider/resources/webhook/webhook";
import type { Webhook } from "../../simulator";
import { type Bench, driven } from "./deployment";
import { newRequests } from "./requests";

export const webhook = driven(webhookLifecycle);

/** The minimum that a program declares. */
export const declared = {
  agentId: "agent-1",
  targetUrl: "https://hooks.example.com/replies",
  events: ["message.completed"],
};

/** Whether the next `up` continues with it, even if nothing else changed. */
export function hasMoreToDo(state: State): boolean | undefined {
  return webhookLifecycle.hasMoreToDo?.(state);
}

/** The agent's webhooks. */
export function live({ simulator }: Bench): Webhook[] {
  return simulator.objects.webhooks("agent-1");
}

/** The requests that the service received since the last call. */
export function requests({ simulator }: Bench): string[] {
  return newRequests(simulator);
}
