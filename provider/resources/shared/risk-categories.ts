/** What a reviewer must know of, most dangerous first: the name for `--fail-on`, and the heading. */
export const categories = {
  "permanent-delete": "Deleted for good",
  launch: "Launched",
  spend: "Spending more",
  unremovable: "Cannot be removed later",
  "hidden-finding": "Security findings that no longer count",
  "webhook-target": "Where events are sent",
  "secret-rotation": "Signing secrets changed",
  "webhook-switch": "Webhooks switched on or off",
  "later-delete": "No longer kept: a later destroy deletes it",
  gone: "No longer in the service",
  adoption: "Taken over",
  "left-behind": "Leaves the stack, stays in the service",
  "record-write": "Records written, which the app's automations may follow",
  "unmanaged-field": "No longer managed",
  "assumed-path": "Rests on an assumed path",
} as const;

export type Category = keyof typeof categories;

export const categoryNames = Object.keys(categories) as Category[];
