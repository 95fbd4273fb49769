/** Query parameters that many routes take. */

/** What every collection takes. */
export const PAGING = ["pageSize", "continuationToken"] as const;
