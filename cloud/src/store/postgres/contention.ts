/**
 * What PostgreSQL refuses for the sake of others: of two transactions that wait for each other it undoes one, and what a connection
 * has prepared is void once a newer program has changed the tables. Nothing has been done then, and a second attempt may succeed.
 */

/** Serialization failure, deadlock detected (PostgreSQL, Appendix A). */
const UNDONE = /^(40001|40P01)$/;
/** Query canceled, lock not available: of the limits that the session or the transaction has set. */
const GIVEN_UP = /^(57014|55P03)$/;

/** Whether the transaction of a statement may be tried again as it was. @param error the database's, or a refusal that it caused */
export function isContention(error: unknown): boolean {
  const { code, cause } = partsOf(error);
  return UNDONE.test(code) || isStalePlan(error) || (cause !== undefined && isContention(cause));
}

/** Whether the server has given up on a statement that took, or waited for a lock, longer than it may. @param error the database's, or a refusal that it caused */
export function isGivenUp(error: unknown): boolean {
  const { code, cause } = partsOf(error);
  return GIVEN_UP.test(code) || (cause !== undefined && isGivenUp(cause));
}

/** Whether a connection is to forget what it has prepared. */
export function isStalePlan(error: unknown): boolean {
  const { code, message } = partsOf(error);
  // "Feature not supported" is said of much else.
  return code === "0A000" && message.includes("cached plan");
}

function partsOf(error: unknown): { readonly code: string; readonly message: string; readonly cause: unknown } {
  if (!(error instanceof Error)) return { code: "", message: "", cause: undefined };
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return { code, message: error.message, cause: error.cause };
}
