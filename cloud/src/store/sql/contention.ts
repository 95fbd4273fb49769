/**
 * Statements that PostgreSQL refuses because of other transactions: it aborts one of two deadlocked transactions, and
 * the prepared statements of a connection are void once a newer program has changed the tables. Nothing has been
 * written then, and a retry may succeed.
 */

/** Serialization failure, deadlock detected (PostgreSQL, Appendix A). */
const UNDONE = /^(40001|40P01)$/;
/** Query canceled, lock not available: a limit of the session or the transaction. */
const GIVEN_UP = /^(57014|55P03)$/;

/** Whether a statement's transaction may be retried unchanged. @param error the database's, or a refusal that it caused */
export function isContention(error: unknown): boolean {
  const { code, cause } = partsOf(error);
  return UNDONE.test(code) || isStalePlan(error) || (cause !== undefined && isContention(cause));
}

/**
 * Whether the server cancelled a statement that exceeded its time limit, also for a lock.
 * @param error the database's, or a refusal that it caused
 */
export function isGivenUp(error: unknown): boolean {
  const { code, cause } = partsOf(error);
  return GIVEN_UP.test(code) || (cause !== undefined && isGivenUp(cause));
}

/** Whether the prepared statements of a connection are void. */
export function isStalePlan(error: unknown): boolean {
  const { code, message } = partsOf(error);
  // "Feature not supported" has many other causes.
  return code === "0A000" && message.includes("cached plan");
}

function partsOf(error: unknown): { readonly code: string; readonly message: string; readonly cause: unknown } {
  if (!(error instanceof Error)) return { code: "", message: "", cause: undefined };
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return { code, message: error.message, cause: error.cause };
}
