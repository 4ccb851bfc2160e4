import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import type { Lookup } from "./shared/lookup";
import {
  lookUp,
  type LookupInputs,
  lookUpOutput,
  type LookupOptions,
  type LookupOutputOptions,
} from "../pulumi/lookup-functions";
import { readAll } from "../service/lists";

/** The arguments of {@link getFolderItems}. */
export interface GetFolderItemsArgs {
  /** The folder. */
  folderId: string;
}

/** An app in a folder. */
export interface FolderItem {
  /** The app. */
  appId: string;
}

/** The result of {@link getFolderItems}. */
export interface GetFolderItemsResult {
  /** Every app in the folder that the token can see, in the service's order. */
  items: FolderItem[];
}

/** @internal */
export const folderItemsLookup: Lookup<GetFolderItemsArgs, GetFolderItemsResult> = {
  name: "getFolderItems",
  operation: "folderItem.list",
  purpose: "The apps in a folder",
  args: z.strictObject({ folderId: identifier() }),
  run: async ({ folderId }, { service }) => ({
    items: (await readAll(service, "folderItem.list", { folder_id: folderId })).map((item) => ({
      appId: item.app_id,
    })),
  }),
};

/**
 * Lists the apps in a folder.
 *
 * The path of this operation (`folderItem.list`) is assumed. A list that cannot be read to its end is an error.
 *
 * ```ts
 * const { items } = await apps.getFolderItems({ folderId: "folder-1" });
 * export const appIds = items.map((item) => item.appId);
 * ```
 */
export function getFolderItems(args: GetFolderItemsArgs, opts?: LookupOptions): Promise<GetFolderItemsResult> {
  return lookUp(folderItemsLookup, args, opts);
}

/** {@link getFolderItems} with inputs. Sends its requests once all inputs are known. */
export function getFolderItemsOutput(
  args: LookupInputs<GetFolderItemsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetFolderItemsResult> {
  return lookUpOutput(folderItemsLookup, args, opts);
}
