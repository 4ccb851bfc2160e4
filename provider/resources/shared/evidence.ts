import { previewRefresh } from "../../service/advice";
import type { EndpointMap } from "../../service/endpoints";
import { isAbsent, knownFrom, nextFrom, ProviderError, ServiceError } from "../../service/errors";
import type { OperationId } from "../../service/operations";
import { checkBaseUrl } from "../../service/setting-names";
import { removeFromStack } from "./state-delete";

/**
 * Tells, in one step, whether a response proves that an object is gone. `readBy` stands for the operation that has shown the
 * object: hashes of its base URL, endpoint and credential (`EndpointMap.readBy`). The steps check its base URL before a
 * request, and save the one that the step ends with.
 */
export class Evidence {
  /** `object`: for messages. */
  constructor(
    private readonly endpoints: EndpointMap,
    private readonly object: string,
    public readBy: string | undefined,
  ) {}

  /**
   * Refuses, before any request, an object of another base URL than this deployment's: an object with the same id there would
   * be another one. `adoptedBy`: the argument that adopts one.
   */
  requireSameBaseUrl(adoptedBy: string | undefined): void {
    // A state that a program gives to `get` has none.
    if (this.readBy === undefined || this.endpoints.isOfThisService(this.readBy)) return;
    const adoption = adoptedBy === "adopt" ? "adopt: true" : adoptedBy;
    const thenAdopt = adoption === undefined ? "" : ` Then adopt the object at its new base URL with ${adoption}.`;
    throw new ProviderError({
      code: "WA1401",
      what: `The ${this.object} was created or last read at another base URL. No request was sent.`,
      next: [
        checkBaseUrl,
        "To have one at the new base URL: declare another resource there, and remove this one while it has its earlier provider or base URL.",
        `${removeFromStack("If the whole service has moved")}${thenAdopt}`,
      ],
    });
  }

  /** The operation has just shown the object: if it does not show it later, that is evidence. */
  shownBy(operation: OperationId): void {
    this.readBy = this.endpoints.readBy(operation, this.readBy);
  }

  /** Whether the operation has shown the object before, with the same base URL, endpoint and credential. */
  isKnownBy(operation: OperationId): boolean {
    return this.endpoints.isEvidence(operation, this.readBy);
  }

  /**
   * Whether an error proves that the object is gone: an operation that has shown it answers 404. A page that is not JSON
   * proves nothing, because it is not the service's.
   */
  provesAbsence(error: unknown): error is ServiceError {
    return isNotFound(error) && this.isKnownBy(error.operation);
  }

  /** Throws an error that does not prove that the object is gone, and says so if the token has changed. */
  requireGone(error: unknown): void {
    if (!isNotFound(error)) throw error;
    if (this.isKnownBy(error.operation)) return;
    if (!this.isOfCredential(error.operation)) throw this.tokenChanged(knownFrom(error));
    throw error.withNext(removeFromStack("If it was deleted"));
  }

  /** Throws unless it is evidence that a complete list does not show the object: the list has shown it before. */
  requireListedBefore(list: OperationId): void {
    if (this.isKnownBy(list)) return;
    const known = [`${list} does not show it.`];
    if (!this.isOfCredential(list)) throw this.tokenChanged(known);
    const doubt = this.endpoints.doubt(list);
    throw new ProviderError({
      code: "WA1407",
      what: `The ${this.object} is not treated as removed: ${list} does not show it, but has not shown it before.`,
      known: doubt.known,
      next: [...doubt.next, removeFromStack("If it was removed")],
    });
  }

  /** Before a removal that the service also confirms where there is nothing to remove: this token must show the object. */
  async requireShown(removal: OperationId, isShown: () => Promise<boolean>): Promise<void> {
    if (this.isOfCredential(removal)) return;
    const isFound = await isShown().catch((error: unknown) => {
      if (!isNotFound(error) && !(error instanceof ServiceError && error.status === 403)) throw error;
      throw this.tokenChanged(knownFrom(error));
    });
    if (!isFound) throw this.tokenChanged([]);
  }

  /** Returns what was read; undefined only on evidence that the object is gone. */
  async readUnlessGone<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      this.requireGone(error);
      return undefined;
    }
  }

  /** Returns what was read before a change. */
  async readToChange<T>(read: () => Promise<T>): Promise<T> {
    const found = await this.readUnlessGone(read);
    if (found === undefined) throw this.notThereToChange();
    return found;
  }

  /**
   * Deletes or disables the object. A 404 or 405 may come from an assumed path that is wrong, so the object is looked for.
   * `find` returns undefined only on evidence that the object is gone.
   */
  async changeUnlessGone(change: () => Promise<unknown>, find: () => Promise<unknown>): Promise<void> {
    try {
      await change();
    } catch (error) {
      if (!isAbsent(error)) throw error;
      if (this.provesAbsence(error)) return;
      if ((await find()) !== undefined) throw stillExists(this.object, error);
    }
  }

  notThereToChange(): ProviderError {
    return new ProviderError({
      code: "WA1505",
      what: `The ${this.object} was not found.`,
      next: ["Check the token first: perhaps it does not reach it.", previewRefresh],
    });
  }

  private isOfCredential(operation: OperationId): boolean {
    return this.endpoints.isOfThisCredential(operation, this.readBy);
  }

  private tokenChanged(known: readonly string[]): ProviderError {
    return new ProviderError({
      code: "WA1402",
      what: `The ${this.object} was not found. This proves nothing: the token has changed since it was last read, and may not reach it.`,
      known,
      next: [earlierToken, removeFromStack("If it was deleted")],
    });
  }
}

/** Whether the service itself answers 404. A page that is not JSON is not its answer. */
export function isNotFound(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 404 && !error.foreign;
}

/** `pulumi refresh` and `pulumi destroy` use what the state has of the configuration. */
export const earlierToken =
  "Use the earlier token, or one that reaches it. If you change it in the stack's configuration, run `pulumi up` first: the other commands use the token of the last `up`.";

/** For an object to adopt or to import. */
function notFound(object: string): string {
  return `The ${object} was not found. Nothing was changed.`;
}

/** Reads the object to adopt. A 404 of an assumed path can mean that it does not exist, or that the path is wrong. */
export async function readToAdopt<T>(object: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isAbsent(error)) throw error;
    throw new ProviderError({
      code: "WA1301",
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
    code: "WA1405",
    what: error.report.what,
    known: [...knownFrom(error).slice(1), `The ${object} was looked for afterwards: it still exists.`],
    next,
  });
}
