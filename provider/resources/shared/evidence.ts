import type { ServiceClient } from "../../service/client";
import { isAbsent, knownFrom, nextFrom, ProviderError, ServiceError } from "../../service/errors";
import { checkBaseUrl } from "../../service/setting-names";
import { PartialFailure } from "./lifecycle";

/**
 * Refuses, before any request, to read, change or delete an object of another base URL than this deployment's. An object
 * with the same id there would be another one. `readBy` is the mark that the state keeps; without one, nothing is known.
 */
export function requireThisService(
  { endpoints }: ServiceClient,
  object: string,
  readBy: string | undefined,
  adoptedBy?: string,
): void {
  if (readBy === undefined || endpoints.isOfThisService(readBy)) return;
  throw new ProviderError({
    what: `The ${object} was created or last read at another base URL. No request was sent.`,
    next: [checkBaseUrl, ...(adoptedBy === undefined ? [] : [moved(adoptedBy)])],
  });
}

function moved(adoptedBy: string): string {
  return `If the service has moved, remove the resource from the stack with \`pulumi state delete\`, and adopt the object at its new base URL with ${adoptedBy}.`;
}

/**
 * Whether an error proves that the object is gone: a 404 that the specification lists with this one meaning, or the 404 of
 * an assumed operation that is known to work here, because this object was once read through the same endpoint (`readBy`).
 * A page that is not JSON proves nothing, because it is not the service's. Nor does a 404 of another base URL than the one
 * where the object was read.
 */
export function provesAbsence(error: unknown, { endpoints }: ServiceClient, readBy?: string): error is ServiceError {
  if (!(error instanceof ServiceError) || error.status !== 404 || error.foreign) return false;
  if (readBy !== undefined && !endpoints.isOfThisService(readBy)) return false;
  return endpoints.isAbsentOn404(error.operation) || readBy === endpoints.mark(error.operation);
}

/** What a read returns; undefined only on evidence that the object is gone. */
export async function readUnlessGone<T>(
  service: ServiceClient,
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

/** For an object to adopt or to import. */
export function notFound(object: string): string {
  return `The ${object} was not found. Nothing was changed.`;
}

/** Reads the object to adopt. A 404 of an assumed path can mean that it does not exist, or that the path is wrong. */
export async function readToAdopt<T>(object: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isAbsent(error)) throw error;
    throw new ProviderError({
      what: notFound(object),
      known: knownFrom(error),
      next: nextFrom(error),
    });
  }
}

/** Reads what was just created, so that a later 404 is evidence. Undefined, with a message, where the path does not exist. */
export async function readBack<T>(
  object: string,
  log: (line: string) => void,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isAbsent(error)) throw error;
    log(cannotRead(object, error));
    return undefined;
  }
}

/** For an object that exists, although the path that would read it answers 404. */
export function cannotRead(object: string, error: ServiceError): string {
  return `The ${object} can be managed but not refreshed: ${error.message}`;
}

/** For a deletion that the service refused as if there were no such object, although the object was found afterwards. */
export function stillExists(
  object: string,
  error: ServiceError,
  next: readonly string[] = nextFrom(error),
): ProviderError {
  return new ProviderError({
    what: error.report.what,
    known: [...knownFrom(error).slice(1), `The ${object} was looked for afterwards: it still exists.`],
    next,
  });
}

/**
 * Runs a step that starts when the object exists. If it fails, this state is saved. `done` is a sentence about what is
 * true already.
 */
export async function savingOnFailure<T>(state: object, done: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof PartialFailure) throw error;
    throw new PartialFailure(state, {
      what: `${done}, but a later step failed.`,
      known: knownFrom(error),
      next: [...nextFrom(error), "Run `pulumi up` again. It continues from here."],
    });
  }
}
