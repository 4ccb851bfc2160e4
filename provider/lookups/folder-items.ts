import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { readAll } from "../service/lists";
import { folderItem } from "../service/shapes";
import { fromWire, toWire } from "./shared/fields";
import type { Lookup } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

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
  run: async (args, { service }) => ({
    items: (await readAll(service, "folderItem.list", toWire(args))).map((row) => fromWire(folderItem, row)),
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
