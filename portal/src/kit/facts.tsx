/** What is known of one thing: names at the left, what they are at the right; under each other on narrow screens. */
import type { ReactNode } from "react";
import classes from "./facts.module.css";

/** A fact that is undefined is left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
