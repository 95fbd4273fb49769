/** A part of the overview: a few rows and a link to the full list. */
import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Section } from "../../kit/display/page.tsx";
import classes from "./overview.module.css";

/** Maximum number of rows in a part; its own page has the others. */
const MOST = 6;

interface PartProps {
  readonly title: string;
  /** The address of the full list. */
  readonly path: string;
  readonly link: string;
  readonly children: ReactNode;
}

export function Part({ title, path, link, children }: PartProps) {
  return (
    <Section title={title}>
      {children}
      <div>
        <To path={path}>{link}</To>
      </div>
    </Section>
  );
}

/** One row of a part. */
interface OverviewRow {
  readonly id: string;
  readonly name: string;
  readonly path?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly value: ReactNode;
}

export function Rows<T>({ of, row }: { readonly of: readonly T[]; readonly row: (thing: T) => OverviewRow }) {
  return (
    <ul className={classes.rows}>
      {of.slice(0, MOST).map((thing) => {
        const { id, name, path, search, value } = row(thing);
        return (
          <li key={id} className={classes.row}>
            <span className={classes.name}>
              {path === undefined ? (
                <bdi>{name}</bdi>
              ) : (
                <To path={path} search={search}>
                  {name}
                </To>
              )}
            </span>
            <span>{value}</span>
          </li>
        );
      })}
    </ul>
  );
}

interface ToProps {
  readonly path: string;
  readonly search?: Readonly<Record<string, string>> | undefined;
  readonly children: string;
}

export function To({ path, search, children }: ToProps) {
  return (
    <Anchor inherit renderRoot={(props) => <Link to={path} search={search as never} {...props} />}>
      <bdi>{children}</bdi>
    </Anchor>
  );
}
