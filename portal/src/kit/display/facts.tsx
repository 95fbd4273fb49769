/** What is known of one thing: names at the left, what they are at the right; under each other on narrow screens. */
import type { ReactNode } from "react";
import classes from "./facts.module.css";
import { Term } from "./term.tsx";

export interface FactsProps {
  /** In one go; or each as a {@link Fact} among the children. */
  readonly facts?: readonly (readonly [name: string, value: ReactNode])[];
  readonly children?: ReactNode;
}

export function Facts({ facts = [], children }: FactsProps) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
      {children}
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  /** Of a name that is a word of the glossary: its anchor there. */
  readonly term?: string;
  readonly children?: ReactNode;
}

/** Left out when there is nothing to say. */
export function Fact({ name, term, children }: FactProps) {
  if (children === undefined || children === null || children === false) return null;
  return (
    <div>
      <dt>{term ? <Term id={term}>{name}</Term> : name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
