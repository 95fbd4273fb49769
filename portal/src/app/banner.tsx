/** The banner for a lost connection: the page shows only last known states, and since when. */

import { ageOf, useNow } from "../kit/text/age.tsx";
import { useLiveness } from "../live/context.tsx";
import classes from "./banner.module.css";

export function Banner() {
  const liveness = useLiveness();
  if (liveness.kind !== "lost") return <div role="status" />;
  const { since } = liveness;
  return (
    <div className={classes.banner} role="status">
      <strong>Connection lost, last known values.</strong> Last response from the service at{" "}
      <time dateTime={new Date(since).toISOString()}>{new Date(since).toLocaleTimeString()}</time>
      <Ago since={since} />. Reconnecting automatically.
    </div>
  );
}

/** Hidden from screen readers, which would read a ticking status out each second. */
function Ago({ since }: { readonly since: number }) {
  return <span aria-hidden="true"> ({ageOf(useNow() - since)} ago)</span>;
}
