import { z } from "zod";

/** Where the control interface hears a wrong request. */
export class ControlError extends Error {}

export const id = z.string().min(1);

export async function bodyOf(request: { text(): Promise<string> }): Promise<unknown> {
  try {
    return JSON.parse(await request.text());
  } catch {
    throw new ControlError("The body must be JSON.");
  }
}
