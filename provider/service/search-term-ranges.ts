/** The named date ranges of a search-term report. Apart from the shapes, so that the public types do not need zod. */
export const searchTermRanges = [
  "TODAY",
  "YESTERDAY",
  "LAST_7_DAYS",
  "LAST_14_DAYS",
  "LAST_30_DAYS",
  "LAST_90_DAYS",
  "THIS_WEEK_MON_TODAY",
  "THIS_WEEK_SUN_TODAY",
  "LAST_WEEK_MON_SUN",
  "LAST_WEEK_SUN_SAT",
  "LAST_BUSINESS_WEEK",
  "THIS_MONTH",
  "LAST_MONTH",
] as const;
