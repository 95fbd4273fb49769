/** The log book as a section of another page. It opens on request, because most visitors do not need it. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { Failure } from "../../kit/display/failure.tsx";
import { Section } from "../../kit/display/page.tsx";
import { Loading } from "../../kit/display/query-view.tsx";
import { useWanted } from "../../kit/text/use-wanted.ts";
import type { LogBookScope } from "./sources.ts";

const loadLogBook = () => import("./log-book.tsx");

export function LogBookSection({ scope }: { readonly scope: LogBookScope }) {
  const [isOpen, setOpen] = useState(false);
  const { Part: LogBook, error } = useWanted(loadLogBook, isOpen);
  return (
    <Section
      title="Log book"
      lead="What happened, and who or what did it."
      actions={
        <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide" : "Show"}
        </Button>
      }
    >
      {isOpen && LogBook && <LogBook scope={scope} />}
      {isOpen && !LogBook && !error && <Loading />}
      {isOpen && error && <Failure error={error} putAway={() => setOpen(false)} />}
    </Section>
  );
}
