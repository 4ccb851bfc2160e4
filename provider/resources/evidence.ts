import { Unfinished } from "../engine/lifecycle";
import type { Service } from "../service/client";
import { isAbsent, messageOf, Refusal, ServiceError } from "../service/errors";

/**
 * Whether an error proves that the object is gone: the 404 of a documented operation, or of an assumed one that is
 * known to work here because this object was once read through the same endpoint (`readBy`). A page that is no JSON
 * proves nothing: it is not the service's; nor does a 404 of another base URL than the one where it was read.
 */
export function provesAbsence(error: unknown, service: Service, readBy?: string): error is ServiceError {
  if (!(error instanceof ServiceError) || error.status !== 404 || error.foreign) return false;
  if (readBy !== undefined && !service.endpoints.isOfThisService(readBy)) return false;
  return service.endpoints.isAsDocumented(error.operation) || readBy === service.endpoints.mark(error.operation);
}

/** What a read answers; undefined only on evidence that the object is gone. */
export async function unlessGone<T>(
  service: Service,
  readBy: string | undefined,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (provesAbsence(error, service, readBy)) return undefined;
    throw error;
  }
}

/** The object to adopt. A 404 of an assumed path can mean that it is not there, or that the path is another one. */
export async function readToAdopt<T>(object: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isAbsent(error)) throw error;
    throw new Refusal(`There is no ${object} to adopt, or it is found elsewhere: check the ids. ${error.message}`);
  }
}

/**
 * Reads back what was just made, so that its absence can be told later. Undefined, and said, where the assumed path is
 * not there.
 */
export async function readBack<T>(
  object: string,
  say: (line: string) => void,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isAbsent(error)) throw error;
    say(`The ${object} can be neither refreshed nor found missing: ${error.message}`);
    return undefined;
  }
}

/**
 * Runs a step after which the object exists in any case: what fails in it leaves that state behind. `done` says what is
 * true by then.
 */
export async function keeping<T>(state: object, done: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof Unfinished) throw error;
    throw new Unfinished(
      state,
      `${done}, but what follows is not finished; the next \`pulumi up\` goes on. ${messageOf(error)}`,
    );
  }
}
