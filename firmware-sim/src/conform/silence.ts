/** The one end of a proof that gives no report: nobody is there. */

/** Not one byte came. */
export class Silence extends Error {
  override readonly name = "Silence";
}
