/** The one end of a proof that gives no report: there is no answer. */

/** Not one byte came. */
export class Silence extends Error {
  override readonly name = "Silence";
}
