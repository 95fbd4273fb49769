/** How many there are of what, each leading to the list of it. */
import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import classes from "./counts.module.css";

export interface Count {
  readonly label: string;
  readonly to: string;
  /** Undefined while it is not known. */
  readonly count: number | undefined;
  /** The most that there may be. */
  readonly limit: number | undefined;
  readonly note?: string | undefined;
}

/** From here on it is worth a word that there may not be many more. */
const NEAR = 0.8;

export function Counts({ counts }: { readonly counts: readonly Count[] }) {
  return (
    <div className={classes.counts}>
      {counts.map(({ label, to, count, limit, note }) => (
        <Link key={label} to={to} className={classes.count}>
          <span className={classes.number}>{count?.toLocaleString("en") ?? "…"}</span>
          <span>{label}</span>
          <Text size="sm" c="dimmed" component="span">
            {note && `${note}, `}
            {limit !== undefined && `at most ${limit.toLocaleString("en")}`}
            {limit !== undefined && count !== undefined && count >= limit * NEAR && " (near the limit)"}
          </Text>
        </Link>
      ))}
    </div>
  );
}
