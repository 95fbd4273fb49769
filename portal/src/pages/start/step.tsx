/** One of the first steps: a number until the service has seen it, a tick from then on. */
import { Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Icon } from "../../kit/display/icon.tsx";
import classes from "./first-steps.module.css";

export interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  /** Closed until somebody wants it. */
  readonly isOptional?: boolean;
  /** What has been seen, or what is waited for. */
  readonly state: ReactNode;
  readonly children: ReactNode;
}

/** A step that was open when the page loaded stays open, so that nothing jumps when it is done. */
export function StepCard({ number, title, isDone, isOptional = false, state, children }: StepProps) {
  const [isOpenAtFirst] = useState(!isDone && !isOptional);
  return (
    <li className={classes.step}>
      <details open={isOpenAtFirst}>
        <summary className={classes.summary}>
          <span className={classes.marker} data-done={isDone}>
            {isDone ? <Icon name="check" size={16} /> : number}
          </span>
          <Title order={2}>
            {title}
            <span className="unseen">{isDone ? " (done)" : isOptional ? " (optional)" : " (to do)"}</span>
          </Title>
          <span className={classes.state} role="status">
            {state}
          </span>
        </summary>
        <div className={classes.body}>{children}</div>
      </details>
    </li>
  );
}
