/** The frame of the ways in: the mark, one form, and nothing else. */
import { Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { Mark } from "../../kit/display/mark.tsx";
import classes from "./entry-frame.module.css";

export function EntryFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Porchlight`;
  }, [title]);
  return (
    <main className={classes.frame}>
      <div className={classes.brand}>
        <Mark isLit />
        <span>Porchlight</span>
      </div>
      <div className={classes.form}>
        <Title order={1} mb="md">
          {title}
        </Title>
        {children}
      </div>
      <p className={classes.promise}>The light that shows you, from the street, how things are at home.</p>
    </main>
  );
}
