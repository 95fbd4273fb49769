/**
 * A description list of one object: names on the left, values on the right, stacked on a narrow screen. A name can be a term of the
 * glossary.
 */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { documentIndexQuery } from "../text/documents.ts";
import classes from "./facts.module.css";

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

/** @param id the term's anchor in the glossary */
export function Term({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const popover = useId();
  const [isOpen, setOpen] = useState(false);
  const { data, isPending } = useQuery({ ...documentIndexQuery, enabled: isOpen });
  const meaning = data?.words[id]?.meaning;
  return (
    <>
      <button type="button" className={classes.term} popoverTarget={popover}>
        {children}
      </button>
      <span
        id={popover}
        popover="auto"
        className={classes.meaning}
        onToggle={({ newState }) => setOpen(newState === "open")}
      >
        {meaning ?? (isPending ? "Loading…" : "Could not load the definition.")}{" "}
        <a href={`/docs/glossary#${id}`}>Glossary</a>
      </span>
    </>
  );
}
