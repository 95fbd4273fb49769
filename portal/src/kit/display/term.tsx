/** A glossary term in a text: a press shows its meaning and a link to the glossary. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { documentIndexQuery } from "../text/document-index.ts";
import classes from "./term.module.css";

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
