/** Verdict on a request of a controller. Apart, because both the hub's side and Matter's side use it. */

/**
 * `not_done`: nothing happened, and a repetition is safe; `rejected`: the device refused; `unknown`: it may have happened; `constraint`:
 * the device does not accept that value; `unsupported`: the device does not support the command.
 */
export type Verdict =
  | { readonly kind: "done" }
  | {
      readonly kind: "not_done" | "rejected" | "unknown" | "constraint" | "unsupported";
      readonly why: string;
    };

export const DONE: Verdict = { kind: "done" };
