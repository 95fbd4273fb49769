/** The layout of a page: heading with actions, main column, and an aside on wide screens. */
import { Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { cut } from "../text/names.ts";
import { Icon, type IconName } from "./icon.tsx";
import classes from "./page.module.css";

interface PageProps {
  readonly title: string;
  readonly icon?: IconName;
  /** A sentence or IDs under the title. */
  readonly lead?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  /** Beside the main column on wide screens, below it on narrow ones. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, icon, lead, actions, aside, children }: PageProps) {
  useEffect(() => {
    document.title = title === "Porchlight" ? title : `${title} · Porchlight`;
  }, [title]);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div className={classes.heading}>
          <Title order={1} title={title}>
            {icon && (
              <span className={classes.icon}>
                <Icon name={icon} size={26} />
              </span>
            )}
            <bdi>{cut(title, 120)}</bdi>
          </Title>
          {lead && <div className={classes.lead}>{lead}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      <div className={classes.columns} data-aside={aside !== undefined}>
        <div className={classes.main}>{children}</div>
        {aside && <aside className={classes.aside}>{aside}</aside>}
      </div>
    </div>
  );
}

/** A part of a page under its own heading. */
export function Section(props: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={classes.section} aria-label={props.title}>
      <header className={classes.head}>
        <div className={classes.heading}>
          <Title order={2} title={props.title}>
            <bdi>{cut(props.title, 120)}</bdi>
          </Title>
          {props.lead && <div className={classes.lead}>{props.lead}</div>}
        </div>
        {props.actions && <div className={classes.actions}>{props.actions}</div>}
      </header>
      {props.children}
    </section>
  );
}
