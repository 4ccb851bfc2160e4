import type * as Grpc from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import * as status from "@pulumi/pulumi/proto/status_pb";
import { messageOf, ReportedError } from "../../service/errors";
import { SettingsError } from "../../settings";
import type { Properties, SavedFailure } from "../saved";
import { toStruct } from "./properties";
import { Any, grpc } from "./protocol";

/* The plugin's responses, as messages of Pulumi's protocol. */

export function checkResponse(
  inputs: Properties,
  problems: readonly { property: string; reason: string }[],
  secretNames?: readonly string[],
): messages.CheckResponse {
  const response = new messages.CheckResponse();
  response.setInputs(toStruct(inputs, secretNames));
  for (const { property, reason } of problems) {
    const failure = new messages.CheckFailure();
    failure.setProperty(property);
    failure.setReason(reason);
    response.addFailures(failure);
  }
  return response;
}

interface DiffAnswer {
  isChanged?: boolean;
  changed: readonly string[];
  replaces: readonly string[];
  deleteBeforeReplace?: boolean;
  /** The arguments of the last `up`. The outputs have more, such as the id of an object. */
  oldInputs: Properties;
  news: Properties;
}

export function diffResponse(answer: DiffAnswer): messages.DiffResponse {
  const { changed, replaces, deleteBeforeReplace = false, oldInputs, news } = answer;
  const { isChanged = changed.length > 0 } = answer;
  const { DiffChanges } = messages.DiffResponse;
  const response = new messages.DiffResponse();
  response.setChanges(isChanged ? DiffChanges.DIFF_SOME : DiffChanges.DIFF_NONE);
  response.setDiffsList([...changed]);
  response.setReplacesList([...replaces]);
  response.setDeletebeforereplace(deleteBeforeReplace);
  response.setHasdetaileddiff(changed.length > 0);
  for (const name of changed) {
    const difference = new messages.PropertyDiff();
    difference.setKind(differenceKind(name in oldInputs, name in news, replaces.includes(name)));
    difference.setInputdiff(true);
    response.getDetaileddiffMap().set(name, difference);
  }
  return response;
}

function differenceKind(isOld: boolean, isNew: boolean, replaces: boolean): messages.PropertyDiff.Kind {
  const { Kind } = messages.PropertyDiff;
  if (!isNew) return replaces ? Kind.DELETE_REPLACE : Kind.DELETE;
  if (!isOld) return replaces ? Kind.ADD_REPLACE : Kind.ADD;
  return replaces ? Kind.UPDATE_REPLACE : Kind.UPDATE;
}

/**
 * A message for the user has no stack trace. An internal error has one.
 *
 * @param inOwnWords Rewrites the names of settings.
 */
export function asGrpcError(
  error: unknown,
  inOwnWords: (message: string) => string,
): Partial<Grpc.StatusObject> & { name: string; message: string } {
  const isForUser = error instanceof ReportedError || error instanceof SettingsError || isGrpcError(error);
  const message = isForUser
    ? inOwnWords(messageOf(error))
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  const { metadata } = error as { metadata?: Grpc.Metadata };
  return { name: "Error", code: grpc.status.UNKNOWN, message, details: message, ...(metadata ? { metadata } : {}) };
}

function isGrpcError(error: unknown): boolean {
  return (error as { metadata?: unknown }).metadata !== undefined;
}

/** The error by which the engine saves an object whose creation or change did not finish. */
export function initializationFailure(
  { message, saved }: Pick<SavedFailure, "message" | "saved">,
  secretOutputs?: readonly string[],
): Error {
  const detail = new messages.ErrorResourceInitFailed();
  detail.setId(saved.id);
  detail.setProperties(toStruct(saved.outputs, secretOutputs));
  detail.setReasonsList([message]);
  const packed = new Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const response = new status.Status();
  response.setCode(grpc.status.UNKNOWN);
  response.setMessage(message);
  response.addDetails(packed);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(response.serializeBinary()));
  return Object.assign(new Error(message), { metadata });
}
