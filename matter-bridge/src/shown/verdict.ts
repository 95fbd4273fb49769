/** What became of something that a controller asked for: its own file, because both the hub's side and Matter's speak in these words. */

/**
 * `not_done`: nothing happened, and it is safe to repeat; `rejected`: the device refused; `unknown`: it may have happened;
 * `constraint`: the device cannot have that value; `unsupported`: it cannot do that at all.
 */
export type Verdict =
  | { readonly kind: "done" }
  | {
      readonly kind: "not_done" | "rejected" | "unknown" | "constraint" | "unsupported";
      readonly why: string;
    };

export const DONE: Verdict = { kind: "done" };
