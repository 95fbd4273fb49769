/** A description list of one object: names on the left, values on the right, stacked on a narrow screen. */
import type { ReactNode } from "react";
import classes from "./facts.module.css";
import { Term } from "./term.tsx";

interface FactsProps {
  /** All facts at once, as an alternative to {@link Fact} children. */
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
  /** Anchor of the name in the glossary, when the name is a glossary term. */
  readonly term?: string;
  readonly children?: ReactNode;
}

/** A name and its value; renders nothing when the value is empty. */
export function Fact({ name, term, children }: FactProps) {
  if (children === undefined || children === null || children === false) return null;
  return (
    <div>
      <dt>{term ? <Term id={term}>{name}</Term> : name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
