/** The categories of risks, most dangerous first: the name for `--fail-on`, and the heading in the report. */
export const categories = {
  "permanent-delete": "Deleted permanently",
  launch: "Launched",
  spend: "Spending more",
  unremovable: "Cannot be removed later",
  "hidden-finding": "Security findings ignored",
  "webhook-target": "Where events are sent",
  "secret-rotation": "Signing secrets changed",
  "webhook-switch": "Webhooks switched on or off",
  "later-delete": "Protection removed: a later destroy deletes it",
  gone: "No longer in the service",
  adoption: "Adopted",
  "left-behind": "Removed from the stack, kept in the service",
  "record-write": "Records written (the app's automations may run)",
  "unmanaged-field": "No longer managed",
  "assumed-path": "Depends on an assumed path",
} as const;

export type Category = keyof typeof categories;

export const categoryNames = Object.keys(categories) as Category[];
