/** The outcome of an unconfirmed command: four words, each with its own look. */
import { type FailureOutcome, outcomeText } from "@porchlight/sdk";
import { Icon, type IconName } from "./icon.tsx";
import classes from "./outcome.module.css";

const ICONS: Readonly<Record<string, IconName>> = {
  not_sent: "pause",
  not_applied: "refresh",
  rejected: "close",
  unknown: "warn",
} satisfies Readonly<Record<FailureOutcome, IconName>>;

/** @param outcome undefined for a write that never became a command */
export function OutcomeWord({ outcome = "not_sent" }: { readonly outcome: FailureOutcome | undefined }) {
  return (
    <strong className={classes.outcome} data-outcome={outcome}>
      <Icon name={ICONS[outcome] ?? "warn"} size={16} />
      {outcomeText(outcome).word}
    </strong>
  );
}
